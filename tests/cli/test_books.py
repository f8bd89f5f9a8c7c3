"""
`lorebook export`: where a file goes, and in which language it is told to be.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Command


@pytest.fixture
def inn(lorebook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    The current folder, with a workspace `w` whose ruleset `inn` is in English only.
    """
    monkeypatch.chdir(tmp_path)
    Path("inn.txt").write_text("The Inn\n\n1. Ale\n\nAle costs a coin.\n\n2. Beds\n\nA bed costs two coins.\n")
    assert lorebook("import", "inn.txt", "-w", "w").code == 0
    return tmp_path


def test_a_folder_that_is_made_is_told(inn: Path, lorebook: Command) -> None:
    command = ("export", "inn", "-w", "w", "-o", inn / "out" / "new" / "inn.json")
    assert f"  made the folder {inn / 'out' / 'new'}\n" in lorebook(*command).out
    assert "made the folder" not in lorebook(*command, "--force").out


def test_rules_in_english_only_are_exported_as_english(inn: Path, lorebook: Command) -> None:
    assert lorebook("export", "inn", "-w", "w").out.startswith("inn.en.world-info.json: inn as world-info, en, ")
    assert (inn / "inn.en.world-info.json").is_file()
    refused = lorebook("export", "inn", "-w", "w", "-l", "zh")
    assert refused.err == "lorebook: inn: no rule has a wording in 'zh' (take -l en or -l both)\n"


def test_a_mistaken_format_is_answered_with_the_nearest_that_is_written(inn: Path, lorebook: Command) -> None:
    refused = lorebook("export", "inn", "-w", "w", "--to", "pgn", "-o", inn / "inn.png")
    assert "no format 'pgn' (did you mean png? there are: " in refused.err
    assert not {"ooba", "gradio", "webp", "jpeg"} & set(refused.err.rstrip(")\n").replace(",", "").split())
