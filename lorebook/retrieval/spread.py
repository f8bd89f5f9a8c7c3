"""
How far a similarity stands out among all similarities of a language.

A model's similarities have another mean and spread in every language, and for every question: e5 puts any
passage in the question's own language nearer than the answer in another. In standard deviations from the
mean they can be compared. Both follow from the mean vector and the covariance of a language's passages,
q·mean and q·C·q, so no question has to look at every passage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lorebook.retrieval.embedders import Vectors

_LEAST = 1e-4


@dataclass(frozen=True)
class Spread:
    """
    The mean vector and the covariance of the passages of one language.
    """

    mean: Vectors
    covariance: Vectors

    @classmethod
    def of(cls, rows: Vectors) -> Self:
        """
        Measure *rows*, one vector a passage, one at least.
        """
        wide = rows.astype(np.float64)
        mean = wide.mean(axis=0)
        return cls(mean.astype(np.float32), ((wide - mean).T @ (wide - mean) / len(rows)).astype(np.float32))

    def standardise(self, question: Vectors, similarities: NDArray[np.float32]) -> NDArray[np.float32]:
        """
        Return *similarities* to the vector *question* as standard deviations from their mean.
        """
        variance = float(question @ self.covariance @ question)
        deviation = max(variance, 0.0) ** 0.5
        return (similarities - np.float32(question @ self.mean)) / np.float32(max(deviation, _LEAST))
