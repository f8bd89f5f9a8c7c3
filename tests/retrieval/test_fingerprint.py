"""
Folders of rules as the index sees them: stray files, unreadable ones, rulesets that come and go.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lorebook.errors import RulesetError, UnknownNameError
from lorebook.retrieval import manifest as manifests
from lorebook.ruleset import Ruleset
from lorebook.workspace import Workspace
from tests.retrieval.worlds import CHESS, GO, ruleset


def test_files_that_editors_leave_are_no_rules(tmp_path: Path) -> None:
    CHESS.save(tmp_path / "chess")
    before = manifests.fingerprint(tmp_path / "chess")
    (tmp_path / "chess" / ".#pawn.yaml").symlink_to("somebody@somewhere.1234")
    assert manifests.fingerprint(tmp_path / "chess") == before
    assert Ruleset.load(tmp_path / "chess").rules == CHESS.rules


@pytest.mark.parametrize("name", ["pawn.yaml", "ruleset.toml"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    CHESS.save(tmp_path / "chess")
    (tmp_path / "chess" / name).unlink()
    (tmp_path / "chess" / name).mkdir()
    with pytest.raises(RulesetError, match=f"chess/{name}: cannot be read"):
        manifests.fingerprint(tmp_path / "chess")


def test_rulesets_that_come_and_go_are_seen(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    opened = Workspace(tmp_path)
    for each in (CHESS, GO):
        each.save(tmp_path / "rules" / each.name)
    assert [opened.ruleset(name).name for name in opened.folders] == ["chess", "go"]
    assert set(opened.rulesets) == {"chess", "go"}
    assert opened.index_staleness() == "it was never built"
    shutil.rmtree(tmp_path / "rules" / "go")
    assert opened.index_staleness() == "it was never built"
    with pytest.raises(UnknownNameError, match="there are: chess"):
        opened.ruleset("go")
    ruleset("shogi").save(tmp_path / "rules" / "shogi")
    assert opened.ruleset("shogi").name == "shogi"
