"""
The report of an import says to a stranger what was made, what was left out and why, and what to do next.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Command

DOCUMENT = """# Lanterns

## Hand

A player may hold at most four lanterns.

***

## Wind

See “Rain” for what is lost.
"""


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "lanterns.md"
    path.write_text(DOCUMENT)
    return path


def test_the_report_of_a_markdown_file(lorebook: Command, document: Path, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    assert re.sub(r"line \d+: refers", "line N: refers", lorebook("import", document, "-w", folder).out) == (
        f"lanterns: 2 rules from the 11 lines of {document}\n"
        f"  written to {folder}/rules/lanterns, a file for each rule\n"
        "  read as markdown: 3 Markdown headings; --as KIND takes it for another\n"
        "  left out, as nothing that a rule would need:\n"
        "    line 7: a line that only draws\n"
        "  kept as it is:\n"
        "    line 1: headings, as the sections of the rules below them\n"
        "  worth a look, as something is missing there:\n"
        "    line N: refers to “Rain”, which no rule of the document is\n"
        "\n"
        "What now: ask, look at the rules, take them along as a card\n"
        f'  lorebook ask "a question or a term" --workspace {folder}\n'
        f"  lorebook rules lanterns --workspace {folder}\n"
        f"  lorebook export lanterns --to png --workspace {folder}\n"
    )


def test_what_to_do_next_can_be_done(
    lorebook: Command, document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = lorebook("import", document, "-w", tmp_path / "my rules").out
    commands = [shlex.split(line) for line in out.splitlines() if line.startswith("  lorebook ")]
    assert [words[1] for words in commands] == ["ask", "rules", "export"]
    for words in commands:
        assert lorebook(*words[1:]).code == 0


def test_a_workspace_that_is_here_need_not_be_named(
    lorebook: Command, document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lorebook("init", tmp_path / "w").code == 0
    monkeypatch.chdir(tmp_path / "w")
    assert "\n  lorebook rules lanterns\n" in lorebook("import", document).out


@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("000", "24 rules from the 431 lines of"),
        ("002", "said more than once, and one rule now:"),
        ("003", "    lines 57, 133, 169, 233, 271, 291: a quotation mark without a partner was paired\n"),
        ("004", "; --json tells them all"),
    ],
)
def test_the_reports_of_real_documents_are_short(
    lorebook: Command, seeds: Path, tmp_path: Path, number: str, says: str
) -> None:
    (path,) = seeds.glob(f"{number}_*")
    out = lorebook("import", path, "-w", tmp_path).out
    assert says in out
    assert len(out.splitlines()) < 40
    assert max(map(len, out.splitlines())) <= 200
