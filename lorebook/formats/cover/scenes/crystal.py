"""
A crystal of mana above a floating island, eight elements in orbit around it, drawn out of the lines of a plan.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lorebook.formats.cover import plate
from lorebook.formats.cover.canvas import MIDDLE, WIDTH, Layer, Point, Shape, polar
from lorebook.formats.cover.palette import Colour, Palette, blend
from lorebook.formats.cover.picture import Picture, ramp
from lorebook.formats.cover.plate import Words
from lorebook.formats.cover.scenes.island import Island

PALETTE = Palette((10, 6, 28), (40, 22, 84), (128, 92, 220), (244, 246, 255), (176, 186, 222), (74, 76, 122))

_HEART: Point = (MIDDLE, 184)
_ORBIT = 132.0
_TILT = 0.40
_ICE: tuple[Colour, ...] = ((18, 20, 74), (42, 62, 158), (72, 132, 224), (136, 210, 250), (236, 252, 255))
_NIGHT: Colour = (10, 6, 28)
_ELEMENTS: tuple[Colour, ...] = (
    (255, 246, 190),
    (120, 96, 168),
    (255, 122, 72),
    (84, 170, 255),
    (190, 140, 88),
    (140, 232, 170),
    (255, 206, 96),
    (226, 70, 130),
)


def draw(picture: Picture, words: Words) -> None:
    """
    Draw the scene on *picture*, and *words* below it.
    """
    _night(picture)
    _plan(picture)
    _orbit(picture, front=False)
    for island in (Island(MIDDLE, 330, 1, 3), Island(60, 296, 0.27, 8), Island(346, 352, 0.25, 5)):
        island.draw(picture)
    _beam(picture)
    _crystal(picture)
    _orbit(picture, front=True)
    plate.lay_plate(picture, words, PALETTE)


def _night(picture: Picture) -> None:
    picture.rgb[:] = ramp(
        ((14, 8, 40), (30, 16, 74), (56, 30, 112), (40, 22, 84), (10, 6, 28)), np.clip(picture.y / 480, 0, 1)
    )
    picture.glow(np.clip(1 - picture.distance(*_HEART) / 215, 0, 1) ** 1.7, (128, 120, 255), 0.75)
    drift = sum(
        np.sin(picture.x / a + picture.y / b + c) * w
        for a, b, c, w in ((61, 93, 0.4, 0.5), (-43, 57, 2.2, 0.35), (29, -71, 4.0, 0.25))
    )
    picture.glow(np.clip(np.asarray(drift), 0, 1) * np.clip(1 - picture.y / 460, 0, 1), (190, 70, 190), 0.24)
    stars = picture.layer()
    chance = random.Random(11)  # noqa: S311 (stars, not secrets)
    for _ in range(150):
        spot = (chance.uniform(18, WIDTH - 18), chance.uniform(18, 420))
        stars.disc(spot, chance.choice((0.35, 0.45, 0.6, 0.85)), chance.uniform(0.35, 1))
    for x, y, reach in ((62, 66, 7), (338, 92, 9), (300, 42, 5), (46, 214, 5), (362, 254, 6)):
        for turn in (0.0, 0.25, 0.5, 0.75):
            stars.area([polar((x, y), reach, turn), polar((x, y), 0.9, turn + 0.125), polar((x, y), 0.9, turn - 0.125)])
    picture.glow(stars.ink(), (236, 236, 255), 0.95)


def _plan(picture: Picture) -> None:
    """
    Draw the plan: circles, axes, and the measures at their ends.
    """
    plan = picture.layer()
    for radius, width in ((58, 0.6), (92, 0.6), (_ORBIT, 1.0), (_ORBIT + 5, 0.5), (163, 0.6)):
        plan.ring(_HEART, radius, width)
    for tick in range(120):
        reach = 9 if tick % 15 == 0 else 5 if tick % 5 == 0 else 2.6
        plan.line([polar(_HEART, _ORBIT + 5, tick / 120), polar(_HEART, _ORBIT + 5 + reach, tick / 120)], 0.7)
    corners = [polar(_HEART, _ORBIT, part / 8) for part in range(8)]
    for start in range(2):
        plan.line(corners[start::2], 0.6, closed=True)
    plan.line([corners[(3 * part) % 8] for part in range(8)], 0.6, closed=True)
    for x in (MIDDLE - 92, MIDDLE + 92):
        for dash in range(26):
            plan.line([(x, 30 + dash * 13), (x, 38 + dash * 13)], 0.5)
    for dash in range(29):
        plan.line([(MIDDLE, 24 + dash * 12), (MIDDLE, 32 + dash * 12)], 0.5)
    picture.glow(plan.ink(), (170, 190, 255), 0.42)


def _spot(turn: float) -> tuple[Point, float]:
    """
    Return where in its tilted orbit an element is, and how near: -1 behind the crystal, 1 before it.
    """
    angle = 2 * math.pi * turn
    x, y = _ORBIT * math.sin(angle), _ORBIT * _TILT * math.cos(angle)
    lean = -0.2
    return (
        _HEART[0] + x * math.cos(lean) - y * math.sin(lean),
        _HEART[1] + 10 + x * math.sin(lean) + y * math.cos(lean),
    ), math.cos(angle)


def _orbit(picture: Picture, *, front: bool) -> None:
    path = picture.layer()
    start, end = (-0.25, 0.25) if front else (0.25, 0.75)
    path.line([_spot(start + (end - start) * step / 90)[0] for step in range(91)], 1.6)
    picture.glow(picture.blur(path.ink(), 3), (150, 170, 255), 0.7)
    picture.lay(path.ink(), (226, 230, 255), 0.9 if front else 0.6)
    for place, colour in enumerate(_ELEMENTS):
        spot, near = _spot((place + 0.5) / 8)
        if (near > 0) is front:
            _element(picture, spot, 12.2 + 3.4 * near, colour, place)


def _element(picture: Picture, centre: Point, size: float, colour: Colour, place: int) -> None:
    stone, sign = picture.shape(), picture.layer()
    corners = [polar(centre, size, (part + 0.5) / 8) for part in range(8)]
    table = [polar(centre, size * 0.66, (part + 0.5) / 8) for part in range(8)]
    for part in range(8):
        light = 0.52 + 0.4 * math.cos(2 * math.pi * ((part + 1) / 8 - 0.875))
        stone.area([corners[part], corners[(part + 1) % 8], table[(part + 1) % 8], table[part]], light)
    stone.area(table, 0.34)
    ink = stone.cover.ink()
    picture.glow(picture.blur(ink, 6), colour, 0.85)
    picture.lay_shape(stone, (blend(_NIGHT, colour, 0.1), blend(_NIGHT, colour, 0.42), colour, (255, 255, 255)))
    _SIGNS[place](sign, centre, size * 0.42)
    picture.lay(sign.ink(), (255, 255, 255), 0.95)


def _sign_of_light(sign: Layer, centre: Point, r: float) -> None:
    sign.disc(centre, r * 0.5)
    for ray in range(8):
        sign.line([polar(centre, r * 0.72, ray / 8), polar(centre, r * 1.15, ray / 8)], 0.9)


def _sign_of_darkness(sign: Layer, centre: Point, r: float) -> None:
    sign.disc(centre, r)
    sign.disc((centre[0] + r * 0.42, centre[1] - r * 0.2), r * 0.82, 0)


def _sign_of_fire(sign: Layer, centre: Point, r: float) -> None:
    sign.line([polar(centre, r * 1.1, part / 3) for part in range(3)], 1.1, closed=True)


def _sign_of_water(sign: Layer, centre: Point, r: float) -> None:
    sign.line([polar(centre, r * 1.1, part / 3 + 0.5) for part in range(3)], 1.1, closed=True)


def _sign_of_earth(sign: Layer, centre: Point, r: float) -> None:
    _sign_of_water(sign, centre, r)
    sign.line([(centre[0] - r, centre[1] + r * 0.1), (centre[0] + r, centre[1] + r * 0.1)], 1)


def _sign_of_wind(sign: Layer, centre: Point, r: float) -> None:
    _sign_of_fire(sign, centre, r)
    sign.line([(centre[0] - r, centre[1] - r * 0.1), (centre[0] + r, centre[1] - r * 0.1)], 1)


def _sign_of_gods(sign: Layer, centre: Point, r: float) -> None:
    for part in range(4):
        sign.area(
            [
                polar(centre, r * 1.25, part / 4),
                polar(centre, r * 0.3, part / 4 + 0.125),
                polar(centre, r * 0.3, part / 4 - 0.125),
            ]
        )


def _sign_of_demons(sign: Layer, centre: Point, r: float) -> None:
    sign.line([polar(centre, r * 1.15, (2 * part) % 5 / 5 + 0.5) for part in range(5)], 0.9, closed=True)


_SIGNS: tuple[Callable[[Layer, Point, float], None], ...] = (
    _sign_of_light,
    _sign_of_darkness,
    _sign_of_fire,
    _sign_of_water,
    _sign_of_earth,
    _sign_of_wind,
    _sign_of_gods,
    _sign_of_demons,
)


def _beam(picture: Picture) -> None:
    x, _ = _HEART
    wide = 7 + 22 * np.clip((picture.y - 250) / 90, 0, 1)
    beam = np.clip(1 - np.abs(picture.x - x) / wide, 0, 1) * np.clip((338 - picture.y) / 30, 0, 1)
    picture.glow(beam * np.clip(picture.y - 240, 0, 1), (150, 226, 255), 0.75)


def _crystal(picture: Picture) -> None:
    shape, edges = picture.shape(), picture.layer()
    x, y = _HEART
    for shard in (_Shard(-40, 34, 15, 46, -0.16), _Shard(41, 30, 16, 50, 0.17), _Shard(0, 0, 36, 98, 0)):
        shard.draw(shape, edges)
    ink = shape.cover.ink()
    picture.glow(picture.blur(ink, 16), (120, 190, 255), 0.95)
    picture.lay_shape(shape, _ICE)
    inside = np.clip(1 - picture.distance(x - 4, y + 8) / 62, 0, 1) ** 1.5
    picture.glow(ink * inside, (210, 246, 255), 0.6)
    picture.glow(edges.ink(), (240, 252, 255), 0.85)
    glint = picture.layer()
    for spot, reach in (((x - 13, y - 52), 17), ((x + 40, y + 6), 8)):
        for turn in (0.0, 0.25, 0.5, 0.75):
            glint.area([polar(spot, reach, turn), polar(spot, 1.5, turn + 0.125), polar(spot, 1.5, turn - 0.125)])
    picture.glow(picture.blur(glint.ink(), 3), (255, 255, 255), 0.9)
    picture.lay(glint.ink(), (255, 255, 255))


@dataclass(frozen=True)
class _Shard:
    """
    A long stone with a point at either end: where it stands beside the heart, half its size, and how it leans.
    """

    x: float
    y: float
    wide: float
    tall: float
    lean: float

    def draw(self, shape: Shape, edges: Layer) -> None:
        """
        Draw its faces on *shape* and the light along its edges on *edges*.
        """
        top, foot = self._at(0.05, -1), self._at(-0.04, 1)
        upper = [self._at(-1, -0.36), self._at(-0.42, -0.22), self._at(0.34, -0.24), self._at(1, -0.4)]
        lower = [self._at(-0.94, 0.30), self._at(-0.36, 0.48), self._at(0.4, 0.46), self._at(0.96, 0.26)]
        for part, (above, middle, below) in enumerate(((0.78, 0.5, 0.3), (0.98, 0.7, 0.42), (0.56, 0.3, 0.16))):
            shape.area([top, upper[part], upper[part + 1]], above)
            shape.area([upper[part], upper[part + 1], lower[part + 1], lower[part]], middle)
            shape.area([lower[part], lower[part + 1], foot], below)
        shape.area([upper[1], self._at(-0.05, -0.23), self._at(-0.2, 0.3), lower[1]], 0.84)
        shape.area([self._at(0.5, -0.1), self._at(0.72, -0.16), self._at(0.66, 0.2), self._at(0.5, 0.3)], 0.44)
        edges.line([top, upper[0], lower[0], foot, lower[3], upper[3]], 1.3, 0.9, closed=True)
        for part in (1, 2):
            edges.line([top, upper[part], lower[part], foot], 0.9, 0.75)
        edges.line(upper, 0.9, 0.7)
        edges.line(lower, 0.9, 0.5)

    def _at(self, dx: float, dy: float) -> Point:
        cos, sin = math.cos(self.lean), math.sin(self.lean)
        across, down = dx * self.wide, dy * self.tall
        return _HEART[0] + self.x + across * cos - down * sin, _HEART[1] + self.y + across * sin + down * cos
