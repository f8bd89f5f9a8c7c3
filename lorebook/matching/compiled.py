"""
Active books, compiled once for any number of scans.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from lorebook.matching import javascript as js
from lorebook.matching.books import ActiveBooks, WorldInfo, scan_order
from lorebook.matching.decorators import Head
from lorebook.matching.entries import ACTIVATE, CompiledEntry
from lorebook.matching.keytable import KeyTable
from lorebook.matching.presets import PRESETS, Behaviour, Preset
from lorebook.matching.request import WorldInfoSettings


class CompiledBooks:
    """
    Active books, ready for any number of scans with the same settings.
    """

    def __init__(
        self,
        books: Mapping[str, WorldInfo],
        active: ActiveBooks,
        settings: WorldInfoSettings,
        behaviour: Behaviour = PRESETS[Preset.SILLYTAVERN],
        heads: Mapping[str, Head] = MappingProxyType({}),
        *,
        terms: Collection[str] = (),
    ) -> None:
        """
        Compile the *active* ones of *books*; *heads* are the decorators of entries that are read as Card V3's.

        *terms* are words that may be the longest where *behaviour* minds it, though they are no keys.
        Raises ScriptError for an entry that stops SillyTavern's scan.
        """
        self.settings = settings
        self.behaviour = behaviour
        self.heads = heads
        self.entries = scan_order(books, active, strategy=settings.character_strategy)
        _take_off_heads(self.entries, heads)
        self.table = KeyTable(
            self.entries,
            case_sensitive=settings.case_sensitive,
            whole_words=settings.match_whole_words,
            style=behaviour.key_style,
            heads=heads,
            terms=terms,
        )
        self.levels = _levels(self.entries)
        self.deepest = max((_own_depth(entry) for entry in self.entries), default=0.0)
        """The greatest scan depth that an entry has of its own."""
        self.by_identity = {entry.identity: entry for entry in reversed(self.entries)}
        """Of several entries with one identity, the first."""
        # Further entries with an identity that another one has, too.
        self._twins = _twins(self.entries, self.by_identity)
        self.always = [
            entry.place
            for entry, keys in zip(self.entries, self.table.entries, strict=True)
            if entry.flag("constant") or not keys.listed or ACTIVATE in entry.decorators
        ]
        """The places of entries that may become candidates without a key that the automatons find."""

    def namesakes(self, identity: str) -> tuple[CompiledEntry, ...]:
        """
        Return all entries with *identity*, the first one first; KeyError where there is none.
        """
        return (self.by_identity[identity], *self._twins.get(identity, ()))


def _take_off_heads(entries: Sequence[CompiledEntry], heads: Mapping[str, Head]) -> None:
    """
    Leave of the contents what stands below their *heads*; of SillyTavern's decorators the head says which count.
    """
    for entry in entries if heads else ():
        if head := heads.get(entry.identity):
            entry.content, entry.decorators = head.content, (ACTIVATE,) if head.activate else ()


def _twins(
    entries: Sequence[CompiledEntry], by_identity: Mapping[str, CompiledEntry]
) -> Mapping[str, list[CompiledEntry]]:
    if len(by_identity) == len(entries):
        return {}
    twins: dict[str, list[CompiledEntry]] = {}
    for entry in entries:
        if by_identity[entry.identity] is not entry:
            twins.setdefault(entry.identity, []).append(entry)
    return twins


def _levels(entries: Sequence[CompiledEntry]) -> list[object]:
    """
    Return the distinct recursion levels of *entries*, ascending; `true` counts as 1.
    """
    distinct: dict[object, object] = {}
    for entry in entries:
        level = 1 if entry.level is True else entry.level
        if js.truthy(level):
            # "1" is another level than 1, of the same height; and every list or object is one of its own.
            name = id(entry) if isinstance(level, list | dict) else level
            distinct[type(level) is str, name] = level
    return sorted(distinct.values(), key=js.number)


def _own_depth(entry: CompiledEntry) -> float:
    depth = entry.scan_depth
    return 0.0 if depth is None or math.isnan(depth) else depth
