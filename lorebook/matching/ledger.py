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
    The budget when it shut an entry out, in tokens.
    """

    spent: int
    needed: int | None
    """The entry's own; None where nobody counted them, because nothing gets in any more."""
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

    def begin_pass(self, fed: str) -> None:
        """
        Begin a pass; *fed* is the text that the pass before has fed to recursion.
        """
        ...

    def claim(self, content: str, *, is_exempt: bool) -> Shortage | None:
        """
        Ask for room for *content*; the shortage says why there is none.
        """
        ...


class _Tally:
    """
    The tokens of a text that grows, counted only where they could matter.

    A text that is added brings no more tokens than it has bytes, whichever tokenizer counts.
    """

    def __init__(self, count_tokens: Callable[[str], int]) -> None:
        self.most = 0
        """A bound from above."""
        self._count = count_tokens
        self._pieces: list[str] = []
        self._is_exact = True

    def add(self, text: str, *, in_front: bool = False) -> None:
        self._pieces.insert(0 if in_front else len(self._pieces), text)
        self._is_exact = False
        self.most += len(text.encode("utf-8", "surrogatepass"))

    def count(self) -> int:
        if not self._is_exact:
            self.most, self._is_exact = self._count("".join(self._pieces)), True
        return self.most


class StoppingLedger:
    """
    SillyTavern's account.
    """

    def __init__(self, budget: int, count_tokens: Callable[[str], int]) -> None:
        self.budget = budget
        self.overflowed = False
        self._count = count_tokens
        self._fed = _Tally(count_tokens)
        self._collected = _Tally(count_tokens)

    @property
    def is_shut(self) -> bool:
        """
        Whether the budget has been reached in this scan.
        """
        return self.overflowed

    def begin_pass(self, fed: str) -> None:
        """
        Put what recursion has fed on top of what it fed before.
        """
        if fed:
            self._fed.add(f"{fed}\n", in_front=True)
        self._collected = _Tally(self._count)

    def claim(self, content: str, *, is_exempt: bool) -> Shortage | None:
        """
        Add *content* to the pass's text, where it stays whatever comes of it, and count that and all that was fed.
        """
        self._collected.add(f"{content}\n")
        if is_exempt or self._fed.most + self._collected.most < self.budget:
            return None
        total = self._fed.count() + self._collected.count()
        if total < self.budget:
            return None
        self.overflowed = True
        needed = self._count(content)
        return Shortage(total - needed, needed, self.budget)


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

    def begin_pass(self, fed: str) -> None:
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
            return Shortage(self._spent, tokens, self.budget)
        self._spent += tokens
        return None
