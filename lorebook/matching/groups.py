"""
Inclusion groups: of several entries that fire, one stays.

Three rounds over all groups: stickiness and cooldown, then scores, then the choice by override, order or
lot. An entry may be in several groups. In SillyTavern it takes part in each, even when it has lost in another one,
and where it is removed a second time, the last candidate goes instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from lorebook.matching import javascript as js
from lorebook.matching.entries import AND_ALL, AND_ANY, CompiledEntry, ScriptError, sorted_by_order
from lorebook.matching.timing import TimedEffects

# Members of every JavaScript object: a group of such a name finds a function where it expects its list.
_INHERITED = frozenset(
    "constructor toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable "
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__".split()
)


class Removal(NamedTuple):
    """
    An entry that its group keeps out, how, and in whose favour.
    """

    entry: CompiledEntry
    group: str
    how: str
    winner: CompiledEntry | None = None


class GroupFilter:
    """
    The choice among the candidates of one pass.
    """

    def __init__(
        self,
        candidates: Sequence[CompiledEntry],
        *,
        timed: TimedEffects,
        accepted: Iterable[CompiledEntry],
        uses_scoring: object,
        loses_once: bool,
        has_key: Callable[[CompiledEntry, object], bool],
        draw: Callable[[], float],
    ) -> None:
        """
        Filter *candidates*; *accepted* are those of earlier passes.

        With *loses_once*, who has lost in one group is no member of its others any more.
        *has_key* tells whether a key, as it is written, matches what an entry scans.
        """
        self._remaining = {id(entry): entry for entry in candidates}
        self.removals: list[Removal] = []
        self._timed = timed
        self._accepted = accepted
        self._uses_scoring = uses_scoring
        self._loses_once = loses_once
        self._has_key = has_key
        self._draw = draw
        self._groups = _grouped(candidates)
        self._marked: set[str] = set()

    def run(self) -> list[CompiledEntry]:
        """
        Return the candidates that stay, in their order.
        """
        if self._groups:
            self._drop_by_time()
            self._drop_by_score()
            self._choose()
        return list(self._remaining.values())

    def _members(self, group: str) -> list[CompiledEntry]:
        members = self._groups[group]
        return [entry for entry in members if id(entry) in self._remaining] if self._loses_once else members

    def _drop_by_time(self) -> None:
        for name in self._groups:
            members = self._members(name)
            if any(map(self._timed.is_sticky, members)):
                self._marked.add(name)
                self._remove_all([entry for entry in members if not self._timed.is_sticky(entry)], name, "sticky")
            self._remove_all([entry for entry in members if self._timed.is_cooling(entry)], name, "cooldown")
            self._remove_all([entry for entry in members if self._timed.is_delayed(entry)], name, "delay")

    def _drop_by_score(self) -> None:
        for name in self._groups:
            members = self._members(name)
            scored = js.truthy(self._uses_scoring) or any(entry.flag("useGroupScoring") for entry in members)
            if not members or not scored or name in self._marked:
                continue
            scores = [self._score(entry) for entry in members]
            best = max(scores)
            # An entry that names its group twice is a member twice, and removed twice.
            losers = [
                entry
                for entry, score in zip(members, scores, strict=True)
                if score < best and js.truthy(entry.or_default("useGroupScoring", self._uses_scoring))
            ]
            self._remove_all(losers, name, "score", members[scores.index(best)])
            gone = set(map(id, losers))
            self._groups[name] = [entry for entry in members if id(entry) not in gone]

    def _score(self, entry: CompiledEntry) -> int:
        # All keys are tried before any is needed: one that is no text stops the scan in either list.
        primary = sum(self._has_key(entry, key) for key in entry.keys or ())
        secondary = sum(self._has_key(entry, key) for key in entry.secondary_keys)
        if not entry.keys:
            return 0
        logic = entry["selectiveLogic"]
        if not entry.secondary_keys or isinstance(logic, bool):
            return primary
        counts_both = logic == AND_ANY or (logic == AND_ALL and secondary == len(entry.secondary_keys))
        return primary + secondary if counts_both else primary

    def _choose(self) -> None:
        # An accepted entry holds the group that its field names as a whole, not those between its commas.
        holders: dict[object, CompiledEntry] = {}
        for entry in self._accepted:
            if isinstance(entry["group"], str):
                holders.setdefault(entry["group"], entry)
        for name in self._groups:
            if name in self._marked:
                continue
            members, holder = self._members(name), holders.get(name)
            if holder:
                self._remove_all(members, name, "already active", holder)
            elif len(members) > 1:
                winner, how = self._winner(members)
                if winner:
                    self._remove_all([entry for entry in members if entry is not winner], name, how, winner)

    def _winner(self, members: Sequence[CompiledEntry]) -> tuple[CompiledEntry | None, str]:
        overriding = [entry for entry in members if entry.flag("groupOverride")]
        if overriding:
            return sorted_by_order(overriding)[0], "override"
        return self._drawn(members), "lot"

    def _drawn(self, members: Sequence[CompiledEntry]) -> CompiledEntry | None:
        weights = [entry.or_default("groupWeight", 100) for entry in members]
        total: object = 0
        for weight in weights:
            total = js.add(total, weight)
        drawn = self._draw() * js.number(total)
        running: object = 0
        for entry, weight in zip(members, weights, strict=True):
            running = js.add(running, weight)
            if drawn <= js.number(running):
                return entry
        return None

    def _remove_all(
        self, losers: Iterable[CompiledEntry], group: str, how: str, winner: CompiledEntry | None = None
    ) -> None:
        for entry in losers:
            if self._loses_once and id(entry) not in self._remaining:
                continue
            self.removals.append(Removal(entry, group, how, winner))
            if not self._remaining.pop(id(entry), None) and self._remaining:
                # The last one goes where the entry has gone already: index -1 of JavaScript's splice.
                _, last = self._remaining.popitem()
                self.removals.append(Removal(last, group, "standing last when another was removed twice"))


def _grouped(candidates: Sequence[CompiledEntry]) -> dict[str, list[CompiledEntry]]:
    groups: dict[str, list[CompiledEntry]] = {}
    for entry in candidates:
        for name in entry.groups:
            if name in _INHERITED:
                raise ScriptError(f"entry {entry.identity}: no group may be called {name!r}")
            groups.setdefault(name, []).append(entry)
    return {name: groups[name] for name in js.property_order(groups)}
