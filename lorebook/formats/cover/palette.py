"""
The colours of a cover.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""


@dataclass(frozen=True)
class Palette:
    """
    A cover's ground from its edge to its heart, and the metal of its ornament.
    """

    edge: Colour
    ground: Colour
    heart: Colour
    bright: Colour
    metal: Colour
    shade: Colour


_GOLD = ((255, 240, 200), (222, 178, 102), (120, 78, 34))
_SILVER = ((250, 252, 255), (186, 200, 214), (84, 98, 116))
_COPPER = ((255, 230, 208), (222, 154, 112), (120, 66, 42))
_BRASS = ((252, 246, 206), (206, 190, 112), (104, 92, 40))

PALETTES = (
    Palette((8, 12, 18), (28, 40, 56), (86, 112, 140), *_COPPER),
    Palette((22, 10, 4), (84, 42, 14), (196, 116, 44), *_BRASS),
    Palette((2, 16, 14), (8, 64, 54), (40, 156, 122), *_GOLD),
    Palette((20, 3, 7), (92, 14, 28), (206, 54, 54), *_GOLD),
    Palette((12, 5, 26), (54, 24, 98), (146, 88, 206), *_SILVER),
    Palette((4, 7, 26), (20, 34, 104), (72, 104, 214), *_GOLD),
    Palette((2, 14, 22), (8, 60, 82), (46, 152, 184), *_SILVER),
    Palette((22, 3, 16), (92, 16, 66), (202, 66, 146), *_COPPER),
)


def blend(first: Colour, second: Colour, part: float) -> Colour:
    """
    Return the colour that has *part* (0 to 1) of the way from *first* to *second*.
    """
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue
