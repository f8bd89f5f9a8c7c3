"""
Drawing in units of the card, far larger than it is shown, and laying the result on as metal, light or engraving.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from lorebook.formats.cover.palette import Colour, Palette

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

Point: TypeAlias = tuple[float, float]

WIDTH, HEIGHT = 400, 600
"""Pixels of the finished picture, and units of everything that is drawn."""
SCALE = 4
"""Pixels a unit while drawing; reducing them gives smooth edges."""


class Layer:
    """
    A sheet that is drawn on with a brush between 0 (nothing) and 255 (all).
    """

    def __init__(self) -> None:
        from PIL import Image, ImageDraw  # noqa: PLC0415 (Pillow is needed for drawing only)

        self.image: Image.Image = Image.new("L", (WIDTH * SCALE, HEIGHT * SCALE))
        self.pen: ImageDraw.ImageDraw = ImageDraw.Draw(self.image)

    def line(self, points: Iterable[Point], width: float = 1, ink: int = 255, *, closed: bool = False) -> None:
        """
        Draw a line through *points*.
        """
        path = _scaled(points)
        if closed:
            # Beyond its start, so that this corner is joined like the others.
            path = [*path, *path[:2]]
        self.pen.line(path, fill=ink, width=max(1, round(width * SCALE)), joint="curve")

    def area(self, points: Iterable[Point], ink: int = 255) -> None:
        """
        Fill the polygon of *points*.
        """
        self.pen.polygon(_scaled(points), fill=ink)

    def disc(self, centre: Point, radius: float, ink: int = 255) -> None:
        """
        Fill a circle.
        """
        self.pen.ellipse(_box(centre, radius), fill=ink)

    def ring(self, centre: Point, radius: float, width: float = 1, ink: int = 255) -> None:
        """
        Draw a circle with its line centred on *radius*.
        """
        self.pen.ellipse(_box(centre, radius + width / 2), outline=ink, width=max(1, round(width * SCALE)))

    def mask(self) -> Image.Image:
        """
        Return the sheet at the size of the card.
        """
        return self.image.reduce(SCALE)


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


def lay_metal(picture: Image.Image, layer: Layer, palette: Palette) -> Image.Image:
    """
    Return *picture* with *layer* in polished metal: bands of light across it and a shadow under it.
    """
    bands = (palette.metal, palette.bright, palette.metal, palette.shade)
    return _lay(picture, layer, palette, (*bands, *bands, *bands, palette.metal), slant=1)


def lay_letters(picture: Image.Image, layer: Layer, palette: Palette) -> Image.Image:
    """
    Return *picture* with *layer* in metal that is bright everywhere, so that words stay legible.
    """
    return _lay(picture, layer, palette, (palette.bright, palette.bright, palette.metal, palette.bright), slant=0)


def _lay(picture: Image.Image, layer: Layer, palette: Palette, bands: Sequence[Colour], slant: float) -> Image.Image:
    from PIL import Image, ImageChops, ImageFilter  # noqa: PLC0415

    mask = layer.mask()
    shadow = ImageChops.offset(mask, 1, 2).filter(ImageFilter.GaussianBlur(1.6)).point(lambda ink: ink * 7 // 10)
    picture = Image.composite(Image.new("RGB", picture.size), picture, shadow)
    picture = Image.composite(_sheet(bands, slant), picture, mask)
    relief = ImageChops.subtract(mask, ImageChops.offset(mask, 1, 1)).point(lambda ink: ink // 2)
    return Image.composite(Image.new("RGB", picture.size, palette.bright), picture, relief)


def lay_light(picture: Image.Image, layer: Layer, colour: Colour, strength: float) -> Image.Image:
    """
    Return *picture* with *layer* in *colour*, at *strength* 0 to 1.
    """
    from PIL import Image  # noqa: PLC0415

    mask = layer.mask().point(lambda ink: round(ink * strength))
    return Image.composite(Image.new("RGB", picture.size, colour), picture, mask)


def blend(colours: Sequence[Colour], place: float) -> Colour:
    """
    Return the colour at *place* 0 to 1 of the way through *colours*.
    """
    at = min(max(place, 0), 1) * (len(colours) - 1)
    left = min(int(at), len(colours) - 2)
    first, second = colours[left], colours[left + 1]
    red, green, blue = (round(a + (b - a) * (at - left)) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _sheet(bands: Sequence[Colour], slant: float) -> Image.Image:
    """
    Return a sheet with *bands* of colour from its top to its foot, tilted by *slant*.
    """
    from PIL import Image  # noqa: PLC0415

    colours = [blend(bands, step / 999) for step in range(1000)]
    reach = WIDTH * slant + HEIGHT
    sheet = Image.new("RGB", (WIDTH, HEIGHT))
    sheet.putdata([colours[int((x * slant + y) * 999 / reach)] for y in range(HEIGHT) for x in range(WIDTH)])
    return sheet


def _scaled(points: Iterable[Point]) -> list[Point]:
    return [(x * SCALE, y * SCALE) for x, y in points]


def _box(centre: Point, radius: float) -> tuple[float, float, float, float]:
    x, y = centre
    return (x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE
