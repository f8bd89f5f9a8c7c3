"""
The PNG container: its chunks walked, its text chunks read and replaced, nothing else touched.

A chunk is a length, a kind of four letters, the data and a CRC over kind and data (PNG, third edition, section 5).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lorebook.errors import FormatError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LARGEST_CHUNK = 64 * 1024 * 1024
"""Bytes; a card with all its rules is far below one of them."""

_TEXT = b"tEXt"
_END = b"IEND"


@dataclass(frozen=True)
class Chunk:
    """
    One chunk, its CRC checked.
    """

    kind: bytes
    data: bytes

    def packed(self) -> bytes:
        """
        Return the chunk as it stands in a file.
        """
        crc = zlib.crc32(self.kind + self.data)
        return len(self.data).to_bytes(4, "big") + self.kind + self.data + crc.to_bytes(4, "big")


def read_texts(data: bytes) -> Iterator[tuple[str, bytes]]:
    """
    Yield keyword and text of every `tEXt` chunk of the picture *data*, also of those that stand behind its end.

    Raises FormatError where the file is damaged.
    """
    for chunk in _walk(data)[0]:
        if chunk.kind == _TEXT:
            keyword, _, text = chunk.data.partition(b"\0")
            yield keyword.decode("latin-1"), text


def replace_texts(data: bytes, texts: Mapping[str, bytes]) -> bytes:
    """
    Return the picture *data* with the *texts*, by keyword, before its end and without older ones of these keywords.

    Raises FormatError where the file is damaged or a text is too long.
    """
    keywords = {keyword.lower() for keyword in texts}
    chunks, tail = _walk(data)
    kept = [chunk for chunk in chunks if not (chunk.kind == _TEXT and _keyword(chunk) in keywords)]
    end = next(place for place, chunk in enumerate(kept) if chunk.kind == _END)
    added = [Chunk(_TEXT, keyword.encode("latin-1") + b"\0" + text) for keyword, text in texts.items()]
    for chunk in added:
        if len(chunk.data) > LARGEST_CHUNK:
            raise FormatError(f"the text has {len(chunk.data)} bytes, more than a chunk may have ({LARGEST_CHUNK})")
    return SIGNATURE + b"".join(chunk.packed() for chunk in [*kept[:end], *added, *kept[end:]]) + tail


def _keyword(chunk: Chunk) -> str:
    return chunk.data.partition(b"\0")[0].decode("latin-1").lower()


def _walk(data: bytes) -> tuple[list[Chunk], bytes]:
    """
    Return the chunks of *data* and what follows the last of them.
    """
    if not data.startswith(SIGNATURE):
        raise FormatError("not a PNG picture: its first bytes are others")
    chunks: list[Chunk] = []
    place = len(SIGNATURE)
    ended = False
    while place < len(data):
        try:
            chunk = _chunk_at(data, place)
        except FormatError:
            # Behind its end a picture may carry anything.
            if ended:
                break
            raise
        chunks.append(chunk)
        ended = ended or chunk.kind == _END
        place += len(chunk.data) + 12
    if not ended:
        raise FormatError("the picture is cut off: its end (IEND) is missing")
    return chunks, data[place:]


def _chunk_at(data: bytes, place: int) -> Chunk:
    length = int.from_bytes(data[place : place + 4], "big")
    kind = data[place + 4 : place + 8]
    name = kind.decode("ascii", "replace")
    if len(kind) < len(_TEXT) or not kind.isalpha():
        raise FormatError(f"the picture is damaged: no chunk begins at byte {place}")
    if length > LARGEST_CHUNK:
        raise FormatError(f"the chunk {name} at byte {place} says it has {length} bytes; the limit is {LARGEST_CHUNK}")
    if place + length + 12 > len(data):
        raise FormatError(f"the picture is cut off: the chunk {name} at byte {place} says it has {length} bytes")
    chunk = Chunk(kind, data[place + 8 : place + 8 + length])
    if int.from_bytes(data[place + 8 + length : place + 12 + length], "big") != zlib.crc32(kind + chunk.data):
        raise FormatError(f"the picture is damaged: the checksum of the chunk {name} at byte {place} is wrong")
    return chunk
