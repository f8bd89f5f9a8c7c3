"""
Which files the formats without a telling mark claim, among examples of all others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lorebook.errors import FormatError
from lorebook.formats import open_document

FORMATS = Path(__file__).parents[3] / "shared" / "formats"
THEIRS = {
    "koboldai_save.json": "koboldai",
    "aidungeon.json": "ai-dungeon",
    "ooba.yaml": "ooba",
    "v1_gradio.json": "gradio",
    "v1_exif_bytes.webp": "webp",
    "v2_exif_json.webp": "webp",
    "v2_exif.jpg": "jpeg",
    "v1.json": "card-v1",
    "v1_extras.json": "card-v1",
}


def claimed(path: Path) -> str:
    try:
        return open_document(path.read_bytes(), file_name=path.name).form.name
    except FormatError:
        return ""


def test_no_file_of_another_format_is_claimed() -> None:
    if not FORMATS.is_dir():
        pytest.skip("the examples are not here")
    paths = [path for folder in ("examples", "quirks") for path in (FORMATS / folder).iterdir()]
    found = {path.name: claimed(path) for path in paths}
    assert {name: form for name, form in found.items() if form in THEIRS.values()} == THEIRS
