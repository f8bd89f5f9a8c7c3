"""What all tests share: a command line that runs in this process, and the source documents where they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from hypothesis import settings

from lorebook.cli import main
from tests.peers.chroma import ChromaServer
from tests.peers.server import Server
from tests.peers.sillytavern import missing

# A slow machine is no fault of the code: time is measured in benchmarks, never asserted by a test. Whether a change is
# taken is no matter of luck: the same examples every time, and new ones with `make fuzz`.
settings.register_profile("house", deadline=None, derandomize=True)
settings.register_profile("fresh", deadline=None, print_blob=True)
settings.load_profile("house")

SHARED = Path(__file__).parents[2] / "shared"


class Outcome(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Command: TypeAlias = Callable[..., Outcome]


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nothing that is cached on this machine reaches a test, nor the other way round."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of whoever runs the tests changes them."""
    for name in ("WORKSPACE", "STORE", "STORE_TOKEN", "DOWNLOAD", "PREFER", "TRACEBACK"):
        monkeypatch.delenv(f"LOREBOOK_{name}", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def lorebook(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run the command line with the given words."""

    def run(*words: object, stdin: bytes | None = None, tmp: Path | None = None) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["lorebook", *map(str, words)])
        if stdin is not None and tmp is not None:
            (tmp / "stdin").write_bytes(stdin)
            monkeypatch.setattr(sys, "stdin", (tmp / "stdin").open(encoding="utf-8"))
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def seeds() -> Path:
    """The folder of the source documents; tests that need it are skipped where it is not."""
    folder = SHARED / "seeds"
    if not folder.is_dir():
        pytest.skip("the source documents are not here")
    return folder


@pytest.fixture(scope="session")
def sillytavern(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real SillyTavern server; tests that need it are skipped where it cannot be installed."""
    if reason := missing():
        pytest.skip(reason)
    with Server(tmp_path_factory.mktemp("sillytavern")) as server:
        yield server


@pytest.fixture(scope="session")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    """A real Chroma server, which all tests of this run share, as workspaces would."""
    with ChromaServer(tmp_path_factory.mktemp("chroma")) as server:
        yield server
