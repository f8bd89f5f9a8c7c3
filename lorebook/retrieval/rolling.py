"""
From passages to their rules: what a rule says itself, and what is asked when it is meant, weighed apart.

A rule with many questions and scenes has more chances of a stray hit than one with few. So two of them must be near,
not one, and words count by halves: those that the rule itself has, and those of the two nearest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores = NDArray[np.float32]

NOWHERE = np.float32(-np.inf)


class RollUp:
    """
    Passages of rules, in the order of their rules.
    """

    def __init__(self, starts: NDArray[np.int64], asked: NDArray[np.bool_]) -> None:
        """
        Take the row of each rule's first passage, and which rows are asked.
        """
        self._starts, self._asked = starts, asked
        self._rule_of = np.repeat(np.arange(len(starts)), np.diff([*starts, len(asked)]))
        self.times = np.add.reduceat(asked, starts, dtype=np.int64) if len(starts) else np.zeros(0, dtype=np.int64)
        """How many passages of each rule are asked."""

    def nearness(self, rows: Scores) -> Scores:
        """
        Return, for each rule, the nearest of its own passages or the mean of the two nearest that are asked.

        *rows* are deviations, NOWHERE for passages that are not looked at; so is a rule without any.
        """
        told = self._most(np.where(self._asked, NOWHERE, rows))
        if not self.times.any():
            return told
        first, second = self._two(rows, NOWHERE)
        mean = np.where(second == NOWHERE, first, (first + second) / 2)
        return np.maximum(told, mean).astype(np.float32)

    def counts(self, rows: Scores) -> Scores:
        """
        Return, for each rule, the best count of its own passages and the mean of the two best asked, half and half.

        *rows* are counts, 0 for passages that are not looked at. A rule of which nothing is asked has its own.
        """
        told = self._most(np.where(self._asked, np.float32(0), rows))
        if not self.times.any():
            return told
        first, second = self._two(rows, np.float32(0))
        mean = (first + second) / np.clip(self.times, 1, 2)
        return np.where(self.times > 0, (told + mean) / 2, told).astype(np.float32)

    def _two(self, rows: Scores, lowest: np.float32) -> tuple[Scores, Scores]:
        """
        Return each rule's best of *rows* that are asked, and the best but one; *lowest* for what is not there.
        """
        others = np.where(self._asked, rows, lowest)
        first = self._most(others)
        best = np.flatnonzero(others == first[self._rule_of])
        _, once = np.unique(self._rule_of[best], return_index=True)
        others[best[once]] = lowest
        return first, self._most(others)

    def _most(self, rows: Scores) -> Scores:
        return np.maximum.reduceat(rows, self._starts)
