"""Writing that a crash cannot halve."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lorebook import atomic
from lorebook.errors import StorageError


def test_a_file_is_replaced_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "手牌.yaml"
    atomic.write_file(target, b"old")
    atomic.write_file(target, b"new")
    assert target.read_bytes() == b"new"
    assert [path.name for path in target.parent.iterdir()] == ["手牌.yaml"]


def _write_old(folder: Path) -> None:
    (folder / "a").write_text("old")


def test_a_folder_that_cannot_be_filled_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "rules"
    atomic.write_folder(target, _write_old)

    def fail(folder: Path) -> None:
        (folder / "a").write_text("half")
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        atomic.write_folder(target, fail)
    assert (target / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["rules"]


def test_a_replacement_cut_short_between_its_renames_is_undone(tmp_path: Path) -> None:
    target = tmp_path / "rules"
    target.mkdir()
    (target / "a").write_text("old")
    target.rename(tmp_path / ".rules.retired")
    assert atomic.retired_names(tmp_path) == ["rules"]
    atomic.recover_folder(target)
    assert (target / "a").read_text() == "old"
    assert atomic.retired_names(tmp_path) == []


def test_a_refusing_disk_is_one_clear_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StorageError, match="cannot write"):
        atomic.write_file(blocked / "inside", b"x")
    with pytest.raises(StorageError, match="cannot write"):
        atomic.write_folder(blocked / "inside", lambda _folder: None)


@pytest.mark.slow
def test_kill_at_any_moment_leaves_the_old_folder_or_the_new(tmp_path: Path) -> None:
    target = tmp_path / "rules"
    writer = (
        "import sys, pathlib\n"
        "from lorebook import atomic\n"
        "target = pathlib.Path(sys.argv[1])\n"
        "def fill(folder):\n"
        "    for n in range(20): (folder / str(n)).write_text(str(round))\n"
        "for round in range(10**6): atomic.write_folder(target, fill)\n"
    )
    for attempt in range(20):
        process = subprocess.Popen([sys.executable, "-c", writer, str(target)])
        time.sleep(0.15 + attempt * 0.011)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        atomic.recover_folder(target)
        if attempt > 5 or target.exists():
            contents = {path.read_text() for path in target.iterdir()}
            assert len(list(target.iterdir())) == 20
            assert len(contents) == 1
