"""
Blue and green mountains above the sea, as old Chinese scrolls have them, and a flight of cards towards the sun.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lorebook.formats.cover import lettering, plate
from lorebook.formats.cover.canvas import HEIGHT, WIDTH, Ink, Layer, Point, arc, curve, polar
from lorebook.formats.cover.palette import Colour, Palette
from lorebook.formats.cover.picture import Picture, ramp
from lorebook.formats.cover.plate import Words

PALETTE = Palette((6, 38, 42), (14, 78, 78), (72, 158, 140), (252, 240, 206), (212, 172, 96), (118, 84, 40))

_PAPER: tuple[Colour, ...] = ((250, 240, 214), (246, 232, 200), (238, 214, 172))
_INK: Colour = (20, 46, 52)
_CINNABAR: Colour = (196, 52, 36)
_GOLD: Colour = (206, 160, 78)
_SUN: Point = (284, 116)
_RADIUS = 47.0
_Range = tuple[Sequence[tuple[float, float, float]], Sequence[Colour], float]
# Peaks (where, how high up the card, how wide), colours from crest to mist, and how far the mist reaches.
_RANGES: tuple[_Range, ...] = (
    (
        ((60, 262, 34), (150, 236, 30), (236, 256, 40), (330, 226, 36), (396, 262, 30)),
        ((156, 190, 176), (206, 212, 184), (246, 232, 200)),
        90,
    ),
    (
        ((20, 262, 34), (112, 292, 30), (210, 268, 26), (286, 302, 36), (372, 250, 34)),
        ((74, 138, 132), (140, 176, 148), (240, 222, 184)),
        110,
    ),
    (
        ((-4, 300, 46), (84, 330, 40), (176, 312, 24), (262, 342, 40), (352, 302, 34)),
        ((26, 96, 116), (58, 140, 118), (214, 196, 142)),
        120,
    ),
    (
        ((36, 348, 44), (140, 376, 34), (232, 384, 44), (316, 352, 30), (400, 340, 40)),
        ((14, 62, 96), (26, 112, 104), (150, 150, 92)),
        100,
    ),
)


def draw(picture: Picture, words: Words) -> None:
    """
    Draw the scene on *picture*, and *words* as on a scroll.
    """
    picture.rgb[:] = ramp(_PAPER, np.clip(picture.y / 420, 0, 1))
    _sun(picture)
    for place, (peaks, colours, mist) in enumerate(_RANGES):
        _range(picture, peaks, colours, mist, place)
        for cloud in ((_cloud(), (70, 264), 0.8), (_cloud(), (330, 292), -1.0), (_cloud(), (92, 350), 1.1))[
            place : place + 1
        ]:
            _lay_cloud(picture, *cloud)
    _sea(picture)
    _cards(picture)
    _write(picture, words)


def _write(picture: Picture, words: Words) -> None:
    """
    Write the title from top to bottom, its part in brackets on a seal, and the rest below.
    """
    silk = picture.layer()
    silk.area(plate.outline(0))
    picture.lay(1 - silk.ink(), PALETTE.edge)
    plate.lay_frame(picture, PALETTE, darkened=0)
    _column_titles(picture, words.title)
    plate.lay_words(
        picture, replace(words, title=words.second or words.title, second=""), PALETTE, middle=513, largest=22
    )


def _sun(picture: Picture) -> None:
    disc, rings = picture.layer(), picture.layer()
    disc.disc(_SUN, _RADIUS)
    fall = np.clip((picture.y - _SUN[1] + _RADIUS) / (2 * _RADIUS), 0, 1)
    picture.lay(picture.blur(disc.ink(), 16), (244, 190, 140), 0.6)
    picture.lay(disc.ink(), ramp(((204, 54, 38), (206, 58, 40), (216, 84, 56)), fall))
    rings.ring(_SUN, _RADIUS + 6, 1.4)
    rings.ring(_SUN, _RADIUS + 10, 0.6)
    for bead in range(48):
        rings.disc(polar(_SUN, _RADIUS + 15, bead / 48), 0.9 if bead % 4 else 1.7)
    picture.lay(rings.ink(), _GOLD)


def _range(
    picture: Picture, peaks: Sequence[tuple[float, float, float]], colours: Sequence[Colour], mist: float, place: int
) -> None:
    x = picture.x[0]
    heights = [(HEIGHT - 150 - top) / (1 + np.abs((x - where) / wide) ** 1.7) for where, top, wide in peaks]
    rough = 3.4 * np.sin(x / 7.3 + place * 2) + 2.2 * np.sin(x / 3.9 + place) + 5 * np.sin(x / 19 + place * 5)
    crest = HEIGHT - 150 - np.max(heights, axis=0) + rough * (0.6 + place * 0.12)
    body, lines = picture.layer(), picture.layer()
    points = list(zip(x.tolist(), crest.tolist(), strict=True))
    body.area([*points, (WIDTH, HEIGHT), (0, HEIGHT)])
    depth = np.clip((picture.y - crest) / mist, 0, 1)
    picture.lay(body.ink(), ramp(colours, depth**0.8))
    slope = np.gradient(np.convolve(crest, np.ones(25) / 25, mode="same"), x)
    picture.darken(body.ink() * np.clip(slope, 0, 1) * (1 - depth), 0.32)
    lines.line(points, 1.5)
    picture.lay(lines.ink(), (236, 200, 116) if place else _GOLD, 0.5 + 0.15 * place)
    _strokes(picture, points, depth, 0.2 + 0.14 * place)


def _strokes(picture: Picture, points: Sequence[Point], depth: Ink, strength: float) -> None:
    """
    Draw the folds of the rock: lines that follow the crest, further and further below it.
    """
    strokes = picture.layer()
    for fold in range(1, 6):
        path = [
            (x + 1.6 * fold * math.sin(fold * 2.1), y + fold * (7 + fold)) for x, y in points[:: 6 * picture.pixels]
        ]
        pieces = curve(path, 4)
        length = 26 + 9 * fold
        for start in range(fold * 7, len(pieces) - length, length + 14):
            strokes.line(pieces[start : start + length], 0.7)
    picture.lay(strokes.ink() * (1 - depth), (248, 226, 160), strength)


def _cloud() -> list[tuple[float, float, float]]:
    """
    Return the curls of a cloud: where, and how large.
    """
    return [(-44, 4, 9), (-26, -2, 14), (0, -8, 19), (26, -1, 14), (46, 5, 8)]


def _lay_cloud(picture: Picture, curls: Sequence[tuple[float, float, float]], centre: Point, scale: float) -> None:
    body, lines = picture.layer(), picture.layer()
    size = abs(scale)
    foot = centre[1] + 13 * size
    body.area(
        [
            (centre[0] - 88 * size, foot),
            (centre[0] - 30 * size, foot - 9 * size),
            (centre[0] + 30 * size, foot - 9 * size),
            (centre[0] + 88 * size, foot),
            (centre[0], foot + 4 * size),
        ]
    )
    for dx, dy, radius in curls:
        body.disc((centre[0] + dx * scale, centre[1] + dy * size), radius * size)
    below = np.clip((foot + 2 - picture.y) / 6, 0, 1)
    ink = body.ink() * below
    picture.cast(ink, 0.28, 3)
    picture.lay(
        ink, ramp(((255, 252, 240), (250, 238, 210)), np.clip((picture.y - centre[1] + 26 * size) / (40 * size), 0, 1))
    )
    for dx, dy, radius in curls:
        middle = (centre[0] + dx * scale, centre[1] + dy * size)
        side = math.copysign(1, scale)
        spiral = [polar(middle, radius * size * (0.94 - 0.8 * t / 60), side * (-0.3 + 1.9 * t / 60)) for t in range(61)]
        lines.line(spiral, 1.1)
    for row in (3, 7, 11):
        lines.line(
            [
                (centre[0] - (92 - row * 4) * size, foot - row * 0.5),
                (centre[0] + (70 - row * 3) * size, foot - row * 0.5),
            ],
            0.8,
        )
    picture.lay(lines.ink() * below, (192, 138, 70), 0.85)


def _sea(picture: Picture) -> None:
    """
    Lay scales of waves on the foot of the card, one row before the other, each of rings.
    """
    water = picture.layer()
    water.area([(0, 452), (WIDTH, 452), (WIDTH, HEIGHT), (0, HEIGHT)])
    colours: tuple[Colour, ...] = ((44, 132, 126), (18, 88, 92), (8, 50, 56), (6, 38, 42))
    picture.lay(water.ink(), ramp(colours, np.clip((picture.y - 440) / 90, 0, 1)))
    radius = 20.0
    scales = picture.shape()
    for row in range(8):
        for column in range(-1, 12):
            centre = (column * radius * 2 + (row % 2) * radius, 454 + row * radius * 0.55)
            for step in range(5):
                disc = arc(centre, radius * (1 - step * 0.2), -0.25, 0.25, 24)
                scales.area(disc, 0.86 if step % 2 == 0 else 0.28)
                if step % 2 == 0:
                    scales.area(arc(centre, radius * (1 - step * 0.2) - 1.3, -0.25, 0.25, 24), 0.42)
    fade = np.clip(1 - (picture.y - 446) / 62, 0, 1)
    picture.cast(scales.cover.ink() * fade, 0.3, 3)
    paint = ramp(((14, 74, 82), (34, 116, 116), (92, 170, 152), (246, 226, 170)), scales.tone())
    picture.lay(scales.cover.ink() * fade**1.2, paint)


def _cards(picture: Picture) -> None:
    """
    Let cards fly up from the sea in a bow, smaller and smaller, the last before the sun.
    """
    way = curve([(58, 404), (118, 392), (176, 350), (212, 292), (232, 232), (250, 180), (282, 122)], 20)
    for place in range(8):
        at = (place / 7) ** 0.82
        spot = way[round(at * (len(way) - 1))]
        size = 27 - 18.5 * at
        _card(picture, spot, size, turn=-0.19 + 0.20 * at, narrow=0.64 + 0.36 * math.cos(place * 1.1))


def _card(picture: Picture, centre: Point, size: float, *, turn: float, narrow: float) -> None:
    face = picture.shape()
    angle = 2 * math.pi * turn
    wide = max(0.3, abs(narrow)) * 0.70

    def at(dx: float, dy: float) -> Point:
        x, y = dx * wide * size, dy * size + dx * size * 0.12
        return centre[0] + x * math.cos(angle) - y * math.sin(angle), centre[1] + x * math.sin(angle) + y * math.cos(
            angle
        )

    def box(reach: float) -> list[Point]:
        across = 1 - (1 - reach) / max(0.5, wide)
        return [at(-across, -reach), at(across, -reach), at(across, reach), at(-across, reach)]

    face.area(box(1), 1)
    face.area(box(0.9), 0.08)
    face.line(box(0.8), 0.7 + size / 40, 0.75, closed=True)
    ring = [at(0.44 * math.sin(t * math.pi / 12), 0.44 * 0.7 * math.cos(t * math.pi / 12)) for t in range(24)]
    face.area(ring, 0.75)
    face.area([at(dx * 0.32, dy * 0.32 * 0.7) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))], 0.3)
    picture.cast(face.cover.ink(), 0.55, 3.4)
    picture.lay_shape(face, ((10, 66, 70), (24, 104, 100), (196, 60, 40), (222, 178, 96), (255, 250, 234)))


def _column_titles(picture: Picture, title: str) -> None:
    """
    Write *title* in columns from right to left; what it has in brackets is cut into a seal.
    """
    brackets = re.search(r"[（(](.+?)[）)]", title)
    plain = re.sub(r"[（(].*?[）)]", "", title).split()
    first, rest = plain[0] if plain else title, "".join(plain[1:])
    letters = picture.layer()
    foot = _column(letters, first, (114, 52), 47)
    if rest:
        foot = _column(letters, rest, (63, 56), 28)
    picture.lay(letters.ink(), _INK)
    if brackets:
        _seal(picture, brackets[1], (63, foot + 8))


def _column(letters: Layer, text: str, top: Point, size: float) -> float:
    y = top[1]
    for letter in text:
        step = size * (1.1 if lettering.face_of(letter) is lettering.Face.SERIF else 0.86)
        y += step
        lettering.write(letters, letter, (top[0], y - step * 0.16), size)
    return y


def _seal(picture: Picture, text: str, top: Point) -> None:
    seal, letters = picture.layer(), picture.layer()
    size = 17.0
    height = len(text) * size * 1.1 + 9
    left, right = top[0] - 14, top[0] + 14
    seal.area([(left, top[1]), (right, top[1]), (right, top[1] + height), (left, top[1] + height)])
    inner = [
        (left + 2.4, top[1] + 2.4),
        (right - 2.4, top[1] + 2.4),
        (right - 2.4, top[1] + height - 2.4),
        (left + 2.4, top[1] + height - 2.4),
    ]
    letters.line(inner, 0.9, closed=True)
    _column(letters, text, (top[0], top[1] + 3.6), size)
    picture.lay(seal.ink(), _CINNABAR)
    picture.lay(letters.ink(), (255, 244, 222))
