"""
Chroma, embedded: a folder of its own, one collection a vector space.

Chroma only ever sees ids, vectors, rulesets and languages. It embeds nothing (no embedding function) and
sends nothing (telemetry off). Its import costs 0.7 s, so this module imports it when a store is opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lorebook.errors import RetrievalError, StorageError
from lorebook.retrieval.stores import Row
from lorebook.retrieval.vectors import Space

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection as ChromaCollection

    from lorebook.retrieval.embedders import Vectors

# Wide enough that an approximate search loses nothing we rank (hnsw's ef must reach the number of results).
_SEARCH_WIDTH = 200
_SQL_VARIABLES = 5_000
_HINT = "`lorebook index` rebuilds it"


class ChromaStore:
    """
    The vectors of one space in a Chroma folder.
    """

    def __init__(self, folder: Path, space: Space) -> None:
        """
        Open or create the collection of *space* in *folder*.

        Raises StorageError when the folder cannot be written and RetrievalError when what is in it is damaged.
        """
        self._where = str(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise RetrievalError("the vector store is no folder", where=self._where, hint=_HINT) from error
        except OSError as error:
            raise StorageError(f"cannot write: {error.strerror}", where=self._where) from error
        with self._speaking():
            self._client = _connect(folder)
        try:
            with self._speaking():
                self._batch = min(_SQL_VARIABLES, self._client.get_max_batch_size())
                self._collection = self._open(space)
        except RetrievalError:
            self.close()
            raise

    def _open(self, space: Space) -> ChromaCollection:
        """
        Two models may share a name's beginning and Chroma allows no long names: the digest tells them apart.
        """
        digest = hashlib.sha256(space.title.encode()).hexdigest()[:12]
        return self._client.get_or_create_collection(
            f"passages-{digest}",
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine", "ef_search": _SEARCH_WIDTH}},
        )

    def ids(self) -> set[str]:
        """
        Return the ids of all rows.
        """
        with self._speaking():
            return set(self._collection.get(include=[])["ids"])

    def add(self, rows: Sequence[Row], vectors: Vectors) -> None:
        """
        Add *rows*; a row that is there already stays.
        """
        with self._speaking():
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
        with self._speaking():
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
        with self._speaking():
            found = self._collection.query(
                query_embeddings=[vector], n_results=limit, where=where, include=["distances"]
            )
        return [(name, 1.0 - distance) for name, distance in zip(found["ids"][0], found["distances"][0], strict=True)]

    def close(self) -> None:
        """
        Let go of the folder's files; a store that is too damaged to close is let go all the same.
        """
        with suppress(RetrievalError), self._speaking():
            self._client.close()

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            yield
        except (RetrievalError, KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except (
            BaseException
        ) as error:  # Chroma passes on what SQLite or the disk raises; its Rust core's panics are bare
            reason = str(error).strip().split("\n")[0] or type(error).__name__
            raise RetrievalError(f"the vector store fails: {reason}", where=self._where, hint=_HINT) from error


def _connect(folder: Path) -> ClientAPI:
    import chromadb  # noqa: PLC0415 (0.7 s)
    from chromadb.config import Settings  # noqa: PLC0415

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
