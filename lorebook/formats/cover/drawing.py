"""
The cover of whatever has a name: an emblem in a well, chosen like its colours by the name, and room for words.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

import numpy as np

from lorebook.formats.cover import plate
from lorebook.formats.cover.canvas import HEIGHT, MIDDLE, Band, Point, polar
from lorebook.formats.cover.emblems import EMBLEMS, Sheets
from lorebook.formats.cover.palette import PALETTES, Palette
from lorebook.formats.cover.picture import Picture, ramp
from lorebook.formats.cover.plate import Words

_CENTRE: Point = (MIDDLE, 205)
_RADIUS = 124.0
_TITLE_MIDDLE = 448.0
_FROM_RULE = 65
# How far the shadow of a title reaches beyond it, and rows that a pattern of four fits into.
_SHADOW, _STEP = 28, 4

WORDS = Band(372, HEIGHT)
"""Where the words are; nothing of them, nor of their shadows, is above it."""


@dataclass(frozen=True)
class Kind:
    """
    All that a cover without its words depends on.
    """

    palette: Palette
    emblem: int
    parts: int
    folds: int


def kind_of(name: str) -> Kind:
    """
    Return the kind of cover that goes with *name*.
    """
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    palette = PALETTES[digest[3] % len(PALETTES)]
    return Kind(palette, digest[31] % len(EMBLEMS), 5 + digest[5] % 5, digest[7] % 7)


def draw(kind: Kind, pixels: int = 1) -> Picture:
    """
    Return the picture without its words.
    """
    palette = kind.palette
    picture = Picture(pixels)
    _ground(picture, palette, lobes=9 + kind.folds)
    sheets = Sheets.blank(pixels)
    EMBLEMS[kind.emblem](sheets, _CENTRE, _RADIUS, kind.parts)
    _emblem(picture, palette, sheets)
    _medallion(picture, palette)
    for side in (-1, 1):
        plate.lay_rule(picture, palette, _TITLE_MIDDLE + side * _FROM_RULE)
    plate.lay_frame(picture, palette)
    return picture


def band_of(words: Words) -> Band:
    """
    Return the rows of a cover that *words* and their shadows are on.
    """
    half = plate.height_of(plate.title_blocks(words)) / 2 + _SHADOW
    top = max(WORDS.top, int(_TITLE_MIDDLE - half) // _STEP * _STEP)
    foot = HEIGHT if words.game or words.languages else math.ceil((_TITLE_MIDDLE + half) / _STEP) * _STEP
    return Band(top, min(foot, HEIGHT))


def lay_words(picture: Picture, words: Words, kind: Kind) -> None:
    """
    Lay *words* on a picture of *kind*, or on the band of it that they are in.
    """
    plate.lay_words(picture, words, kind.palette, middle=_TITLE_MIDDLE)


def _ground(picture: Picture, palette: Palette, *, lobes: int) -> None:
    """
    Lay the ground: dark at the edges, glowing behind the emblem, with fine rays and waves engraved.
    """
    x, y = _CENTRE
    away = np.hypot((picture.x - x) * 1.2, picture.y - y)
    colours = (palette.heart, palette.ground, palette.ground, palette.edge, palette.edge)
    picture.rgb[:] = ramp(colours, np.clip((away + 30) / 480, 0, 1))
    engraved, rays = picture.layer(), picture.layer()
    for line in range(26):
        shift = line / 26 / lobes
        turns = [step / 360 for step in range(361)]
        waves = [polar(_CENTRE, 164 + 46 * math.sin(2 * math.pi * lobes * (turn + shift)), turn) for turn in turns]
        engraved.line(waves, 0.5)
    for ray in range(48):
        half = 0.0022 if ray % 2 else 0.0044
        turn = (ray + 0.5) / 48
        rays.area([polar(_CENTRE, 60, turn), polar(_CENTRE, 540, turn - half), polar(_CENTRE, 540, turn + half)])
    fade = np.clip(1 - away / 420, 0, 1)
    picture.glow(rays.ink() * fade, palette.heart, 0.4)
    picture.glow(engraved.ink() * fade, palette.bright, 0.26)
    plate.sink(picture, palette.edge, 360, 450, 0.7)


def _emblem(picture: Picture, palette: Palette, sheets: Sheets) -> None:
    """
    Sink a well and lay the emblem in it, its glass lit from within.
    """
    well = picture.layer()
    well.disc(_CENTRE, _RADIUS * 1.02)
    ink = well.ink()
    picture.lay(ink, palette.edge, 0.8)
    away = picture.distance(*_CENTRE)
    picture.glow(ink * np.clip(1 - away / _RADIUS, 0, 1) ** 1.4, palette.heart, 0.7)
    fallen = picture.blur(1 - ink, 9)
    picture.darken(ink * np.clip(fallen * 1.6, 0, 1), 0.75)
    glass = sheets.glass.ink()
    lit = ramp((palette.ground, palette.heart, palette.bright), glass * np.clip(1.05 - away / 380, 0, 1) * 0.86)
    picture.cast(glass, 0.6, 4)
    picture.lay(np.minimum(glass * 1.7, 1), lit, 0.92)
    picture.glow(sheets.etching.ink(), palette.bright, 0.4)
    picture.lay_metal(sheets.metal.ink(), (palette.shade, palette.metal, palette.bright), shadow=1)


def _medallion(picture: Picture, palette: Palette) -> None:
    metal = picture.layer()
    for ring, width in ((1.03, 3.4), (1.075, 0.8), (1.165, 0.8), (1.2, 2)):
        metal.ring(_CENTRE, _RADIUS * ring, width)
    for bead in range(72):
        metal.disc(polar(_CENTRE, _RADIUS * 1.12, bead / 72), 1.9 if bead % 6 else 3.5)
    for part in range(12):
        point = polar(_CENTRE, _RADIUS * 1.255, part / 12)
        metal.area(plate.lozenge(point, 4.4 if part % 3 == 0 else 2.2))
    picture.lay_metal(metal.ink(), (palette.shade, palette.metal, palette.bright))
