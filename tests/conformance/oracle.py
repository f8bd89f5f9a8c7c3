"""
SillyTavern itself, asked what it would answer.

The program comes from npm, once, into a folder of the user's cache; the stand-ins around its engine are those of the
vectors' harness. Nothing of either is part of this repository.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.conftest import SHARED

RELEASE = "1.19.0"
HARNESS = SHARED / "activation" / "harness"
# Not in XDG_CACHE_HOME, which tests point at a folder of their own: this is to outlive them.
PROGRAM = Path.home() / ".cache" / "lorebook-tests" / f"sillytavern-{RELEASE}"
TIMEOUT = 300
"""Seconds after which a batch is given up."""


def missing() -> str:
    """Say what is not here that the peer needs; nothing if all is."""
    if not HARNESS.is_dir():
        return "the harness of the vectors is not here"
    if shutil.which("node") is None:
        return "node is not installed"
    return "" if PROGRAM.is_dir() or shutil.which("npm") else "npm is not installed"


def program() -> Path:
    """Return where the program lies; install it if it has not been (430 MB, half a minute)."""
    if not PROGRAM.is_dir():
        partial = PROGRAM.with_name(f"{PROGRAM.name}.{os.getpid()}")
        partial.mkdir(parents=True)
        words = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(partial)]
        done = subprocess.run([*words, f"sillytavern@{RELEASE}"], check=False, capture_output=True, timeout=TIMEOUT)
        assert done.returncode == 0, f"npm could not install SillyTavern: {done.stderr.decode()}"
        try:
            partial.rename(PROGRAM)
        except OSError:  # another run was faster
            shutil.rmtree(partial)
    return PROGRAM / "node_modules" / "sillytavern"


class Peer:
    """The real engine in a process of its own."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["node", str(Path(__file__).with_name("peer.mjs")), str(HARNESS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"ST_ROOT": str(program())},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, inputs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers to *inputs*, in their order; `refused` for a scenario that cannot be set up."""
        assert self._process.stdin
        assert self._process.stdout
        watch = threading.Timer(TIMEOUT, self._process.kill)
        watch.start()
        try:
            self._process.stdin.write(json.dumps(inputs).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        finally:
            watch.cancel()
        assert line, "the peer has died, or took too long"
        answers: list[dict[str, Any]] = json.loads(line)
        return answers
