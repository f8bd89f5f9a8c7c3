"""
Covers: drawn alike every time, apart from one another, and of a size that cards can bear.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from lorebook.formats import cover_for, draw_cover
from lorebook.formats.cover import SIZE, lettering
from lorebook.formats.cover.motifs import MOTIFS, Sheets
from lorebook.ruleset import COVER, Manifest, Ruleset

_RULES = Path(__file__).parents[2] / "rules"
_SHIPPED = sorted(path.parent for path in _RULES.glob("*/ruleset.toml"))
_LARGEST = 250_000


def ruleset(name: str, titles: dict[str, str] | None = None, *, folder: Path | None = None) -> Ruleset:
    manifest = Manifest(
        title=titles or {"en": "Chess"},
        game="Chess",
        edition="2023",
        languages=("en",),
        authority="FIDE",
        licence="CC0-1.0",
    )
    return Ruleset(name, manifest, [], folder)


def pixels(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.format == "PNG"
        assert picture.size == SIZE == (400, 600)
        return picture.convert("RGB").tobytes()


def test_a_cover_is_drawn_alike_every_time_and_is_small() -> None:
    first = draw_cover(ruleset("chess"))
    assert first == draw_cover(ruleset("chess"))
    assert len(first) < _LARGEST
    assert len(set(pixels(first))) > 100


def test_names_and_titles_make_covers_differ() -> None:
    drawn = [
        draw_cover(ruleset("chess")),
        draw_cover(ruleset("shogi")),
        draw_cover(ruleset("chess", {"en": "Chess960"})),
    ]
    assert len({pixels(data) for data in drawn}) == len(drawn)


@pytest.mark.parametrize("motif", MOTIFS, ids=lambda motif: motif.__name__)
@pytest.mark.parametrize("parts", [5, 6, 7, 8, 9])
def test_a_motif_stays_within_its_radius(motif: object, parts: int) -> None:
    assert callable(motif)
    sheets = Sheets()
    motif(sheets, (200, 300), 100, parts)
    left, top, right, bottom = sheets.metal.mask().getbbox() or (0, 0, 0, 0)
    assert left >= 99
    assert right <= 301
    assert top >= 199
    assert bottom <= 401
    assert bottom - top > 120


@pytest.mark.parametrize(
    "titles",
    [
        {"en": "W" * 60},
        {"en": "A Very Long Title of Many Words About the Rules of a Game That Nobody Plays"},
        {"zh": "国际象棋"},
        {"de": "Schach"},
        {"en": "Chess", "zh": "Chess（国际象棋）"},
    ],
)
def test_any_title_fits_and_no_font_of_the_machine_is_needed(
    titles: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pixels(draw_cover(ruleset("chess", titles)))
    monkeypatch.setattr(lettering, "_font_file", lambda: None)
    assert not lettering.has_chinese()
    pixels(draw_cover(ruleset("chess", titles)))


@pytest.mark.parametrize("text", ["Chess", "W" * 60, "A Very Long Title of Many Words About the Rules"])
def test_fitted_lines_are_no_wider_than_their_room(text: str) -> None:
    lines, size = lettering.fit(text, 300, 37)
    assert " ".join(lines) == text
    assert all(lettering.width(line, size) <= 301 for line in lines)


def test_a_cover_in_the_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    assert cover_for(ruleset("chess", folder=tmp_path)) == draw_cover(ruleset("chess"))
    (tmp_path / COVER).write_bytes(b"my own")
    assert cover_for(ruleset("chess", folder=tmp_path)) == b"my own"


@pytest.mark.parametrize("folder", _SHIPPED, ids=lambda folder: folder.name)
def test_every_shipped_ruleset_has_its_cover(folder: Path) -> None:
    data = (folder / COVER).read_bytes()
    pixels(data)
    assert len(data) < _LARGEST
