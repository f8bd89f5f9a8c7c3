"""
A shell completes the names of what there is, in the workspace that the line names, and waits for nothing heavy.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lorebook.matching.presets import SWITCHES
from tests.cli.test_startup import HEAVY
from tests.conftest import Command

COMMAND = (
    sys.executable,
    "-X",
    "importtime",
    "-c",
    "import sys; sys.argv = ['lorebook']; import lorebook.cli as c; c.main()",
)


def completed(line: str, **environment: str) -> tuple[list[str], set[str]]:
    """What is offered for the last word of *line*, and the packages that were imported for it."""
    asked = {"_LOREBOOK_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    done = subprocess.run(
        COMMAND, env={**os.environ, **asked, **environment}, capture_output=True, text=True, check=True, timeout=60
    )
    imported = {each.rpartition("|")[2].strip().partition(".")[0] for each in done.stderr.splitlines()}
    return done.stdout.split(), imported


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("lorebook ask x --ruleset y", ["ygo-classic"]),
        ("lorebook ask x --prefer o", ["ocg-zh"]),
        ("lorebook ask x --language ", ["en", "zh"]),
        ("lorebook compare ocg-zh m", ["mutegannu-ekrats"]),
        ("lorebook rules bfm-v2/batt", ["bfm-v2/battle-position-changes"]),
        ("lorebook link bfm-v2/batt", ["bfm-v2/battle-position-changes"]),
        ("lorebook link bfm-v2/phases ocg-zh/hand-", ["ocg-zh/hand-limit"]),
        ("lorebook export b", ["bfm-v2"]),
        ("lorebook export bfm-v2 --to ris", ["risu-lorebook", "risum", "risu-module"]),
        ("lorebook convert a b --from oo", ["ooba"]),
        ("lorebook convert a b --to oo", []),
        ("lorebook match -b ocg", ["ocg-zh"]),
        ("lorebook match --preset s", ["sillytavern"]),
        ("lorebook match --switch longest", ["longest_terms=on", "longest_terms=off"]),
        ("lorebook presets ", list(SWITCHES)),
        ("lorebook import x --as pd", ["pdf"]),
    ],
    ids=str,
)
def test_names_are_completed_and_nothing_heavy_is_imported(line: str, offered: list[str]) -> None:
    found, imported = completed(line)
    assert found == offered
    assert not imported & HEAVY


def test_names_are_those_of_the_workspace(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "lanterns.md").write_text("# Hand limit\n\nDiscard down to six cards when the turn ends.\n")
    folder = tmp_path / "w"
    assert lorebook("import", tmp_path / "lanterns.md", "-w", folder).code == 0
    assert completed(f"lorebook ask x -w {folder} -r ")[0] == ["lanterns"]
    assert completed("lorebook export ", LOREBOOK_WORKSPACE=str(folder))[0] == ["lanterns"]
    assert completed(f"lorebook ask x -w {tmp_path / 'nowhere'} -r ")[0] == []


def test_a_book_may_be_a_file(tmp_path: Path) -> None:
    for name in ("world.json", "worlds", ".hidden"):
        (tmp_path / name).mkdir()
    assert completed(f"lorebook match -b {tmp_path}/wor")[0] == [f"{tmp_path}/world.json/", f"{tmp_path}/worlds/"]
    assert completed(f"lorebook match -b {tmp_path}/.h")[0] == [f"{tmp_path}/.hidden/"]
    assert completed(f"lorebook match -b {tmp_path}/none/x")[0] == []
