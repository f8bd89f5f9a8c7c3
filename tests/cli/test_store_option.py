"""Every command that asks the index takes a store: by option, environment or recipe, the first of them that speaks."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from tests.conftest import Command
from tests.retrieval.worlds import CHESS

COMMANDS = {
    "ask": ("ask", "pawn moves"),
    "index": ("index",),
    "eval": ("eval", "queries.jsonl"),
    "serve": ("serve", "--port", "0"),
}


@pytest.fixture
def away() -> str:
    """An address where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"chroma://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lorebook: Command) -> Path:
    """A workspace with an index in its own folder."""
    CHESS.save(tmp_path / "rules" / "chess")
    (tmp_path / "index").mkdir()
    query = {"id": "q", "kind": "term", "query": "pawn moves", "rulesets": ["chess"], "relevant": []}
    (tmp_path / "queries.jsonl").write_text(json.dumps(query) + "\n")
    (tmp_path / "chat.json").write_text(json.dumps([{"role": "user", "content": "Castling! How does a pawn move?"}]))
    monkeypatch.chdir(tmp_path)
    assert lorebook("index").code == 0
    return tmp_path


@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_store_that_is_away_is_one_sentence(away: str, command: str, lorebook: Command) -> None:
    done = lorebook(*COMMANDS[command], "--store", away)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"lorebook: {away}: the Chroma server does not answer: ")
    assert done.err.count("\n") == 1


@pytest.mark.usefixtures("workspace")
def test_an_index_whose_vectors_are_elsewhere_is_stale(away: str, lorebook: Command) -> None:
    done = lorebook("index", "--check", "--store", away)
    assert (done.code, done.out) == (1, "The index is stale: the store changed. Run `lorebook index`.\n")


@pytest.mark.usefixtures("workspace")
def test_a_chat_is_matched_by_its_keys_when_the_store_is_away(away: str, lorebook: Command) -> None:
    done = lorebook("match", "--book", "chess", "--chat", "chat.json", "--store", away)
    assert done.code == 0
    assert "key 'castling'" in done.out.lower()
    assert "meaning left out" in done.out


def test_an_option_overrules_the_environment_and_that_the_recipe(
    workspace: Path, away: str, lorebook: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "index" / "recipe.toml").write_text('store = "chroma://127.0.0.1:9"\n')
    monkeypatch.setenv("LOREBOOK_STORE", "chroma://127.0.0.1:19")
    assert "127.0.0.1:19:" in lorebook("ask", "pawn").err
    assert away in lorebook("ask", "pawn", "--store", away).err
    assert lorebook("ask", "pawn", "--store", "").code == 0


@pytest.mark.usefixtures("workspace")
def test_what_is_no_address_is_refused(lorebook: Command) -> None:
    done = lorebook("ask", "pawn", "--store", "localhost:8000")
    assert done.code == 1
    assert done.err.startswith("lorebook: 'localhost:8000' is no address of a Chroma server (")
