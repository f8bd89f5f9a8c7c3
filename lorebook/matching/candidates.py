"""
Which entries a pass would fire, and why: the checks of every open entry, from decorators to secondary keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from lorebook.matching import decorated
from lorebook.matching import javascript as js
from lorebook.matching.compiled import CompiledBooks
from lorebook.matching.entries import (
    ACTIVATE,
    AND_ALL,
    AND_ANY,
    DONT_ACTIVATE,
    NOT_ALL,
    NOT_ANY,
    CompiledEntry,
    override,
)
from lorebook.matching.filters import Check, PassKind, pass_check, standing_check
from lorebook.matching.keytable import Key
from lorebook.matching.obstacles import Decorated
from lorebook.matching.record import Cause, Fired, Roll
from lorebook.matching.request import Outside, ScanRequest
from lorebook.matching.scan import Scan, View, Where
from lorebook.matching.timing import TimedEffects

# Causes that the keys of a decorator cannot keep out.
_FORCED = frozenset({"sticky", "decorator"})
# A key is an author's word that the entry matters; one found some messages ago matters a little less.
_KEY_SUPPORT, _OLDER = 0.8, 0.97


class Moment(NamedTuple):
    """
    How far a scan has come when a pass begins.
    """

    level: object
    """The current level of recursion."""
    fired: Mapping[str, Fired]
    failed: Mapping[int, Roll]
    """Rolls that went against entries, by their places."""


class Candidate(NamedTuple):
    """
    What a pass would fire (the book's entry, or the object that came for it from outside), and why.
    """

    entry: CompiledEntry
    cause: Cause


class Candidates:
    """
    The search for candidates in one scan, and what it noticed on the way.
    """

    def __init__(self, books: CompiledBooks, request: ScanRequest, scan: Scan, timed: TimedEffects) -> None:
        self.skew = 0
        """Messages that passes have looked further back than the depth."""
        # By identity; what they hold is told in `record.ScanResult`.
        self.causes: dict[str, Cause] = {}
        self.secondary_failed: dict[str, View] = {}
        self.vetoes: dict[str, Decorated] = {}
        self.waiting: dict[str, Check] = {}
        self._books, self._request, self._scan, self._timed = books, request, scan, timed
        self._is_recursive = js.truthy(books.settings.recursive)
        self._depth = js.number(books.settings.depth)
        self._seen: set[int] = set()
        self._opened: set[int] = set()
        """The places of entries that may yet become candidates; all that were ever seen but for these are decided."""
        self._outside = {_identity(item): self._stand_in(item) for item in request.outside}
        self._sureness = {_identity(item): item.score for item in request.outside}
        self._let_in_what_needs_no_key()

    def _let_in_what_needs_no_key(self) -> None:
        books, by_identity = self._books, self._books.by_identity
        self._let_in(books.always)
        self._let_in(by_identity[name].place for name in self._request.matched if name in books.heads)
        for name in self._outside:
            self._let_in(entry.place for entry in books.namesakes(name))
        if self._timed.has_sticky:
            self._let_in(entry.place for entry in books.entries if self._timed.is_sticky(entry))

    def _stand_in(self, item: Outside) -> CompiledEntry:
        """
        The object that stands for the entry that *item* means.
        """
        namesakes = self._books.namesakes(_identity(item))
        meant = (entry for entry in namesakes if js.identical(entry.uid, item.uid))
        return override(next(meant, namesakes[0]), item.changes)

    def find(self, kind: PassKind, moment: Moment) -> list[CompiledEntry]:
        """
        Return the entries that this pass would fire, in scan order.
        """
        owners = self._books.table.owners
        self._let_in(place for key in self._scan.newly_touched() for place in owners.get(key, ()))
        found: list[CompiledEntry] = []
        for place in sorted(self._opened):
            entry = self._books.entries[place]
            if place in moment.failed or entry.identity in moment.fired:
                self._opened.remove(place)
                continue
            if self._waits(entry, kind, moment):
                continue
            made = self._consider(entry, kind)
            # Entries of one identity share the object that came for them from outside.
            if made is None or (made.entry.is_external and made.entry in found):
                continue
            self.causes[entry.identity] = made.cause
            if not self._is_vetoed(entry, made.cause, kind):
                found.append(made.entry)
        limit = self._request.outside_limit
        return found if limit is None else self._without_the_least_sure(found, moment, limit)

    def _without_the_least_sure(
        self, candidates: list[CompiledEntry], moment: Moment, limit: int
    ) -> list[CompiledEntry]:
        """
        Leave out, of the entries that come from outside alone, those beyond the *limit* of a scan.
        """
        alone = [entry for entry in candidates if self.causes[entry.identity].kind == "outside"]
        inside = sum(fired.cause.kind == "outside" for fired in moment.fired.values())
        room = max(0, limit - inside)
        least_sure = sorted(alone, key=lambda entry: -self.causes[entry.identity].score)[room:]
        return [entry for entry in candidates if entry not in least_sure]

    def _let_in(self, places: Iterable[int]) -> None:
        """
        Let in the entries at *places* that nothing keeps out of the whole scan.
        """
        new = set(places) - self._seen
        self._seen.update(new)
        heads, entries = self._books.heads, self._books.entries
        self._opened.update(at for at in new if standing_check(entries[at], self._request, self._timed, heads) is None)

    def _waits(self, entry: CompiledEntry, kind: PassKind, moment: Moment) -> bool:
        check = pass_check(entry, kind, moment.level, is_recursive=self._is_recursive, timed=self._timed)
        if check:
            self.waiting[entry.identity] = check
        return check is not None

    def _consider(self, entry: CompiledEntry, kind: PassKind) -> Candidate | None:
        if ACTIVATE in entry.decorators or self._stays_on(entry):
            return Candidate(entry, Cause("decorator"))
        if DONT_ACTIVATE in entry.decorators:
            return None
        outside = self._outside.get(entry.identity)
        if outside and not self._books.behaviour.keys_before_outside:
            return Candidate(outside, self._outside_cause(entry))
        if cause := self._own_cause(entry, kind):
            return Candidate(entry, cause)
        may_come_in = outside and entry.identity not in self.secondary_failed
        return Candidate(entry, self._outside_cause(entry)) if may_come_in else None

    def _stays_on(self, entry: CompiledEntry) -> bool:
        head = self._books.heads.get(entry.identity) if self._request.matched else None
        return head is not None and decorated.stays_on(head, self._request, entry.identity)

    def _is_vetoed(self, entry: CompiledEntry, cause: Cause, kind: PassKind) -> bool:
        """
        Tell whether the keys of a decorator keep out what nothing forces on.
        """
        lists = self._books.table.head_keys.get(entry.place)
        if not lists or cause.kind in _FORCED:
            return False
        view = self._view(entry, kind)
        found = decorated.veto(
            self._books.heads[entry.identity], lists, lambda key: self._scan.find(key, view) is not None
        )
        if found:
            self.vetoes[entry.identity] = found
        return found is not None

    def _own_cause(self, entry: CompiledEntry, kind: PassKind) -> Cause | None:
        if entry.flag("constant"):
            return Cause("constant")
        return Cause("sticky") if self._timed.is_sticky(entry) else self._matched(entry, self._view(entry, kind))

    def _outside_cause(self, entry: CompiledEntry) -> Cause:
        return Cause("outside", score=self._sureness[entry.identity])

    def _view(self, entry: CompiledEntry, kind: PassKind) -> View:
        depth = self._depth + self.skew if entry.scan_depth is None else entry.scan_depth
        return self._scan.view(entry, depth, with_recursion=kind != PassKind.MIN_ACTIVATIONS)

    def _matched(self, entry: CompiledEntry, view: View) -> Cause | None:
        keys = self._books.table.entries[entry.place]
        for key in keys.primary:
            where = self._scan.find(key, view)
            if where:
                if keys.secondary and not self._secondary_passes(entry, keys.secondary, view):
                    self.secondary_failed[entry.identity] = view
                    return None
                return Cause("key", key.raw, where, view, self._support(entry, where))
        return None

    def _support(self, entry: CompiledEntry, where: Where) -> float:
        """
        How well a key supports *entry*: the newer the message, the better, and what comes from outside adds to it.
        """
        by_key = _KEY_SUPPORT * _OLDER ** (where.block if where.kind == "message" else 0)
        return 1 - (1 - by_key) * (1 - self._sureness.get(entry.identity, 0.0))

    def _secondary_passes(self, entry: CompiledEntry, keys: Sequence[Key], view: View) -> bool:
        logic = entry.or_default("selectiveLogic", AND_ANY)
        if isinstance(logic, bool) or not isinstance(logic, int | float):
            return False
        found = [self._scan.find(key, view) is not None for key in keys]
        verdicts: dict[float, bool] = {
            AND_ANY: any(found),
            NOT_ALL: not all(found),
            NOT_ANY: not any(found),
            AND_ALL: all(found),
        }
        return verdicts.get(logic, False)

    def has_raw_key(self, entry: CompiledEntry, raw: object, kind: PassKind) -> bool:
        """
        Tell whether a key matches as group scoring sees it: as it is written, without macros or trimming.
        """
        view = self._view(entry, kind)
        key = self._books.table.key(entry, raw) if self._books.behaviour.scores_matches else None
        return self._scan.find(key, view) is not None if key else self._has_text(entry, raw, view)

    def _has_text(self, entry: CompiledEntry, raw: object, view: View) -> bool:
        return self._scan.holds(self._books.table.as_written(entry, raw), view)

    def ordered(self, candidates: list[CompiledEntry]) -> list[CompiledEntry]:
        """
        Return *candidates* as groups and budget take them: sticky ones first, then in scan order.
        """
        ordered = sorted(candidates, key=attrgetter("place"))
        return sorted(ordered, key=self._timed.is_sticky, reverse=True) if self._timed.has_sticky else ordered


def _identity(item: Outside) -> str:
    return f"{item.world}.{js.text(item.uid)}"
