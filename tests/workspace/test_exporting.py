"""
Which files `exports/` has, and what they are called.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from lorebook.book import ExportLanguage
from lorebook.formats import FORMATS, LISTED, LossKind
from lorebook.ruleset import Ruleset
from lorebook.workspace import Workspace, location
from lorebook.workspace.exporting import export_ruleset, file_name, stale_files, write_all
from tests.retrieval.worlds import CHESS

_RULESETS = Path(__file__).parents[2] / "rules"
_READY = [name for name, form in LISTED.items() if form.ready_made]


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return Ruleset.load(_RULESETS / "bfm-v2")


def test_names_of_files_do_not_collide() -> None:
    every = itertools.product(FORMATS, ExportLanguage)
    names = [file_name("a", name, language).lower() for name, language in every]
    assert len(set(names)) == len(names)
    assert file_name("a", "png", ExportLanguage.EN) == "a.en.png"
    assert file_name("a", "novelai", ExportLanguage.ZH) == "a.zh.novelai.lorebook"


def test_only_ready_made_files_are_written_and_are_current(ruleset: Ruleset, tmp_path: Path) -> None:
    views = write_all(tmp_path, [ruleset])
    assert [view.format for view in views] == [name for name in _READY for _ in range(3)]
    assert {path.name for path in (tmp_path / ruleset.name).iterdir()} == {Path(view.path).name for view in views}
    assert stale_files(tmp_path, [ruleset]) == []


@pytest.mark.parametrize("name", ["world-info", "png", "card-v3", "card-v2", "charx", "chub", "risu-lorebook"])
def test_the_rules_lose_nothing_in_the_formats_most_people_use(ruleset: Ruleset, name: str) -> None:
    made = export_ruleset(ruleset, name, ExportLanguage.BOTH)
    gone = [loss for loss in made.losses if loss.kind is not LossKind.UNREAD]
    assert [loss for loss in gone if not loss.field.startswith("card.")] == []


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if form.writes])
def test_a_single_file_may_be_of_any_format(ruleset: Ruleset, name: str) -> None:
    made = export_ruleset(ruleset, name, ExportLanguage.EN)
    assert made.data
    assert "card.picture" not in {loss.field for loss in made.losses}


def test_rules_of_one_language_are_told_and_named_as_what_they_are(tmp_path: Path) -> None:
    location.init(tmp_path)
    CHESS.save(tmp_path / "rules" / "chess")
    made = Workspace.open(tmp_path).export_file("chess", "card-v3", "both", tmp_path)
    assert (made.language, Path(made.path).name) == ("en", "chess.en.card-v3.json")
    assert [view.language for view in write_all(tmp_path / "all", [CHESS])] == ["en"] * len(_READY)
