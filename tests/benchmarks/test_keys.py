"""
The measure of proposed keys: its figures are those of the definition, and the keys of the source documents keep theirs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lorebook.matching.presets import Preset
from lorebook.retrieval.evaluation import read_queries
from tests.benchmarks.keys import Asked, firing_of, firings, held, imported, show_keys
from tests.benchmarks.retrieval_judged import QUERIES


def asked(fired: set[str], answers: set[str], helps: set[str] | None = None, *, hopeless: bool = False) -> Asked:
    books = frozenset({"a", "b"})
    return Asked("en", books, frozenset(fired), frozenset(answers), frozenset(answers | (helps or set())), hopeless)


def test_figures_are_those_of_the_definition() -> None:
    told = [
        asked({"a/1", "a/2", "b/3"}, {"a/1"}, {"b/3"}),
        asked({"a/2"}, {"a/1", "b/1"}),
        asked(set(), {"b/1"}),
        asked({"a/1", "b/2"}, set(), hopeless=True),
    ]
    figures = firing_of(Preset.LOREBOOK, "all", told)
    assert (figures.n, figures.recall, figures.precision) == (3, 1 / 3, 2 / 4)
    assert (figures.fired, figures.fired_unanswerable) == (4 / 3, 2)


def test_of_one_document_only_its_own_rules_count() -> None:
    inside = asked({"a/1", "b/3"}, {"b/1"}, {"a/1"}).within("a")
    assert inside.fired == inside.right == frozenset({"a/1"})
    assert not inside.answers


def test_keys_are_shown_under_their_titles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "nets.md").write_text("# Nets\n\nA net of rope.\n\n# Boats\n\nA sail.")
    workspace = imported(tmp_path, [tmp_path / "nets.md"])
    show_keys(workspace.ruleset("nets").rules)
    assert "| Nets\n    Nets; Net" in capsys.readouterr().out


@pytest.mark.slow
def test_marks_of_the_keys_of_the_source_documents(seeds: Path, tmp_path: Path) -> None:
    workspace = imported(tmp_path, sorted(seeds.glob("*.txt")))
    told = {(each.preset, each.queries): each for each in firings(workspace, read_queries(QUERIES))}
    for preset in Preset:
        assert told[preset.value, "all"].recall >= 0.5
        assert told[preset.value, "all"].precision >= 0.28
        assert told[preset.value, "all"].fired_unanswerable <= 1.5
    for each in held(workspace):
        assert each.without == 0
        # The keys of 000 are the document's own.
        assert each.astray <= 0.8 or each.ruleset.startswith("000")
