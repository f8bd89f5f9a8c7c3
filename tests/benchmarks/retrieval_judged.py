"""
Our judged queries over the shipped rulesets, and over their four source documents imported as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lorebook.importers import import_document
from lorebook.retrieval.evaluation import Report, evaluate, read_queries
from lorebook.retrieval.judging import JudgedQuery
from lorebook.ruleset import MANIFEST, Ruleset
from tests.benchmarks.retrieval_ours import ROOT, Search
from tests.benchmarks.retrieval_peers import Asked
from tests.conftest import SHARED

QUERIES = SHARED / "retrieval" / "dev.jsonl"
SEEDS = SHARED / "seeds"


def worlds() -> Iterator[tuple[str, list[Ruleset]]]:
    """
    Yield what is asked, with its name.

    The questions and scenes that our rules come with help every library that is given them, so once there are none.
    """
    shipped = [Ruleset.load(path.parent) for path in sorted((ROOT / "rules").glob(f"*/{MANIFEST}"))]
    yield "shipped rules", shipped
    yield "shipped rules, nothing asked", [without_asked(ruleset) for ruleset in shipped]
    yield "documents as they are", [_imported(path) for path in sorted(SEEDS.glob("*.txt"))]


def without_asked(ruleset: Ruleset) -> Ruleset:
    """
    Return *ruleset* without the questions and scenes that its rules come with.
    """
    rules = [
        rule.model_copy(
            update={
                "wordings": {
                    language: wording.model_copy(update={"asked": ()}) for language, wording in rule.wordings.items()
                }
            }
        )
        for rule in ruleset.rules
    ]
    return Ruleset(ruleset.name, ruleset.manifest, rules, ruleset.folder)


def _imported(path: Path) -> Ruleset:
    return import_document(path.read_bytes(), file_name=path.name, ruleset=f"seed-{path.name[:3]}").ruleset


def queries(*, every: int) -> list[JudgedQuery]:
    """
    Return every n-th query.
    """
    return read_queries(QUERIES)[::every]


def asked(judged: Sequence[JudgedQuery], rulesets: Sequence[Ruleset]) -> list[Asked]:
    """
    Return the questions of *judged*, each with the rulesets that its filter means.
    """
    found: list[Asked] = []

    def listen(text: str, wanted: frozenset[str]) -> Sequence[str]:
        found.append(Asked(text, wanted))
        return ()

    evaluate(judged, rulesets, listen, documents=SEEDS)
    return found


def report(judged: Sequence[JudgedQuery], rulesets: Sequence[Ruleset], search: Search) -> Report:
    """
    Return the figures of *search*.
    """
    return evaluate(judged, rulesets, search, documents=SEEDS)


def looked_up(answers: Mapping[Asked, Sequence[str]]) -> Search:
    """
    Return a search that answers what was ranked before.
    """

    def search(text: str, rulesets: object) -> Sequence[str]:
        return answers[Asked(text, rulesets if isinstance(rulesets, frozenset) else None)]

    return search
