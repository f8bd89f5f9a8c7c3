"""
Why each entry of a book fires or does not, told from what happened in the scan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from lorebook.matching import decorated, obstacles, reasons
from lorebook.matching import javascript as js
from lorebook.matching.compiled import CompiledBooks
from lorebook.matching.ecmascript import Expression
from lorebook.matching.entries import ACTIVATE, DONT_ACTIVATE, CompiledEntry
from lorebook.matching.filters import Check, filtered, standing_check
from lorebook.matching.groups import Removal
from lorebook.matching.keyhits import KeyHits, uid_in
from lorebook.matching.ledger import Shortage
from lorebook.matching.obstacles import Obstacle
from lorebook.matching.reasons import KeyHit, Reason, VectorHit
from lorebook.matching.record import Cause, ScanResult
from lorebook.matching.request import ScanRequest
from lorebook.matching.scan import Scan, View, depth_of
from lorebook.matching.timing import COOLDOWN, STICKY
from lorebook.records import SecondaryLogic

_LOGICS = tuple(SecondaryLogic)
_FILTERS = frozenset({Check.TRIGGER, Check.CHARACTER, Check.TAG})


@dataclass(frozen=True)
class Explainer:
    """
    Explains one scan: `reasons` and `spoke_for` say what speaks for an entry, `obstacle` what kept it out.
    """

    books: CompiledBooks
    request: ScanRequest
    result: ScanResult
    vector_hits: Mapping[str, VectorHit]
    """What was found by meaning, by identity."""
    prefixes: tuple[int, ...]
    """The characters before each message's content in what was scanned, newest first: its speaker's name."""
    stopped: AbstractSet[Expression] = frozenset()
    """Regular expressions that took too long, and count as not there."""
    floor: float = 0.0
    """The least score with which meaning speaks for an entry."""

    def reasons(self, entry: CompiledEntry, cause: Cause) -> tuple[Reason, ...]:
        """
        Return what made *entry* fire: its cause first, then every other key that matches, then its meaning.
        """
        return (*self._forced(entry, cause), *self._key_hits(entry, cause), *self._meaning(entry))

    def _forced(self, entry: CompiledEntry, cause: Cause) -> Iterator[Reason]:
        if cause.kind == "constant":
            yield reasons.Constant()
        elif cause.kind == "sticky":
            yield reasons.Sticky(until=_number(self.result.timed.until(STICKY, entry)))
        elif cause.kind == "decorator":
            is_forced = ACTIVATE in entry.decorators
            yield reasons.Decorator(name="activate" if is_forced else "keep_activate_after_match")

    def _key_hits(self, entry: CompiledEntry, cause: Cause) -> Iterator[KeyHit]:
        if self._hits is None:
            return
        keys = self.books.table.entries[self.books.by_identity[entry.identity].place]
        yield from self._hits.of(keys, cause.view or self._first_view(entry, self._hits.scan))

    @cached_property
    def _hits(self) -> KeyHits | None:
        scan = self.result.scan
        return None if scan is None else KeyHits(scan, self.result.passes, self.request.messages, self.prefixes)

    def _first_view(self, entry: CompiledEntry, scan: Scan) -> View:
        depth = js.number(entry.or_default("scanDepth", self.books.settings.depth))
        return View(depth_of(depth), entry.sources, len(scan.recursion))

    def _meaning(self, entry: CompiledEntry) -> Iterator[VectorHit]:
        hit = self.vector_hits.get(entry.identity)
        if hit and hit.score >= self.floor:
            yield hit

    def spoke_for(self, entry: CompiledEntry) -> tuple[Reason, ...]:
        """
        Return what spoke for an entry that did not fire.
        """
        cause = self.result.causes.get(entry.identity)
        if cause:
            return self.reasons(entry, cause)
        return tuple(self._meaning(entry))

    # What kept an entry out

    def obstacle(self, entry: CompiledEntry) -> Obstacle:
        """
        Return the check that kept *entry* out, the latest where several did.
        """
        identity = entry.identity
        if identity in self.result.shortages:
            return self._over_budget(entry, self.result.shortages[identity])
        if identity in self.result.rolls:
            roll = self.result.rolls[identity]
            return obstacles.RollFailed(rolled=roll.rolled, probability=js.number(roll.probability))
        if removal := self._removal(identity):
            winner = uid_in(removal.winner.identity) if removal.winner else None
            return obstacles.LostGroup(group=removal.group, how=removal.how, winner=winner)
        return self._standing(entry) or self._textual(entry)

    def _over_budget(self, entry: CompiledEntry, short: Shortage) -> Obstacle:
        needed = short.needed
        if needed is None:
            needed = self.request.count_tokens(self.request.macros.substitute(entry.content))
        return obstacles.OverBudget(tokens=needed, left=max(0, short.budget - short.spent), budget=short.budget)

    def _removal(self, identity: str) -> Removal | None:
        made = (removal for this in self.result.passes for removal in this.removals)
        return next((removal for removal in made if removal.entry.identity == identity), None)

    def _standing(self, entry: CompiledEntry) -> Obstacle | None:
        heads = self.books.heads
        check = standing_check(entry, self.request, self.result.timed, heads)
        length = len(self.request.messages)
        if check in _FILTERS:
            return filtered(entry, check, self.request)
        if check == Check.DISABLED:
            return obstacles.Disabled()
        if check == Check.DELAY:
            return obstacles.Delayed(until=js.number(entry["delay"]), length=length)
        if check == Check.COOLDOWN:
            return obstacles.CoolingDown(until=_number(self.result.timed.until(COOLDOWN, entry)))
        if check == Check.DECORATOR:
            return decorated.held_back(heads[entry.identity], self.request, entry.identity)
        return obstacles.Decorated() if DONT_ACTIVATE in entry.decorators else None

    def _textual(self, entry: CompiledEntry) -> Obstacle:
        if entry.identity in self.result.vetoes:
            return self.result.vetoes[entry.identity]
        if entry.identity in self.result.secondary_failed:
            return self._secondary(entry, self.result.secondary_failed[entry.identity])
        waiting = self.result.waiting.get(entry.identity)
        if waiting and (waiting != Check.EXCLUDED_FROM_RECURSION or self._is_named(entry)):
            return obstacles.RecursionOnly(why=waiting.value)
        if entry.identity in self.vector_hits:
            return self._not_near_enough(self.vector_hits[entry.identity].score)
        if stopped := self._stopped_key(entry):
            return obstacles.KeyStopped(key=stopped)
        view = self._first_view(entry, self.result.scan) if self.result.scan else None
        seen = min(max(view.depth, 0), len(self.request.messages)) if view else 0
        return obstacles.NoKey(keys=len(entry.keys or ()), messages=seen)

    def _not_near_enough(self, score: float) -> Obstacle:
        if score < self.floor:
            return obstacles.VectorFloor(score=score, floor=self.floor)
        return obstacles.VectorLimit(score=score, limit=self.request.outside_limit or 0)

    def _stopped_key(self, entry: CompiledEntry) -> str | None:
        scan, keys = self.result.scan, self.books.table.entries[entry.place].primary
        if scan is None or not self.stopped:
            return None
        return next((js.text(key.raw) for key in keys if scan.form(key) in self.stopped), None)

    def _is_named(self, entry: CompiledEntry) -> bool:
        scan = self.result.scan
        keys = self.books.table.entries[entry.place].primary
        return scan is not None and any(scan.find(key, self._first_view(entry, scan)) for key in keys)

    def _secondary(self, entry: CompiledEntry, view: View) -> Obstacle:
        scan = self.result.scan
        keys = self.books.table.entries[entry.place].secondary
        matched = tuple(js.text(key.raw) for key in keys if scan and scan.find(key, view))
        rest = tuple(text for key in keys if (text := js.text(key.raw)) not in matched)
        logic = entry.or_default("selectiveLogic", 0)
        known = isinstance(logic, int) and 0 <= logic < len(_LOGICS)
        return obstacles.SecondaryFailed(logic=_LOGICS[logic if known else 0], matched=matched, unmatched=rest)


def _number(value: object) -> float | None:
    return None if value is None else js.number(value)
