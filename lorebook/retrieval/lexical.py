"""
BM25 over weighted terms, as sparse columns: one column a term, so a query reads only the terms it holds.

The formula is Robertson's with Lucene's non-negative inverse document frequency
log(1 + (N - n + 0.5) / (n + 0.5)); lengths are relative to the mean of the passage's own group
(its language), so that Chinese and English passages of one content weigh the same.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEWEST = 400
"""Rows that an index has at least, as far as the rarity of terms is concerned."""

Number = TypeVar("Number", np.int32, np.float32)


class Document(NamedTuple):
    """
    What is counted of one passage: the weight of each term, its length, and the group it is compared in.
    """

    weights: Mapping[str, float]
    length: float
    group: str


class Bm25:
    """
    An immutable index; row n is the n-th document it was built from.
    """

    def __init__(
        self,
        terms: Sequence[str],
        starts: NDArray[np.int64],
        rows: NDArray[np.int32],
        saturated: NDArray[np.float32],
        size: int,
    ) -> None:
        """
        Keep the columns: *rows* and their *saturated* term weights, where column n begins at *starts*[n].
        """
        self.size = size
        self._columns = {term: n for n, term in enumerate(terms)}
        self._starts = starts
        self._rows = rows
        self._saturated = saturated

    @classmethod
    def build(cls, documents: Iterable[Document], *, k1: float, b: float) -> Self:
        """
        Count *documents*.
        """
        columns: dict[str, tuple[array[int], array[float]]] = {}
        lengths, groups = [], []
        for row, document in enumerate(documents):
            lengths.append(document.length)
            groups.append(document.group)
            for term, weight in document.weights.items():
                column = columns.setdefault(term, (array("i"), array("f")))
                column[0].append(row)
                column[1].append(weight)
        terms = sorted(columns)
        starts = np.cumsum([0, *(len(columns[term][0]) for term in terms)], dtype=np.int64)
        rows = _concatenate([columns[term][0] for term in terms], np.int32)
        weights = _concatenate([columns[term][1] for term in terms], np.float32)
        penalty = k1 * (1 - b + b * _relative(lengths, groups))
        saturated = (weights * (k1 + 1) / (weights + penalty[rows])).astype(np.float32)
        return cls(terms, starts, rows, saturated, len(lengths))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """
        Return the columns as arrays for a file.
        """
        terms = np.frombuffer("\n".join(self._columns).encode("utf-8", "surrogatepass"), dtype=np.uint8)
        size = np.asarray(self.size, dtype=np.int64)
        return {"terms": terms, "starts": self._starts, "rows": self._rows, "saturated": self._saturated, "size": size}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """
        Rebuild an index from what `arrays` returned.
        """
        joined = arrays["terms"].tobytes().decode("utf-8", "surrogatepass")
        terms = joined.split("\n") if joined else []
        return cls(terms, arrays["starts"], arrays["rows"], arrays["saturated"], int(arrays["size"]))

    def idf(self, term: str) -> float:
        """
        Return how much *term* tells passages apart: its rarity, but 0 for a term of no passage.
        """
        return self.rarity(term) if term in self._columns else 0.0

    def rarity(self, term: str) -> float:
        """
        Return the inverse document frequency of *term*, the highest for a term of no passage.

        A small index counts as one of FEWEST rows: else a term found in one of five passages would weigh
        next to nothing, and a score would mean another thing in every workspace.
        """
        column = self._columns.get(term)
        found = 0 if column is None else int(self._starts[column + 1] - self._starts[column])
        return math.log1p((max(self.size, FEWEST) - found + 0.5) / (found + 0.5))

    def scores(self, query: Mapping[str, float]) -> NDArray[np.float32]:
        """
        Return the BM25 score of every row for the terms of *query* and their weights.
        """
        total = np.zeros(self.size, dtype=np.float32)
        for term, weight in query.items():
            column = self._columns.get(term)
            if column is not None:
                span = slice(self._starts[column], self._starts[column + 1])
                total[self._rows[span]] += self._saturated[span] * (weight * self.idf(term))
        return total

    def terms_of(self, row: int, query: Iterable[str]) -> list[str]:
        """
        Return the terms of *query* that row *row* holds, the most telling first.
        """
        held = [term for term in query if self._holds(term, row)]
        return sorted(dict.fromkeys(held), key=lambda term: (-self.idf(term), term))

    def _holds(self, term: str, row: int) -> bool:
        column = self._columns.get(term)
        if column is None:
            return False
        rows = self._rows[self._starts[column] : self._starts[column + 1]]
        at = int(np.searchsorted(rows, row))
        return at < len(rows) and int(rows[at]) == row


def _concatenate(columns: Sequence[array[int]] | Sequence[array[float]], kind: type[Number]) -> NDArray[Number]:
    return (
        np.concatenate([np.asarray(column, dtype=kind) for column in columns]) if columns else np.empty(0, dtype=kind)
    )


def _relative(lengths: Sequence[float], groups: Sequence[str]) -> NDArray[np.float64]:
    """
    Each length as a multiple of the mean of its group.
    """
    known = np.asarray(lengths, dtype=np.float64)
    _, member = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    means = np.bincount(member, weights=known) / np.maximum(np.bincount(member), 1)
    return known / np.maximum(means, 1e-9)[member] if len(known) else known
