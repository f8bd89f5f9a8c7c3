"""
What every container is: a file with named parts in it, which can be replaced while all else stays as it is.

A container knows nothing of what its parts say. Files may be large and are then mapped into memory: a container
reads what it needs, and gives a file back in segments, so that nobody has to hold it whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from mmap import mmap
from typing import Protocol, TypeAlias

from lorebook.formats.notes import Notes

Data: TypeAlias = bytes | mmap
"""A whole file. Both kinds slice to `bytes` (a copy) and can be looked at without one through `memoryview`."""
Segments: TypeAlias = tuple[bytes | memoryview, ...]
"""A whole file in pieces, in order."""

LARGEST_PART = 64 * 1024 * 1024
"""Bytes of one part, unpacked; a card with a thousand long entries has a few."""


class Opened(Protocol):
    """
    A file that its container has opened.
    """

    @property
    def parts(self) -> Mapping[str, bytes]:
        """
        The parts by name, in the file's order; each is read (and unpacked) when it is asked for.

        Asking raises FormatError where a part is damaged beyond mending or larger than `LARGEST_PART`.
        """
        ...

    def replaced(self, parts: Mapping[str, bytes]) -> Segments:
        """
        Return the file with *parts* in place of those of the same name; new names are added.

        Everything else stays byte for byte where it was, except that noted damage is mended. Without *parts* and
        without damage it is the file itself.
        """
        ...


class Container(Protocol):
    """
    One kind of file with parts in it.
    """

    name: str

    def claims(self, data: Data) -> str | None:
        """
        Say by which mark *data* is such a file, or None; looks at few bytes and never raises.
        """
        ...

    def open(self, data: Data, notes: Notes) -> Opened:
        """
        Open *data*, mending what can be mended and noting it in *notes*.

        Raises FormatError, with the byte, for what cannot be read.
        """
        ...

    def build(self, parts: Mapping[str, bytes], picture: bytes) -> Segments:
        """
        Return a new file with *parts* in it, and *picture* (a PNG) where such a file shows one.
        """
        ...
