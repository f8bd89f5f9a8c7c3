"""
The covers of the rulesets that we ship: a scene for each, drawn once and kept beside the rules.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from lorebook import atomic
from lorebook.formats.cover import plate
from lorebook.formats.cover.canvas import Ink
from lorebook.formats.cover.picture import Picture
from lorebook.formats.cover.plate import Words
from lorebook.formats.cover.scenes import crystal, mountains, serpents, steles
from lorebook.ruleset import COVER, LARGE_COVER, Ruleset, read_manifest

Scene = Callable[[Picture, Words], None]

SCENES: Mapping[str, Scene] = {
    "bfm-v2": serpents.draw,
    "mutegannu-ekrats": crystal.draw,
    "ocg-zh": mountains.draw,
    "ygo-classic": steles.draw,
}
"""The scene of every ruleset that we ship, by its name."""

_LARGE = 2
# Pictures are compared by squares of so many pixels. Other versions of the libraries may differ by dots; another word
# or line differs by more than this part of white in some square.
_SQUARE = 10
_ALIKE = 0.02


@dataclass(frozen=True)
class Covers:
    """
    A cover as PNG: for cards, and twice as large.
    """

    small: bytes
    large: bytes


def draw_scene(folder: Path, pixels: int = _LARGE) -> Picture:
    """
    Return the scene of the ruleset in *folder*, with the words that its `ruleset.toml` gives now.
    """
    ruleset = Ruleset(folder.name, read_manifest(folder), [], folder)
    picture = Picture(pixels)
    SCENES[folder.name](picture, plate.words_of(ruleset))
    return picture


def covers(folder: Path) -> Covers:
    """
    Return the covers of the ruleset in *folder*.
    """
    picture = draw_scene(folder)
    return Covers(picture.png(small=True), picture.png())


def write_covers(folder: Path) -> None:
    """
    Draw the covers of the ruleset in *folder* and keep them there.
    """
    drawn = covers(folder)
    atomic.write_file(folder / COVER, drawn.small)
    atomic.write_file(folder / LARGE_COVER, drawn.large)


def stale_covers(folder: Path) -> list[str]:
    """
    Return the names of the kept covers that are missing or show something else than would be drawn now.
    """
    drawn = covers(folder)
    return [
        name
        for name, data in ((COVER, drawn.small), (LARGE_COVER, drawn.large))
        if not (folder / name).is_file() or difference((folder / name).read_bytes(), data) > _ALIKE
    ]


def difference(one: bytes, other: bytes) -> float:
    """
    Return how far two pictures are apart in the square where they are furthest, 0 to 1; 1 for other sizes.
    """
    first, second = _squares(one), _squares(other)
    return float(np.abs(first - second).max()) if first.shape == second.shape else 1.0


def _squares(data: bytes) -> Ink:
    """
    Return the mean colour of every square.
    """
    with Image.open(io.BytesIO(data)) as image:
        across, down = (size // _SQUARE for size in image.size)
        return np.asarray(image.convert("RGB").resize((across, down), Image.Resampling.BOX), dtype=np.float32) / 255
