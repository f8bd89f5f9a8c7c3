"""
Collections of Chroma, wherever they are: one a language.

Every search is one of a single language. As a filter that would be looked up for each row, which at 10,000 rows takes
eight times as long as the search itself; a collection of its own costs nothing.

Chroma only ever sees ids, vectors, rulesets and languages. It embeds nothing (no embedding function) and
sends nothing (telemetry off). Its import costs 0.7 s, so it is imported when a store is opened.
"""

from __future__ import annotations

from collections import defaultdict
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
    Where collections are, for a reader; how it is reached and let go, how much it takes at once, what errors mean.
    """

    where: str
    connect: Callable[[], ClientAPI]
    let_go: Callable[[ClientAPI], None]
    batch: int
    told: Callable[[BaseException, str], RetrievalError]


class ChromaStore:
    """
    The vectors in the collections with one name, a full stop and a language.
    """

    def __init__(self, place: Place, name: str) -> None:
        """
        Open the collections of *name*.

        Raises RetrievalError when what is there is damaged, UnreachableError when nothing answers.
        """
        self._place = place
        self._name = name
        self._collections: dict[str, ChromaCollection] = {}
        with speaking(place):
            self._client = place.connect()
        try:
            with speaking(place):
                self._batch = min(place.batch, self._client.get_max_batch_size())
                for language in languages_of(self._client, name):
                    self._open(language)
        except RetrievalError:
            self.close()
            raise

    def _open(self, language: str) -> ChromaCollection:
        if language not in self._collections:
            self._collections[language] = self._client.get_or_create_collection(
                f"{self._name}.{language}",
                embedding_function=None,
                configuration={"hnsw": {"space": "cosine", "ef_search": _SEARCH_WIDTH}},
            )
        return self._collections[language]

    def count(self) -> int:
        """
        Return the number of all rows.
        """
        with speaking(self._place):
            return sum(int(collection.count()) for collection in self._collections.values())

    def ids(self) -> set[str]:
        """
        Return the ids of all rows.
        """
        with speaking(self._place):
            return {name for held in self._collections.values() for name in held.get(include=[])["ids"]}

    def add(self, rows: Sequence[Row], vectors: Vectors) -> None:
        """
        Add *rows*; a row that is there already stays.
        """
        by_language: defaultdict[str, list[int]] = defaultdict(list)
        for at, row in enumerate(rows):
            by_language[row.language].append(at)
        with speaking(self._place):
            for language, places in by_language.items():
                for start in range(0, len(places), self._batch):
                    batch = places[start : start + self._batch]
                    self._open(language).add(
                        ids=[rows[at].id for at in batch],
                        embeddings=np.asarray(vectors[batch], dtype=np.float32),
                        metadatas=[{"ruleset": rows[at].ruleset} for at in batch],
                    )

    def remove(self, ids: Collection[str]) -> None:
        """
        Remove the rows with *ids*; an unknown id is no error.
        """
        with speaking(self._place):
            for collection in self._collections.values():
                known = sorted(set(collection.get(include=[])["ids"]).intersection(ids))
                for start in range(0, len(known), self._batch):
                    collection.delete(ids=known[start : start + self._batch])

    def nearest(
        self, vector: Vectors, *, limit: int, language: str, rulesets: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """
        Return ids and cosine similarities of at most *limit* rows in *language*, the nearest to *vector* first.
        """
        collection = self._collections.get(language)
        if collection is None or (rulesets is not None and not rulesets):
            return []
        where: dict[str, Any] | None = None if rulesets is None else {"ruleset": {"$in": sorted(rulesets)}}
        with speaking(self._place):
            found = collection.query(query_embeddings=[vector], n_results=limit, where=where, include=["distances"])
        return [(name, 1.0 - distance) for name, distance in zip(found["ids"][0], found["distances"][0], strict=True)]

    def close(self) -> None:
        """
        Let go of files and connections; a store that is too damaged to close is let go all the same.
        """
        with suppress(RetrievalError), speaking(self._place):
            self._place.let_go(self._client)


def languages_of(client: ClientAPI, name: str) -> list[str]:
    """
    Return the languages that there are collections of *name* for.
    """
    prefix = f"{name}."
    held = [found.name for found in client.list_collections()]
    return sorted(each.removeprefix(prefix) for each in held if each.startswith(prefix))


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
