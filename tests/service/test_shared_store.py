"""Two services and one Chroma server: what an operator has who goes past one machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.peers.chroma import ChromaServer
from tests.retrieval.worlds import CHESS, GO, rule, ruleset

pytestmark = pytest.mark.slow

LOREBOOK = (sys.executable, "-c", "from lorebook.cli import main; main()")
NEW = ruleset("chess", *CHESS.rules[:1], rule("chess/pawn", "Pawn moves\nA pawn never moves back.", order=1))
QUESTION = {"question": "How does a pawn move?", "limit": 3}
CHAT = {"messages": [{"role": "user", "content": "My pawn moves? En passant!"}], "book": "chess"}


class Service:
    """One `lorebook serve`, and a client that speaks to it."""

    def __init__(self, process: subprocess.Popen[str], client: httpx.Client) -> None:
        self.process = process
        self.client = client

    def ask(self) -> dict[str, Any]:
        """Return the answer to the question of these tests."""
        answered = self.client.post("/v1/ask", json=QUESTION)
        assert answered.status_code == 200, answered.text
        return dict(answered.json())


@contextmanager
def served(workspace: Path, address: str) -> Iterator[Service]:
    command = [*LOREBOOK, "serve", "--port", "0", "--workspace", str(workspace)]
    environment = {**os.environ, "LOREBOOK_STORE": address}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            where = re.search(r"on (http://127\.0\.0\.1:\d+)", process.stdout.readline())
            assert where
            transport = httpx.HTTPTransport(retries=5)
            with httpx.Client(base_url=where[1], timeout=60, transport=transport) as client:
                yield Service(process, client)
        finally:
            process.kill()


def index(workspace: Path, address: str) -> str:
    command = [*LOREBOOK, "index", "--workspace", str(workspace), "--store", address]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(params=["one folder", "a folder each"])
def folders(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "first", tmp_path / "second"
    for each in (CHESS, GO):
        each.save(first / "rules" / each.name)
    (first / "index").mkdir()
    if request.param == "one folder":
        return first, first
    shutil.copytree(first, second)
    return first, second


def test_two_services_answer_the_same_and_follow_a_rebuilt_index_and_outlive_each_other(
    folders: tuple[Path, Path], chroma: ChromaServer
) -> None:
    assert "5 rules in 7 passages" in index(folders[0], chroma.address)
    with ExitStack() as stack:
        first, second = (stack.enter_context(served(folder, chroma.address)) for folder in folders)
        assert first.ask() == second.ask()
        assert first.ask()["hits"][0]["hit"]["text"].startswith("A pawn moves one square ahead")
        for folder in set(folders):
            NEW.save(folder / "rules" / "chess")
        index(folders[0], chroma.address)
        assert second.ask() == first.ask()
        assert second.ask()["hits"][0]["hit"]["text"] == "A pawn never moves back."
        first.process.kill()
        first.process.wait()
        assert second.ask()["hits"][0]["hit"]["text"] == "A pawn never moves back."
        again = stack.enter_context(served(folders[0], chroma.address))
        assert again.ask() == second.ask()


def test_a_store_that_goes_away_is_told_holds_up_no_chat_and_is_found_again(tmp_path: Path) -> None:
    CHESS.save(tmp_path / "rules" / "chess")
    (tmp_path / "index").mkdir()
    store = ChromaServer(tmp_path / "served")
    with store, served(tmp_path, store.address) as service:
        assert service.ask()["hits"]
        store.kill()
        refused = service.client.post("/v1/ask", json=QUESTION)
        assert refused.status_code == 503
        assert refused.json()["error"] == "UnreachableError"
        matched = service.client.post("/v1/match", json=CHAT)
        assert matched.status_code == 200
        assert "chess/pawn" in matched.text
        assert "meaning left out" in matched.text
        with store:
            assert service.ask()["hits"]
