"""
Covers of one kind, one after the other: all but the words is drawn and packed once, and only they are set for each.
"""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache

from PIL import Image

from lorebook.formats.cover import drawing
from lorebook.formats.cover.canvas import HEIGHT, WIDTH, Band
from lorebook.formats.cover.drawing import WORDS, Kind
from lorebook.formats.cover.picture import COLOURS, MOST_BYTES, colours_of, in_colours
from lorebook.formats.cover.plate import Words

# The colours are chosen for a cover with these words, so that they do not depend on whose is printed first.
_SAMPLE = Words("Lorebook of the Tides 潮汐之书", "Archive 档案", "Game · 2024", "Rulings · English / 中文")
# By how much a file may be larger than that with the sample.
_SPARE = 20_000
_KEPT = 4
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Eight bits a pixel, the number of its colour; the rows are not filtered.
_HEAD = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
_UNFILTERED = b"\0"
_ROW = 1 + WIDTH
# Level 9 takes twice the time for half a percent.
_LEVEL = 6


class Press:
    """
    What all covers of a kind have in common.
    """

    def __init__(self, kind: Kind) -> None:
        """
        Draw the scene of *kind*.
        """
        scene = drawing.draw(kind)
        self._kind, self._ground = kind, scene.part(WORDS)
        image = scene.image()
        sample = image.copy()
        sample.paste(self._set(_SAMPLE, WORDS), (0, WORDS.top))
        for most in COLOURS:
            self._palette = colours_of(sample, most)
            rows = _rows(in_colours(image, self._palette))
            self._packer = zlib.compressobj(_LEVEL)
            self._upper = self._packer.compress(rows[: WORDS.top * _ROW])
            self._lower = rows[WORDS.top * _ROW :]
            if len(self.printed(_SAMPLE)) < MOST_BYTES - _SPARE:
                break

    def printed(self, words: Words) -> bytes:
        """
        Return the cover with *words* as PNG.
        """
        band = drawing.band_of(words)
        rows = _rows(in_colours(self._set(words, band), self._palette))
        above, below = (band.top - WORDS.top) * _ROW, (band.foot - WORDS.top) * _ROW
        packer = self._packer.copy()
        lower = packer.compress(self._lower[:above] + rows + self._lower[below:])
        colours = bytes(self._palette.getpalette() or ())
        pixels = self._upper + lower + packer.flush()
        chunks = ((b"IHDR", _HEAD), (b"PLTE", colours), (b"IDAT", pixels), (b"IEND", b""))
        return _SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)

    def _set(self, words: Words, band: Band) -> Image.Image:
        """
        Return the rows of the cover that are in *band*, with *words*.
        """
        ground = self._ground.part(band)
        drawing.lay_words(ground, words, self._kind)
        return ground.image()


@lru_cache(maxsize=_KEPT)
def press(kind: Kind) -> Press:
    """
    Return the press for *kind*; the last few that were used are kept.
    """
    return Press(kind)


def _rows(image: Image.Image) -> bytes:
    pixels = image.tobytes()
    return b"".join(_UNFILTERED + pixels[start : start + WIDTH] for start in range(0, len(pixels), WIDTH))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
