"""
What stands elsewhere in a card or book than where it belongs: put there to be read, and back to be written.

Tools write the JSON of a card once more as a text in the JSON, its fields beside the `spec` and not in `data`, the
lorebook beside the card, or the bare list of its entries. None of it is ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lorebook.errors import FormatError
from lorebook.formats import exactjson, spellings
from lorebook.formats.exactjson import JsonText
from lorebook.formats.format import Json, Place
from lorebook.formats.notes import Note, Notes, step

_DATA, _BOOK, _ENTRIES = "data", "character_book", "entries"
_HEAD = ("spec", "spec_version")
_TELLING = ("description", "personality", "scenario", "first_mes", "mes_example")
A_TEXT = "is JSON once more as a text; read as what it says"
_CARD, _LOREBOOK = "chara_card_v", "lorebook_v"
_CARD_V1 = f"{_CARD}1"


@dataclass(frozen=True)
class Turn:
    """
    One thing put where it belongs.
    """

    value: Any
    """What is read."""
    back: Callable[[Any], Any]
    """Puts it back in a value that was changed meanwhile."""
    where: str
    """The JSON path of what was moved, before."""
    what: str
    """What is to be noted of it."""
    now: str = "$"
    """How JSON paths begin in the value that begin with `was` before."""
    was: str = "$"
    names: Mapping[str, str] = field(default_factory=dict)
    """What the fields of the entries at `where` were called before."""
    inside: tuple[Note, ...] = ()
    """What had to be mended in the text at `where`; the places are in that."""

    def before(self, path: str) -> str:
        """
        Return the JSON *path* in the value as it was before.
        """
        entry = re.match(re.escape(self.where) + r"(?:\[.*?\]|\.\w+)\.", path) if self.names else None
        if entry:
            name, *rest = re.split(r"(?=[.\[])", path[entry.end() :], maxsplit=1)
            return "".join((entry[0], self.names.get(name, name), *rest))
        is_moved = path == self.now or (path.startswith(self.now) and path[len(self.now)] in ".[")
        return self.was + path[len(self.now) :] if is_moved else path


def turns(whole: Json) -> Iterator[Turn]:
    """
    Yield what has to be done to *whole*, one after the other; the value of the last one is in its usual shape.
    """
    for rearranged in _OF_BOOKS if _is_book(whole) else _ALL:
        if isinstance(whole, dict) and (turn := rearranged(whole)):
            yield turn
            whole = turn.value


class Inner(NamedTuple):
    """
    JSON that was found in a text, and what had to be mended in it.
    """

    json: JsonText
    notes: tuple[Note, ...]


def parsed(text: object) -> Inner | None:
    """
    Return the JSON in *text* where that is an object or a list; None for other texts, and for what is no text.
    """
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "["):
        return None
    notes = Notes()
    try:
        return Inner(exactjson.parse(text, notes, "$"), tuple(notes))
    except FormatError:
        return None


def get(value: Json, place: Place) -> Json:
    """
    Return what is at *place* in *value*, or None.
    """
    for name in place:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def put(value: Json, place: Place, item: Json) -> Json:
    """
    Return *value* with *item* at *place*; what is not on the way there is shared, not copied.
    """
    if not place:
        return item
    return {**value, place[0]: put(value.get(place[0]), place[1:], item)}


def path(place: Place) -> str:
    """
    Return the JSON path of *place*.
    """
    where = "$"
    for name in place:
        where = step(where, name)
    return where


def _text_at(place: Place) -> Callable[[Mapping[str, Any]], Turn | None]:
    """
    Return what takes a text at *place* for the JSON in it.
    """

    def turned(whole: Mapping[str, Any]) -> Turn | None:
        text = parsed(get(whole, place))
        if text is None:
            return None

        def back(value: Json) -> Json:
            inner = get(value, place)
            return value if inner is None else put(value, place, text.json.patched(inner))

        return Turn(put(whole, place, text.json.value), back, path(place), A_TEXT, inside=text.notes)

    return turned


def _flat(whole: Mapping[str, Any]) -> Turn | None:
    """
    Put the fields of a character into `data`: they belong there where there is a `spec`, or a lorebook among them.
    """
    spec = _spec(whole)
    is_said = spec.startswith(_CARD) and not spec.startswith(_CARD_V1)
    has_book = isinstance(whole.get(_BOOK), dict | list) and bool(whole[_BOOK]) and "kind" not in whole
    known = "name" in whole and any(name in whole for name in _TELLING)
    if not known or whole.get(_DATA) is not None or not (is_said or has_book):
        return None
    return _into_data(whole, "a card's fields stand outermost and not in `data`; read as if they stood there")


def _flat_lorebook(whole: Mapping[str, Any]) -> Turn | None:
    is_flat = isinstance(whole.get(_ENTRIES), dict | list) and whole.get(_DATA) is None
    if not is_flat or not _spec(whole).startswith(_LOREBOOK):
        return None
    return _into_data(whole, "its fields stand outermost and not in `data`; read as if they stood there")


def _into_data(whole: Mapping[str, Any], what: str) -> Turn:
    head = {name: whole[name] for name in _HEAD if name in whole}
    inner = {name: value for name, value in whole.items() if name not in (*_HEAD, _DATA)}
    null = {_DATA: whole[_DATA]} if _DATA in whole else {}

    def back(value: Json) -> Json:
        outer = {name: item for name, item in value.items() if name != _DATA}
        said = outer | value[_DATA] | null
        return {name: said[name] for name in (*whole, *said) if name in said}

    return Turn(head | {_DATA: inner}, back, "$", what, now="$.data")


def _book_beside(whole: Mapping[str, Any]) -> Turn | None:
    """
    Put the lorebook that stands beside a card's `data` into it, where there is none.
    """
    data, book = whole.get(_DATA), whole.get(_BOOK)
    if not isinstance(data, dict) or "name" not in data or data.get(_BOOK) or not isinstance(book, dict | list):
        return None
    if not book:
        return None
    inside, rest = put(data, (_BOOK,), book), {name: value for name, value in whole.items() if name != _BOOK}

    def back(value: Json) -> Json:
        now = value[_DATA]
        left = {name: item for name, item in now.items() if name != _BOOK or _BOOK in data}
        left = put(left, (_BOOK,), data[_BOOK]) if _BOOK in data else left
        moved = value | {_DATA: left} | ({_BOOK: now[_BOOK]} if _BOOK in now else {})
        return {name: moved[name] for name in (*whole, *moved) if name in moved}

    what = "stands beside `data` and not in it; read as the card's lorebook"
    was = path((_BOOK,))
    return Turn({**rest, _DATA: inside}, back, was, what, now=path((_DATA, _BOOK)), was=was)


def _list_at(place: Place, *, of: str) -> Callable[[Mapping[str, Any]], Turn | None]:
    """
    Return what takes a list at *place* for the entries of the book that should be there, where the `spec` is *of*.
    """

    def turned(whole: Mapping[str, Any]) -> Turn | None:
        held = get(whole, place)
        if not isinstance(held, list) or not any(isinstance(item, dict) for item in held):
            return None
        if of and not _spec(whole).startswith(of):
            return None

        def back(value: Json) -> Json:
            book = get(value, place)
            return put(value, place, book[_ENTRIES]) if isinstance(book, dict) and [*book] == [_ENTRIES] else value

        where = path(place)
        what = "is a list and no lorebook; read as the entries of one"
        return Turn(put(whole, place, {_ENTRIES: held}), back, where, what, now=f"{where}.{_ENTRIES}", was=where)

    return turned


def _spelt(place: Place, *, of: str = "") -> Callable[[Mapping[str, Any]], Turn | None]:
    """
    Return what gives the entries at *place* the usual names for their fields, in a file whose `spec` is *of*.
    """

    def turned(whole: Mapping[str, Any]) -> Turn | None:
        held = get(whole, place)
        names = spellings.found(held, alone=len(place) == 1) if _spec(whole).startswith(of) else ()
        if not names:
            return None

        def back(value: Json) -> Json:
            return put(value, place, spellings.as_before(get(value, place), names))

        before = {name.usual: name.spelt for name in names}
        usual = put(whole, place, spellings.usual(held, names))
        return Turn(usual, back, path(place), spellings.told(names), names=before)

    return turned


def _is_book(whole: Json) -> bool:
    """
    Say whether *whole* has entries of its own: then a card in it is a field that nobody understands.
    """
    return isinstance(whole, dict) and isinstance(whole.get(_ENTRIES), dict | list) and not _spec(whole)


def _spec(whole: Mapping[str, Any]) -> str:
    spec = whole.get("spec")
    return spec.strip().lower() if isinstance(spec, str) else ""


_OF_BOOKS = (_spelt((_ENTRIES,)),)
_ALL = (
    _text_at((_DATA,)),
    _flat,
    _flat_lorebook,
    _book_beside,
    _text_at((_DATA, _BOOK)),
    _list_at((_DATA, _BOOK), of=""),
    _list_at((_DATA,), of=_LOREBOOK),
    _spelt((_DATA, _BOOK, _ENTRIES)),
    _spelt((_DATA, _ENTRIES), of=_LOREBOOK),
)
