"""
One serpent of the two: its colours, its wing, and its body of scales, wound from tail to neck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lorebook.formats.cover.canvas import MIDDLE, Point, Shape, curve, mirrored, points
from lorebook.formats.cover.palette import Colour
from lorebook.formats.cover.picture import Picture

_FOOT, _SHOULDER = 390.0, 178.0
_HALF_TURNS = 2.5
_ROW = 3.1
_ACROSS = 4
_LIGHT = (-0.42, -0.66, 0.62)


@dataclass(frozen=True)
class Serpent:
    """
    The colours of a serpent, from dark to lit, of its wing and its eye; one is the other's mirror image.
    """

    scales: tuple[Colour, ...]
    wing: tuple[Colour, ...]
    eye: Colour
    mirrored: bool

    def sided(self, line: Sequence[Point]) -> list[Point]:
        """
        Return *line*, given for the right side, on the side of this serpent.
        """
        return mirrored(line) if self.mirrored else list(line)


EMBER = Serpent(
    ((44, 8, 10), (132, 40, 22), (226, 128, 46), (255, 216, 120), (255, 248, 216)),
    ((30, 4, 14), (96, 16, 26), (176, 48, 34), (246, 140, 70)),
    (255, 250, 190),
    mirrored=False,
)
FROST = Serpent(
    ((10, 14, 38), (34, 58, 112), (92, 142, 194), (186, 224, 244), (250, 254, 255)),
    ((10, 6, 34), (28, 24, 82), (54, 66, 142), (130, 172, 226)),
    (214, 250, 255),
    mirrored=True,
)


def draw_wing(picture: Picture, serpent: Serpent) -> None:
    """
    Draw the wing: skin between fingers that spread from the wrist.
    """
    shoulder, wrist = (226.0, 232.0), (300.0, 112.0)
    tips = points("356,58 381,134 378,206 352,266 306,312")
    wing = picture.shape()
    for tip, end in pairwise(tips):
        _skin(wing, serpent, (wrist, shoulder), (tip, end))
    _skin(wing, serpent, (shoulder, shoulder), (tips[-1], (230, 312)))
    for tip in tips:
        finger = serpent.sided(curve([wrist, ((wrist[0] + tip[0]) / 2 + 8, (wrist[1] + tip[1]) / 2 - 8), tip]))
        wing.line(finger, 2.2, 0.9)
        wing.line(finger, 0.8, 1.0)
    arm = serpent.sided(curve([shoulder, (246, 172), wrist]))
    wing.line(arm, 8, 0.5)
    wing.line(arm, 4.6, 0.85)
    wing.area(serpent.sided(points("296,116 292,92 306,82 301,96 305,112")), 1.0)
    ink = wing.cover.ink()
    picture.cast(ink, 0.8, 6)
    picture.lay_shape(wing, serpent.wing)
    picture.darken(ink * np.clip((picture.y - 200) / 220, 0, 0.4))


def _skin(wing: Shape, serpent: Serpent, roots: tuple[Point, Point], ends: tuple[Point, Point]) -> None:
    """
    Stretch skin between two fingers; it is in folds, each darker than the one above.
    """
    root, foot = roots
    x, y = ((ends[0][axis] + ends[1][axis]) / 2 for axis in (0, 1))
    edge = curve([ends[0], (x + (root[0] - x) * 0.26, y + (root[1] - y) * 0.26), ends[1]])
    for step in range(12):
        first, last = (edge[round(at / 12 * (len(edge) - 1))] for at in (step, step + 1))
        wing.area(serpent.sided([root, first, last, foot]), 0.66 - 0.42 * step / 12)
    wing.line(serpent.sided(edge), 1.2, 0.78)


def draw_body(picture: Picture, serpent: Serpent, crossing: int) -> None:
    """
    Draw the part of the body around one *crossing*, counted from the tail, with its shadow on what lies below.
    """
    spine = _spine()
    whole, part, rows = picture.layer(), picture.shape(), list[_Row]()
    for number in range(1, len(spine) - 1):
        half = _half_width(number / len(spine))
        before, after = serpent.sided([spine[number - 1][0], spine[number + 1][0]])
        whole.line([before, after], 2 * half)
        if crossing - 0.5 <= spine[number][1] <= crossing + 0.56:
            rows.append(_Row(before, after, half, number, mirrored=serpent.mirrored))
    for row in rows:
        row.draw_ground(part)
    for row in rows:
        row.draw(part)
    fallen = np.minimum(picture.blur(part.cover.ink(), 5) * 1.3, 1)
    picture.darken(fallen * (1 - whole.ink()), 0.5)
    picture.lay_shape(part, serpent.scales)


def _spine() -> list[tuple[Point, float]]:
    """
    Return the middle of a body from tail to neck, in steps of a row, with how far along each is, in half turns.
    """
    tail = curve(points("166,372 160,384 172,394 188,394 200,387"))
    line = [(point, 0.0) for point in tail[:-1]]
    for step in range(101):
        along = step / 100
        turn = along * _HALF_TURNS
        x = MIDDLE + (14 + 66 * along**0.8) * math.sin(math.pi * turn)
        line.append(((x, _FOOT + (_SHOULDER - _FOOT) * along), turn))
    neck = curve([line[-1][0], *points("284,150 287,122 277,98 256,88")])
    line += [(point, _HALF_TURNS) for point in neck[1:]]
    even, gone = [line[0]], 0.0
    for (before, _), (after, turn) in pairwise(line):
        gone += math.dist(before, after)
        if gone >= _ROW:
            even.append((after, turn))
            gone = 0.0
    return even


def _half_width(along: float) -> float:
    swelling = min(1.0, along / 0.34)
    return 1.4 + 17 * swelling * (2 - swelling) - 6.5 * max(0.0, (along - 0.55) / 0.45)


@dataclass(frozen=True)
class _Row:
    """
    One row of scales, across the body between two points of its spine.
    """

    before: Point
    after: Point
    half: float
    number: int
    mirrored: bool

    def draw_ground(self, body: Shape) -> None:
        """
        Draw what shows between scales.
        """
        body.area([self._at(-1, -3), self._at(1, -3), self._at(1, 4), self._at(-1, 4)], 0.16)

    def draw(self, body: Shape) -> None:
        """
        Draw the scales from the edges in; each is lit by how it lies on the round body.
        """
        if self.number % 4 == 0:
            outer = 1 if self.mirrored else -1
            body.area([self._at(outer * 0.9, -4), self._at(outer * 1.42, 4), self._at(outer * 0.9, 4)], 0.72)
        places = [(place + (self.number % 2) * 0.5 - _ACROSS) / _ACROSS for place in range(2 * _ACROSS + 1)]
        for place in sorted(places, key=abs, reverse=True):
            self._scale(body, place)

    def _scale(self, body: Shape, place: float) -> None:
        around = [max(-1.0, min(1.0, place + shift / _ACROSS)) * math.pi / 2 for shift in (-0.56, 0, 0.56)]
        left, middle, right = (math.sin(side) for side in around)
        across = self._across()
        light = middle * (across[0] * _LIGHT[0] + across[1] * _LIGHT[1]) + math.cos(around[1]) * _LIGHT[2]
        tone = 0.14 + 0.8 * max(0.0, light) + (0.05 if (self.number + round(place * 8)) % 3 == 0 else 0)
        tip = [self._at(left, 1.2), self._at(middle, 5.4), self._at(right, 1.2)]
        body.area([*tip, self._at(right, -2), self._at(middle, -3), self._at(left, -2)], tone)
        body.line(tip, 0.5, max(0.03, tone - 0.34))

    def _across(self) -> Point:
        length = math.dist(self.before, self.after) or 1
        return (self.before[1] - self.after[1]) / length, (self.after[0] - self.before[0]) / length

    def _at(self, side: float, back: float) -> Point:
        """
        Return the point at *side* of the body (-1 to 1), so many units *back* from the row.
        """
        (ax, ay), reach = self._across(), side * self.half
        x, y = (self.before[0] + self.after[0]) / 2, (self.before[1] + self.after[1]) / 2
        return x + ax * reach - ay * back, y + ay * reach + ax * back
