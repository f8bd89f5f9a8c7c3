"""
What the tests of formats share: a card with the smallest picture there is.
"""

from __future__ import annotations

import zlib

import pytest

from lorebook.formats import Card
from lorebook.formats.png import SIGNATURE, Chunk


@pytest.fixture(scope="session")
def card() -> Card:
    header = Chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0")
    pixel = Chunk(b"IDAT", zlib.compress(b"\0\0"))
    cover = SIGNATURE + b"".join(chunk.packed() for chunk in (header, pixel, Chunk(b"IEND", b"")))
    return Card(name="Mira Vell", cover=cover, first_mes="Mind the third step, {{user}}.")
