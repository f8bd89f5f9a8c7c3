"""
Rank passages with a peer, in an environment where it is installed and lorebook need not be.

    python retrieval_worker.py PEER FOLDER

FOLDER holds `job.json` (the passages' texts, owners and groups; the questions with the groups that each may look into)
and the vectors of both; `answers.json` is written: for each question the owners, best first.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

_DEPTH = 10
# Passages that are read of each list: several may belong to one owner.
_READ = 100
_HAN = re.compile("[\u3400-\u9fff]+|[a-z0-9]+")


class Job(NamedTuple):
    """
    What is to be ranked, and for whom.
    """

    texts: list[str]
    groups: list[str]
    questions: list[tuple[str, list[str] | None]]
    """Each with the groups that it may look into; None for all."""
    passages: Any
    queries: Any


Rank: TypeAlias = Callable[[int], Sequence[int]]
"""From the number of a question to those of passages, best first."""


def chroma(job: Job) -> Rank:
    """
    Vectors alone, as a Chroma collection finds them.
    """
    import chromadb  # noqa: PLC0415
    from chromadb.config import Settings  # noqa: PLC0415

    client = chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False))
    held = client.create_collection("passages", embedding_function=None, configuration={"hnsw": {"space": "cosine"}})
    for start in range(0, len(job.texts), 1000):
        stop = min(start + 1000, len(job.texts))
        held.add(
            ids=[str(n) for n in range(start, stop)],
            embeddings=job.passages[start:stop],
            metadatas=[{"group": group} for group in job.groups[start:stop]],
        )

    def rank(question: int) -> list[int]:
        groups = job.questions[question][1]
        found = held.query(
            query_embeddings=[job.queries[question]],
            n_results=_READ,
            where=None if groups is None else {"group": {"$in": groups}},
            include=[],
        )
        return [int(name) for name in found["ids"][0]]

    return rank


def bm25s(job: Job) -> Rank:
    """
    Words alone: bm25s, which leaves Chinese to its user; pairs of characters are the best simple choice.
    """
    library: Any = import_module("bm25s")

    index = library.BM25()
    index.index([_words(text) for text in job.texts], show_progress=False)

    def rank(question: int) -> list[int]:
        text, groups = job.questions[question]
        mask = np.asarray([groups is None or group in groups for group in job.groups], dtype=np.float32)
        known = [word for word in _words(text) if word in index.vocab_dict]
        if not known:
            return []
        scores = index.get_scores(known) * mask
        return [int(n) for n in np.argsort(-scores, kind="stable")[:_READ] if scores[n] > 0]

    return rank


def haystack(job: Job) -> Rank:
    """
    Haystack's BM25 and vectors in memory, joined by reciprocal ranks.
    """
    library: Any = import_module("haystack")
    joiners: Any = import_module("haystack.components.joiners")
    stores: Any = import_module("haystack.document_stores.in_memory")

    store = stores.InMemoryDocumentStore(embedding_similarity_function="cosine", return_embedding=False)
    store.write_documents(
        [
            library.Document(id=str(n), content=text, meta={"group": group}, embedding=vector.tolist())
            for n, (text, group, vector) in enumerate(zip(job.texts, job.groups, job.passages, strict=True))
        ]
    )
    joiner = joiners.DocumentJoiner(join_mode="reciprocal_rank_fusion")

    def rank(question: int) -> list[int]:
        text, groups = job.questions[question]
        filters = None if groups is None else {"field": "meta.group", "operator": "in", "value": groups}
        words = store.bm25_retrieval(text, filters=filters, top_k=_READ)
        near = store.embedding_retrieval(job.queries[question].tolist(), filters=filters, top_k=_READ)
        return [int(found.id) for found in joiner.run(documents=[words, near])["documents"]]

    return rank


def txtai(job: Job) -> Rank:
    """
    The hybrid of BM25 and vectors; it filters after ranking, so every choice of groups has an index of its own.
    """
    library: Any = import_module("txtai")

    vectors = dict(zip(job.texts, job.passages, strict=True))
    asked = dict(zip([text for text, _ in job.questions], job.queries, strict=True))

    def transform(texts: Sequence[str]) -> Any:
        return np.asarray([asked[text] if text in asked else vectors[text] for text in texts], dtype=np.float32)

    indexes: dict[tuple[str, ...] | None, Any] = {}

    def rank(question: int) -> list[int]:
        text, groups = job.questions[question]
        choice = None if groups is None else tuple(groups)
        if choice not in indexes:
            indexes[choice] = library.Embeddings(method="external", transform=transform, hybrid=True)
            held = [(n, t, None) for n, t in enumerate(job.texts) if choice is None or job.groups[n] in choice]
            indexes[choice].index(held)
        return [int(found) for found, _ in indexes[choice].search(text, _READ)]

    return rank


PEERS: dict[str, Callable[[Job], Rank]] = {"chromadb": chroma, "bm25s": bm25s, "haystack-ai": haystack, "txtai": txtai}


def _words(text: str) -> list[str]:
    words = []
    for run in _HAN.findall(text.lower()):
        is_latin = run[0].isascii()
        words += [run] if is_latin or len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]
    return words


def main(peer: str, folder: Path) -> None:
    """
    Do the job in *folder*.
    """
    plain = json.loads((folder / "job.json").read_text("utf-8"))
    queries = np.load(folder / "queries.npy")
    job = Job(plain["texts"], plain["groups"], plain["questions"], np.load(folder / "passages.npy"), queries)
    rank = PEERS[peer](job)
    ranked = [[plain["owners"][n] for n in rank(question)] for question in range(len(job.questions))]
    answers = [list(dict.fromkeys(owners))[:_DEPTH] for owners in ranked]
    (folder / "answers.json").write_text(json.dumps(answers), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
