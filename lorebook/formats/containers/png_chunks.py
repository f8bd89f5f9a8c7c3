"""
The chunks of a PNG picture: walked by their heads, checked, mended, packed.

A chunk is a length, a kind of four letters, the data and a CRC over kind and data (PNG, third edition, section 5).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from lorebook.errors import FormatError
from lorebook.formats.containers.container import Held, Pieces
from lorebook.formats.notes import Notes

SIGNATURE = b"\x89PNG\r\n\x1a\n"
TEXT, PACKED_TEXT, INTERNATIONAL_TEXT = b"tEXt", b"zTXt", b"iTXt"
TEXTS = (TEXT, PACKED_TEXT, INTERNATIONAL_TEXT)
EXIF, PIXELS, END = b"eXIf", b"IDAT", b"IEND"

MOST_CHUNKS = 100_000
"""A picture of 200 MB in pieces of 8 kB has a quarter of that."""
_LONGEST = 2**31 - 1
"""Bytes of data in a chunk, by the specification."""
_HEAD, _CRC = 8, 4


@dataclass(frozen=True)
class Chunk:
    """
    Where one chunk stands in the file.
    """

    kind: bytes
    start: int
    end: int
    """The byte behind it; the file's end where the file is cut off within it."""
    length: int
    """Bytes of its data that are there."""
    whole: bool
    sound: bool
    """Whether it is whole and its checksum is right."""

    @property
    def body(self) -> int:
        """
        Where its data begin.
        """
        return self.start + _HEAD

    @property
    def where(self) -> str:
        """
        Its kind and place, for people.
        """
        return f"chunk {self.kind.decode('ascii')} at byte {self.start}"


@dataclass(frozen=True)
class Layout:
    """
    A picture's chunks.
    """

    chunks: tuple[Chunk, ...]
    ended: bool
    end: int
    """Where IEND begins, or has to be put."""
    stump: int = 0
    """Bytes there that are the beginning of an IEND which is cut off."""

    @property
    def pixels(self) -> int:
        """
        Where the first pixels begin, or those that are missing would.
        """
        return next((chunk.start for chunk in self.chunks if chunk.kind == PIXELS), self.end)


@dataclass(frozen=True)
class Edit:
    """
    What stands in place of the bytes from *start* up to *end*.
    """

    start: int
    end: int
    segments: Pieces


def walk(data: Held, notes: Notes) -> Layout:
    """
    Return the chunks of *data*, also the texts that stand behind its end; damage is noted.

    Raises FormatError where the chain of chunks breaks.
    """
    if data[: len(SIGNATURE)] != SIGNATURE:
        raise FormatError("not a PNG picture: its first bytes are others")
    chunks: list[Chunk] = []
    end: int | None = None
    place = len(SIGNATURE)
    with memoryview(data) as view:
        while (chunk := _chunk_at(view, place)) and (end is None or _belongs(chunk)):
            if len(chunks) == MOST_CHUNKS:
                raise FormatError(f"more than {MOST_CHUNKS} chunks", where=f"byte {place}")
            _note(chunk, notes, behind=end is not None)
            chunks.append(chunk)
            if end is None and chunk.kind == END:
                end = chunk.start
            place = chunk.end
        if end is None:
            _refuse_rubbish(view, place)
            notes.add("", "the picture's end (IEND) is missing; the file seems to be cut off", cut=True)
    stump = len(data) - place if end is None and b"".join(pack(END)).startswith(data[place:]) else 0
    return Layout(tuple(chunks), end is not None, place if end is None else end, stump)


def pack(kind: bytes, *pieces: bytes | memoryview) -> Pieces:
    """
    Return a chunk with *pieces* one after another as its data.
    """
    size, crc = 0, zlib.crc32(kind)
    for piece in pieces:
        size, crc = size + len(piece), zlib.crc32(piece, crc)
    return (size.to_bytes(4, "big") + kind, *pieces, crc.to_bytes(_CRC, "big"))


def splice(data: Held, edits: Iterable[Edit]) -> Pieces:
    """
    Return *data* with *edits* applied; what they leave alone is looked at, not copied.

    Edits at the same byte are applied in their order, those that put something in before those that take away.
    """
    view = memoryview(data)
    segments: list[bytes | memoryview] = []
    kept = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        segments += [view[kept : edit.start], *edit.segments]
        kept = edit.end
    return tuple(segment for segment in (*segments, view[kept:]) if len(segment))


def _chunk_at(view: memoryview, place: int) -> Chunk | None:
    length = int.from_bytes(view[place : place + 4], "big")
    kind = bytes(view[place + 4 : place + _HEAD])
    if len(kind) < len(END) or not kind.isalpha() or length > _LONGEST:
        return None
    after = place + _HEAD + length
    whole = after + _CRC <= len(view)
    sound = whole and zlib.crc32(view[place + 4 : after]) == int.from_bytes(view[after : after + _CRC], "big")
    there = min(length, len(view) - place - _HEAD)
    return Chunk(kind, place, min(after + _CRC, len(view)), there, whole, sound)


def _belongs(chunk: Chunk) -> bool:
    """
    Whether a chunk behind the end is one: anything may stand there, and look a little like chunks.
    """
    return chunk.kind in TEXTS or chunk.sound


def _note(chunk: Chunk, notes: Notes, *, behind: bool) -> None:
    if behind and chunk.kind in TEXTS:
        notes.add(chunk.where, "a text behind the picture's end, where most programs do not look")
    if not chunk.whole:
        notes.add(chunk.where, f"the file is cut off within it, after {chunk.length} bytes of its data", cut=True)
    elif not chunk.sound:
        notes.add(chunk.where, "its checksum is wrong")


def _refuse_rubbish(view: memoryview, place: int) -> None:
    """
    Raise FormatError unless what stands at *place* is too short for a chunk.
    """
    head = bytes(view[place : place + _HEAD])
    if len(head) < _HEAD:
        return
    if head[4:].isalpha():
        size = int.from_bytes(head[:4], "big")
        raise FormatError(
            f"the chunk {head[4:].decode('ascii')} says it has {size} bytes; the most are {_LONGEST}",
            where=f"byte {place}",
        )
    raise FormatError("the picture is damaged: no chunk begins here", where=f"byte {place}")
