"""
Retrieval by lorebook, by each of its legs alone and by peers from PyPI: the same texts, vectors and filters in one run.

    python -m tests.benchmarks.retrieval [FOLDER…] [--every N] [--set NAME=VALUE…] [--json]
    python -m tests.benchmarks.retrieval --scale [--most PASSAGES] [--json]

A FOLDER holds a corpus, queries and judgements as BEIR lays them out; each paragraph becomes a rule. Without FOLDER
they are the four of XQuAD, then our judged queries over the shipped rules (once without the questions and scenes that
they come with) and over their source documents, whose filter every library applies before it ranks; nobody leaves
out what seems too weak, but what our thresholds cost is told. Vectors are kept by content in the tests' cache.
`--every` takes every n-th query only; `--set fusion.lexical=0.3` tries another weight than the shipped recipe's.

`--scale` tells what a question, a start and a build take as the rules grow. The last line is JSON. Exit code 1 where
the pipeline is behind its better leg on a folder, behind a peer, or less than 0.10 ahead of one on our queries.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from lorebook.retrieval.embedders import open_embedder
from tests.benchmarks import retrieval_judged as judged
from tests.benchmarks.retrieval_corpora import Corpus, read_corpus
from tests.benchmarks.retrieval_ours import NO_THRESHOLD, VECTORS, Ours, Weights, built
from tests.benchmarks.retrieval_peers import PEERS, Asked, Peer, Task, missing, run
from tests.benchmarks.retrieval_scale import SIZES, scaled, show_scale
from tests.benchmarks.retrieval_vectors import Remembering
from tests.conftest import SHARED

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Embedder
    from lorebook.ruleset import Ruleset

XQUAD = SHARED / "retrieval" / "xquad"
OURS, LEXICAL, DENSE = "lorebook", "lorebook, words alone", "lorebook, vectors alone"
CUT = "lorebook, its thresholds"
_AHEAD = 0.10
# Means of some hundred queries: less is no difference.
_EQUAL = 0.001


@dataclass(frozen=True)
class Row:
    """
    What one library makes of one set of questions; of judged ones *recall* is that of the first five.
    """

    questions: str
    system: str
    n: int
    ndcg: float
    recall: float
    mrr: float
    kinds: dict[str, float] | None = None
    """Of judged queries, the nDCG of each kind; all figures are then the means over kinds."""


def over_corpus(corpus: Corpus, embedder: Embedder, peers: Sequence[Peer], weights: Weights) -> Iterator[Row]:
    """
    Yield what everyone makes of *corpus*, without thresholds.
    """
    questions = [Asked(text) for text in corpus.queries.values()]
    embedder.embed_queries([asked.text for asked in questions])
    with _built([corpus.ruleset], embedder, {**NO_THRESHOLD, **weights}) as ours:
        for system, answers in _ranked(ours, questions, embedder, peers):
            ranked = {
                query: [corpus.paragraph_of(rule) for rule in answers[Asked(text)]]
                for query, text in corpus.queries.items()
            }
            yield Row(corpus.name, system, len(ranked), *corpus.quality(ranked))


def over_judged(every: int, embedder: Embedder, peers: Sequence[Peer], weights: Weights) -> Iterator[Row]:
    """
    Yield what everyone makes of our judged queries, without thresholds; ours also with them.
    """
    queries = judged.queries(every=every)
    for name, rulesets in judged.worlds():
        questions = judged.asked(queries, rulesets)
        embedder.embed_queries([asked.text for asked in questions])
        with _built(rulesets, embedder, weights) as ours:
            cut = {asked: ours.full(*asked) for asked in questions}
        with _built(rulesets, embedder, {**NO_THRESHOLD, **weights}) as ours:
            for system, answers in chain(_ranked(ours, questions, embedder, peers), [(CUT, cut)]):
                found = judged.report(queries, rulesets, judged.looked_up(answers))
                kinds = {kind: figures.ndcg for kind, figures in found.kinds.items()}
                macro = found.macro
                yield Row(name, system, found.micro.n, macro.ndcg, macro.recall, macro.mrr, kinds)


@contextmanager
def _built(rulesets: Sequence[Ruleset], embedder: Embedder, weights: Weights) -> Iterator[Ours]:
    with tempfile.TemporaryDirectory() as folder, built(rulesets, embedder, Path(folder), weights) as ours:
        yield ours


def _ranked(
    ours: Ours, questions: Sequence[Asked], embedder: Embedder, peers: Sequence[Peer]
) -> Iterator[tuple[str, Mapping[Asked, Sequence[str]]]]:
    for system, search in ((OURS, ours.full), (LEXICAL, ours.lexical), (DENSE, ours.dense)):
        yield system, {asked: search(*asked) for asked in questions}
    task = Task(ours.passages, ours.texts, questions, embedder)
    for peer in peers:
        print(f"{peer.said} …", end="\r", file=sys.stderr, flush=True)
        ranked = run(peer, task)
        if isinstance(ranked, str):
            print(f"{peer.said} failed: {ranked}", file=sys.stderr)
        else:
            yield peer.said, ranked


def failures(rows: Sequence[Row]) -> list[str]:
    """
    Say where the pipeline is not as far ahead as it should be.
    """
    said = []
    for ours in (row for row in rows if row.system == OURS):
        wanted = _AHEAD if ours.kinds else -_EQUAL
        for other in rows:
            if (
                other.questions != ours.questions
                or other is ours
                or (ours.kinds and other.system in (LEXICAL, DENSE, CUT))
            ):
                continue
            if ours.ndcg < other.ndcg + wanted:
                said.append(f"{ours.questions}: {ours.ndcg:.3f}, {other.system} {other.ndcg:.3f}")
    return said


def show(rows: Sequence[Row]) -> None:
    """
    Print a table for each set of questions.
    """
    for questions in dict.fromkeys(row.questions for row in rows):
        found = [row for row in rows if row.questions == questions]
        kinds = list(found[0].kinds or ())
        deep = 5 if kinds else 10
        print(f"\n{questions} ({found[0].n} queries{', mean of kinds' if kinds else ''})")
        print(f"{'':28}{'nDCG@10':>9}{f'recall@{deep}':>11}{'MRR@10':>8}{''.join(f'{kind:>13}' for kind in kinds)}")
        for row in found:
            each = "".join(f"{(row.kinds or {})[kind]:>13.3f}" for kind in kinds)
            print(f"{row.system:28}{row.ndcg:>9.3f}{row.recall:>11.3f}{row.mrr:>8.3f}{each}")


def main(words: Sequence[str] | None = None) -> int:
    """
    Run what is asked for and print it; 1 where ours is not ahead.
    """
    given = _arguments(words)
    if given.scale:
        grown = list(scaled([size for size in SIZES if size <= given.most]))
        if not given.json:
            show_scale(grown)
        print(json.dumps({"scale": [asdict(each) for each in grown]}))
        return 0
    absent = {peer.name: why for peer in PEERS if (why := missing(peer))} if given.peers else {}
    peers = [peer for peer in PEERS if given.peers and peer.name not in absent]
    rows = list(_rows(given, peers))
    behind = failures(rows)
    if not given.json:
        print(*(f"skipped: {why}" for why in absent.values()), sep="\n", end="\n" if absent else "")
        show(rows)
        print(*(f"not ahead: {each}" for each in behind), sep="\n", end="\n" if behind else "")
    print(json.dumps({"skipped": absent, "rows": [asdict(row) for row in rows], "not_ahead": behind}))
    return int(bool(behind))


def _rows(given: argparse.Namespace, peers: Sequence[Peer]) -> Iterator[Row]:
    embedder = Remembering(open_embedder(), spare=[VECTORS])
    weights = dict(given.set)
    folders = given.folders or sorted(path for path in XQUAD.glob("*") if path.is_dir())
    for folder in folders:
        yield from over_corpus(read_corpus(folder, every=given.every), embedder, peers, weights)
    if not given.folders and judged.QUERIES.is_file():
        yield from over_judged(given.every, embedder, peers, weights)


def _weight(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    return name, float(value)


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.retrieval",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every n-th query")
    parser.add_argument("--set", type=_weight, action="append", default=[], metavar="NAME=VALUE", help="try a weight")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="ours alone")
    parser.add_argument("--scale", action="store_true", help="measure time, memory and disk instead")
    parser.add_argument(
        "--most", type=int, default=SIZES[-1], metavar="PASSAGES", help="with --scale: no more than so many"
    )
    parser.add_argument("--json", action="store_true", help="print the last line only")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
