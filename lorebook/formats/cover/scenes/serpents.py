"""
Two winged serpents wound about one another, one of ember and one of frost, and between their heads a star.
"""

from __future__ import annotations

import random

import numpy as np

from lorebook.formats.cover import plate
from lorebook.formats.cover.canvas import MIDDLE, WIDTH, Point, polar
from lorebook.formats.cover.palette import Colour, Palette
from lorebook.formats.cover.picture import Picture, ramp
from lorebook.formats.cover.plate import Words
from lorebook.formats.cover.scenes.serpent import EMBER, FROST, draw_body, draw_wing
from lorebook.formats.cover.scenes.serpent_head import draw_head

PALETTE = Palette((14, 4, 12), (70, 14, 34), (228, 92, 60), (255, 240, 206), (228, 174, 96), (110, 52, 40))

_STAR: Point = (MIDDLE, 100)


def draw(picture: Picture, words: Words) -> None:
    """
    Draw the scene on *picture*, and *words* below it.
    """
    _ground(picture)
    for serpent in (FROST, EMBER):
        draw_wing(picture, serpent)
    _star(picture)
    for crossing, serpents in enumerate(((FROST, EMBER), (EMBER, FROST), (FROST, EMBER))):
        for serpent in serpents:
            draw_body(picture, serpent, crossing)
    for serpent in (FROST, EMBER):
        draw_head(picture, serpent)
    _sparks(picture)
    plate.lay_plate(picture, words, PALETTE)


def _ground(picture: Picture) -> None:
    side = np.clip(picture.x / WIDTH, 0, 1)
    colours: tuple[Colour, ...] = ((20, 16, 62), (46, 24, 84), (96, 26, 66), (138, 26, 34))
    picture.rgb[:] = ramp(colours, side)
    away = picture.distance(*_STAR)
    picture.darken(np.clip((away - 60) / 330, 0, 0.82))
    tiles, rays = picture.layer(), picture.layer()
    for row in range(-1, 24):
        for column in range(-1, 17):
            centre = (column * 27 + (row % 2) * 13.5, row * 23.4)
            tiles.line([polar(centre, 14.6, part / 6) for part in range(6)], 0.7, closed=True)
    picture.glow(tiles.ink() * np.clip(1.1 - away / 260, 0, 1), (255, 160, 150), 0.16)
    for ray in range(32):
        half = 0.0033 if ray % 2 else 0.0066
        turn = (ray + 0.5) / 32
        rays.area([polar(_STAR, 24, turn), polar(_STAR, 560, turn - half), polar(_STAR, 560, turn + half)])
    picture.glow(rays.ink() * np.clip(1 - away / 310, 0, 1), (255, 214, 190), 0.4)
    picture.glow(np.clip(1 - away / 150, 0, 1) ** 2, (255, 226, 190), 0.75)


def _star(picture: Picture) -> None:
    star, rings = picture.layer(), picture.layer()
    for reach, points, shift in ((40, 4, 0.0), (26, 4, 0.5), (17, 8, 0.25)):
        for point in range(points):
            turn = (point + shift) / points
            star.area([polar(_STAR, reach, turn), polar(_STAR, 6, turn + 0.1), polar(_STAR, 6, turn - 0.1)])
    star.disc(_STAR, 7)
    for radius, width in ((24, 1.3), (29, 0.6)):
        rings.ring(_STAR, radius, width)
    for bead in range(24):
        rings.disc(polar(_STAR, 26.5, bead / 24), 0.9)
    picture.glow(picture.blur(star.ink(), 9), (255, 230, 190), 1)
    picture.lay(rings.ink(), (255, 244, 214), 0.85)
    picture.lay(star.ink(), (255, 252, 240))


def _sparks(picture: Picture) -> None:
    chance = random.Random(24)  # noqa: S311 (sparks, not secrets)
    sparks = picture.layer()
    for _ in range(90):
        x = chance.gauss(MIDDLE, 110)
        y = chance.uniform(24, 390)
        sparks.disc((x, y), chance.choice((0.5, 0.7, 0.9, 1.4)), chance.uniform(0.4, 1))
    side = np.clip(picture.x / WIDTH, 0, 1)
    paint = ramp(((160, 220, 255), (255, 240, 220), (255, 190, 110)), side)
    picture.glow(picture.blur(sparks.ink(), 1.5), paint, 1)
    picture.glow(sparks.ink(), paint, 0.9)
