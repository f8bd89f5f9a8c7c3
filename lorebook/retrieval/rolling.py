"""
From passages to their rules: what a rule says itself, and what is asked when it is meant, weighed apart.

A rule with many questions and scenes has more chances of a stray hit than one with few. So two of them must be near,
not one, and words count by halves: those that the rule itself has, and those of what is asked.
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
        self._has_asked = np.logical_or.reduceat(asked, starts) if len(starts) else np.zeros(0, dtype=np.bool_)

    def nearness(self, rows: Scores) -> Scores:
        """
        Return, for each rule, the nearest of its own passages or the mean of the two nearest that are asked.

        *rows* are deviations, NOWHERE for passages that are not looked at; so is a rule without any.
        """
        told = self._most(np.where(self._asked, NOWHERE, rows))
        if not self._has_asked.any():
            return told
        asked = np.where(self._asked, rows, NOWHERE)
        first = self._most(asked)
        second = self._most(np.where(asked == first[self._rule_of], NOWHERE, asked))
        mean = np.where(second == NOWHERE, first, (first + second) / 2)
        return np.maximum(told, mean).astype(np.float32)

    def counts(self, rows: Scores) -> Scores:
        """
        Return, for each rule, the best count of its own passages and of those that are asked, half and half.

        *rows* are counts, 0 for passages that are not looked at. A rule of which nothing is asked has its own.
        """
        told = self._most(np.where(self._asked, np.float32(0), rows))
        if not self._has_asked.any():
            return told
        asked = self._most(np.where(self._asked, rows, np.float32(0)))
        return np.where(self._has_asked, (told + asked) / 2, told).astype(np.float32)

    def _most(self, rows: Scores) -> Scores:
        return np.maximum.reduceat(rows, self._starts)
