"""
Work in several processes: in order, a few things at a time, and whatever becomes of a process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lorebook.workspace import crew
from lorebook.workspace.crew import AT_ONCE, cores, fitting_jobs, work_through

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked up in /proc")


@dataclass(frozen=True)
class Doubling:
    """
    Doubles numbers; negative ones are refused, and one ends its process as often as *folder* has no file for it.
    """

    folder: Path | None = None
    deadly: int | None = None
    slow: int | None = None

    def refuse(self, item: int) -> str | None:
        return f"{item} is refused" if item < 0 else None

    def do(self, item: int) -> str:
        if item == self.slow:
            time.sleep(0.5)
        if item == self.deadly and (self.folder is None or not (self.folder / "seen").exists()):
            if self.folder is not None:
                (self.folder / "seen").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return str(2 * item)

    def lost(self, item: int) -> str:
        return f"{item} is lost"


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order_however_many_processes_there_are(jobs: int) -> None:
    found = list(work_through([3, -1, 0, 5, 4], Doubling(slow=3), jobs))
    assert found == ["6", "-1 is refused", "0", "10", "8"]


def test_nothing_is_nothing() -> None:
    assert list(work_through([], Doubling(), 2)) == []


def test_no_more_than_a_few_things_are_under_way() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(40):
            taken += 1
            yield number

    for done, _ in enumerate(work_through(items(), Doubling(), 2)):
        assert taken <= done + 2 * AT_ONCE
    assert taken == 40


def test_a_thing_that_ends_its_process_is_lost_and_no_other() -> None:
    assert list(work_through(range(14), Doubling(deadly=5), 2)) == [
        "5 is lost" if number == 5 else str(2 * number) for number in range(14)
    ]


def test_a_process_that_ended_once_is_no_loss(tmp_path: Path) -> None:
    assert list(work_through(range(6), Doubling(tmp_path, deadly=2), 2)) == [str(2 * number) for number in range(6)]


def test_who_takes_no_more_results_ends_the_processes() -> None:
    results = work_through(iter(range(10**9)), Doubling(), 2)
    assert next(results) == "0"
    results.close()


def test_there_are_processes_for_as_many_things_as_are_worth_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
    monkeypatch.setattr(crew, "cores", lambda: 4)
    assert [fitting_jobs(count) for count in (0, 1, 599, 600, 10_000)] == [1, 1, 1, 2, 4]


@pytest.mark.parametrize(
    ("count", "wanted", "jobs"),
    [(40, 3, 3), (2, 3, 2), (0, 3, 1), (10**6, 100_000_000, 16), (40, 100_000_000, 16), (10, 100_000_000, 10)],
)
def test_more_processes_than_can_be_of_use_are_not_begun(
    monkeypatch: pytest.MonkeyPatch, count: int, wanted: int, jobs: int
) -> None:
    monkeypatch.setattr(crew, "cores", lambda: 4)
    assert fitting_jobs(count, wanted) == jobs


def test_no_computer_begins_more_processes_than_windows_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "cores", lambda: 128)
    assert (fitting_jobs(10**6), fitting_jobs(10**6, 1000)) == (61, 61)


_STOPPED = """
import os, signal, sys, threading, time
from lorebook.workspace.crew import work_through
from tests.workspace.test_crew import Doubling
if __name__ == "__main__":
    results = work_through(iter(range(10**9)), Doubling(slow=3), 2)
    found = [next(results) for _ in range(3)]
    for press in range(int(sys.argv[1])):
        threading.Timer(0.1 + press / 20, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        found.extend(results)
    except KeyboardInterrupt:
        print(*found, flush=True)
"""


@on_linux
@pytest.mark.parametrize("presses", [1, 3])
def test_what_was_begun_before_ctrl_c_is_told(tmp_path: Path, presses: int) -> None:
    """
    The fourth thing is under way then; with a second Ctrl-C it is none that came to an end.
    """
    script = tmp_path / "script.py"
    script.write_text(_STOPPED)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    words = [sys.executable, str(script), str(presses)]
    done = subprocess.run(words, capture_output=True, env=environment, check=False, timeout=60, text=True)
    assert done.stderr == ""
    found = [int(word) for word in done.stdout.split()]
    assert found[:3] == [0, 2, 4]
    assert found == sorted(found)
    assert (6 in found) is (presses == 1)


_SLEEPERS = """
import time
from lorebook.workspace.crew import work_through
from tests.workspace.test_crew import Doubling
if __name__ == "__main__":
    results = work_through(iter(range(10**9)), Doubling(), 2)
    print(next(results), flush=True)
    time.sleep(60)
"""


@on_linux
@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_with_the_one_that_started_them(tmp_path: Path, kind: signal.Signals) -> None:
    script = tmp_path / "script.py"
    script.write_text(_SLEEPERS)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"0\n"
        children = _children(parent.pid)
        assert len(children) >= 2
        parent.send_signal(kind)
        parent.wait(20)
        until = time.monotonic() + 20
        while any(_is_alive(child) for child in children) and time.monotonic() < until:
            time.sleep(0.05)
        assert not [child for child in children if _is_alive(child)]


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except OSError:
        return False
    return state != "Z"
