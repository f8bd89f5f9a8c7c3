"""
Fields of entries under names that other programs give them: taken for the usual ones, and written as they were.

A name counts for another only in a book none of whose entries has the usual one: where both are there, it is a field
of its own. Every program that imports books has a list like this one, and no two are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from lorebook.formats.format import Json


class Name(NamedTuple):
    """
    What a book calls a field of its entries.
    """

    usual: str
    spelt: str
    is_opposite: bool = False
    """Whether it says the opposite: true where the usual one is false."""


_CARD: Mapping[str, Sequence[str]] = {
    "keys": ("key", "keywords"),
    "secondary_keys": ("secondaryKeys", "keysecondary", "secondary_keywords"),
    "insertion_order": ("insertionOrder", "order"),
    "case_sensitive": ("caseSensitive",),
    "use_regex": ("useRegex",),
}
"""Of a character book's entries (V2, V3)."""
_WORLD: Mapping[str, Sequence[str]] = {
    "keysecondary": ("secondary_keys", "secondaryKeys"),
    "order": ("insertion_order", "insertionOrder"),
    "caseSensitive": ("case_sensitive",),
}
"""Of World Info's entries."""
_WORLD_ONLY = frozenset({"uid", "keysecondary", "selectiveLogic", "disable", "useProbability", "addMemo"})
_FOREIGN = frozenset({"insertorder", "contextConfig", "entry"})


def found(held: Json, *, alone: bool) -> tuple[Name, ...]:
    """
    Return what the entries *held* by a book call otherwise than usual; the book of a card, or one that stands *alone*.
    """
    items = _entries(held)
    there = frozenset(name for item in items for name in item)
    if not there or there & _FOREIGN or there >= {"key", "keys"}:
        return ()
    is_world = "key" in there and (alone or bool(there & _WORLD_ONLY))
    if is_world:
        return _named(_WORLD, there, items, Name("disable", "enabled", is_opposite=True))
    if alone and "keys" not in there:
        return ()
    return _named(_CARD, there, items, Name("enabled", "disable", is_opposite=True))


def _named(
    known: Mapping[str, Sequence[str]], there: frozenset[str], items: Iterable[Mapping[str, Any]], off: Name
) -> tuple[Name, ...]:
    spelt = ((usual, next((name for name in names if name in there), "")) for usual, names in known.items())
    names = [Name(usual, name) for usual, name in spelt if name and usual not in there]
    if off.spelt in there and off.usual not in there and all(_is_flag(item.get(off.spelt, False)) for item in items):
        names.append(off)
    return tuple(names)


def usual(held: Json, names: Iterable[Name]) -> Json:
    """
    Return the entries *held* with the usual names.
    """
    return _renamed(held, {name.spelt: (name.usual, name.is_opposite) for name in names})


def as_before(held: Json, names: Iterable[Name]) -> Json:
    """
    Return the entries *held* with their own names for the usual ones.
    """
    return _renamed(held, {name.usual: (name.spelt, name.is_opposite) for name in names})


def told(names: Iterable[Name]) -> str:
    """
    Return what is to be noted of it.
    """
    pairs = [f"`{name.spelt}` for {'the opposite of ' if name.is_opposite else ''}`{name.usual}`" for name in names]
    return f"have other names for their fields: {', '.join(pairs)}"


def _renamed(held: Json, names: Mapping[str, tuple[str, bool]]) -> Json:
    def one(item: Json) -> Json:
        if not isinstance(item, dict):
            return item
        renamed = {}
        for name, value in item.items():
            new, is_opposite = names.get(name, (name, False))
            renamed[new] = not value if is_opposite and isinstance(value, bool) else value
        return renamed

    if isinstance(held, dict):
        return {name: one(item) for name, item in held.items()}
    return [one(item) for item in held] if isinstance(held, list) else held


def _entries(held: Json) -> list[Mapping[str, Any]]:
    items = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
    return [item for item in items if isinstance(item, dict)]


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)
