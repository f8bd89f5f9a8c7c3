"""
Vector stores behind one protocol: Chroma for real use, and an exact one in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Vectors


class Row(NamedTuple):
    """
    What a store knows of a vector; an id never changes its vector.
    """

    id: str
    ruleset: str
    language: str


class Store(Protocol):
    """
    Vectors of one space, searched by cosine similarity among the rulesets and the language that are asked for.
    """

    def ids(self) -> set[str]:
        """
        Return the ids of all rows.
        """

    def add(self, rows: Sequence[Row], vectors: Vectors) -> None:
        """
        Add *rows*; a row that is there already stays.
        """

    def remove(self, ids: Collection[str]) -> None:
        """
        Remove the rows with *ids*; an unknown id is no error.
        """

    def nearest(
        self, vector: Vectors, *, limit: int, language: str, rulesets: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """
        Return ids and cosine similarities of at most *limit* rows in *language*, the nearest to *vector* first.

        None for *rulesets* means all of them; none at all finds nothing.
        """

    def close(self) -> None:
        """
        Let go of files and connections.
        """
