"""
What every container is: a file with named parts in it, which can be replaced while all else stays as it is.

A container knows nothing of what its parts say. Files may be large and are then read where they are looked at: a
container reads what it needs, and gives a file back in segments, so that nobody has to hold it whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from mmap import mmap
from typing import Protocol, TypeAlias

from lorebook.formats.notes import Notes
from lorebook.reading import LargeFile

Held: TypeAlias = bytes | mmap
"""A whole file that can be looked at through `memoryview`."""
Data: TypeAlias = Held | LargeFile
"""A whole file. All kinds slice to `bytes` (a copy)."""

LARGEST_PART = 64 * 1024 * 1024
"""Bytes of one part, unpacked; a card with a thousand long entries has a few."""
_STEP = 1024**2


@dataclass(frozen=True)
class Stretch:
    """
    Bytes of a large file, read when they are written elsewhere.
    """

    file: LargeFile
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def __iter__(self) -> Iterator[bytes]:
        for place in range(self.start, self.stop, _STEP):
            yield self.file[place : min(place + _STEP, self.stop)]


Segment: TypeAlias = bytes | memoryview | Stretch
Segments: TypeAlias = tuple[Segment, ...]
"""A whole file in pieces, in order."""
Pieces: TypeAlias = tuple[bytes | memoryview, ...]
"""Segments that are all in memory."""


def held(data: Data) -> Held:
    """
    Return *data* for somebody who looks at all of it: a large file in memory, a very large one mapped into it.
    """
    if not isinstance(data, LargeFile):
        return data
    return data[:] if len(data) <= LARGEST_PART else data.mapped()


def stretch(data: Data, start: int, stop: int | None = None) -> Segment:
    """
    Return what *data* has from *start* to *stop* or the end, not read or copied.
    """
    first, last, _ = slice(start, stop).indices(len(data))
    return Stretch(data, first, max(first, last)) if isinstance(data, LargeFile) else memoryview(data)[first:last]


def streamed(segments: Iterable[Segment]) -> Iterator[bytes | memoryview]:
    """
    Yield the bytes of *segments*.
    """
    for segment in segments:
        if isinstance(segment, Stretch):
            yield from segment
        else:
            yield segment


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

    def build(self, parts: Mapping[str, bytes], picture: bytes) -> Pieces:
        """
        Return a new file with *parts* in it, and *picture* (a PNG) where such a file shows one.
        """
        ...
