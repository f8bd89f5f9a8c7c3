"""
The libraries that retrieval is measured beside: the same passages, the same vectors, the same filters.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tests.benchmarks.formats_peers import CACHE

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Embedder
    from lorebook.retrieval.passages import Passage

_WORKER = Path(__file__).with_name("retrieval_worker.py")
_MOST_SECONDS = 1800


class Peer(NamedTuple):
    """
    A library, what is measured of it, and how it is installed.
    """

    name: str
    said: str
    release: str = ""
    """Its version on PyPI; none for what our own environment has."""
    with_needs: bool = True
    """Whether what it needs is installed too; else it is what we have (torch, transformers), and *beside*."""
    beside: tuple[str, ...] = ()


PEERS = (
    Peer("chromadb", "Chroma, vectors"),
    Peer("bm25s", "bm25s, words", "0.3.16"),
    Peer("haystack-ai", "Haystack, reciprocal ranks", "3.4.1"),
    Peer("txtai", "txtai, hybrid", "9.14.0", with_needs=False, beside=("faiss-cpu", "msgpack")),
)


class Asked(NamedTuple):
    """
    A question, and the rulesets that it may look into; None for all.
    """

    text: str
    rulesets: frozenset[str] | None = None


@dataclass(frozen=True)
class Task:
    """
    Passages and questions with their vectors: what all libraries rank.
    """

    passages: Sequence[Passage]
    texts: Sequence[str]
    questions: Sequence[Asked]
    embedder: Embedder

    def write(self, folder: Path) -> None:
        """
        Write it as the worker reads it.
        """
        plain = {
            "texts": list(self.texts),
            "owners": [passage.rule for passage in self.passages],
            "groups": [passage.ruleset for passage in self.passages],
            "questions": [(text, None if chosen is None else sorted(chosen)) for text, chosen in self.questions],
        }
        (folder / "job.json").write_text(json.dumps(plain), "utf-8")
        np.save(folder / "passages.npy", self.embedder.embed_passages(self.texts))
        np.save(folder / "queries.npy", self.embedder.embed_queries([text for text, _ in self.questions]))


def missing(peer: Peer) -> str:
    """
    Install *peer* if it is not there yet; return why that cannot be, or nothing.
    """
    if not peer.release or _folder(peer).is_dir():
        return ""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as made:
        inside = Path(made) / "packages"
        wanted = [f"{peer.name}=={peer.release}", *peer.beside]
        words = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--target", str(inside), *wanted]
        words += [] if peer.with_needs else ["--no-deps"]
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{wanted[0]} cannot be installed: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}"
        if not _folder(peer).is_dir():
            shutil.move(inside, _folder(peer))
    return ""


def run(peer: Peer, task: Task) -> Mapping[Asked, Sequence[str]] | str:
    """
    Return the rules that *peer* finds for each question of *task*, or why it fails.
    """
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        task.write(folder)
        settings = {"HAYSTACK_TELEMETRY_ENABLED": "False", "HF_HUB_OFFLINE": "1"}
        settings |= {"PYTHONPATH": str(_folder(peer))} if peer.release else {}
        command = [sys.executable, str(_WORKER), peer.name, made]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, env=os.environ | settings, timeout=_MOST_SECONDS
            )
        except subprocess.TimeoutExpired:
            return "took too long"
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["died"])[-1]
        ranked = json.loads((folder / "answers.json").read_text("utf-8"))
    return dict(zip(task.questions, ranked, strict=True))


def _folder(peer: Peer) -> Path:
    return CACHE / f"{peer.name}-{peer.release}"
