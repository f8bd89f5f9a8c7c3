"""
The settings of entries and books, read and written: one way for World Info and for character books.

The two spell the same settings differently and keep them in different objects: World Info all in the entry, a
character book (as SillyTavern writes it) partly in the entry's `extensions`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import vocabulary
from lorebook.formats.taker import MOST, Taker
from lorebook.formats.vocabulary import ALWAYS
from lorebook.records import EntrySettings, Position

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Spelling:
    """
    How a format names what both have.
    """

    secondary: str
    order: str
    case: str
    words: str


WORLD_INFO = Spelling("keysecondary", "order", "caseSensitive", "matchWholeWords")
CARD = Spelling("secondary_keys", "insertion_order", "case_sensitive", "match_whole_words")


def read(
    entry: Taker, more: Taker, spelling: Spelling, *, enabled: bool, position: Position, selective: bool
) -> tuple[EntrySettings, dict[str, Any]]:
    """
    Return the settings in *entry* and *more*, and what of them is switched off (see `vocabulary.inert`).

    Raises FormatError, naming the place and the field.
    """
    keys = tuple(stripped for key in entry.texts(spelling.secondary) if (stripped := key.strip()))
    used = bool(entry.flag("selective", selective))
    probability = min(max(more.number("probability", ALWAYS), 0), ALWAYS)
    rolled = bool(more.flag("useProbability", True))
    case, own_case = more.flag(spelling.case, None), entry.flag(spelling.case, None)
    try:
        settings = EntrySettings(
            enabled=enabled,
            constant=entry.flag("constant", False),
            secondary_keys=keys if used else (),
            secondary_logic=numbered(more, "selectiveLogic", vocabulary.LOGICS, vocabulary.LOGICS[0]),
            position=numbered(more, "position", vocabulary.POSITIONS, position),
            depth=max(more.whole("depth", 4), 0),
            role=numbered(more, "role", vocabulary.ROLES, vocabulary.ROLES[0]),
            insertion_order=entry.whole(spelling.order, 100),
            probability=probability if rolled else ALWAYS,
            case_sensitive=own_case if case is None else case,
            match_whole_words=more.flag(spelling.words, None),
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise FormatError(f"{entry.where}: {first['loc'][0]}: {first['msg']}") from error
    inert: dict[str, Any] = {} if used or not keys else {"secondary_keys": list(keys)}
    return settings, inert if rolled or probability == ALWAYS else inert | {"probability": probability}


def write_more(entry: Entry, spelling: Spelling) -> dict[str, Any]:
    """
    Return the settings that World Info has in the entry and SillyTavern's cards have in `extensions`.
    """
    settings = entry.settings
    probability, rolled = vocabulary.chance(entry)
    return {
        "position": vocabulary.POSITIONS.index(settings.position),
        "depth": settings.depth,
        "role": vocabulary.ROLES.index(settings.role),
        "probability": probability,
        "useProbability": rolled,
        "selectiveLogic": vocabulary.LOGICS.index(settings.secondary_logic),
        spelling.case: settings.case_sensitive,
        spelling.words: settings.match_whole_words,
    }


def numbered(more: Taker, name: str, choices: tuple[_Item, ...], default: _Item) -> _Item:
    """
    Take one of *choices*, which a number stands for; some tools write the word.
    """
    if more.peek(name) in choices:
        return choices[choices.index(more.raw(name))]
    number = more.whole(name, None)
    if number is None:
        return default
    if not 0 <= number < len(choices):
        raise FormatError(f"{more.where}: {name} is {number}, not one of 0 to {len(choices) - 1}")
    return choices[number]


def read_book(take: Taker, entries: tuple[Entry, ...]) -> Book:
    """
    Return the book whose own fields are in *take*, with *entries* already read.
    """
    extensions = take.mapping("extensions")
    return Book(
        name=take.text("name"),
        description=take.text("description"),
        entries=entries,
        scan_depth=take.whole("scan_depth", None),
        token_budget=take.whole("token_budget", None),
        recursive_scanning=take.flag("recursive_scanning", None),
        extensions=vocabulary.keep(extensions, fields=take.rest()),
    )


def write_book(book: Book, entries: object) -> dict[str, Any]:
    """
    Return *book* around its *entries*, already written; what it leaves open is left out.
    """
    head = {
        "name": book.name,
        "description": book.description,
        "scan_depth": book.scan_depth,
        "token_budget": book.token_budget,
        "recursive_scanning": book.recursive_scanning,
        "extensions": vocabulary.written(book),
        "entries": entries,
    }
    return {name: value for name, value in head.items() if value is not None} | vocabulary.fields(book)


HEAD_NAMES = frozenset(Book.model_fields)
"""The book's own fields are called alike in every format here."""


def numbers(raws: Iterable[object], name: str) -> list[int]:
    """
    Return a number for every entry: its own in the field *name*, or a free one where that is none or comes again.

    One beyond `MOST` is none: other programs would round it.
    """
    wanted = [_own_number(raw, name) for raw in raws]
    used = {number for number in wanted if number is not None}
    seen: set[int] = set()
    result = []
    for number in wanted:
        uid = vocabulary.free(used) if number is None or number in seen else number
        seen.add(uid)
        used.add(uid)
        result.append(uid)
    return result


def _own_number(raw: object, name: str) -> int | None:
    value = raw.get(name) if isinstance(raw, dict) else None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(MOST)):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if -MOST <= value <= MOST else None
