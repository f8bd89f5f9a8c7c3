"""
The libraries that are measured: installed into a folder of their own, and run there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CACHE = Path.home() / ".cache" / "lorebook-tests"

_ROOT = Path(__file__).parents[2]
_WORKER = Path(__file__).with_name("formats_worker.py")
_CARDS = frozenset({"card-v2", "card-v3", "png"})
_OLD_CARDS = _CARDS | {"card-v1", "gradio"}
_MOST_SECONDS = 300


@dataclass(frozen=True)
class Library:
    """
    Ours or a peer.
    """

    name: str
    release: str = ""
    """Its version on PyPI; none for ours."""
    claims: frozenset[str] | None = None
    """The formats, by our names, that it says it reads and writes; None for all."""


OURS = Library("lorebook")
EDITED = Library("lorebook, edited")
PEERS = (
    Library("tavern-card", "0.1.1", _OLD_CARDS),
    Library("aichar", "1.0.5", _OLD_CARDS | {"ooba"}),
    Library("card-forge", "0.4.0", _CARDS),
)


@dataclass(frozen=True)
class Job:
    """
    A file to be read and written, once or for some seconds.
    """

    source: Path
    target: Path
    seconds: float = 0.0


@dataclass(frozen=True)
class Answer:
    """
    What came of a job.
    """

    error: str | None
    milliseconds: list[float]


def missing(peer: Library) -> str:
    """
    Install *peer* if it is not there yet; return why that cannot be, or nothing.
    """
    folder = _folder(peer)
    if folder.is_dir():
        return ""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as made:
        inside = Path(made) / "packages"
        wanted = f"{peer.name}=={peer.release}"
        words = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--target", str(inside), wanted]
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{wanted} cannot be installed: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}"
        if not folder.is_dir():
            shutil.move(inside, folder)
    return ""


def run(library: Library, jobs: Sequence[Job]) -> list[Answer]:
    """
    Return the answers of *library* to *jobs*, in order; where it dies or takes too long, the rest goes to another one.
    """
    answers: list[Answer] = []
    while len(answers) < len(jobs):
        left = jobs[len(answers) :]
        found, end = _run_some(library, left)
        answers += found
        if len(found) < len(left):
            answers.append(Answer(end, []))
    return answers


def _run_some(library: Library, jobs: Sequence[Job]) -> tuple[list[Answer], str]:
    """
    Return the answers until the process ended, and how it did.
    """
    lines = [json.dumps({"source": str(job.source), "target": str(job.target), "seconds": job.seconds}) for job in jobs]
    place = _folder(library) if library.release else _ROOT
    command = [sys.executable, str(_WORKER), library.name]
    limit = _MOST_SECONDS + sum(job.seconds for job in jobs)
    end = "took too long"
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": str(place)},
    ) as process:
        try:
            out, _ = process.communicate("\n".join(lines), timeout=limit)
            end = f"the process died ({process.returncode})"
        except subprocess.TimeoutExpired:
            process.kill()
            out, _ = process.communicate()
    return [Answer(**json.loads(line)) for line in out.splitlines()], end


def _folder(peer: Library) -> Path:
    return CACHE / f"{peer.name}-{peer.release}"
