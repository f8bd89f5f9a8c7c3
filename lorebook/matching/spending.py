"""
What a pass does with its candidates: rolls for probability, and claims on the token budget.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from lorebook.matching import javascript as js
from lorebook.matching.compiled import CompiledBooks
from lorebook.matching.entries import CompiledEntry
from lorebook.matching.ledger import Ledger, Shortage, SkippingLedger, StoppingLedger
from lorebook.matching.record import Cause, Fired, Pass, Roll
from lorebook.matching.request import ScanRequest, WorldInfoSettings
from lorebook.matching.timing import TimedEffects

# Causes that need no text: such entries claim before all others.
_UNCONDITIONAL = frozenset({"sticky", "decorator", "constant"})


class Spending:
    """
    The rolls and claims of one scan.
    """

    def __init__(
        self, books: CompiledBooks, request: ScanRequest, timed: TimedEffects, causes: Mapping[str, Cause]
    ) -> None:
        self.fired: dict[str, Fired] = {}
        self.failed: dict[int, Roll] = {}
        self.shortages: dict[str, Shortage] = {}
        self.ledger = _ledger(books, request)
        self._books, self._request, self._timed, self._causes = books, request, timed, causes
        self._substituted: dict[int, str] = {}
        self._failed_outside: set[int] = set()
        self._read: set[str] = set()

    def spend(self, this: Pass) -> None:
        """
        Let the candidates of *this* pass roll and claim.
        """
        nothing_left = Shortage(self.ledger.budget, None, self.ledger.budget)
        for entry in self._claims(this.candidates):
            is_exempt = entry.flag("ignoreBudget")
            if self.ledger.is_shut and not is_exempt:
                self.shortages.setdefault(entry.identity, nothing_left)
            elif self._rolls_well(entry):
                self._claim(entry, this, is_exempt=is_exempt)

    def _claims(self, candidates: list[CompiledEntry]) -> list[CompiledEntry]:
        """
        The candidates in the order in which they may claim the budget.
        """
        if not self._books.behaviour.claims_by_score:
            return candidates

        def rank(entry: CompiledEntry) -> tuple[bool, float, float]:
            cause, head = self._causes[entry.identity], self._books.heads.get(entry.identity)
            order = head.priority if head and head.priority is not None else entry.order
            return cause.kind not in _UNCONDITIONAL, -order, -cause.score

        return sorted(candidates, key=rank)

    def _claim(self, entry: CompiledEntry, this: Pass, *, is_exempt: bool) -> None:
        content = self._substituted[id(entry)] = self._request.macros.substitute(entry.content)
        shortage = self.ledger.claim(content, is_exempt=is_exempt or self._claims_last(entry))
        if shortage:
            self.shortages[entry.identity] = shortage
        else:
            self.fired[entry.identity] = Fired(entry, content, self._causes[entry.identity], this.number)
            this.accepted.append(entry.identity)

    def _claims_last(self, entry: CompiledEntry) -> bool:
        head = self._books.heads.get(entry.identity) if self._books.heads else None
        return head is not None and head.ignore_on_max_context and not entry.flag("ignoreBudget")

    def trim(self) -> None:
        """
        Let those claim the budget that are the first to go, and drop what does not fit; their texts have been read.
        """
        last = [fired.entry for fired in self.fired.values() if self._claims_last(fired.entry)]
        for entry in self._claims(last):
            if shortage := self.ledger.claim(self.fired[entry.identity].content, is_exempt=False):
                self.shortages[entry.identity] = shortage
                del self.fired[entry.identity]

    def survivors(self, this: Pass) -> list[CompiledEntry]:
        """
        The candidates whose texts recursion reads.
        """
        if self._books.behaviour.only_fired_feed:
            return [self.fired[identity].entry for identity in this.accepted]
        read = [entry for entry in this.candidates if not self._has_failed(entry)]
        if not self._books.behaviour.skips_over_budget:
            return read
        # What does not fit is a candidate again in every pass; read each time, it would never end.
        unread = [entry for entry in read if entry.identity not in self._read]
        self._read.update(entry.identity for entry in unread)
        return unread

    def _rolls_well(self, entry: CompiledEntry) -> bool:
        probability = entry["probability"]
        is_sure = probability == 100 and not isinstance(probability, str)  # noqa: PLR2004 (per cent)
        if not entry.flag("useProbability") or is_sure or self._timed.is_sticky(entry):
            return True
        rolled = self._request.draw() * 100
        if rolled <= js.number(probability):
            return True
        if entry.is_external:
            self._failed_outside.add(id(entry))
        else:
            self.failed[entry.place] = Roll(rolled, probability)
        return False

    def _has_failed(self, entry: CompiledEntry) -> bool:
        return id(entry) in self._failed_outside if entry.is_external else entry.place in self.failed

    def content_now(self, entry: CompiledEntry) -> str:
        """
        Return the content as the pass left it: macros are replaced in place once a candidate has passed its roll.
        """
        return self._substituted.get(id(entry), entry.content)


def _ledger(books: CompiledBooks, request: ScanRequest) -> Ledger:
    budget = budget_of(books.settings, request.max_context)
    if books.behaviour.skips_over_budget:
        # SillyTavern takes a budget of nothing for one token; ours is nothing.
        return SkippingLedger(budget if request.max_context else 0, request.count_tokens)
    return StoppingLedger(budget, request.count_tokens)


def budget_of(settings: WorldInfoSettings, max_context: int) -> int:
    """
    Return the tokens that *settings* allow of a context of *max_context* tokens; 1 at least.
    """
    percentage = js.number(settings.budget)
    # The loader takes a percentage of more than 100 for an old count of tokens, and puts the default.
    share = 25.0 if percentage > 100 else percentage  # noqa: PLR2004 (per cent)
    exact = share * max_context / 100
    budget = 1 if math.isnan(exact) else js.round_half_up(exact) or 1
    cap = js.number(settings.budget_cap)
    return math.ceil(cap) if 0 < cap < budget else budget
