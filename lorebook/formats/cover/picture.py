"""
The picture: colours that light, shadow, metal and mist are laid on, and its bytes as PNG.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageFilter

from lorebook.formats.cover.canvas import WHOLE, WIDTH, Band, Ink, Layer, Shape
from lorebook.formats.cover.palette import Colour

MOST_BYTES = 200_000
"""How large the file of a picture should be at most."""

COLOURS = (256, 192, 128)
"""How many colours a picture has; the fewer where its file would be too large."""

# Colours so close together count as one, and so many there are on every channel.
_BIN, _BINS = 3, 86
# Bayer's order of sixteen thresholds, four steps of a colour high.
_PATTERN = (
    (np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], dtype=np.float32) - 7.5) / 16 * 4 / 255
)
# The upper left is lit; a slope of one unit a unit is as bright as it gets.
_LIT_BY_SLOPE = 1.4
_SHADOW_OF_METAL = 0.7


class Picture:
    """
    A picture of so many pixels a unit, or a band of one; everything is laid on in place.
    """

    def __init__(self, pixels: int = 1, band: Band = WHOLE) -> None:
        """
        Begin with black.
        """
        self.pixels, self.band = pixels, band
        rows, columns = (band.foot - band.top) * pixels, WIDTH * pixels
        self.rgb: Ink = np.zeros((rows, columns, 3), dtype=np.float32)
        """Red, green and blue of every pixel, 0 to 1."""
        y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
        self.x: Ink = (x + 0.5) / pixels
        """How far from the left every pixel is, in units."""
        self.y: Ink = (y + 0.5) / pixels + band.top
        """How far from the top every pixel is, in units."""

    def layer(self) -> Layer:
        """
        Return a blank sheet for this picture.
        """
        return Layer(self.pixels, self.band)

    def shape(self) -> Shape:
        """
        Return a blank shape for this picture.
        """
        return Shape(self.pixels, self.band)

    def part(self, band: Band) -> Picture:
        """
        Return a copy of *band* of this picture.
        """
        copy = Picture(self.pixels, band)
        copy.rgb[:] = self.rgb[(band.top - self.band.top) * self.pixels : (band.foot - self.band.top) * self.pixels]
        return copy

    def distance(self, x: float, y: float) -> Ink:
        """
        Return how far every pixel is from a point, in units.
        """
        away: Ink = np.hypot(self.x - np.float32(x), self.y - np.float32(y))
        return away

    def lay(self, ink: Ink, paint: Colour | Ink, strength: float = 1) -> None:
        """
        Cover the picture with *paint* (a colour, or one for every pixel) where there is *ink*.
        """
        self.rgb += (_as_paint(paint) - self.rgb) * (ink * np.float32(strength))[..., None]

    def glow(self, ink: Ink, paint: Colour | Ink, strength: float = 1) -> None:
        """
        Add light: what is bright stays within white.
        """
        self.rgb += (1 - self.rgb) * _as_paint(paint) * (ink * np.float32(strength))[..., None]

    def darken(self, ink: Ink, strength: float = 1) -> None:
        """
        Take light away.
        """
        self.rgb *= 1 - (ink * np.float32(strength))[..., None]

    def lay_shape(self, shape: Shape, colours: Sequence[Colour], *, strength: float = 1) -> None:
        """
        Lay on *shape*, its tones running through *colours* from dark to lit.
        """
        self.lay(shape.cover.ink(), ramp(colours, shape.tone()), strength)

    def lay_metal(self, ink: Ink, colours: Sequence[Colour], *, round_by: float = 1.2, shadow: float = 1.0) -> None:
        """
        Lay on *ink* as metal: rounded edges that catch the light from the upper left, and a shadow below.
        """
        self.cast(ink, shadow)
        height = self.blur(ink, round_by)
        across, down = np.gradient(height, axis=1), np.gradient(height, axis=0)
        slope = (across + down) * np.float32(self.pixels * round_by * _LIT_BY_SLOPE)
        sheen = 0.07 * np.sin((self.x * 0.7 + self.y) / 23)
        self.lay(ink, ramp(colours, 0.58 + 0.42 * slope + sheen))

    def cast(self, ink: Ink, strength: float = 1.0, reach: float = 2.0) -> None:
        """
        Darken what lies below and right of *ink*.
        """
        step = round(reach * self.pixels * 0.6)
        fallen = self.blur(np.roll(ink, (step + step // 2, step), axis=(0, 1)), reach)
        self.darken(np.minimum(fallen * 1.2, 1), _SHADOW_OF_METAL * strength)

    def blur(self, ink: Ink, radius: float) -> Ink:
        """
        Return *ink* spread by *radius* units: three boxes, close to a bell curve.
        """
        reach = max(1, round(radius * self.pixels * 0.9))
        for axis in (0, 1, 0, 1, 0, 1):
            ink = _boxed(ink, reach, axis)
        return ink

    def image(self) -> Image.Image:
        """
        Return the picture in red, green and blue.
        """
        return _as_image(self.rgb)

    def png(self, *, small: bool = False) -> bytes:
        """
        Return the picture as PNG, at one pixel a unit where it is to be *small*.
        """
        image = self.image()
        if small and self.pixels > 1:
            image = image.reduce(self.pixels).filter(ImageFilter.UnsharpMask(0.6, 60, 0))
        data = b""
        for colours in COLOURS:
            file = io.BytesIO()
            in_colours(image, colours_of(image, colours)).save(file, "PNG", optimize=True)
            data = file.getvalue()
            if len(data) < MOST_BYTES:
                break
        return data


def ramp(colours: Sequence[Colour], place: Ink) -> Ink:
    """
    Return the colour at every *place*, 0 to 1 of the way through *colours*.
    """
    stops = np.linspace(0, 1, len(colours), dtype=np.float32)
    channels = np.asarray(colours, dtype=np.float32).T / 255
    return np.stack([np.interp(place, stops, channel) for channel in channels], axis=-1).astype(np.float32)


def colours_of(image: Image.Image, most: int) -> Image.Image:
    """
    Return a palette of at most so many colours in which *image* looks the same and takes half the room.

    A colour weighs by the root of its area, so that small bright things keep theirs.
    """
    plain = np.asarray(image)
    counts = np.bincount((plain // _BIN).astype(np.int64).reshape(-1, 3) @ (_BINS * _BINS, _BINS, 1))
    colours = np.flatnonzero(counts)
    places = np.repeat(colours, np.ceil(np.sqrt(counts[colours])).astype(int))
    weighed = np.stack([places // (_BINS * _BINS), places // _BINS % _BINS, places % _BINS], axis=-1) * _BIN + _BIN // 2
    return Image.fromarray(weighed[None].astype(np.uint8), "RGB").quantize(most, kmeans=1)


def in_colours(image: Image.Image, palette: Image.Image) -> Image.Image:
    """
    Return *image* in the colours of *palette*.

    A regular pattern hides the steps between colours; it takes less room than scattered dots.
    """
    pattern = np.tile(_PATTERN, (image.height // 4, image.width // 4))[..., None]
    patterned = _as_image(np.asarray(image) / np.float32(255) + pattern)
    return patterned.quantize(palette=palette, dither=Image.Dither.NONE)


def _as_image(rgb: Ink) -> Image.Image:
    return Image.fromarray((np.clip(rgb, 0, 1) * 255 + 0.5).astype(np.uint8), "RGB")


def _as_paint(paint: Colour | Ink) -> Ink:
    return paint if isinstance(paint, np.ndarray) else np.asarray(paint, dtype=np.float32) / 255


def _boxed(ink: Ink, reach: int, axis: int) -> Ink:
    """
    Return the mean of every pixel and its *reach* neighbours on either side along *axis*.
    """
    size = 2 * reach + 1
    padding = [(0, 0), (0, 0)]
    padding[axis] = (reach, reach)
    padded = np.pad(ink, padding, mode="edge")
    length = ink.shape[axis]
    spread = np.zeros_like(ink)
    for start in range(size):
        spread += padded[start : start + length] if axis == 0 else padded[:, start : start + length]
    spread /= np.float32(size)
    return spread
