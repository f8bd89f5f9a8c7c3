"""
Builders that die, and two that build at once: run as processes of their own.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lorebook.errors import RetrievalError
from lorebook.retrieval import manifest as manifests
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.retrieval.locking import locked
from tests.retrieval.worlds import CHESS, GO, ROOT, HashedWords

BUILDER = """
import sys
from pathlib import Path
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.ruleset import Ruleset
from tests.retrieval.worlds import HashedWords
root = Path(sys.argv[1])
rulesets = [Ruleset.load(folder) for folder in sorted((root / "rules").iterdir())]
index = Index(Places(root / "recipe.toml", root / "glossary.yaml", root / "store"), embedder=lambda _: HashedWords())
print("ready", flush=True)
while True:
    index.build(rulesets)
    index.discard() if len(sys.argv) > 2 else sys.exit()
"""


@contextmanager
def builder(root: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", BUILDER, str(root), *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline().startswith(b"ready")
        yield process


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for each in (CHESS, GO):
        each.save(tmp_path / "rules" / each.name)
    (tmp_path / "recipe.toml").write_text("[calibration]\nfirst = 0.0\nothers = 0.0\n")
    return tmp_path


def opened(root: Path) -> Index:
    places = Places(root / "recipe.toml", root / "glossary.yaml", root / "store")
    return Index(places, embedder=lambda _: HashedWords())


def prints(root: Path) -> dict[str, str]:
    return {folder.name: manifests.fingerprint(folder) for folder in sorted((root / "rules").iterdir())}


@pytest.mark.slow
def test_a_builder_killed_at_any_moment_leaves_an_index_or_none_and_the_next_build_mends_it(root: Path) -> None:
    draw = random.Random(11)  # noqa: S311
    for _ in range(20):
        with builder(root, "forever") as process:
            time.sleep(draw.uniform(0, 1.2))
            process.send_signal(signal.SIGKILL)
        index = opened(root)
        if index.staleness(prints(root)) is None:
            assert index.search("castling rook")[0].rule == "chess/castling"
        index.build([CHESS, GO])
        assert index.search("castling rook")[0].rule == "chess/castling"
        assert {hit.rule for hit in index.search("move of a stone or a pawn", limit=9)} >= {"go/ko", "chess/pawn"}
        index.close()


@pytest.mark.slow
def test_two_builders_at_once_both_end_and_leave_one_index(root: Path) -> None:
    with builder(root) as first, builder(root) as second:
        assert (first.wait(timeout=60), second.wait(timeout=60)) == (0, 0)
    index = opened(root)
    assert index.staleness(prints(root)) is None
    assert index.search("castling rook")[0].rule == "chess/castling"
    index.close()


@pytest.mark.slow
def test_a_reader_is_answered_while_another_process_rebuilds(root: Path) -> None:
    index = opened(root)
    index.build([CHESS, GO])
    with builder(root) as process:
        while process.poll() is None:
            assert index.search("castling rook")[0].rule == "chess/castling"
    assert process.returncode == 0
    index.close()


def test_a_lock_is_held_by_one_and_let_go(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", patience=0):  # noqa: SIM117
        with pytest.raises(RetrievalError, match="another process"), locked(tmp_path / "lock", patience=0.2):
            pass
    with locked(tmp_path / "lock", patience=0):
        pass
