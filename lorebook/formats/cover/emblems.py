"""
The emblems in the middle of covers: one function each, told where, how large and how manifold.

An emblem is drawn on three sheets: `metal`, `glass` (coloured light under the metal) and `etching` (faint lines).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self, TypeAlias

from lorebook.formats.cover.canvas import Layer, Point, polar


@dataclass(frozen=True)
class Sheets:
    """
    What an emblem is drawn on.
    """

    metal: Layer
    glass: Layer
    etching: Layer

    @classmethod
    def blank(cls, pixels: int = 1) -> Self:
        """
        Lay out three blank sheets.
        """
        return cls(Layer(pixels), Layer(pixels), Layer(pixels))


_Edge: TypeAlias = tuple[Point, Point]
_NEAR_A_TIP = 0.02

Emblem: TypeAlias = Callable[[Sheets, Point, float, int], None]
"""Draws around a centre, within a radius, with so many parts in a round (5 to 9)."""


def gem(sheets: Sheets, centre: Point, radius: float, parts: int) -> None:
    """
    A cut stone from above, every facet with its own light.
    """
    sides = 8 if parts % 2 else 10
    rim, girdle, table = radius * 0.93, radius * 0.68, radius * 0.42
    for part in range(sides):
        here, half, there = part / sides, (part + 0.5) / sides, (part + 1) / sides
        first, last = polar(centre, rim, here), polar(centre, rim, there)
        left, right = polar(centre, table, here), polar(centre, table, there)
        knee = polar(centre, girdle, half)
        lights = (1.0, 0.35, -0.25, 0.7)
        facets = ([first, knee, last], [first, knee, left], [last, knee, right], [left, knee, right])
        for facet, light in zip(facets, lights, strict=True):
            sheets.glass.area(facet, _lit(half, light))
        for facet in facets:
            sheets.metal.line(facet, 1.1, closed=True)
        sheets.glass.area([centre, left, right], 0.59 + _lit(half + 0.5, 0.5) / 3)
        sheets.metal.line([first, last], 2.6)
        sheets.metal.line([left, right], 1.8)
        sheets.etching.line([centre, left], 0.8)
    for reach, inner in ((0.98, 0.62), (0.6, 0.4)):
        star = [polar(centre, table * (inner if step % 2 else reach), step / (2 * sides)) for step in range(2 * sides)]
        sheets.metal.line(star, 0.9, closed=True)


def blades(sheets: Sheets, centre: Point, radius: float, parts: int) -> None:
    """
    Curved blades turning around a hub.
    """
    for part in range(parts):
        turn = part / parts
        edge = [polar(centre, radius * (0.2 + 0.74 * t), turn + 0.16 * t * t) for t in _steps(24)]
        back = [
            polar(centre, radius * (0.2 + 0.74 * t), turn + 0.09 * math.sin(math.pi * t) + 0.16 * t) for t in _steps(24)
        ]
        sheets.glass.area([*edge, *reversed(back)], 0.59)
        sheets.metal.line(edge, 2)
        sheets.metal.line(back, 1.1)
        sheets.etching.line([polar(centre, radius * (0.25 + 0.7 * t), turn + 0.05 + 0.16 * t) for t in _steps(24)], 0.8)
    for ring, width in ((0.2, 2.2), (0.13, 1)):
        sheets.metal.ring(centre, radius * ring, width)
    sheets.metal.disc(centre, radius * 0.06)


def lotus(sheets: Sheets, centre: Point, radius: float, parts: int) -> None:
    """
    A flower of three rows of petals.
    """
    rows = ((0.93, 0.30, 2 * parts, 0.0, 0.27), (0.72, 0.22, parts, 0.5, 0.47), (0.46, 0.13, parts, 0.0, 0.75))
    for reach, root, count, shift, light in rows:
        for part in range(count):
            turn = (part + shift) / count
            petal = _petal(centre, radius * root, radius * reach, turn, 0.46 / count)
            sheets.glass.area(petal, light)
            sheets.metal.area(petal, 0)
            sheets.metal.line(petal, 1.5, closed=True)
            inner = _petal(centre, radius * (root + 0.05), radius * (reach - 0.09), turn, 0.26 / count)
            sheets.metal.line(inner, 0.6, closed=True)
            sheets.etching.line([polar(centre, radius * root, turn), polar(centre, radius * reach, turn)], 0.8)
    sheets.metal.disc(centre, radius * 0.17, 0)
    sheets.glass.disc(centre, radius * 0.17, 0.9)
    sheets.metal.ring(centre, radius * 0.17, 1.8)
    for part in range(2 * parts):
        sheets.metal.disc(polar(centre, radius * 0.115, part / (2 * parts)), radius * 0.018)
    sheets.metal.disc(centre, radius * 0.045)


def knot(sheets: Sheets, centre: Point, radius: float, parts: int) -> None:
    """
    A star of one band that passes over and under itself.
    """
    points, step = ((7, 2), (8, 3), (9, 3))[parts % 3]
    reach = radius * 0.92
    tips = [polar(centre, reach, point / points) for point in range(points)]
    edges = [(tips[point], tips[(point + step) % points]) for point in range(points)]
    heart = reach * math.cos(math.pi * step / points)
    sheets.glass.area(_star(centre, reach, points, step), 0.43)
    sheets.glass.disc(centre, heart, 0.86)
    for edge in edges:
        _band(sheets.metal, edge, 0, 1)
    for edge in edges:
        for place, crossing in enumerate(sorted(_crossings(edge, edges))):
            if place % 2:
                _band(sheets.metal, edge, crossing - 0.045, crossing + 0.045)
    for point, tip in enumerate(tips):
        sheets.metal.disc(tip, radius * 0.062, 0)
        sheets.metal.disc(tip, radius * 0.045)
        sheets.metal.ring(polar(centre, radius * 0.86, (point + 0.5) / points), radius * 0.03, 1)
    sheets.metal.disc(centre, heart * 0.8, 0)
    sheets.metal.ring(centre, heart * 0.8, 2.2)
    sheets.metal.ring(centre, heart * 0.72, 0.7)
    _compass(sheets, centre, heart * 0.66, 2 * points)


def lattice(sheets: Sheets, centre: Point, radius: float, parts: int) -> None:
    """
    Circles that share their centres: the web behind a flower of six, or of as many as there are parts.
    """
    small = radius * 0.46
    for part in range(2 * parts):
        heart = polar(centre, small, part / (2 * parts))
        sheets.metal.ring(heart, small, 1)
        sheets.etching.ring(heart, small * 0.9, 0.6)
    sheets.glass.disc(centre, small * 2, 0.24)
    for part in range(parts):
        sheets.glass.area(_petal(centre, 0, small * 1.35, part / parts, 0.3 / parts), 0.67)
        sheets.metal.line(_petal(centre, 0, small * 1.35, part / parts, 0.3 / parts), 1.6, closed=True)
    sheets.metal.ring(centre, small * 2, 2)
    sheets.metal.disc(centre, small * 0.16)


def orrery(sheets: Sheets, centre: Point, radius: float, parts: int) -> None:
    """
    Orbits with their bodies around a compass star.
    """
    for ring, width in ((0.92, 1.8), (0.86, 0.7), (0.66, 1.2), (0.46, 0.8)):
        sheets.metal.ring(centre, radius * ring, width)
    ticks = 12 * parts
    for tick in range(ticks):
        length = 0.045 if tick % parts else 0.0
        inner = 0.86 + length * 0.4
        sheets.metal.line(
            [polar(centre, radius * inner, tick / ticks), polar(centre, radius * 0.92, tick / ticks)], 0.7
        )
    sheets.glass.disc(centre, radius * 0.66, 0.35)
    sheets.glass.disc(centre, radius * 0.46, 0.59)
    for part in range(parts):
        turn = (part * 0.382 + 0.07) % 1
        orbit, size = ((0.66, 0.06), (0.46, 0.045), (0.89, 0.05))[part % 3]
        body = polar(centre, radius * orbit, turn)
        sheets.metal.disc(body, radius * (size + 0.045), 0)
        sheets.metal.disc(body, radius * size)
        sheets.metal.disc((body[0] + radius * size * 0.4, body[1] + radius * size * 0.3), radius * size * 0.86, 0.24)
        sheets.metal.ring(body, radius * (size + 0.008), 0.8)
    _compass(sheets, centre, radius * 0.8, 8)


EMBLEMS: tuple[Emblem, ...] = (gem, blades, lotus, knot, lattice, orrery)


def _compass(sheets: Sheets, centre: Point, radius: float, points: int) -> None:
    for size, shift in ((0.62, 0.5), (1.0, 0.0)):
        count = points // 2
        for point in range(count):
            turn = (point + shift) / count
            tip = polar(centre, radius * size, turn)
            left, right = _pair(centre, radius * 0.17, turn, 0.5 / count)
            sheets.metal.area([centre, left, tip, right], 0)
            sheets.glass.area([centre, right, tip], 0.94)
            sheets.metal.area([centre, left, tip], 1)
            sheets.metal.line([left, tip, right], 0.9)
    sheets.metal.disc(centre, radius * 0.09, 0)
    sheets.metal.ring(centre, radius * 0.09, 1.2)
    sheets.metal.disc(centre, radius * 0.04)


def _lit(turn: float, tilt: float) -> float:
    # The light comes from the upper left: seven eighths of a turn.
    return min(1, max(0, 0.49 + 0.51 * tilt * math.cos(2 * math.pi * (turn - 0.875))))


def _steps(count: int) -> list[float]:
    return [step / count for step in range(count + 1)]


def _pair(centre: Point, radius: float, turn: float, apart: float) -> tuple[Point, Point]:
    return polar(centre, radius, turn - apart), polar(centre, radius, turn + apart)


def _petal(centre: Point, root: float, reach: float, turn: float, half: float) -> list[Point]:
    """
    Return the outline of a petal: widest at two thirds of its length, pointed at its tip.
    """
    sides = []
    for sign in (-1, 1):
        side = []
        for t in _steps(20):
            radius = root + (reach - root) * t
            bulge = math.sin(math.pi * t**0.8) ** 0.75 if 0 < t < 1 else 0
            side.append(polar(centre, radius, turn + sign * half * bulge))
        sides.append(side)
    return [*sides[0], *reversed(sides[1])]


def _star(centre: Point, radius: float, points: int, step: int) -> list[Point]:
    inner = radius * math.cos(math.pi * step / points) / math.cos(math.pi * (step - 1) / points)
    return [polar(centre, inner if place % 2 else radius, place / (2 * points)) for place in range(2 * points)]


def _between(edge: _Edge, place: float) -> Point:
    (x1, y1), (x2, y2) = edge
    return x1 + (x2 - x1) * place, y1 + (y2 - y1) * place


def _band(layer: Layer, edge: _Edge, start: float, end: float) -> None:
    piece = [_between(edge, start), _between(edge, end)]
    layer.line(piece, 11, 0)
    layer.line(piece, 8.4)
    layer.line(piece, 5.6, 0)
    layer.line(piece, 2.6)


def _crossings(edge: _Edge, edges: list[_Edge]) -> list[float]:
    """
    Return where along *edge* the other *edges* cross it; edges that share a tip do not.
    """
    (x1, y1), (x2, y2) = edge
    found = []
    for (x3, y3), (x4, y4) in edges:
        cross = (x2 - x1) * (y4 - y3) - (y2 - y1) * (x4 - x3)
        if math.isclose(cross, 0, abs_tol=1e-6):
            continue
        along = ((x3 - x1) * (y4 - y3) - (y3 - y1) * (x4 - x3)) / cross
        other = ((x3 - x1) * (y2 - y1) - (y3 - y1) * (x2 - x1)) / cross
        if all(_NEAR_A_TIP < place < 1 - _NEAR_A_TIP for place in (along, other)):
            found.append(along)
    return found
