"""
SillyTavern's World Info, pass by pass.

A scan makes passes over the entries: a first one; recursion passes, in which what fired feeds the scan text;
passes that look one message further back until enough entries are active. Each pass collects candidates,
lets inclusion groups choose, rolls for probability, and spends the token budget. The behaviour is that of
SillyTavern 1.19, quirks included.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import attrgetter

from lorebook.matching import decorated
from lorebook.matching import javascript as js
from lorebook.matching.compiled import CompiledBooks
from lorebook.matching.entries import ACTIVATE, DONT_ACTIVATE, CompiledEntry, override
from lorebook.matching.filters import Check, PassKind, pass_check, standing_check
from lorebook.matching.groups import GroupFilter
from lorebook.matching.keytable import Key
from lorebook.matching.ledger import Ledger, Shortage, SkippingLedger, StoppingLedger
from lorebook.matching.presets import Behaviour
from lorebook.matching.reasons import Decorated
from lorebook.matching.record import Cause, Fired, Pass, Roll, ScanResult
from lorebook.matching.request import Outside, ScanRequest, WorldInfoSettings
from lorebook.matching.scan import DEEPEST, Scan, View, Where, injected, matches
from lorebook.matching.timing import TimedEffects

# Causes that need no text: such entries go before all others.
_FORCED = frozenset({"sticky", "decorator"})
_UNCONDITIONAL = _FORCED | {"constant"}
# A key is an author's word that the entry matters; one found some messages ago matters a little less.
_KEY_SUPPORT, _OLDER = 0.8, 0.97
_AND_ANY, _NOT_ALL, _NOT_ANY, _AND_ALL = range(4)


def scan(books: CompiledBooks, request: ScanRequest) -> ScanResult:
    """
    Return what the chat of *request* activates in *books*.

    Raises ScriptError where SillyTavern's scan would throw.
    """
    return _Run(books, request).run()


class _Run:
    def __init__(self, books: CompiledBooks, request: ScanRequest) -> None:
        self.books, self.request, self.settings = books, request, books.settings
        length = len(request.messages)
        self.timed = TimedEffects(request.timed_state, books.entries, length=length, dry=request.dry_run)
        self.scan: Scan
        self.skew = 0
        self.fired: dict[str, Fired] = {}
        self.failed: dict[int, Roll] = {}
        self.failed_outside: set[int] = set()
        self.substituted: dict[int, str] = {}
        self.secondary_failed: dict[str, View] = {}
        self.vetoes: dict[str, Decorated] = {}
        self.waiting: dict[str, Check] = {}
        self.shortages: dict[str, Shortage] = {}
        self.causes: dict[str, Cause] = {}
        self.passes: list[Pass] = []
        self.fed = ""
        """What the last pass has fed to recursion."""
        self.seen: set[int] = set()
        self.open: set[int] = set()
        """The places of entries that may yet become candidates; all that were ever seen but for these are decided."""
        self.is_recursive = js.truthy(self.settings.recursive)
        self.depth = js.number(self.settings.depth)
        self.behaviour = books.behaviour
        self.ledger = _ledger(self.behaviour, self.settings, request)
        self.levels = list(books.levels)
        self.level: object = self.levels.pop(0) if self.levels else 0

    def run(self) -> ScanResult:
        if not self.books.entries:
            return self._result(budget=None)
        self._prepare()
        kind = PassKind.INITIAL
        while kind and not self._is_spent():
            kind = self._pass(kind)
        self._trim()
        self.timed.begin(fired.entry for fired in self.fired.values())
        return self._result(budget=self.ledger.budget)

    def _prepare(self) -> None:
        request = self.request
        self.scan = Scan(
            self.books.table,
            request.messages,
            sources=request.sources,
            injections=injected(request.injections, request.macros),
            macros=request.macros,
        )
        self.outside = {f"{item.world}.{js.text(item.uid)}": self._outside(item) for item in request.outside}
        self.sureness = {f"{item.world}.{js.text(item.uid)}": item.score for item in request.outside}
        self.scan.deepen(self._deepest())
        by_identity = self.books.by_identity
        self._open(self.books.always)
        self._open(by_identity[name].place for name in request.matched if name in self.books.heads)
        for name in self.outside:
            self._open(entry.place for entry in (self.books.by_identity[name], *self.books.twins.get(name, ())))
        if self.timed.has_sticky:
            self._open(entry.place for entry in self.books.entries if self.timed.is_sticky(entry))

    def _outside(self, item: Outside) -> CompiledEntry:
        name = f"{item.world}.{js.text(item.uid)}"
        first = self.books.by_identity[name]
        meant = (entry for entry in (first, *self.books.twins.get(name, ())) if js.identical(entry.uid, item.uid))
        return override(next(meant, first), item.changes)

    def _deepest(self) -> int:
        """
        The number of messages that any entry looks at now.
        """
        # In this order, a depth that is no number counts for nothing.
        return int(min(max(self.books.deepest, self.depth + self.skew), DEEPEST))

    def _is_spent(self) -> bool:
        most = js.number(self.settings.max_recursion_steps)
        return bool(most) and len(self.passes) >= most

    # One pass

    def _pass(self, kind: PassKind) -> PassKind:
        this = Pass(kind)
        self.passes.append(this)
        candidates = self._ordered(self._candidates(kind))
        self.ledger.begin_pass(self.fed)
        groups = GroupFilter(
            candidates,
            timed=self.timed,
            accepted=(fired.entry for fired in self.fired.values()),
            uses_scoring=self.settings.use_group_scoring,
            has_key=lambda entry, raw: self._has_raw_key(entry, raw, kind),
            draw=self.request.draw,
        )
        this.candidates = groups.run()
        this.removals = groups.removals
        self._spend(this)
        feeding = [entry for entry in self._survivors(this) if not entry.flag("preventRecursion")]
        this.next = self._next(kind, feeding)
        this.level = self.level
        if this.next:
            self._feed(feeding)
        return this.next

    def _candidates(self, kind: PassKind) -> list[CompiledEntry]:
        found = []
        owners = self.books.table.owners
        self._open(place for key in self.scan.newly_touched() for place in owners.get(key, ()))
        for place in sorted(self.open):
            entry = self.books.entries[place]
            if place in self.failed or entry.identity in self.fired:
                self.open.remove(place)
                continue
            if self._waits(entry, kind):
                continue
            made = self._consider(entry, kind)
            # Entries of one identity share the object that came for them from outside.
            if made and not (made[0].is_external and made[0] in found):
                candidate, cause = made
                self.causes[entry.identity] = cause
                if not self._is_vetoed(entry, cause, kind):
                    found.append(candidate)
        return self._without_the_least_sure(found) if self.request.outside_limit is not None else found

    def _without_the_least_sure(self, candidates: list[CompiledEntry]) -> list[CompiledEntry]:
        """
        Leave out, of the entries that come from outside alone, those beyond the limit.
        """
        alone = [entry for entry in candidates if self.causes[entry.identity].kind == "outside"]
        inside = sum(fired.cause.kind == "outside" for fired in self.fired.values())
        room = max(0, (self.request.outside_limit or 0) - inside)
        surest = sorted(alone, key=lambda entry: -self.causes[entry.identity].score)[room:]
        return [entry for entry in candidates if entry not in surest]

    def _open(self, places: Iterable[int]) -> None:
        """
        Let in the entries at *places* that nothing keeps out of the whole scan.
        """
        new = set(places) - self.seen
        self.seen.update(new)
        heads, entries = self.books.heads, self.books.entries
        self.open.update(at for at in new if standing_check(entries[at], self.request, self.timed, heads) is None)

    def _waits(self, entry: CompiledEntry, kind: PassKind) -> bool:
        check = pass_check(entry, kind, self.level, is_recursive=self.is_recursive, timed=self.timed)
        if check:
            self.waiting[entry.identity] = check
        return check is not None

    def _consider(self, entry: CompiledEntry, kind: PassKind) -> tuple[CompiledEntry, Cause] | None:
        if ACTIVATE in entry.decorators or self._stays_on(entry):
            return entry, Cause("decorator")
        if DONT_ACTIVATE in entry.decorators:
            return None
        outside = self.outside.get(entry.identity)
        if outside and not self.behaviour.keys_before_outside:
            return outside, self._outside_cause(entry)
        if cause := self._own_cause(entry, kind):
            return entry, cause
        may_come_in = outside and entry.identity not in self.secondary_failed
        return (entry, self._outside_cause(entry)) if may_come_in else None

    def _stays_on(self, entry: CompiledEntry) -> bool:
        head = self.books.heads.get(entry.identity) if self.request.matched else None
        return head is not None and decorated.stays_on(head, self.request, entry.identity)

    def _is_vetoed(self, entry: CompiledEntry, cause: Cause, kind: PassKind) -> bool:
        """
        Tell whether the keys of a decorator keep out what nothing forces on.
        """
        lists = self.books.table.further.get(entry.place)
        if not lists or cause.kind in _FORCED:
            return False
        view = self._view(entry, kind)
        found = decorated.veto(
            self.books.heads[entry.identity], lists, lambda key: self.scan.find(key, view) is not None
        )
        if found:
            self.vetoes[entry.identity] = found
        return found is not None

    def _own_cause(self, entry: CompiledEntry, kind: PassKind) -> Cause | None:
        if entry.flag("constant"):
            return Cause("constant")
        return Cause("sticky") if self.timed.is_sticky(entry) else self._matched(entry, self._view(entry, kind))

    def _outside_cause(self, entry: CompiledEntry) -> Cause:
        return Cause("outside", score=self.sureness[entry.identity])

    def _view(self, entry: CompiledEntry, kind: PassKind) -> View:
        depth = self.depth + self.skew if entry.scan_depth is None else entry.scan_depth
        return self.scan.view(entry, depth, with_recursion=kind != PassKind.MIN_ACTIVATIONS)

    def _matched(self, entry: CompiledEntry, view: View) -> Cause | None:
        keys = self.books.table.entries[entry.place]
        for key in keys.primary:
            where = self.scan.find(key, view)
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
        return 1 - (1 - by_key) * (1 - self.sureness.get(entry.identity, 0.0))

    def _secondary_passes(self, entry: CompiledEntry, keys: Sequence[Key], view: View) -> bool:
        logic = entry.or_default("selectiveLogic", _AND_ANY)
        if isinstance(logic, bool) or not isinstance(logic, int | float):
            return False
        found = [self.scan.find(key, view) is not None for key in keys]
        verdicts = {_AND_ANY: any(found), _NOT_ALL: not all(found), _NOT_ANY: not any(found), _AND_ALL: all(found)}
        return verdicts.get(int(logic), False) if logic == int(logic) else False

    def _has_raw_key(self, entry: CompiledEntry, raw: object, kind: PassKind) -> bool:
        """
        Tell whether a key matches as group scoring sees it: as it is written, without macros or trimming.
        """
        view = self._view(entry, kind)
        key = self.books.table.key(entry, raw) if self.behaviour.scores_matches else None
        return self.scan.find(key, view) is not None if key else self._has_text(entry, raw, view)

    def _has_text(self, entry: CompiledEntry, raw: object, view: View) -> bool:
        return matches(self.books.table.as_written(entry, raw), self.scan.text(view))

    def _ordered(self, candidates: list[CompiledEntry]) -> list[CompiledEntry]:
        ordered = sorted(candidates, key=attrgetter("place"))
        return sorted(ordered, key=self.timed.is_sticky, reverse=True) if self.timed.has_sticky else ordered

    # Probability and budget

    def _spend(self, this: Pass) -> None:
        claims = self._claims(this.candidates)
        waiting = sum(entry.flag("ignoreBudget") for entry in claims)
        for entry in claims:
            is_exempt = entry.flag("ignoreBudget")
            waiting -= is_exempt
            if self.ledger.is_shut and not is_exempt:
                self.shortages.setdefault(entry.identity, Shortage(self.ledger.budget, 0, self.ledger.budget))
                if waiting:
                    continue
                break
            if self._rolls_well(entry):
                self._claim(entry, this, is_exempt=is_exempt)

    def _claims(self, candidates: list[CompiledEntry]) -> list[CompiledEntry]:
        """
        The candidates in the order in which they may claim the budget.
        """
        if not self.behaviour.claims_by_score:
            return candidates

        def rank(entry: CompiledEntry) -> tuple[bool, float, float]:
            cause, head = self.causes[entry.identity], self.books.heads.get(entry.identity)
            order = head.priority if head and head.priority is not None else entry.order
            return cause.kind not in _UNCONDITIONAL, -order, -cause.score

        return sorted(candidates, key=rank)

    def _claim(self, entry: CompiledEntry, this: Pass, *, is_exempt: bool) -> None:
        content = self.substituted[id(entry)] = self.request.macros.substitute(entry.content)
        shortage = self.ledger.claim(content, is_exempt=is_exempt or self._claims_last(entry))
        if shortage:
            self.shortages[entry.identity] = shortage
        else:
            self._accept(entry, content, this)

    def _claims_last(self, entry: CompiledEntry) -> bool:
        head = self.books.heads.get(entry.identity) if self.books.heads else None
        return head is not None and head.ignore_on_max_context and not entry.flag("ignoreBudget")

    def _trim(self) -> None:
        """
        Let those claim the budget that are the first to go, and drop what does not fit; their texts have been read.
        """
        last = [fired.entry for fired in self.fired.values() if self._claims_last(fired.entry)]
        for entry in self._claims(last):
            if shortage := self.ledger.claim(self.fired[entry.identity].content, is_exempt=False):
                self.shortages[entry.identity] = shortage
                del self.fired[entry.identity]

    def _survivors(self, this: Pass) -> list[CompiledEntry]:
        """
        The candidates whose texts recursion reads.
        """
        if self.behaviour.only_fired_feed:
            return [self.fired[identity].entry for identity in this.accepted]
        return [entry for entry in this.candidates if not self._has_failed(entry)]

    def _accept(self, entry: CompiledEntry, content: str, this: Pass) -> None:
        self.fired[entry.identity] = Fired(entry, content, self.causes[entry.identity], len(self.passes) - 1)
        this.accepted.append(entry.identity)

    def _rolls_well(self, entry: CompiledEntry) -> bool:
        probability = entry["probability"]
        is_sure = probability == 100 and not isinstance(probability, str)  # noqa: PLR2004 (per cent)
        if not entry.flag("useProbability") or is_sure or self.timed.is_sticky(entry):
            return True
        rolled = self.request.draw() * 100
        if rolled <= js.number(probability):
            return True
        if entry.is_external:
            self.failed_outside.add(id(entry))
        else:
            self.failed[entry.place] = Roll(rolled, probability)
        return False

    def _has_failed(self, entry: CompiledEntry) -> bool:
        return id(entry) in self.failed_outside if entry.is_external else entry.place in self.failed

    # What comes next

    def _next(self, kind: PassKind, feeding: Sequence[CompiledEntry]) -> PassKind:
        may_recur = self.is_recursive and not self.ledger.is_shut
        if may_recur and (feeding or (kind == PassKind.MIN_ACTIVATIONS and self.scan.recursion)):
            return PassKind.RECURSION
        if not self.ledger.is_shut and self._wants_more():
            self.skew += 1
            self.scan.deepen(self._deepest())
            return PassKind.MIN_ACTIVATIONS
        if self.levels:
            self.level = self.levels.pop(0)
            return PassKind.RECURSION
        return PassKind.NONE

    def _wants_more(self) -> bool:
        wanted = js.number(self.settings.min_activations)
        if not wanted > 0 or len(self.fired) >= wanted:
            return False
        depth = self.depth + self.skew
        deepest = js.number(self.settings.min_activations_depth_max)
        return not (deepest > 0 and depth > deepest) and depth <= len(self.request.messages)

    def _feed(self, feeding: Sequence[CompiledEntry]) -> None:
        contents = [(entry.identity, self._content_now(entry)) for entry in feeding]
        self.fed = text = "\n".join(content for _, content in contents)
        if text:
            self.passes[-1].fed = contents
            self.scan.feed(text)

    def _content_now(self, entry: CompiledEntry) -> str:
        """
        The content as the pass left it: macros are replaced in place once a candidate has passed its roll.
        """
        return self.substituted.get(id(entry), entry.content)

    def _result(self, budget: int | None) -> ScanResult:
        return ScanResult(
            fired=self.fired,
            timed_state=self.timed.state,
            budget=budget,
            overflowed=self.ledger.overflowed,
            passes=self.passes,
            rolls={self.books.entries[place].identity: roll for place, roll in self.failed.items()},
            shortages=self.shortages,
            causes=self.causes,
            scan=self.scan if self.books.entries else None,
            timed=self.timed,
            secondary_failed=self.secondary_failed,
            vetoes=self.vetoes,
            waiting=self.waiting,
        )


def _ledger(behaviour: Behaviour, settings: WorldInfoSettings, request: ScanRequest) -> Ledger:
    budget = _budget(settings, request.max_context)
    return (SkippingLedger if behaviour.skips_over_budget else StoppingLedger)(budget, request.count_tokens)


def _budget(settings: WorldInfoSettings, max_context: int) -> int:
    percentage = js.number(settings.budget)
    # The loader takes a percentage of more than 100 for an old count of tokens, and puts the default.
    share = 25.0 if percentage > 100 else percentage  # noqa: PLR2004 (per cent)
    exact = share * max_context / 100
    budget = 1 if math.isnan(exact) else js.round_half_up(exact) or 1
    cap = js.number(settings.budget_cap)
    return math.ceil(cap) if 0 < cap < budget else budget
