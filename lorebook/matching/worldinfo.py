"""
SillyTavern's World Info, pass by pass.

A scan makes passes over the entries: a first one; recursion passes, in which what fired feeds the scan text;
passes that look one message further back until enough entries are active. Each pass collects candidates,
lets inclusion groups choose, rolls for probability, and spends the token budget. The behaviour is that of
SillyTavern 1.19, quirks included.
"""

from __future__ import annotations

from collections.abc import Sequence

from lorebook.matching import javascript as js
from lorebook.matching.candidates import Candidates, Moment
from lorebook.matching.compiled import CompiledBooks
from lorebook.matching.entries import CompiledEntry
from lorebook.matching.filters import PassKind
from lorebook.matching.groups import GroupFilter, Removal
from lorebook.matching.record import Pass, ScanResult
from lorebook.matching.request import ScanRequest
from lorebook.matching.scan import DEEPEST, Scan, injected
from lorebook.matching.spending import Spending, budget_of
from lorebook.matching.timing import TimedEffects


def scan(books: CompiledBooks, request: ScanRequest) -> ScanResult:
    """
    Return what the chat of *request* activates in *books*.

    Raises ScriptError where SillyTavern's scan would throw.
    """
    length = len(request.messages)
    timed = TimedEffects(request.timed_state, books.entries, length=length, dry=request.dry_run)
    # Without an entry, effects that have ended are gone, and nothing else happens.
    return _Run(books, request, timed).run() if books.entries else ScanResult(timed)


class _Run:
    def __init__(self, books: CompiledBooks, request: ScanRequest, timed: TimedEffects) -> None:
        self.books, self.request, self.settings, self.timed = books, request, books.settings, timed
        self.scan = Scan(
            books.table,
            request.messages,
            sources=request.sources,
            injections=injected(request.injections, request.macros),
            macros=request.macros,
        )
        self.candidates = Candidates(books, request, self.scan, timed)
        self.spending = Spending(books, request, timed, self.candidates.causes)
        self.passes: list[Pass] = []
        self.fed = ""
        """What the last pass has fed to recursion."""
        self.is_recursive = js.truthy(self.settings.recursive)
        self.depth = js.number(self.settings.depth)
        self.levels = list(books.levels)
        self.level: object = self.levels.pop(0) if self.levels else 0

    def run(self) -> ScanResult:
        self.scan.deepen(self._deepest())
        kind = PassKind.INITIAL
        while kind and not self._is_spent():
            kind = self._pass(kind)
        self.spending.trim()
        self.timed.begin(fired.entry for fired in self.spending.fired.values())
        return self._result()

    def _deepest(self) -> int:
        """
        The number of messages that any entry looks at now.
        """
        # In this order, a depth that is no number counts for nothing.
        return int(min(max(self.books.deepest, self.depth + self.candidates.skew), DEEPEST))

    def _is_spent(self) -> bool:
        most = js.number(self.settings.max_recursion_steps)
        return bool(most) and len(self.passes) >= most

    def _pass(self, kind: PassKind) -> PassKind:
        this = Pass(len(self.passes), kind)
        self.passes.append(this)
        moment = Moment(self.level, self.spending.fired, self.spending.failed)
        found = self.candidates.ordered(self.candidates.find(kind, moment))
        self.spending.ledger.begin_pass(self.fed)
        this.candidates, this.removals = self._without_rivals(found, kind)
        self.spending.spend(this)
        feeding = [entry for entry in self.spending.survivors(this) if not entry.flag("preventRecursion")]
        this.next = self._next(kind, feeding)
        this.level = self.level
        if this.next:
            self._feed(feeding)
        return this.next

    def _without_rivals(
        self, candidates: Sequence[CompiledEntry], kind: PassKind
    ) -> tuple[list[CompiledEntry], list[Removal]]:
        """
        Let inclusion groups choose: the candidates that stay, and those that do not.
        """
        groups = GroupFilter(
            candidates,
            timed=self.timed,
            accepted=(fired.entry for fired in self.spending.fired.values()),
            uses_scoring=self.settings.use_group_scoring,
            loses_once=self.books.behaviour.loses_once,
            has_key=lambda entry, raw: self.candidates.has_raw_key(entry, raw, kind),
            draw=self.request.draw,
        )
        return groups.run(), groups.removals

    def _next(self, kind: PassKind, feeding: Sequence[CompiledEntry]) -> PassKind:
        may_recur = self.is_recursive and not self.spending.ledger.is_shut
        if may_recur and (feeding or (kind == PassKind.MIN_ACTIVATIONS and self.scan.recursion)):
            return PassKind.RECURSION
        if not self.spending.ledger.is_shut and self._wants_more():
            self.candidates.skew += 1
            self.scan.deepen(self._deepest())
            return PassKind.MIN_ACTIVATIONS
        if self.levels:
            self.level = self.levels.pop(0)
            return PassKind.RECURSION
        return PassKind.NONE

    def _wants_more(self) -> bool:
        wanted = js.number(self.settings.min_activations)
        if not wanted > 0 or len(self.spending.fired) >= wanted:
            return False
        depth = self.depth + self.candidates.skew
        deepest = js.number(self.settings.min_activations_depth_max)
        return not (deepest > 0 and depth > deepest) and depth <= len(self.request.messages)

    def _feed(self, feeding: Sequence[CompiledEntry]) -> None:
        contents = [(entry.identity, self.spending.content_now(entry)) for entry in feeding]
        self.fed = text = "\n".join(content for _, content in contents)
        if text:
            self.passes[-1].fed = contents
            self.scan.feed(text)

    def _result(self) -> ScanResult:
        spending, candidates = self.spending, self.candidates
        return ScanResult(
            self.timed,
            fired=spending.fired,
            budget=budget_of(self.settings, self.request.max_context),
            overflowed=spending.ledger.overflowed,
            passes=self.passes,
            rolls={self.books.entries[place].identity: roll for place, roll in spending.failed.items()},
            shortages=spending.shortages,
            causes=candidates.causes,
            scan=self.scan,
            secondary_failed=candidates.secondary_failed,
            vetoes=candidates.vetoes,
            waiting=candidates.waiting,
        )
