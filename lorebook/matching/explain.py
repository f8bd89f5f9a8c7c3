"""
From what happened in a scan to the reasons of every entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from lorebook.matching import decorated, reasons
from lorebook.matching import javascript as js
from lorebook.matching.compiled import CompiledBooks
from lorebook.matching.ecmascript import Expression, search
from lorebook.matching.entries import ACTIVATE, DONT_ACTIVATE, CompiledEntry
from lorebook.matching.filters import Check, standing_check
from lorebook.matching.groups import Removal
from lorebook.matching.keytable import Key, PlainKey
from lorebook.matching.reasons import KeyHit, Obstacle, Reason, Scanned, VectorHit
from lorebook.matching.record import Cause, ScanResult
from lorebook.matching.request import ScanRequest
from lorebook.matching.scan import Scan, View, Where, depth_of
from lorebook.records import SecondaryLogic

_LOGICS = tuple(SecondaryLogic)
_SCANNED = {"source": Scanned.SOURCE, "injection": Scanned.INJECTION, "text": Scanned.ANYWHERE}


@dataclass(frozen=True)
class Explainer:
    """
    Explains one scan.
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
    _blocks: dict[tuple[str, bool], tuple[str, Sequence[int] | None]] = field(default_factory=dict, init=False)

    def reasons(self, entry: CompiledEntry, cause: Cause) -> tuple[Reason, ...]:
        """
        Return what made *entry* fire: its cause first, then every other key that matches, then its meaning.
        """
        return (*self._forced(entry, cause), *self._key_hits(entry, cause), *self._meaning(entry))

    def _forced(self, entry: CompiledEntry, cause: Cause) -> Iterator[Reason]:
        if cause.kind == "constant":
            yield reasons.Constant()
        elif cause.kind == "sticky":
            yield reasons.Sticky(until=_number(self.result.timed_state["sticky"].get(entry.identity, {}).get("end")))
        elif cause.kind == "decorator":
            is_forced = ACTIVATE in entry.decorators
            yield reasons.Decorator(name="activate" if is_forced else "keep_activate_after_match")

    def _key_hits(self, entry: CompiledEntry, cause: Cause) -> Iterator[KeyHit]:
        keys, scan = self.books.table.entries[self.books.by_identity[entry.identity].place], self.result.scan
        if scan is None:
            return
        view = cause.view or self._first_view(entry, scan)
        for key in keys.primary:
            if where := scan.find(key, view):
                yield self._hit(key, where, scan)
        for key in keys.secondary:
            if where := scan.find(key, view):
                yield self._hit(key, where, scan).model_copy(update={"kind": "secondary_key"})

    def _first_view(self, entry: CompiledEntry, scan: Scan) -> View:
        depth = js.number(entry.or_default("scanDepth", self.books.settings.depth))
        return View(depth_of(depth), entry.sources, len(scan.recursion))

    def _meaning(self, entry: CompiledEntry) -> Iterator[VectorHit]:
        if entry.identity in self.vector_hits:
            yield self.vector_hits[entry.identity]

    def _hit(self, key: Key, where: Where, scan: Scan) -> KeyHit:
        name = js.text(key.raw)
        if where.kind == "message":
            return self._message_hit(key, name, where, scan)
        if where.kind == "recursion":
            return KeyHit(key=name, scanned=Scanned.ENTRY, fed_by=self._feeder(key, where, scan))
        return KeyHit(key=name, scanned=_SCANNED[where.kind])

    def _message_hit(self, key: Key, name: str, where: Where, scan: Scan) -> KeyHit:
        shown = scan.messages[where.block]
        first, last = self._span(key, shown, where, scan)
        raw = self.request.messages[where.block]
        moved = len(raw) - len(raw.lstrip(js.SPACES)) - self.prefixes[where.block]
        place = len(self.request.messages) - 1 - where.block
        return KeyHit(
            key=name, message=place, start=max(0, first + moved), end=max(0, last + moved), text=shown[first:last]
        )

    def _span(self, key: Key, shown: str, where: Where, scan: Scan) -> tuple[int, int]:
        """
        The characters of a block that *key* matched.
        """
        form = scan.form(key)
        if isinstance(form, PlainKey):
            compared, places = self._compared(form, shown)
            end = form.end(compared, where.start)
            return (where.start, end) if places is None else _shown_span(shown, places, where.start, end)
        span = search(shown, [form])[0] if isinstance(form, Expression) else None
        return _characters(shown, *span) if span else (0, 0)

    def _compared(self, form: PlainKey, shown: str) -> tuple[str, Sequence[int] | None]:
        """
        The block *shown* as *form* compares it, and where its characters come from.
        """
        known = self._blocks.get((shown, form.case_sensitive))
        if known is None:
            compared = form.style.comparable(shown, case_sensitive=form.case_sensitive)
            known = compared, form.style.places(shown, case_sensitive=form.case_sensitive)
            self._blocks[shown, form.case_sensitive] = known
        return known

    def _feeder(self, key: Key, where: Where, scan: Scan) -> str | None:
        """
        The entry in whose text *key* stands.
        """
        fed = [this.fed for this in self.result.passes if this.fed][where.block]
        first, _ = self._span(key, scan.recursion[where.block], where, scan)
        for identity, content in fed:
            if first <= len(content):
                return _uid(identity)
            first -= len(content) + 1
        return None

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
            spent, total, budget = self.result.shortages[identity]
            return reasons.OverBudget(tokens=total - spent, left=max(0, budget - spent), budget=budget)
        if identity in self.result.rolls:
            roll = self.result.rolls[identity]
            return reasons.RollFailed(rolled=roll.rolled, probability=js.number(roll.probability))
        if removal := self._removal(identity):
            winner = _uid(removal.winner.identity) if removal.winner else None
            return reasons.LostGroup(group=removal.group, how=removal.how, winner=winner)
        return self._standing(entry) or self._textual(entry)

    def _removal(self, identity: str) -> Removal | None:
        made = (removal for this in self.result.passes for removal in this.removals)
        return next((removal for removal in made if removal.entry.identity == identity), None)

    def _standing(self, entry: CompiledEntry) -> Obstacle | None:
        heads = self.books.heads
        check = standing_check(entry, self.request, self.result.timed, heads)
        length = len(self.request.messages)
        if check in _FILTERS:
            return reasons.Filtered(by=_FILTERS[check])
        if check == Check.DISABLED:
            return reasons.Disabled()
        if check == Check.DELAY:
            return reasons.Delayed(until=js.number(entry["delay"]), length=length)
        if check == Check.COOLDOWN:
            return reasons.CoolingDown(until=_number(self.result.timed.until(entry)))
        if check == Check.DECORATOR:
            return decorated.held_back(heads[entry.identity], self.request, entry.identity)
        return reasons.Decorated() if DONT_ACTIVATE in entry.decorators else None

    def _textual(self, entry: CompiledEntry) -> Obstacle:
        if entry.identity in self.result.vetoes:
            return self.result.vetoes[entry.identity]
        if entry.identity in self.result.secondary_failed:
            return self._secondary(entry, self.result.secondary_failed[entry.identity])
        waiting = self.result.waiting.get(entry.identity)
        if waiting and (waiting != Check.EXCLUDED_FROM_RECURSION or self._is_named(entry)):
            return reasons.RecursionOnly(why=waiting.value)
        if entry.identity in self.vector_hits:
            score = self.vector_hits[entry.identity].score
            return reasons.VectorLimit(score=score, limit=self.request.outside_limit or 0)
        if stopped := self._stopped_key(entry):
            return reasons.KeyStopped(key=stopped)
        view = self._first_view(entry, self.result.scan) if self.result.scan else None
        seen = min(max(view.depth, 0), len(self.request.messages)) if view else 0
        return reasons.NoKey(keys=len(entry.keys or ()), messages=seen)

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
        return reasons.SecondaryFailed(logic=_LOGICS[logic if known else 0], matched=matched, unmatched=rest)


_FILTERS = {Check.TRIGGER: "trigger", Check.CHARACTER: "character", Check.TAG: "tag"}


def _uid(identity: str) -> str:
    """
    The uid in an identity: a match has one book, whose name says nothing.
    """
    return identity.partition(".")[2]


def _number(value: object) -> float | None:
    return None if value is None else js.number(value)


def _shown_span(shown: str, places: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """
    Turn characters of a compared text into those of *shown*; what came from one character matched all of it.
    """
    while end < len(places) - 1 and places[end] == places[end - 1]:
        end += 1
    # White space that the compared text has not is no part of a key.
    return places[start], places[start] + len(shown[places[start] : places[end]].rstrip())


def _characters(text: str, start: int, end: int) -> tuple[int, int]:
    """
    Turn places in UTF-16 code units, as JavaScript counts, into places in characters.
    """
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) == 2 * len(text):
        return start, end
    first, last = (len(units[: 2 * place].decode("utf-16-le", "surrogatepass")) for place in (start, end))
    return first, last
