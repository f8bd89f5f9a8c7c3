"""
Letters: which can be written, how wide they are, and writing them.

No font of the machine is used, so a cover looks alike everywhere. Two fonts lie beside this module: Cinzel for Latin
capitals, and Noto Serif for Chinese (both kinds) and what else a title is written in: Cyrillic, kana, plain Greek.
"""

from __future__ import annotations

import io
import unicodedata
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files

from PIL import ImageFont

from lorebook.formats.cover.canvas import Layer, Point

# A font in one size takes three megabytes.
_KEPT = 16
_FONTS = files("lorebook.formats.cover") / "fonts"
# No font has a picture of the last code point: what they show for it, they show for all that they lack.
_LACKING = "\U0010ffff"
# Measured large, since letters are placed to whole pixels.
_MEASURED = 200
# Marks beyond this are for symbols, variation selectors among them.
_COMBINING_WITH_LETTERS = "\u20cf"


class Face(StrEnum):
    """
    A font, by its file.
    """

    CAPITALS = "Cinzel-Bold.ttf"
    SERIF = "NotoSerifCJKsc-Bold.otf"


@lru_cache(maxsize=_KEPT)
def font(face: Face, pixels: int) -> ImageFont.FreeTypeFont:
    """
    Return *face* so many *pixels* high; laid out without shaping, which not every build of Pillow has.
    """
    return ImageFont.truetype(io.BytesIO(_data(face)), pixels, layout_engine=ImageFont.Layout.BASIC)


@cache
def _data(face: Face) -> bytes:
    return (_FONTS / face).read_bytes()


@cache
def has(face: Face, letter: str) -> bool:
    """
    Say whether *face* has a picture of *letter*.
    """
    sample = font(face, 24)
    return letter.isspace() or bytes(sample.getmask(letter)) != bytes(sample.getmask(_LACKING))


def legible(text: str) -> str:
    """
    Return what can be written of *text*: all but emoji and ornaments, or nothing where a letter or digit is lacking.
    """
    kept = []
    for letter in unicodedata.normalize("NFC", text):
        if letter.isspace() or has(Face.SERIF, letter):
            kept.append(letter)
        elif unicodedata.category(letter)[0] in "LNM" and not _modifies(letter):
            return ""
    return " ".join("".join(kept).split())


def _modifies(letter: str) -> bool:
    # Variation selectors and the enclosing keycap belong to emoji.
    return unicodedata.category(letter) in {"Mn", "Me"} and letter > _COMBINING_WITH_LETTERS


def face_of(text: str) -> Face:
    """
    Return the font for *text*: capitals where they have all of it.
    """
    return Face.CAPITALS if all(has(Face.CAPITALS, letter) for letter in text) else Face.SERIF


def width(text: str, size: float, spread: float = 0, *, face: Face | None = None) -> float:
    """
    Return the width of *text* in units; *spread* is the space between letters.
    """
    face = face or face_of(text)
    return sum(_advance(face, letter) for letter in text) * size + spread * max(0, len(text) - 1)


@cache
def _advance(face: Face, letter: str) -> float:
    return font(face, _MEASURED).getlength(letter) / _MEASURED


def write(layer: Layer, text: str, centre: Point, size: float, *, spread: float = 0, face: Face | None = None) -> None:
    """
    Write *text* with the middle of its base line at *centre*.
    """
    face = face or face_of(text)
    drawn = font(face, round(size * layer.scale))
    x = centre[0] - width(text, size, spread, face=face) / 2
    for letter in text:
        layer.pen.text(layer.place((x, centre[1])), letter, font=drawn, fill=255, anchor="ls")
        x += _advance(face, letter) * size + spread
