"""
The settings of entries and books, read and written: one way for World Info and for character books.

The two spell the same settings differently and keep them in different objects: World Info all in the entry, a
character book (as SillyTavern writes it) partly in the entry's `extensions`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import vocabulary
from lorebook.formats.notes import Notes, step
from lorebook.formats.taker import MOST, Taker, kind
from lorebook.formats.vocabulary import ALWAYS
from lorebook.records import EntrySettings, Position

_Item = TypeVar("_Item", bound=StrEnum)
_Number = TypeVar("_Number", int, float)


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
    """
    keys = tuple(line for key in entry.texts(spelling.secondary) if (line := " ".join(key.splitlines()).strip()))
    used = bool(entry.flag("selective", selective))
    probability = within(more, "probability", more.number("probability", ALWAYS), most=ALWAYS)
    rolled = bool(more.flag("useProbability", True))
    case, own_case = more.flag(spelling.case, None), entry.flag(spelling.case, None)
    settings = EntrySettings(
        enabled=enabled,
        constant=bool(entry.flag("constant", False)),
        secondary_keys=keys if used else (),
        secondary_logic=numbered(more, "selectiveLogic", vocabulary.LOGICS, vocabulary.LOGICS[0]),
        position=numbered(more, "position", vocabulary.POSITIONS, position),
        depth=within(more, "depth", more.whole("depth", 4)),
        role=numbered(more, "role", vocabulary.ROLES, vocabulary.ROLES[0]),
        insertion_order=entry.whole(spelling.order, 100),
        probability=probability if rolled else ALWAYS,
        case_sensitive=own_case if case is None else case,
        match_whole_words=more.flag(spelling.words, None),
    )
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


def within(more: Taker, name: str, number: _Number, *, most: _Number | None = None) -> _Number:
    """
    Return *number*, which was taken from *name*, as near to itself as it may be: from 0 to *most*.
    """
    fitting = max(number, 0) if most is None else min(max(number, 0), most)
    if fitting != number:
        limits = "less than 0" if most is None else f"not between 0 and {most}"
        more.notes.add(more.at(name), f"is {number}, {limits}; read as {fitting}")
    return fitting


def numbered(more: Taker, name: str, choices: tuple[_Item, ...], default: _Item) -> _Item:
    """
    Take one of *choices*, which a number stands for; some tools write the word, in small letters or capitals.
    """
    said = more.peek(name)
    word = said.strip().lower() if isinstance(said, str) else None
    if word in choices:
        more.raw(name)
        return choices[choices.index(word)]
    number = more.whole(name, None)
    if number is None:
        return default
    if not 0 <= number < len(choices):
        more.notes.add(more.at(name), f"is {number}, not one of 0 to {len(choices) - 1}; read as {default}")
        return default
    return choices[number]


def read_book(take: Taker, items: tuple[Entry, ...]) -> Book:
    """
    Return the book whose own fields are in *take*, with its entries *items* already read.
    """
    extensions = take.mapping("extensions")
    return Book(
        name=take.text("name"),
        description=take.text("description"),
        entries=items,
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


def entries(held: object, where: str, notes: Notes) -> list[Taker]:
    """
    Return each entry that *held*, an object or a list, has; anything in it that is no object is noted and left out.

    Raises FormatError when *held* is neither.
    """
    if not isinstance(held, dict | list):
        raise FormatError(f"it is {kind(held)}, not an object or a list of entries", where=where)
    named: Iterable[tuple[str | int, object]] = held.items() if isinstance(held, dict) else enumerate(held)
    found = []
    for name, raw in named:
        if isinstance(raw, dict):
            found.append(Taker(raw, step(where, name), notes))
        else:
            notes.add(step(where, name), f"is {kind(raw)}, not an entry; left out")
    return found


def entries_if_any(take: Taker, name: str) -> list[Taker]:
    """
    Take the entries in *name* like `entries`; what is neither an object nor a list is noted and has none.
    """
    there, held = name in take, take.raw(name)
    if isinstance(held, dict | list):
        return entries(held, take.at(name), take.notes)
    what = f"is {kind(held)}, not a list of entries" if there else "is missing"
    take.notes.add(take.at(name), f"{what}; read as a book without entries")
    return []


def numbers(takes: Iterable[Taker], name: str) -> list[int]:
    """
    Return a number for every entry: its own in the field *name*, or a free one where that is none or comes again.
    """
    takes = list(takes)
    wanted = [_own_number(take.peek(name)) for take in takes]
    used = {number for number in wanted if number is not None}
    seen: set[int] = set()
    result = []
    for take, number in zip(takes, wanted, strict=True):
        uid = vocabulary.free(used) if number is None or number in seen else number
        if number is not None and uid != number:
            take.notes.add(take.at(name), f"is {number}, as in an earlier entry; the entry is called {uid}")
        seen.add(uid)
        used.add(uid)
        result.append(uid)
    return result


def _own_number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(MOST)):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return int(value) if -MOST <= value <= MOST else None
