"""
Builders that die, and two that build at once: run as processes of their own.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lorebook.errors import RetrievalError
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.condition import State
from lorebook.retrieval.fingerprints import fingerprint
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.retrieval.locking import locked
from lorebook.ruleset import Ruleset
from tests.peers.chroma import ChromaServer
from tests.retrieval.worlds import CHESS, GO, ROOT, HashedWords, rule, ruleset

BUILDER = """
import sys
from pathlib import Path
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.ruleset import Ruleset
from tests.retrieval.worlds import HashedWords
root, address, mode = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
rulesets = [Ruleset.load(folder) for folder in sorted((root / "rules").iterdir())]
places = Places(root / "recipe.toml", root / "glossary.yaml", root / "store")
index = Index(places, Choices(store=address), embedder=lambda _: HashedWords())
print("ready", flush=True)
while True:
    index.build(rulesets)
    if mode == "once":
        sys.exit()
    index.build(rulesets[:1], refill=True)
    index.discard()
"""
# Enough that a build has middles to be killed in.
MANY = ruleset("many", *(rule(f"many/rule-{n}", f"Rule {n}\nThe stone {n} is taken by {n + 1}.") for n in range(300)))


@contextmanager
def builder(root: Path, address: str, mode: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", BUILDER, str(root), address, mode]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        assert process.stdout.readline().startswith(b"ready")
        yield process


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for each in (CHESS, GO):
        each.save(tmp_path / "rules" / each.name)
    (tmp_path / "recipe.toml").write_text("[calibration]\nfirst = 0.0\nothers = 0.0\n")
    return tmp_path


@pytest.fixture(params=["folder", "server"])
def address(request: pytest.FixtureRequest) -> str:
    return "" if request.param == "folder" else str(request.getfixturevalue("chroma").address)


def opened(root: Path, address: str) -> Index:
    places = Places(root / "recipe.toml", root / "glossary.yaml", root / "store")
    return Index(places, Choices(store=address), embedder=lambda _: HashedWords())


def loaded(root: Path) -> list[Ruleset]:
    return [Ruleset.load(folder) for folder in sorted((root / "rules").iterdir())]


def rules_of(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted((root / "rules").rglob("*.*"))}


def prints(root: Path) -> dict[str, str]:
    return {folder.name: fingerprint(folder) for folder in sorted((root / "rules").iterdir())}


@pytest.mark.slow
def test_a_builder_killed_at_any_moment_loses_no_rule_and_leaves_an_index_that_mends_itself(
    root: Path, address: str
) -> None:
    MANY.save(root / "rules" / "many")
    rulesets, rules = loaded(root), rules_of(root)
    draw, states = random.Random(11), Counter[State]()  # noqa: S311
    for _ in range(20):
        with builder(root, address, "forever") as process:
            time.sleep(draw.uniform(0, 2))
            process.send_signal(signal.SIGKILL)
        assert rules_of(root) == rules
        index = opened(root, address)
        seen = index.examined(prints(root))
        states[seen.state] += 1
        if seen.is_current:
            assert index.search("castling rook")[0].rule == "chess/castling"
        index.build(rulesets)
        assert index.examined(prints(root)).is_current
        assert index.search("castling rook")[0].rule == "chess/castling"
        hits = index.search("move of a stone or a pawn", rulesets={"chess", "go"}, limit=9)
        assert {hit.rule for hit in hits} >= {"go/ko", "chess/pawn"}
        index.close()
    # A kill is not taken for damage, and kills came at more than one point of a build.
    assert states.keys() <= {State.ABSENT, State.HALF_BUILT, State.STALE, State.CURRENT}
    assert len(states) > 1


@pytest.mark.slow
def test_two_builders_at_once_both_end_and_leave_one_index(root: Path, address: str) -> None:
    with builder(root, address, "once") as first, builder(root, address, "once") as second:
        assert (first.wait(timeout=60), second.wait(timeout=60)) == (0, 0)
    index = opened(root, address)
    assert index.examined(prints(root)).is_current
    assert index.search("castling rook")[0].rule == "chess/castling"
    index.close()


@pytest.mark.slow
def test_two_machines_that_fill_one_collection_at_once_help_each_other(root: Path, chroma: ChromaServer) -> None:
    MANY.save(root / "rules" / "many")
    other = root.with_name(f"{root.name}-other")
    shutil.copytree(root, other)
    with builder(root, chroma.address, "once") as first, builder(other, chroma.address, "once") as second:
        assert (first.wait(timeout=60), second.wait(timeout=60)) == (0, 0)
    answers = []
    for folder in (root, other):
        index = opened(folder, chroma.address)
        assert index.examined(prints(folder)).is_current
        answers.append(index.search("the stone 17 is taken"))
        index.close()
    assert answers[0] == answers[1] != []


@pytest.mark.slow
def test_a_reader_is_answered_while_another_process_rebuilds(root: Path, address: str) -> None:
    index = opened(root, address)
    index.build([CHESS, GO])
    with builder(root, address, "once") as process:
        while process.poll() is None:
            assert index.search("castling rook")[0].rule == "chess/castling"
    assert process.returncode == 0
    index.close()


@pytest.mark.slow
def test_a_server_killed_in_the_middle_of_builds_is_filled_when_it_is_back(root: Path, tmp_path: Path) -> None:
    MANY.save(root / "rules" / "many")
    server, draw = ChromaServer(tmp_path / "served"), random.Random(12)  # noqa: S311
    for _ in range(5):
        with server, builder(root, server.address, "forever") as process:
            time.sleep(draw.uniform(0.3, 2))
            server.kill()
            assert process.wait(timeout=60) != 0
        with server:
            index = opened(root, server.address)
            index.build(loaded(root))
            assert index.examined(prints(root)).is_current
            assert index.search("castling rook")[0].rule == "chess/castling"
            index.close()


def test_a_lock_is_held_by_one_and_let_go(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", patience=0):  # noqa: SIM117
        with pytest.raises(RetrievalError, match="another process"), locked(tmp_path / "lock", patience=0.2):
            pass
    with locked(tmp_path / "lock", patience=0):
        pass
