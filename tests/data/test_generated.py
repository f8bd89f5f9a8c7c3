"""What is made from the rules is what would be made now; each failure names the command that repairs it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import jsonschema
import pytest
from PIL import Image

from lorebook import yamltext
from lorebook.workspace import Workspace

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "rules" / "rule.schema.json"


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace.open(ROOT)


def test_the_schema_is_current(workspace: Workspace) -> None:
    assert workspace.write_schema(check=True), "`lorebook schema` repairs it"


def test_the_schema_accepts_the_records_as_they_lie_on_disk() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    broken = [
        f"{path.parent.name}/{path.name}"
        for path in sorted((ROOT / "rules").glob("*/*.yaml"))
        if not validator.is_valid(yamltext.read(path.read_text("utf-8"), where=path.name))
    ]
    assert not broken


def test_the_exports_are_current(workspace: Workspace) -> None:
    stale = workspace.stale_exports()
    assert not stale, "`lorebook export --all` repairs it"


def test_the_vectors_are_those_of_the_rules(workspace: Workspace) -> None:
    assert workspace.index_staleness(vectors=True) is None, "`lorebook index --vectors` repairs it"


@pytest.mark.parametrize("card", sorted((ROOT / "exports").glob("*/*.png")), ids=lambda path: path.stem)
def test_the_pictures_of_cards_are_the_cover_art(card: Path) -> None:
    cover = Image.open(ROOT / "rules" / card.parent.name / "cover.png")
    picture = Image.open(io.BytesIO(card.read_bytes()))
    assert picture.size == cover.size == (400, 600)
    assert picture.convert("RGB").tobytes() == cover.convert("RGB").tobytes()
