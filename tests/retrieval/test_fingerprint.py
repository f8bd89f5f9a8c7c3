"""
Folders of rules as the index sees them: stray files, unreadable ones, rulesets that come and go.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from lorebook.errors import RulesetError, UnknownNameError
from lorebook.retrieval import fingerprints
from lorebook.retrieval.fingerprints import fingerprint
from lorebook.ruleset import Ruleset
from lorebook.workspace import Workspace
from tests.retrieval.worlds import CHESS, GO, ruleset


def test_files_that_editors_leave_are_no_rules(tmp_path: Path) -> None:
    CHESS.save(tmp_path / "chess")
    before = fingerprint(tmp_path / "chess")
    (tmp_path / "chess" / ".#pawn.yaml").symlink_to("somebody@somewhere.1234")
    assert fingerprint(tmp_path / "chess") == before
    assert Ruleset.load(tmp_path / "chess").rules == CHESS.rules


@pytest.mark.parametrize("name", ["pawn.yaml", "ruleset.toml"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    CHESS.save(tmp_path / "chess")
    (tmp_path / "chess" / name).unlink()
    (tmp_path / "chess" / name).mkdir()
    with pytest.raises(RulesetError, match=f"chess/{name}: cannot be read"):
        fingerprint(tmp_path / "chess")


def test_a_folder_is_read_again_only_when_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CHESS.save(tmp_path / "chess")
    monkeypatch.setattr(fingerprints, "_SETTLED", -(10**18))
    read: list[str] = []
    real = Path.read_bytes

    def counted(path: Path) -> bytes:
        read.append(path.name)
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", counted)
    before = fingerprint(tmp_path / "chess")
    read.clear()
    assert fingerprint(tmp_path / "chess") == before
    assert not read
    (tmp_path / "chess" / "pawn.yaml").touch()
    assert fingerprint(tmp_path / "chess") == before
    assert "pawn.yaml" in read


def test_what_has_just_changed_is_read_however_it_looks(tmp_path: Path) -> None:
    CHESS.save(tmp_path / "chess")
    path = tmp_path / "chess" / "pawn.yaml"
    before, looks = fingerprint(tmp_path / "chess"), path.stat()
    text = path.read_text("utf-8")
    path.write_text(text.replace("pawn", "lawn", 1), "utf-8")
    os.utime(path, ns=(looks.st_atime_ns, looks.st_mtime_ns))
    assert path.stat().st_size == looks.st_size
    assert fingerprint(tmp_path / "chess") != before


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
