"""
What a question, a start and a build take as the rules grow: one process a step, so that memory is its own.

    python -m tests.benchmarks.retrieval_scale build|ask WORKSPACE

The smallest workspace is embedded by the real model; the larger ones find their vectors made, and what a build takes
beside the embedding is told. Questions are embedded for real, each once.
"""

from __future__ import annotations

import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lorebook.progress import Progress
from lorebook.records import Frozen
from lorebook.retrieval.embedders import open_embedder
from lorebook.retrieval.space import Space
from lorebook.workspace import Workspace, location
from tests.benchmarks.retrieval_growth import Growth
from tests.benchmarks.retrieval_ours import ROOT

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Embedder, Vectors

SIZES = (1_000, 10_000, 100_000)
"""Passages."""
_COLD = 5


class Built(Frozen):
    """
    What making the index took: seconds of the whole and of the model alone; megabytes.
    """

    passages: int
    embedded: int
    seconds: float
    embedding: float
    memory: float


class Asked(Frozen):
    """
    What questions took in a process that had asked one before: milliseconds; the first one; megabytes.
    """

    questions: int
    first: float
    p50: float
    p95: float
    embedding: float
    """The median of the model's part."""
    search: float
    """The median of the rest of the search, without the look whether the rules have changed."""
    processor: float
    """The median of the whole, of all cores: what other programs disturb little."""
    memory: float


class Started(Frozen):
    """
    What starting a program took: seconds that passed, and seconds of the processor.
    """

    seconds: float
    processor: float


@dataclass(frozen=True)
class Scale:
    """
    One size; seconds, megabytes.
    """

    passages: int
    rules: int
    built: dict[str, Any]
    asked: dict[str, Any]
    disk: float
    start: dict[str, Any]
    """Of the command that asks one question."""
    chromadb: dict[str, Any]
    """Of `python -c "import chromadb"`."""


class Timed:
    """
    A model that counts its seconds.
    """

    def __init__(self, model: Embedder) -> None:
        self.name, self.dimension = model.name, model.dimension
        self._model = model
        self.seconds = 0.0
        self.texts = 0

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """
        Return one row a question.
        """
        return self._counted(lambda: self._model.embed_queries(texts), texts)

    def embed_passages(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """
        Return one row a passage.
        """
        return self._counted(lambda: self._model.embed_passages(texts, progress=progress), texts)

    def _counted(self, embed: Callable[[], Vectors], texts: Sequence[str]) -> Vectors:
        began = time.perf_counter()
        rows = embed()
        self.seconds += time.perf_counter() - began
        self.texts += len(texts)
        return rows


def scaled(sizes: Sequence[int]) -> Iterator[Scale]:
    """
    Yield what each of *sizes* takes.
    """
    for size in sizes:
        with tempfile.TemporaryDirectory() as made:
            root = Path(made)
            rules = grow(root, size, with_vectors=size > SIZES[0])
            built, asked = (_step(name, root) for name in ("build", "ask"))
            start, chromadb = _cold(root)
            disk = _megabytes(root / location.INDEX / "store")
        yield Scale(built["passages"], rules, built, asked, disk, start.model_dump(), chromadb.model_dump())


def grow(root: Path, size: int, *, with_vectors: bool) -> int:
    """
    Make a workspace in *root* with rules of so many passages; return how many rules.
    """
    location.init(root)
    growth = Growth()
    rulesets = list(growth.rulesets(size))
    for ruleset in rulesets:
        ruleset.save(root / location.RULES / ruleset.name)
    if with_vectors:
        model = open_embedder()
        space = Space(model.name, model.dimension)
        growth.keep_vectors(growth.passages(rulesets), space, root / location.INDEX / "vectors")
    return sum(len(ruleset.rules) for ruleset in rulesets)


def build(root: Path) -> Built:
    """
    Make the index of the workspace *root*.
    """
    workspace, model = _opened(root)
    began = time.perf_counter()
    report = workspace.searching.build()
    seconds = time.perf_counter() - began
    return Built(
        passages=report.passages,
        embedded=report.embedded,
        seconds=seconds,
        embedding=model.seconds,
        memory=_memory("VmHWM"),
    )


def ask(root: Path) -> Asked:
    """
    Ask the workspace *root* the questions of the shipped probes, thrice, each time in other words.
    """
    probes = (ROOT / "index" / "probes.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line)["query"] for line in probes]
    workspace, model = _opened(root)
    first = _milliseconds(lambda: workspace.ask("Who goes first?"))
    whole, processor, embedding, search = [], [], [], []
    for question in [f"{question}{end}" for end in ("", " ?", " …") for question in questions]:
        model.seconds = 0.0
        began = time.process_time()
        whole.append(_milliseconds(lambda asked=question: workspace.ask(asked)))  # type: ignore[misc]
        processor.append(1000 * (time.process_time() - began))
        embedding.append(1000 * model.seconds)
        model.seconds = 0.0
        searched = _milliseconds(lambda asked=question: workspace.searching.index.search(asked))  # type: ignore[misc]
        search.append(searched - 1000 * model.seconds)
    return Asked(
        questions=len(whole),
        first=first,
        p50=statistics.median(whole),
        p95=statistics.quantiles(whole, n=20)[-1],
        embedding=statistics.median(embedding),
        search=statistics.median(search),
        processor=statistics.median(processor),
        memory=_memory("VmRSS"),
    )


def _opened(root: Path) -> tuple[Workspace, Timed]:
    workspace = Workspace.open(root)
    model = Timed(open_embedder())
    workspace.searching.index.made_of.__dict__["embedder"] = model
    return workspace, model


def _cold(root: Path) -> tuple[Started, Started]:
    """
    The medians of starting each program in turn, once its files have been read.
    """
    ours = [str(Path(sys.executable).with_name("lorebook")), "ask", "hand limit", "--workspace", str(root)]
    chromadb = [sys.executable, "-c", "import chromadb"]
    runs = [(_started(ours), _started(chromadb)) for _ in range(_COLD + 1)][1:]
    first, second = (_median(each) for each in zip(*runs, strict=True))
    return first, second


def _median(runs: Sequence[Started]) -> Started:
    return Started(
        seconds=statistics.median(run.seconds for run in runs),
        processor=statistics.median(run.processor for run in runs),
    )


def _started(command: Sequence[str]) -> Started:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    return Started(seconds=seconds, processor=after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def _step(name: str, root: Path) -> dict[str, Any]:
    words = [sys.executable, "-m", "tests.benchmarks.retrieval_scale", name, str(root)]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    return dict(json.loads(done.stdout))


def _milliseconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - began)


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20


def _memory(name: str) -> float:
    """
    The memory of this process in megabytes: VmRSS is what it has, VmHWM the most that it has had.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        found = re.search(rf"{name}:\s*(\d+) kB", status.read_text())
        return int(found[1]) / 2**10 if found else 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def show_scale(grown: Sequence[Scale]) -> None:
    """
    Print the tables.
    """
    print("\nA question in a process that is warm (ms), and the start of the command (s)")
    print(
        f"{'passages':>9}{'rules':>8}{'p50':>8}{'p95':>8}{'model':>8}{'search':>8}{'look':>8}"
        f"{'CPU':>8}{'first':>8}{'RSS MB':>8}{'start':>7}{'chromadb':>9}{'ratio':>7}{'CPU':>7}"
    )
    for each in grown:
        asked = each.asked
        look = asked["p50"] - asked["embedding"] - asked["search"]
        print(
            f"{each.passages:>9,}{each.rules:>8,}{asked['p50']:>8.1f}{asked['p95']:>8.1f}{asked['embedding']:>8.1f}"
            f"{asked['search']:>8.1f}{look:>8.1f}{asked['processor']:>8.1f}{asked['first']:>8.0f}{asked['memory']:>8.0f}"
            f"{each.start['seconds']:>7.2f}{each.chromadb['seconds']:>9.2f}"
            f"{each.start['seconds'] / each.chromadb['seconds']:>7.2f}"
            f"{each.start['processor'] / each.chromadb['processor']:>7.2f}"
        )
    print("model: embedding the question; look: whether rules have changed, and reading the rules that are answered;")
    print("CPU: in time of the processor, of all cores")
    print("\nA build (s), beside the model at the speed that it had with the smallest")
    print(
        f"{'passages':>9}{'all':>8}{'model':>8}{'rest':>8}{'a second':>10}{'of the model alone':>20}"
        f"{'peak MB':>9}{'disk MB':>9}"
    )
    rate = next((e.built["embedded"] / e.built["embedding"] for e in grown if e.built["embedding"]), None)
    for each in grown:
        built = each.built
        rest = built["seconds"] - built["embedding"]
        model = built["embedding"] if built["embedded"] >= each.passages else each.passages / rate if rate else 0.0
        fast, share = each.passages / (model + rest), model / (model + rest)
        print(
            f"{each.passages:>9,}{model + rest:>8.1f}{model:>8.1f}{rest:>8.1f}{fast:>10.1f}{share:>20.2f}"
            f"{built['memory']:>9.0f}{each.disk:>9.0f}"
        )


if __name__ == "__main__":
    print({"build": build, "ask": ask}[sys.argv[1]](Path(sys.argv[2])).model_dump_json())
