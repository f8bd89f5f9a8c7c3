"""
Records are written in canonical form: of one ruleset or all, and only those that are not in it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lorebook.errors import UnknownNameError
from lorebook.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Two rulesets, each with a record that somebody has commented on."""
    for name in ("inn", "guild"):
        (tmp_path / f"{name}.md").write_text("# Game\n\n## Hand\n\nFour cards.\n\n## Deck\n\nForty cards.\n")
    Workspace.import_documents([tmp_path / "inn.md", tmp_path / "guild.md"], tmp_path / "w")
    for name in ("inn", "guild"):
        path = tmp_path / "w" / "rules" / name / "hand.yaml"
        path.write_text("# ours\n" + path.read_text())
    return Workspace(tmp_path / "w")


def test_the_named_ruleset_alone_is_written(workspace: Workspace) -> None:
    folder = workspace.rules_folder
    texts = {path: path.read_bytes() for path in folder.rglob("*.*")}
    assert workspace.rewrite("inn") == ["inn/hand.yaml"]
    assert [path for path, text in texts.items() if path.read_bytes() != text] == [folder / "inn" / "hand.yaml"]
    assert workspace.rewrite("inn") == []


def test_without_a_name_all_are(workspace: Workspace) -> None:
    assert workspace.rewrite() == ["guild/hand.yaml", "inn/hand.yaml"]
    assert workspace.rewrite() == []


def test_what_is_canonical_is_left_alone(workspace: Workspace) -> None:
    path = workspace.rules_folder / "inn" / "deck.yaml"
    before = path.stat()
    workspace.rewrite()
    assert path.stat() == before


def test_a_ruleset_that_is_not_there_is_refused(workspace: Workspace) -> None:
    with pytest.raises(UnknownNameError, match="did you mean inn"):
        workspace.rewrite("inm")
