"""
The exact store: every vector in memory, every one compared. What the others are measured by.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lorebook.retrieval.stores import Row

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Vectors


class MemoryStore:
    """
    A store that lasts as long as the object.
    """

    def __init__(self) -> None:
        """
        Start empty.
        """
        self._rows: dict[str, tuple[Row, Vectors]] = {}

    def count(self) -> int:
        """
        Return the number of all rows.
        """
        return len(self._rows)

    def ids(self) -> set[str]:
        """
        Return the ids of all rows.
        """
        return set(self._rows)

    def add(self, rows: Sequence[Row], vectors: Vectors) -> None:
        """
        Add *rows*; a row that is there already stays.
        """
        for row, vector in zip(rows, vectors, strict=True):
            self._rows.setdefault(row.id, (row, vector))

    def remove(self, ids: Collection[str]) -> None:
        """
        Remove the rows with *ids*; an unknown id is no error.
        """
        for each in ids:
            self._rows.pop(each, None)

    def nearest(
        self, vector: Vectors, *, limit: int, language: str, rulesets: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """
        Return ids and cosine similarities of at most *limit* rows in *language*, the nearest to *vector* first.
        """
        allowed = [
            (row.id, held)
            for row, held in self._rows.values()
            if row.language == language and (rulesets is None or row.ruleset in rulesets)
        ]
        if not allowed:
            return []
        nearness = np.stack([held for _, held in allowed]) @ vector
        return [(allowed[at][0], float(nearness[at])) for at in np.argsort(-nearness, kind="stable")[:limit]]

    def close(self) -> None:
        """
        Nothing is held open.
        """
