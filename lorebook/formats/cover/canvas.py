"""
Sheets to draw on, in units of the card: a shape is drawn far larger than it is shown, which makes its edges smooth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Point: TypeAlias = tuple[float, float]
Ink: TypeAlias = NDArray[np.floating[Any]]
"""How much of a sheet covers each pixel of the picture: 0 nothing, 1 all."""

WIDTH, HEIGHT = 400, 600
"""The card in units; a picture has one pixel a unit, or more."""
MIDDLE = WIDTH / 2
_FINE = 4


class Band(NamedTuple):
    """
    A part of the card from side to side, in whole units from the top.
    """

    top: int
    foot: int


WHOLE = Band(0, HEIGHT)


class Layer:
    """
    A sheet that is drawn on with a brush between 0 (nothing) and 1 (all); what is drawn later covers what lies there.
    """

    def __init__(self, pixels: int = 1, band: Band = WHOLE) -> None:
        """
        Lay out a blank sheet for *band* of a picture of so many *pixels* a unit.
        """
        self._reduced = max(2, _FINE // pixels) if pixels > 1 else _FINE
        self.scale = pixels * self._reduced
        self.image = Image.new("L", (WIDTH * self.scale, (band.foot - band.top) * self.scale))
        self._top = band.top
        self.pen = ImageDraw.Draw(self.image)

    def line(self, points: Iterable[Point], width: float = 1, ink: float = 1, *, closed: bool = False) -> None:
        """
        Draw a line through *points*.
        """
        path = self._scaled(points)
        if closed:
            # Beyond its start, so that this corner is joined like the others.
            path = [*path, *path[:2]]
        self.pen.line(path, fill=_brush(ink), width=max(1, round(width * self.scale)), joint="curve")

    def area(self, points: Iterable[Point], ink: float = 1) -> None:
        """
        Fill the polygon of *points*.
        """
        self.pen.polygon(self._scaled(points), fill=_brush(ink))

    def disc(self, centre: Point, radius: float, ink: float = 1) -> None:
        """
        Fill a circle.
        """
        self.pen.ellipse(self._box(centre, radius), fill=_brush(ink))

    def ring(self, centre: Point, radius: float, width: float = 1, ink: float = 1) -> None:
        """
        Draw a circle with its line centred on *radius*.
        """
        stroke = max(1, round(width * self.scale))
        self.pen.ellipse(self._box(centre, radius + width / 2), outline=_brush(ink), width=stroke)

    def ink(self) -> Ink:
        """
        Return the sheet at the size of the picture.
        """
        return np.asarray(self.image.reduce(self._reduced), dtype=np.float32) / 255

    def place(self, point: Point) -> Point:
        """
        Return where *point* is on the sheet's image.
        """
        return point[0] * self.scale, (point[1] - self._top) * self.scale

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [self.place(point) for point in points]

    def _box(self, centre: Point, radius: float) -> tuple[float, float, float, float]:
        x, y = centre
        return *self.place((x - radius, y - radius)), *self.place((x + radius, y + radius))


class Shape:
    """
    Areas that hide one another, each with its own tone: how far it has turned to the light, 0 to 1.
    """

    def __init__(self, pixels: int = 1, band: Band = WHOLE) -> None:
        """
        Lay out a blank pair of sheets.
        """
        self.cover = Layer(pixels, band)
        self._tone = Layer(pixels, band)

    def area(self, points: Sequence[Point], tone: float) -> None:
        """
        Fill the polygon of *points*.
        """
        self.cover.area(points)
        self._tone.area(points, tone)

    def line(self, points: Sequence[Point], width: float, tone: float, *, closed: bool = False) -> None:
        """
        Draw a line through *points*.
        """
        self.cover.line(points, width, closed=closed)
        self._tone.line(points, width, tone, closed=closed)

    def disc(self, centre: Point, radius: float, tone: float) -> None:
        """
        Fill a circle.
        """
        self.cover.disc(centre, radius)
        self._tone.disc(centre, radius, tone)

    def tone(self) -> Ink:
        """
        Return the tones; at an edge that of the shape alone, without the nothing beside it.
        """
        cover = self.cover.ink()
        return np.divide(self._tone.ink(), cover, out=np.zeros_like(cover), where=cover > 0)


def polar(centre: Point, radius: float, turn: float) -> Point:
    """
    Return the point at *radius* from *centre*; *turn* counts full turns clockwise from straight up.
    """
    angle = 2 * math.pi * turn
    return centre[0] + radius * math.sin(angle), centre[1] - radius * math.cos(angle)


def arc(centre: Point, radius: float, start: float, end: float, steps: int = 64) -> list[Point]:
    """
    Return points of the arc from turn *start* to turn *end*.
    """
    return [polar(centre, radius, start + (end - start) * step / steps) for step in range(steps + 1)]


def curve(line: Sequence[Point], steps: int = 8) -> list[Point]:
    """
    Return a smooth line (a Catmull-Rom spline) through the points of *line*.
    """
    ends = [line[0], *line, line[-1]]
    result: list[Point] = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(steps):
            t = step / steps
            weights = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, -(t**2) + t**3)
            x, y = (sum(w * p[axis] for w, p in zip(weights, (a, b, c, d), strict=True)) / 2 for axis in (0, 1))
            result.append((x, y))
    return [*result, line[-1]]


def points(text: str) -> list[Point]:
    """
    Return the points written as "x,y x,y".
    """
    return [(float(x), float(y)) for x, y in (point.split(",") for point in text.split())]


def mirrored(line: Iterable[Point]) -> list[Point]:
    """
    Return *line* on the other side of the card's middle.
    """
    return [(WIDTH - x, y) for x, y in line]


def _brush(ink: float) -> int:
    return round(min(max(ink, 0), 1) * 255)
