"""
A real Chroma server on a free loopback port.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import httpx


class ChromaServer:
    """
    `chroma run`, as an operator would start it; it can be killed and started again with what it holds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """
        What `--store` takes.
        """
        return f"chroma://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        program = Path(sys.executable).with_name("chroma")
        where = ["--path", str(self._folder), "--host", "127.0.0.1", "--port", str(self.port)]
        self._process = subprocess.Popen(
            [str(program), "run", *where], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None, "chroma run ended"
            assert time.monotonic() < deadline, "chroma run does not answer"
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """
        End it at once, as a crash would.
        """
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/api/v2/heartbeat", timeout=1).is_success
        except httpx.HTTPError:
            return False
