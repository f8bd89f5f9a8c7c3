"""
Which entries take part in a scan, and in which order they are tried.

Books come from four places, a book is taken from one of them only, and the order decides who gets the
token budget first; it does not decide where a text ends up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lorebook.matching import javascript as js
from lorebook.matching.entries import CompiledEntry, ScriptError, compile_entry, sorted_by_order

WorldInfo: TypeAlias = Mapping[str, Any]
"""A World Info file as parsed JSON."""

EVENLY, CHARACTER_FIRST, GLOBAL_FIRST = range(3)
"""What SillyTavern's `character_strategy` may say."""


@dataclass(frozen=True)
class ActiveBooks:
    """
    The names of the books in use, by where they are attached.
    """

    globally: Sequence[str] = ()
    character: Sequence[str] = ()
    """The character's main book, then the additional ones."""
    chat: str | None = None
    persona: str | None = None


def scan_order(books: Mapping[str, WorldInfo], active: ActiveBooks, *, strategy: object) -> list[CompiledEntry]:
    """
    Return the entries of the *active* books in scan order, each knowing its place.

    *strategy* says how global books and those of the character are merged. A book that is not there counts
    as empty. Raises ScriptError for an entry that would stop SillyTavern's scan.
    """
    chat, persona, character, globally = (
        [entry for name in names for entry in _entries(books, name)] for names in _chosen(active)
    )
    merged = _merged(globally, character, js.number(strategy))
    ordered = [*sorted_by_order(chat), *sorted_by_order(persona), *merged]
    for place, entry in enumerate(ordered):
        entry.place = place
    return ordered


def _chosen(active: ActiveBooks) -> tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]:
    """
    Return the books of chat, persona, character and global selection, each book in one of them only.
    """
    elsewhere = {*active.globally, active.chat, active.persona}
    chat = [active.chat] if active.chat and active.chat not in active.globally else []
    persona = [active.persona] if active.persona and active.persona not in {active.chat, *active.globally} else []
    character = [name for name in dict.fromkeys(active.character) if name not in elsewhere]
    return chat, persona, character, active.globally


def _merged(globally: list[CompiledEntry], character: list[CompiledEntry], strategy: float) -> Sequence[CompiledEntry]:
    if strategy == CHARACTER_FIRST:
        return [*sorted_by_order(character), *sorted_by_order(globally)]
    if strategy == GLOBAL_FIRST:
        return [*sorted_by_order(globally), *sorted_by_order(character)]
    # All at once: entries without an order stand where they happen to, and sorting twice would move them.
    return sorted_by_order([*globally, *character])


def _entries(books: Mapping[str, WorldInfo], name: str) -> list[CompiledEntry]:
    if name not in books:
        return []
    slots = _members(js.member(books[name], "entries"), f"book {name}: its entries are")
    return [
        compile_entry(_members(slots[slot], f"book {name}: entry {slot} is"), name) for slot in js.property_order(slots)
    ]


def _members(value: object, what: str) -> Mapping[str, Any]:
    """
    Return the members of *value* as JavaScript sees them: lists and texts have indices, other plain values have none.
    """
    if isinstance(value, Mapping):
        return value
    if value is None or value is js.MISSING:
        raise ScriptError(f"{what} {js.text(value)}")
    return {str(index): item for index, item in enumerate(value)} if isinstance(value, list | str) else {}
