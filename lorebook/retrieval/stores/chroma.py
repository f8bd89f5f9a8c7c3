"""
A collection of Chroma, wherever it is.

Chroma only ever sees ids, vectors, rulesets and languages. It embeds nothing (no embedding function) and
sends nothing (telemetry off). Its import costs 0.7 s, so it is imported when a store is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lorebook.errors import RetrievalError
from lorebook.retrieval.stores import Row

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection as ChromaCollection

    from lorebook.retrieval.embedders import Vectors

# Wide enough that an approximate search loses nothing we rank (hnsw's ef must reach the number of results).
_SEARCH_WIDTH = 200


class Place(NamedTuple):
    """
    Where a collection is, for a reader; how it is reached and let go, how much it takes at once, what errors mean.
    """

    where: str
    connect: Callable[[], ClientAPI]
    let_go: Callable[[ClientAPI], None]
    batch: int
    told: Callable[[BaseException, str], RetrievalError]


class ChromaStore:
    """
    The vectors in one collection.
    """

    def __init__(self, place: Place, collection: str) -> None:
        """
        Open or create *collection*.

        Raises RetrievalError when what is there is damaged, UnreachableError when nothing answers.
        """
        self._place = place
        with speaking(place):
            self._client = place.connect()
        try:
            with speaking(place):
                self._batch = min(place.batch, self._client.get_max_batch_size())
                self._collection = self._open(collection)
        except RetrievalError:
            self.close()
            raise

    def _open(self, name: str) -> ChromaCollection:
        return self._client.get_or_create_collection(
            name,
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine", "ef_search": _SEARCH_WIDTH}},
        )

    def count(self) -> int:
        """
        Return the number of all rows.
        """
        with speaking(self._place):
            return int(self._collection.count())

    def ids(self) -> set[str]:
        """
        Return the ids of all rows.
        """
        with speaking(self._place):
            return set(self._collection.get(include=[])["ids"])

    def add(self, rows: Sequence[Row], vectors: Vectors) -> None:
        """
        Add *rows*; a row that is there already stays.
        """
        with speaking(self._place):
            for start in range(0, len(rows), self._batch):
                batch = rows[start : start + self._batch]
                self._collection.add(
                    ids=[row.id for row in batch],
                    embeddings=np.asarray(vectors[start : start + self._batch], dtype=np.float32),
                    metadatas=[{"ruleset": row.ruleset, "language": row.language} for row in batch],
                )

    def remove(self, ids: Collection[str]) -> None:
        """
        Remove the rows with *ids*; an unknown id is no error.
        """
        known = sorted(self.ids().intersection(ids))
        with speaking(self._place):
            for start in range(0, len(known), self._batch):
                self._collection.delete(ids=known[start : start + self._batch])

    def nearest(
        self, vector: Vectors, *, limit: int, language: str, rulesets: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """
        Return ids and cosine similarities of at most *limit* rows in *language*, the nearest to *vector* first.
        """
        if rulesets is not None and not rulesets:
            return []
        where: dict[str, Any] = {"language": language}
        if rulesets is not None:
            where = {"$and": [where, {"ruleset": {"$in": sorted(rulesets)}}]}
        with speaking(self._place):
            found = self._collection.query(
                query_embeddings=[vector], n_results=limit, where=where, include=["distances"]
            )
        return [(name, 1.0 - distance) for name, distance in zip(found["ids"][0], found["distances"][0], strict=True)]

    def close(self) -> None:
        """
        Let go of files and connections; a store that is too damaged to close is let go all the same.
        """
        with suppress(RetrievalError), speaking(self._place):
            self._place.let_go(self._client)


@contextmanager
def speaking(place: Place) -> Iterator[None]:
    """
    Turn whatever Chroma raises into one sentence about *place*.
    """
    try:
        yield
    except (RetrievalError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # what SQLite, the disk or the network raise; panics of the Rust core are bare
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise place.told(error, reason) from error
