"""
What chunks of a PNG picture say: texts, plain and packed, and the comment in Exif data.

PNG, third edition, section 11.3.3: a keyword, NUL, and the text; zTXt packs it with zlib, iTXt may.
"""

from __future__ import annotations

import zlib

from lorebook.errors import FormatError
from lorebook.formats.containers.container import LARGEST_PART, Held, Pieces
from lorebook.formats.containers.png_chunks import (
    EXIF,
    INTERNATIONAL_TEXT,
    PACKED_TEXT,
    TEXT,
    Chunk,
    pack,
)
from lorebook.formats.containers.tiff import (
    EXIF_MARK,
    bare_comment,
    clean_comment,
    find_comment,
    replace_comment,
    smallest_tiff,
)

_LONGEST_KEYWORD = 79


def keyword_of(data: Held, chunk: Chunk) -> bytes | None:
    """
    Return the keyword of a text chunk as it is spelt, or None where it has none.
    """
    after = chunk.body + min(chunk.length, _LONGEST_KEYWORD + 1)
    nul = data.find(b"\0", chunk.body, after)
    return data[chunk.body : nul] if nul > chunk.body else None


def has_comment(data: Held, chunk: Chunk) -> bool:
    """
    Whether the Exif data in *chunk* have a comment with a text.
    """
    span = _comment_span(data, chunk)
    return span is not None and bare_comment(data[span[0] : min(span[1], span[0] + LARGEST_PART)]) != b""


def read(data: Held, chunk: Chunk, limit: int | None = None) -> bytes:
    """
    Return the text of *chunk*, unpacked.

    Raises FormatError where it has more than *limit* bytes (`LARGEST_PART` unless told) or cannot be unpacked.
    """
    most = LARGEST_PART if limit is None else limit
    start, after, packed = _text_span(data, chunk)
    if after - start > most:
        raise FormatError(f"the text has {after - start} bytes; the limit is {most}", where=chunk.where)
    text = data[start:after]
    if packed:
        return _inflate(text, chunk, most)
    return clean_comment(text) if chunk.kind == EXIF else text


def rewrite(data: Held, chunk: Chunk, text: bytes) -> Pieces:
    """
    Return *chunk* with *text* as its text: plain, whatever it was, under the keyword as it was spelt.
    """
    _refuse_large(text)
    if chunk.kind != EXIF:
        return pack(TEXT, (keyword_of(data, chunk) or b"") + b"\0", text)
    if chunk.length > LARGEST_PART:
        raise FormatError(f"Exif data of {chunk.length} bytes are too large to be rewritten", where=chunk.where)
    mark, tiff = _split(data[chunk.body : chunk.body + chunk.length])
    return pack(EXIF, mark + replace_comment(tiff, text))


def new_text(keyword: str, text: bytes) -> Pieces:
    """
    Return a new text chunk.
    """
    _refuse_large(text)
    try:
        spelt = keyword.encode("latin-1")
    except UnicodeEncodeError as error:
        raise FormatError(f"the keyword {keyword!r} is not in Latin-1") from error
    if not 0 < len(spelt) <= _LONGEST_KEYWORD or b"\0" in spelt:
        raise FormatError(f"a keyword has 1 to {_LONGEST_KEYWORD} letters and no NUL, not {keyword!r}")
    return pack(TEXT, spelt + b"\0", text)


def new_exif(text: bytes) -> Pieces:
    """
    Return a new chunk of Exif data with *text* as its comment.
    """
    _refuse_large(text)
    return pack(EXIF, smallest_tiff(text))


def _text_span(data: Held, chunk: Chunk) -> tuple[int, int, bool]:
    """
    Return where the text of *chunk* begins and ends, and whether it is packed.
    """
    after = chunk.body + chunk.length
    if chunk.kind == EXIF:
        start, end = _comment_span(data, chunk) or (after, after)
        return start, end, False
    start = chunk.body + len(keyword_of(data, chunk) or b"") + 1
    if chunk.kind == PACKED_TEXT:
        _refuse_method(data[start : min(start + 1, after)], chunk)
        return start + 1, max(start + 1, after), True
    if chunk.kind == INTERNATIONAL_TEXT:
        return _international_span(data, chunk, start)
    return start, after, False


def _international_span(data: Held, chunk: Chunk, start: int) -> tuple[int, int, bool]:
    after = chunk.body + chunk.length
    # Behind the keyword: whether it is packed, how, a language and NUL, the keyword in that language and NUL.
    language = data.find(b"\0", start + 2, after)
    keyword = data.find(b"\0", language + 1, after) if language >= 0 else -1
    if keyword < 0:
        raise FormatError("the text ends before it begins", where=chunk.where)
    packed = data[start] != 0
    if packed:
        _refuse_method(data[start + 1 : start + 2], chunk)
    return keyword + 1, after, packed


def _refuse_method(method: bytes, chunk: Chunk) -> None:
    if method != b"\0":
        raise FormatError("the text is packed in a way that PNG does not know", where=chunk.where)


def _refuse_large(text: bytes) -> None:
    if len(text) > LARGEST_PART:
        raise FormatError(f"the text has {len(text)} bytes; the limit is {LARGEST_PART}")


def _inflate(packed: bytes, chunk: Chunk, most: int) -> bytes:
    stream = zlib.decompressobj()
    try:
        text = stream.decompress(packed, most + 1)
    except zlib.error as error:
        bare = _inflate_bare(packed, most)
        if bare is None:
            raise FormatError("the packed text is damaged", where=chunk.where) from error
        return bare
    if len(text) > most:
        raise FormatError(f"the text unpacks to more than the limit of {most} bytes", where=chunk.where)
    if chunk.whole and not stream.eof:
        raise FormatError("the packed text ends too early", where=chunk.where)
    return text


def _inflate_bare(packed: bytes, most: int) -> bytes | None:
    """
    Return what is in a text packed without the head and checksum of zlib, which some writers forget; None for others.
    """
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = stream.decompress(packed, most)
    except zlib.error:
        return None
    return text if stream.eof else None


def _comment_span(data: Held, chunk: Chunk) -> tuple[int, int] | None:
    start = chunk.body + (len(EXIF_MARK) if data[chunk.body : chunk.body + len(EXIF_MARK)] == EXIF_MARK else 0)
    after = max(start, chunk.body + chunk.length)
    with memoryview(data) as view, view[start:after] as tiff:
        found = find_comment(tiff)
    return None if found is None else (start + found.start, start + found.end)


def _split(exif: bytes) -> tuple[bytes, bytes]:
    tiff = exif.removeprefix(EXIF_MARK)
    return exif[: len(exif) - len(tiff)], tiff
