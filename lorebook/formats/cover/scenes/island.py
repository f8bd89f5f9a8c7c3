"""
A floating island: facets of rock under a cap of grass.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np

from lorebook.formats.cover.canvas import Point, curve
from lorebook.formats.cover.palette import Colour
from lorebook.formats.cover.picture import Picture

_ROCK: tuple[Colour, ...] = ((18, 10, 40), (44, 28, 78), (84, 58, 120), (140, 108, 168), (206, 180, 214))
_GRASS: tuple[Colour, ...] = ((16, 44, 66), (30, 96, 100), (84, 168, 132), (190, 236, 170))
_FACETS = 11


@dataclass(frozen=True)
class Island:
    """
    Where the middle of its top is, how large it is, and the number that its shape comes from.
    """

    x: float
    y: float
    scale: float
    seed: int

    def draw(self, picture: Picture) -> None:
        """
        Draw it on *picture*.
        """
        chance = random.Random(self.seed)  # noqa: S311 (rocks, not secrets)
        steps = [step / _FACETS for step in range(_FACETS + 1)]
        wave = [6 * self.scale * math.sin(step * _FACETS * 1.9) for step in steps]
        tops = [(self.x + self._wide * (2 * step - 1), self.y + rise) for step, rise in zip(steps, wave, strict=True)]
        self._rock(picture, tops, chance)
        self._turf(picture, tops, chance)

    @property
    def _wide(self) -> float:
        return 122 * self.scale

    def _rock(self, picture: Picture, tops: list[Point], chance: random.Random) -> None:
        deep = [
            (30 + 66 * math.sin(math.pi * (step + 0.5) / _FACETS) ** 1.5 + chance.uniform(-13, 13)) * self.scale
            for step in range(1, _FACETS)
        ]
        deep = [0.0, *deep, 0.0]
        feet = [(x + chance.uniform(-4, 4) * self.scale, y + fall) for (x, y), fall in zip(tops, deep, strict=True)]
        rock = picture.shape()
        for step in range(_FACETS):
            left, right = tops[step], tops[step + 1]
            middle = ((left[0] + right[0]) / 2, self.y + max(deep[step], deep[step + 1]) * 0.46)
            light = 0.66 - 0.5 * step / _FACETS
            rock.area([left, right, middle], light + 0.16)
            rock.area([left, middle, feet[step]], light + 0.04)
            rock.area([right, middle, feet[step + 1]], light - 0.16)
            rock.area([middle, feet[step], feet[step + 1]], light - 0.06)
        ink = rock.cover.ink()
        picture.cast(ink, 0.6, 7 * self.scale)
        picture.lay_shape(rock, _ROCK)
        picture.darken(ink * np.clip((picture.y - self.y - 20 * self.scale) / (96 * self.scale), 0, 1), 0.66)

    def _turf(self, picture: Picture, tops: list[Point], chance: random.Random) -> None:
        turf = picture.shape()
        domed = [15 * self.scale * math.sqrt(max(0.0, 1 - ((x - self.x) / self._wide) ** 2)) for x, _ in tops]
        above = curve([(x, self.y - rise + (y - self.y) * 0.3) for (x, y), rise in zip(tops, domed, strict=True)])
        room = [min(1, (self._wide - abs(x - self.x)) / 12) * self.scale for x, _ in tops]
        below = [(x, y + chance.uniform(3, 12) * most) for (x, y), most in zip(tops, room, strict=True)]
        turf.area([*above, *reversed(below)], 0.36)
        turf.area([*above, *reversed([(x, y - 2 * self.scale) for x, y in tops])], 0.62)
        for _ in range(round(46 * self.scale)):
            x = self.x + self._wide * chance.uniform(-0.8, 0.8)
            y = self.y + chance.uniform(-11, 0) * self.scale
            tip = (x + chance.uniform(-2, 2) * self.scale, y - 5 * self.scale)
            turf.line([(x, y), tip], 0.9, chance.uniform(0.72, 0.95))
        picture.lay_shape(turf, _GRASS)
        across, down = (picture.x - self.x) / 70, (picture.y - self.y + 6 * self.scale) / 16
        near = np.clip(1 - np.hypot(across, down) / self.scale, 0, 1)
        picture.glow(turf.cover.ink() * near, (170, 240, 255), 0.8)
