"""
A scenario made small: whatever can go while a difference stays, goes.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from tests.conformance.scenarios import SETTINGS

Input: TypeAlias = dict[str, Any]
Way: TypeAlias = tuple[str | int, ...]
"""The names and numbers that lead to a member."""

_PLAIN: Input = {
    "trigger": "normal",
    "dryRun": False,
    "injections": [],
    "authorsNote": None,
    "timedState": None,
    "externalActivations": [],
    "rng": [],
    "maxContext": 8192,
    "macros": {"user": "Ines", "char": "阿岚"},
}


def minimised(given: Input, differs: Callable[[Input], bool]) -> Input:
    """Return *given* without what does not matter to *differs*, which holds for it."""
    smaller: Input | None = given
    while smaller is not None:
        given = smaller
        smaller = next((smaller for smaller in _smaller(given) if differs(smaller)), None)
    return given


def _smaller(given: Input) -> Iterator[Input]:
    """Yield *given* with one thing less, large things first."""
    for way, plain in _plainer(given):
        if _at(given, way) != plain:
            yield _changed(given, way, plain)
    for way in _members(given):
        made = copy.deepcopy(given)
        del _at(made, way[:-1])[way[-1]]
        yield made
    for number, message in enumerate(given["chat"]):
        half = len(message["mes"]) // 2
        for part in (message["mes"][:half], message["mes"][half:]) if half else ():
            yield _changed(given, ("chat", number, "mes"), part)


def _plainer(given: Input) -> Iterator[tuple[Way, object]]:
    """Yield what may be made plain."""
    yield from (((name,), plain) for name, plain in _PLAIN.items())
    yield ("active", "characterExtra"), []
    # Without a character its books do not count; the harness would give them to one without a name.
    if not given["active"]["characterExtra"]:
        yield ("character",), None
    yield from ((("settings", name), plain) for name, plain in SETTINGS.items())
    yield from ((("scanData", name), "") for name in given["scanData"])


def _members(given: Input) -> Iterator[Way]:
    """Yield what may be taken out."""
    books = given["books"]
    yield from (("books", book) for book in books if len(books) > 1)
    slots = [("books", book, "entries", slot) for book, held in books.items() for slot in _names(held["entries"])]
    yield from slots
    for name in ("chat", "injections", "externalActivations", "rng"):
        yield from ((name, number) for number in reversed(range(len(given[name]))))
    for kind, effects in _names(given["timedState"]).items():
        yield from (("timedState", kind, name) for name in _names(effects))
    for slot in slots:
        entry = _names(_at(given, slot))
        yield from ((*slot, field) for field in entry)
        for field in ("key", "keysecondary"):
            keys = entry.get(field)
            yield from ((*slot, field, number) for number in range(len(keys) if isinstance(keys, list) else 0))


def _names(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _at(given: Input, way: Way) -> Any:
    held: Any = given
    for step in way:
        held = held[step]
    return held


def _changed(given: Input, way: Way, value: object) -> Input:
    made = copy.deepcopy(given)
    _at(made, way[:-1])[way[-1]] = value
    return made
