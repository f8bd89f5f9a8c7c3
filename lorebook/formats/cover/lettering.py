"""
The words on a cover, fitted to its width.

Latin letters need no font on the machine: Pillow brings one. Chinese is written where a font for it is found.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lorebook.formats.cover.canvas import SCALE, Layer, Point

if TYPE_CHECKING:
    from PIL import ImageFont

# Where systems keep a serif font with Chinese and Latin letters, and which face of the file is simplified Chinese.
_FONTS = (
    ("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc", 2),
    ("/usr/share/fonts/noto-cjk/NotoSerifCJK-Bold.ttc", 2),
    ("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 2),
    ("/System/Library/Fonts/Supplemental/Songti.ttc", 0),
    ("C:/Windows/Fonts/simsun.ttc", 0),
)

# Parts of the largest size: what one line may shrink to, and what two lines begin with.
_LEGIBLE = 0.84
_OF_TWO = 0.89


def has_chinese() -> bool:
    """
    Say whether Chinese can be written on this machine.
    """
    return _font_file() is not None


@cache
def _font_file() -> tuple[str, int] | None:
    return next(((path, face) for path, face in _FONTS if Path(path).is_file()), None)


def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont  # noqa: PLC0415 (Pillow is needed for drawing only)

    found = _font_file()
    if found is None:
        return ImageFont.load_default(size * SCALE)
    return ImageFont.truetype(found[0], round(size * SCALE), index=found[1])


def width(text: str, size: float, spread: float = 0) -> float:
    """
    Return the width of *text* in units; *spread* is the space added after every letter.
    """
    return sum(_font(size).getlength(letter) / SCALE + spread for letter in text) - spread


def write(layer: Layer, text: str, centre: Point, size: float, *, spread: float = 0) -> None:
    """
    Write *text* with the middle of its base line at *centre*.
    """
    font = _font(size)
    x = centre[0] - width(text, size, spread) / 2
    for letter in text:
        layer.pen.text((x * SCALE, centre[1] * SCALE), letter, font=font, fill=255, anchor="ls")
        x += font.getlength(letter) / SCALE + spread


def fit(text: str, room: float, largest: float, *, spread: float = 0) -> tuple[list[str], float]:
    """
    Return *text* in one line, or in two smaller ones where one would be too small, and the size that fits *room*.
    """
    whole = _largest([text], room, largest, spread)
    words = text.split()
    if whole >= largest * _LEGIBLE or len(words) == 1:
        return [text], whole
    splits = [[" ".join(words[:place]), " ".join(words[place:])] for place in range(1, len(words))]
    best = min(splits, key=lambda lines: max(width(line, largest, spread) for line in lines))
    return best, _largest(best, room, largest * _OF_TWO, spread)


def _largest(lines: list[str], room: float, largest: float, spread: float) -> float:
    widest = max(width(line, largest, spread) for line in lines)
    return largest * min(1, room / widest)
