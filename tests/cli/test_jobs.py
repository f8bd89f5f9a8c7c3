"""
`lorebook inspect` and `convert` with several processes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lorebook.formats import open_document
from lorebook.workspace.crew import AT_ONCE
from tests.conftest import Command

_COMMAND = (sys.executable, "-c", "from lorebook.cli import main; main()")


def cards(folder: Path, count: int) -> Path:
    """
    Return *folder* with so many cards in it, the fourth of them a ruin.
    """
    folder.mkdir()
    for number in range(count):
        card = {"spec": "chara_card_v2", "data": {"name": f"Mira {number}"}}
        (folder / f"{number:03}.json").write_text("no card" if number == 3 else json.dumps(card))
    return folder


def test_jobs_make_no_difference_to_what_is_said(lorebook: Command, tmp_path: Path) -> None:
    folder = cards(tmp_path / "in", 6)
    for words in (("inspect", folder, "--json"), ("convert", folder, tmp_path / "out", "--to", "charx", "--force")):
        one, two = (lorebook(*words, "--jobs", jobs) for jobs in (1, 2))
        assert (one.code, one.out, one.err) == (two.code, two.out, two.err)
        assert one.code == 1


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_jobs_are_a_number(lorebook: Command, tmp_path: Path, jobs: str) -> None:
    told = lorebook("inspect", cards(tmp_path / "in", 2), "--jobs", jobs)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)


def test_a_number_of_jobs_that_is_far_too_large_does_no_harm(lorebook: Command, tmp_path: Path) -> None:
    folder = cards(tmp_path / "in", 5)
    many, one = (lorebook("inspect", folder, "--jobs", jobs, "--json") for jobs in (100_000_000, 1))
    assert (many.code, many.out, many.err) == (one.code, one.out, one.err)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="Ctrl-C goes to a group of processes")
@pytest.mark.parametrize("presses", [1, 3])
def test_ctrl_c_ends_all_processes_without_a_word_of_theirs(tmp_path: Path, presses: int) -> None:
    folder, out, report = cards(tmp_path / "in", 400), tmp_path / "out", tmp_path / "report.jsonl"
    words = ("convert", folder, out, "--to", "png", "--jobs", "2", "--report", report)
    with subprocess.Popen(
        [*_COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        until = time.monotonic() + 60
        while not (out.is_dir() and len(list(out.glob("*.png"))) > 5) and time.monotonic() < until:
            time.sleep(0.02)
        for _ in range(presses):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.05)
        told = process.communicate(timeout=60)[1].decode()
        # Of one that comes when Python has all but ended the process dies: to a shell that is 130, too.
        assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in told
    assert "Interrupt" not in told
    made = list(out.iterdir())
    assert 5 < len(made) < 399
    assert all(open_document(path.read_bytes(), file_name=path.name).form.name == "png" for path in made)
    # There is none where the stop came while the first was told of.
    said = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    told_of = {line["path"] for line in said if "format" in line}
    assert told_of <= {str(path) for path in made}
    # Where the one that prints was stopped, what was under way for it is not told of.
    assert len(made) - len(told_of) <= 2 * AT_ONCE
