"""
Small pictures chunk by chunk, and what reading and replacing makes of them.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from lorebook.errors import FormatError
from lorebook.formats.containers.container import streamed
from lorebook.formats.containers.png import PNG
from lorebook.formats.notes import Notes

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def text(keyword: str, value: bytes) -> bytes:
    return chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + value)


def packed_text(keyword: str, value: bytes) -> bytes:
    return chunk(b"zTXt", keyword.encode("latin-1") + b"\0\0" + zlib.compress(value))


def international(keyword: str, value: bytes, *, packed: bool) -> bytes:
    head = keyword.encode("latin-1") + (b"\0\1\0" if packed else b"\0\0\0") + b"en\0Karte\0"
    return chunk(b"iTXt", head + (zlib.compress(value) if packed else value))


HEADER = chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0")
PIXEL = chunk(b"IDAT", zlib.compress(b"\0\0"))
END = chunk(b"IEND")


def picture(*chunks: bytes) -> bytes:
    return b"".join((SIGNATURE, HEADER, *chunks))


def opened(data: bytes) -> tuple[dict[str, bytes], list[str]]:
    notes = Notes()
    parts = dict(PNG.open(data, notes).parts)
    return parts, [str(note) for note in notes]


def replaced(data: bytes, **parts: bytes) -> bytes:
    return b"".join(streamed(PNG.open(data, Notes()).replaced(parts)))


def broken(whole: bytes) -> bytes:
    """
    Return a chunk with a wrong checksum.
    """
    return whole[:-1] + bytes([whole[-1] ^ 1])


def check(data: bytes) -> None:
    """
    Either *data* are refused, or mending them once is enough and loses no part.
    """
    notes = Notes()
    try:
        found = PNG.open(data, notes)
    except FormatError as error:
        assert error.what
        return
    mended = b"".join(streamed(found.replaced({})))
    after = Notes()
    again = PNG.open(mended, after)
    assert readable(again.parts) == readable(found.parts)
    assert b"".join(streamed(again.replaced({}))) == mended
    assert not [note for note in after if "checksum" in note.what or "cut off" in note.what]
    if not notes:
        assert mended == data


def readable(parts: Mapping[str, bytes]) -> dict[str, bytes | None]:
    found: dict[str, bytes | None] = {}
    for name in parts:
        try:
            found[name] = parts[name]
        except FormatError:
            found[name] = None
    return found
