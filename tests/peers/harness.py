"""
Scripts that run parts of SillyTavern's page in node, asked line by line.

The stand-ins around those parts are those of the vectors' harness, which is no part of this repository.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.conftest import SHARED
from tests.peers import sillytavern

HARNESS = SHARED / "activation" / "harness"


def missing() -> str:
    """
    Say what is not here that such scripts need; nothing if all is.
    """
    return sillytavern.missing() if HARNESS.is_dir() else "the harness of the vectors is not here"


class Scripted:
    """
    A script in a process of its own: a line of JSON in, a line of JSON out.
    """

    def __init__(self, script: Path, *, timeout: float | None = 300) -> None:
        """
        Start *script*; it is given up when an answer takes *timeout* seconds.
        """
        self._timeout = timeout
        self._process = subprocess.Popen(
            ["node", str(script), str(HARNESS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"ST_ROOT": str(sillytavern.program())},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def answer(self, question: object) -> Any:
        """
        Return the script's answer to *question*.
        """
        assert self._process.stdin
        assert self._process.stdout
        watch = threading.Timer(self._timeout or threading.TIMEOUT_MAX, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        finally:
            watch.cancel()
        assert line, "the peer has died, or took too long"
        return json.loads(line)
