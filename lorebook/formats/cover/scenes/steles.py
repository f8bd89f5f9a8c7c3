"""
Five standing stones, shaped like cards, before the evening sun: two lie sideways, as cards do in defence.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lorebook.formats.cover import plate
from lorebook.formats.cover.canvas import HEIGHT, MIDDLE, WIDTH, Layer, Point, arc, curve, polar
from lorebook.formats.cover.palette import Colour, Palette
from lorebook.formats.cover.picture import Picture, ramp
from lorebook.formats.cover.plate import Words, lozenge

PALETTE = Palette((9, 8, 30), (24, 22, 66), (232, 132, 64), (255, 238, 196), (226, 176, 98), (116, 66, 40))

_SUN: Point = (MIDDLE, 214)
_RADIUS = 104.0
_SKY: tuple[Colour, ...] = ((11, 11, 42), (25, 26, 78), (66, 48, 110), (146, 70, 98), (226, 122, 74), (252, 190, 104))
_STONE: tuple[Colour, ...] = ((20, 18, 48), (42, 36, 78), (86, 66, 104), (246, 188, 116))
_TEXT_LINES = 4


@dataclass(frozen=True)
class _Dune:
    """
    How high its crest is, how far that swings, where the swing begins, and its colours.
    """

    height: float
    swing: float
    phase: float
    lit: Colour
    shade: Colour


@dataclass(frozen=True)
class _Stone:
    """
    A standing or lying stone, in the shape of a card.
    """

    left: float
    top: float
    width: float
    height: float

    def outline(self, inset: float, corner: float) -> list[Point]:
        """
        Return its outline, *inset* from the edge, with rounded corners.
        """
        left, top = self.left + inset + corner, self.top + inset + corner
        right, foot = self.left + self.width - inset - corner, self.top + self.height - inset - corner
        return [
            *arc((left, top), corner, 0.75, 1, 8),
            *arc((right, top), corner, 0, 0.25, 8),
            *arc((right, foot), corner, 0.25, 0.5, 8),
            *arc((left, foot), corner, 0.5, 0.75, 8),
        ]


_DUNES = (
    _Dune(316, 9, 0.4, (206, 112, 84), (150, 70, 84)),
    _Dune(334, 13, 2.1, (160, 76, 78), (98, 48, 80)),
    _Dune(356, 11, 4.0, (104, 50, 72), (58, 32, 68)),
)
# The middle one is drawn last, in front.
_STONES = (
    _Stone(25, 330, 66, 50),
    _Stone(309, 330, 66, 50),
    _Stone(98, 254, 57, 128),
    _Stone(245, 254, 57, 128),
    _Stone(161, 204, 78, 182),
)


def draw(picture: Picture, words: Words) -> None:
    """
    Draw the scene on *picture*, and *words* below it.
    """
    _sky(picture)
    _sun(picture)
    for dune in _DUNES:
        _dune(picture, dune)
    _ground(picture)
    for stone, emblem in zip(_STONES, (_shield, _drops, _blade, _flame, _star), strict=True):
        _stone(picture, stone, emblem)
    _drift(picture)
    plate.lay_plate(picture, words, PALETTE)


def _drift(picture: Picture) -> None:
    """
    Blow sand against the feet of the stones.
    """
    crest = [
        (x, 378 + 3.2 * math.sin(x / 29 + 1.2) + 2.2 * math.cos((x - MIDDLE) / 60)) for x in range(0, WIDTH + 1, 2)
    ]
    sand, edge = picture.layer(), picture.layer()
    sand.area([*crest, *reversed([(x, y + 15) for x, y in crest])])
    fade = np.clip(1 - (picture.y - 378) / 13, 0, 1)
    picture.lay(sand.ink() * fade, (98, 50, 78))
    edge.line(crest, 1)
    picture.glow(edge.ink(), (255, 176, 110), 0.5)


def _sky(picture: Picture) -> None:
    picture.rgb[:] = ramp(_SKY, np.clip(picture.y / 335, 0, 1) ** 1.15)
    halo = np.clip(1 - picture.distance(*_SUN) / 300, 0, 1)
    picture.glow(halo**2.2, (255, 170, 96), 0.7)
    stars = picture.layer()
    chance = random.Random(5)  # noqa: S311 (stars, not secrets)
    for _ in range(110):
        x, y = chance.uniform(18, WIDTH - 18), chance.uniform(18, 190)
        if math.dist((x, y), _SUN) > _RADIUS + 34:
            stars.disc((x, y), chance.choice((0.4, 0.5, 0.6, 0.9)), 1 - y / 260)
    picture.glow(stars.ink(), (255, 240, 214))


def _sun(picture: Picture) -> None:
    rays, rings, disc = picture.layer(), picture.layer(), picture.layer()
    for ray in range(96):
        inner, outer = _RADIUS + 9, _RADIUS + (78, 22, 40, 22)[ray % 4]
        tip, half = polar(_SUN, outer, ray / 96), 0.0012 if ray % 4 else 0.0019
        rays.area([polar(_SUN, inner, ray / 96 - half), tip, polar(_SUN, inner, ray / 96 + half)])
    picture.glow(rays.ink(), (255, 206, 130), 0.75)
    disc.disc(_SUN, _RADIUS)
    fall = np.clip((picture.y - _SUN[1] + _RADIUS) / (2 * _RADIUS), 0, 1)
    picture.lay(disc.ink(), ramp(((255, 244, 200), (255, 214, 132), (250, 160, 84), (226, 104, 74)), fall))
    for step, width in enumerate((1.8, 0.7, 0.7, 1.2, 0.7)):
        rings.ring(_SUN, _RADIUS - 5 - 9 * step, width)
    for bead in range(60):
        rings.disc(polar(_SUN, _RADIUS - 18.5, bead / 60), 1.5 if bead % 5 else 2.8)
    picture.lay(rings.ink(), (176, 78, 56), 0.5)
    rim = picture.layer()
    rim.ring(_SUN, _RADIUS + 4, 1.6)
    picture.lay(rim.ink(), (255, 226, 158))


def _dune(picture: Picture, dune: _Dune) -> None:
    crest = [
        (x, dune.height + dune.swing * (math.sin(x / 61 + dune.phase) + 0.45 * math.sin(x / 27 + dune.phase * 2)))
        for x in range(0, WIDTH + 1, 2)
    ]
    sand = picture.layer()
    sand.area([*crest, (WIDTH, HEIGHT), (0, HEIGHT)])
    line = np.interp(picture.x[0], [x for x, _ in crest], [y for _, y in crest])
    picture.lay(sand.ink(), ramp((dune.lit, dune.shade), np.clip((picture.y - line) / 40, 0, 1) ** 0.6))
    edge = picture.layer()
    edge.line(crest, 0.9)
    picture.glow(edge.ink(), (255, 200, 130), 0.5)


def _ground(picture: Picture) -> None:
    ground = picture.layer()
    top = [(x, 372 - 10 * math.cos((x - MIDDLE) / 120)) for x in range(0, WIDTH + 1, 4)]
    ground.area([*top, (WIDTH, HEIGHT), (0, HEIGHT)])
    colours: tuple[Colour, ...] = ((150, 76, 74), (72, 38, 72), (26, 20, 54), (9, 8, 30))
    picture.lay(ground.ink(), ramp(colours, np.clip((picture.y - 360) / 120, 0, 1) ** 0.7))
    ripples = picture.layer()
    for row in range(13):
        y = 372 + 4 * row + 0.32 * row * row
        ripples.line(
            [(x, y + 1.8 * math.sin(x / 13 + row * 1.9) + 2 * math.sin(x / 47 - row)) for x in range(0, 401, 3)], 0.7
        )
    picture.lay(ripples.ink() * np.clip(1 - (picture.y - 372) / 100, 0, 1), (230, 140, 96), 0.4)
    shadows = picture.layer()
    for stone in _STONES:
        left, right, foot = stone.left, stone.left + stone.width, stone.top + stone.height
        lean, spread, end = (left + right - WIDTH) / 4, stone.width * 0.1, foot + 40 + stone.height * 0.5
        shadows.area([(left, foot), (right, foot), (right + spread + lean, end), (left - spread + lean, end)])
    picture.darken(picture.blur(shadows.ink(), 1.6), 0.6)


def _stone(picture: Picture, stone: _Stone, emblem: Callable[[Layer, Point, float], None]) -> None:
    body, cover = picture.shape(), picture.layer()
    outline, inner = stone.outline(0, 5), stone.outline(5, 3)
    body.area(outline, 0.22)
    # Its edges catch the light that comes from behind.
    body.line(outline, 1.6, 0.95, closed=True)
    body.area(inner, 0.34)
    body.line(inner, 0.9, 0.6, closed=True)
    picture.lay_shape(body, _STONE)
    cover.area(outline)
    picture.darken(cover.ink() * np.clip((picture.y - stone.top) / stone.height, 0, 1), 0.45)
    light = picture.layer()
    lying = stone.width > stone.height
    centre = (stone.left + stone.width / 2, stone.top + stone.height * (0.5 if lying else 0.4))
    emblem(light, centre, min(stone.width, stone.height) * 0.34)
    for line in range(0 if lying else _TEXT_LINES):
        y = stone.top + stone.height * (0.70 + line * 0.055)
        short = 0.22 * stone.width if line == _TEXT_LINES - 1 else 0
        light.line([(stone.left + 13, y), (stone.left + stone.width - 13 - short, y)], 1.3, 0.55)
    picture.glow(picture.blur(light.ink(), 5), (255, 150, 70), 0.9)
    picture.lay(light.ink(), (255, 224, 156), 0.95)


def _star(light: Layer, centre: Point, reach: float) -> None:
    points = [polar(centre, reach * (0.42 if step % 2 else 1), step / 14) for step in range(14)]
    light.area(points)
    light.disc(centre, reach * 0.26, 0)
    light.disc(centre, reach * 0.14)
    light.ring(centre, reach * 1.16, 1.2)


def _blade(light: Layer, centre: Point, reach: float) -> None:
    x, y = centre
    light.area(
        [
            (x, y - reach * 1.5),
            (x + 3.4, y - reach * 1.1),
            (x + 3.4, y + reach * 0.6),
            (x - 3.4, y + reach * 0.6),
            (x - 3.4, y - reach * 1.1),
        ]
    )
    light.line([(x, y - reach), (x, y + reach * 0.5)], 0.9, 0.2)
    light.line([(x - reach * 0.62, y + reach * 0.62), (x + reach * 0.62, y + reach * 0.62)], 2.6)
    light.line([(x, y + reach * 0.62), (x, y + reach * 1.2)], 2.6)
    light.disc((x, y + reach * 1.3), 2.6)


def _flame(light: Layer, centre: Point, reach: float) -> None:
    x, y = centre
    foot = y + reach
    for scale, ink in ((1.0, 1.0), (0.56, 0.12), (0.3, 0.9)):
        r = reach * scale * 1.04
        left = [(0, 0), (-0.7, -0.2), (-0.92, -0.85), (-0.5, -1.5), (-0.42, -1.15), (-0.1, -1.75), (0.12, -2.45)]
        right = [(0.12, -2.45), (0.3, -1.85), (0.72, -1.3), (0.92, -0.75), (0.68, -0.2), (0, 0)]
        light.area([(x + dx * r, foot + dy * r) for dx, dy in (*curve(left), *curve(right))], ink)


def _shield(light: Layer, centre: Point, reach: float) -> None:
    x, y = centre
    half = curve([(0, -1.12), (0.5, -0.98), (0.95, -0.98), (0.95, -0.1), (0.62, 0.72), (0, 1.25)])
    for scale, ink in ((1.12, 1.0), (0.9, 0.12), (0.74, 1.0)):
        side = [(dx * reach * scale, y + dy * reach * scale) for dx, dy in half]
        light.area([*((x + dx, dy) for dx, dy in side), *((x - dx, dy) for dx, dy in reversed(side))], ink)
    light.area(lozenge((x, y - reach * 0.05), reach * 0.42), 0.12)


def _drops(light: Layer, centre: Point, reach: float) -> None:
    x, y = centre
    for row in (-0.6, 0.15, 0.9):
        wave = [
            (x - reach * 1.5 + reach * 3 * t / 24, y + reach * row + reach * 0.28 * math.sin(t / 24 * 4 * math.pi))
            for t in range(25)
        ]
        light.line(wave, 2.2)
