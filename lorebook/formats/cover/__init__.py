"""
The picture of a card: a frame, an emblem and a title, drawn from a ruleset's name and titles alone.

Everything is drawn here, in code: no picture of a game or its publisher is in it.
"""

from __future__ import annotations

import hashlib
import io
import math
from typing import TYPE_CHECKING

from lorebook.formats.cover import lettering
from lorebook.formats.cover.canvas import (
    HEIGHT,
    WIDTH,
    Layer,
    Point,
    arc,
    blend,
    lay_letters,
    lay_light,
    lay_metal,
    polar,
)
from lorebook.formats.cover.motifs import MOTIFS, Sheets
from lorebook.formats.cover.palette import PALETTES, Palette
from lorebook.ruleset import COVER, Ruleset

if TYPE_CHECKING:
    from PIL import Image

SIZE = (WIDTH, HEIGHT)

_MIDDLE = WIDTH / 2
_MARGIN = 15
_CENTRE: Point = (_MIDDLE, 206)
_RADIUS = 126.0
_TITLE_MIDDLE = 456
_ROOM = 316
_KIND = "RULINGS · ENGLISH / 中文"
_KIND_IN_LATIN = "RULINGS · ENGLISH / CHINESE"


def cover_for(ruleset: Ruleset) -> bytes:
    """
    Return the cover of *ruleset* as PNG: the one in its folder, or else a drawn one.
    """
    path = ruleset.folder / COVER if ruleset.folder else None
    return path.read_bytes() if path and path.is_file() else draw_cover(ruleset)


def draw_cover(ruleset: Ruleset) -> bytes:
    """
    Draw the cover of *ruleset*; the same ruleset gives the same bytes on the same machine.
    """
    from PIL import Image  # noqa: PLC0415 (Pillow is needed for drawing only)

    digest = hashlib.sha256(ruleset.name.encode()).digest()
    palette = PALETTES[digest[3] % len(PALETTES)]
    picture = _ground(palette, folds=digest[7])
    sheets = Sheets()
    MOTIFS[digest[31] % len(MOTIFS)](sheets, _CENTRE, _RADIUS, 5 + digest[5] % 5)
    _medallion(sheets)
    _frame(sheets)
    _rules(sheets.metal)
    picture = lay_light(picture, _well(), palette.edge, 0.6)
    picture = lay_light(picture, sheets.etching, palette.heart, 0.5)
    picture = lay_light(picture, sheets.glass, palette.heart, 0.75)
    picture = lay_metal(picture, sheets.metal, palette)
    picture = lay_letters(picture, _titles(ruleset), palette)
    file = io.BytesIO()
    # 256 well-chosen colours look the same here and take half the room.
    picture.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.FLOYDSTEINBERG).save(file, "PNG", optimize=True)
    return file.getvalue()


def _ground(palette: Palette, *, folds: int) -> Image.Image:
    """
    Return the ground: dark at the edges, glowing behind the emblem, with fine rays and waves engraved.
    """
    from PIL import Image  # noqa: PLC0415 (Pillow is needed for drawing only)

    colours = [
        blend((palette.heart, palette.ground, palette.ground, palette.edge, palette.edge), step / 999)
        for step in range(1000)
    ]
    picture = Image.new("RGB", SIZE)
    cx, cy = _CENTRE
    picture.putdata(
        [
            colours[min(999, int(math.hypot((x - cx) * 1.25, y - cy) * 2.1 + 90))]
            for y in range(HEIGHT)
            for x in range(WIDTH)
        ]
    )
    waves = Layer()
    lobes = 9 + folds % 7
    for line in range(26):
        shift = line / 26 / lobes
        path = [
            polar(_CENTRE, 150 + 46 * math.sin(2 * math.pi * lobes * (t / 360 + shift)), t / 360) for t in range(361)
        ]
        waves.line(path, 0.5)
    for ray in range(72):
        waves.line([polar(_CENTRE, 60, ray / 72), polar(_CENTRE, 520, ray / 72)], 0.5)
    return lay_light(picture, waves, palette.heart, 0.28)


def _well() -> Layer:
    layer = Layer()
    layer.disc(_CENTRE, _RADIUS)
    return layer


def _medallion(sheets: Sheets) -> None:
    for ring, width in ((1.0, 2.6), (1.055, 0.8), (1.15, 0.8), (1.19, 1.6)):
        sheets.metal.ring(_CENTRE, _RADIUS * ring, width)
    for bead in range(72):
        sheets.metal.disc(polar(_CENTRE, _RADIUS * 1.102, bead / 72), 2.0 if bead % 6 else 3.6)


def _frame(sheets: Sheets) -> None:
    sheets.metal.line(_notched(0, 26), 2.6, closed=True)
    sheets.metal.line(_notched(7, 26), 0.8, closed=True)
    for x in (_MARGIN, WIDTH - _MARGIN):
        for y in (_MARGIN, HEIGHT - _MARGIN):
            sheets.metal.disc((x, y), 4.2)
            sheets.metal.ring((x, y), 9, 0.9)


def _notched(inset: float, notch: float) -> list[Point]:
    """
    Return the frame, *inset* from its outer line, with its corners cut out by circles of *notch* and more.
    """
    left, top, right, bottom = _MARGIN, _MARGIN, WIDTH - _MARGIN, HEIGHT - _MARGIN
    radius = notch + inset
    swing = math.asin(inset / radius) / (2 * math.pi)
    return [
        *arc((left, top), radius, 0.5 - swing, 0.25 + swing),
        *arc((right, top), radius, 0.75 - swing, 0.5 + swing),
        *arc((right, bottom), radius, 1 - swing, 0.75 + swing),
        *arc((left, bottom), radius, 0.25 - swing, swing),
    ]


def _titles(ruleset: Ruleset) -> Layer:
    """
    Return the title, in Chinese too, and what the card is; the block stands in the middle of its part of the card.
    """
    letters = Layer()
    lines = _title_lines(ruleset)
    y = _TITLE_MIDDLE - sum(leading for *_, leading in lines) / 2
    for text, size, spread, leading in lines:
        y += leading
        lettering.write(letters, text, (_MIDDLE, y - leading * 0.22), size, spread=spread)
    lettering.write(letters, _KIND if lettering.has_chinese() else _KIND_IN_LATIN, (_MIDDLE, 557), 11, spread=2.4)
    return letters


def _title_lines(ruleset: Ruleset) -> list[tuple[str, float, float, float]]:
    """
    Return the lines of the title: text, size, spread and the height it takes.
    """
    titles = ruleset.manifest.title
    chinese = titles.get("zh", "") if lettering.has_chinese() else ""
    others = [titles.get("en"), *(title for code, title in titles.items() if code != "zh")]
    latin = next(filter(None, others), "" if chinese else ruleset.name)
    if latin and chinese.startswith(latin):
        # It only adds to the Latin title: the addition is enough.
        chinese = chinese.removeprefix(latin).strip(" （）")
    result: list[tuple[str, float, float, float]] = []
    if latin:
        lines, size = lettering.fit(latin, _ROOM, 37)
        result += [(line, size, 0.0, size * 1.14) for line in lines]
    if chinese:
        lines, size = lettering.fit(chinese, _ROOM - 20, 22 if latin else 37, spread=2)
        result += [(line, size, 2.0, size * 1.6) for line in lines]
    return result


def _rules(metal: Layer) -> None:
    """
    Draw the lines above and below the title, each broken by a lozenge.
    """
    for y in (_TITLE_MIDDLE - 71, _TITLE_MIDDLE + 71):
        for side in (-1, 1):
            metal.line([(_MIDDLE + side * 16, y), (_MIDDLE + side * 128, y)], 1)
            metal.disc((_MIDDLE + side * 132, y), 1.6)
            metal.area(_lozenge((_MIDDLE + side * 12, y), 3))
        metal.area(_lozenge((_MIDDLE, y), 6))


def _lozenge(centre: Point, reach: float) -> list[Point]:
    x, y = centre
    return [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
