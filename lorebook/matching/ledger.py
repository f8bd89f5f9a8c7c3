"""
The token budget of one scan.

SillyTavern counts the text of recursion and all that a pass collects, as one text, and once the budget is
reached nothing but exempt entries gets in. Ours counts entries one by one and passes over what does not fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol


class Shortage(NamedTuple):
    """
    The budget when it shut an entry out: tokens that were spent, tokens with the entry, the budget.
    """

    spent: int
    with_entry: int
    budget: int


class Ledger(Protocol):
    """
    Keeps the account of a scan's tokens.
    """

    budget: int
    overflowed: bool
    """Whether anything was shut out."""

    @property
    def is_shut(self) -> bool:
        """
        Whether nothing but exempt entries gets in any more.
        """
        ...

    def begin_pass(self, earlier: str) -> None:
        """
        Begin a pass; *earlier* is the text that recursion has fed so far.
        """
        ...

    def claim(self, content: str, *, is_exempt: bool) -> Shortage | None:
        """
        Ask for room for *content*; the shortage says why there is none.
        """
        ...


class StoppingLedger:
    """
    SillyTavern's account.
    """

    def __init__(self, budget: int, count_tokens: Callable[[str], int]) -> None:
        self.budget = budget
        self.overflowed = False
        self._count = count_tokens
        self._earlier = 0
        self._collected = ""

    @property
    def is_shut(self) -> bool:
        """
        Whether the budget has been reached in this scan.
        """
        return self.overflowed

    def begin_pass(self, earlier: str) -> None:
        """
        Count what recursion has fed, once.
        """
        self._earlier = self._count(earlier)
        self._collected = ""

    def claim(self, content: str, *, is_exempt: bool) -> Shortage | None:
        """
        Add *content* to the pass's text, where it stays whatever comes of it, and count all of that.
        """
        self._collected += content + "\n"
        if is_exempt:
            return None
        total = self._earlier + self._count(self._collected)
        if total < self.budget:
            return None
        self.overflowed = True
        return Shortage(self._earlier, total, self.budget)


class SkippingLedger:
    """
    Our account.
    """

    def __init__(self, budget: int, count_tokens: Callable[[str], int]) -> None:
        self.budget = budget
        self.overflowed = False
        self.is_shut = False
        self._count = count_tokens
        self._spent = 0

    def begin_pass(self, earlier: str) -> None:
        """
        Go on: only what fires is counted, in whichever pass.
        """

    def claim(self, content: str, *, is_exempt: bool) -> Shortage | None:
        """
        Spend the tokens of *content* if they are left.
        """
        tokens = self._count(content)
        if is_exempt:
            return None
        if self._spent + tokens > self.budget:
            self.overflowed = True
            return Shortage(self._spent, self._spent + tokens, self.budget)
        self._spent += tokens
        return None
