"""
The comment in Exif data: found in its TIFF, cleaned, put back.

Exif is a TIFF: a byte order, then directories of entries of twelve bytes. The comment (UserComment, tag 0x9286) is in
the Exif directory, which an entry of the first directory points to (Exif 2.32, sections 4.6.2 and 4.6.5).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lorebook.errors import FormatError

ByteOrder: TypeAlias = Literal["little", "big"]

EXIF_MARK = b"Exif\0\0"
"""Stands before the TIFF in JPEG, and out of habit in other pictures."""

_ORDERS: dict[bytes, ByteOrder] = {b"II*\0": "little", b"MM\0*": "big"}
_EXIF_DIRECTORY = 0x8769
_USER_COMMENT = 0x9286
_ENTRY = 12
_LONG, _UNDEFINED = 4, 7
_OF_ONE_BYTE = (1, 2, 6, _UNDEFINED)
_INLINE = 4
"""A value that is no longer stands in its entry."""

_ASCII, _UNICODE, _JIS = b"ASCII\0\0\0", b"UNICODE\0", b"JIS\0\0\0\0\0"
_DECIMAL = re.compile(rb"\d+")


@dataclass(frozen=True)
class Comment:
    """
    Where a TIFF has its comment, in bytes from the TIFF's start.
    """

    order: ByteOrder
    entry: int
    start: int
    end: int


def find_comment(tiff: memoryview) -> Comment | None:
    """
    Return where the comment is, or None where there is none or *tiff* is not one.
    """
    order = _ORDERS.get(bytes(tiff[:4]))
    if order is None:
        return None
    pointer = _find_entry(tiff, _number(tiff, 4, 4, order), _EXIF_DIRECTORY, order)
    if pointer is None:
        return None
    entry = _find_entry(tiff, _number(tiff, pointer + 8, 4, order), _USER_COMMENT, order)
    if entry is None or _number(tiff, entry + 2, 2, order) not in _OF_ONE_BYTE:
        return None
    size = _number(tiff, entry + 4, 4, order)
    start = entry + 8 if size <= _INLINE else min(_number(tiff, entry + 8, 4, order), len(tiff))
    return Comment(order, entry, start, min(start + size, len(tiff)))


def clean_comment(value: bytes) -> bytes:
    """
    Return the text of a comment: without the name of its encoding and padding, UTF-16 as UTF-8, decimals as bytes.
    """
    return _from_decimals(bare_comment(value))


def bare_comment(value: bytes) -> bytes:
    """
    Return what is left of a comment without the name of its encoding and the NULs around it.
    """
    text = value.lstrip(b"\0")
    if text.startswith(_UNICODE):
        return _from_utf16(text.removeprefix(_UNICODE)).strip(b"\0")
    return text.removeprefix(_JIS).removeprefix(_ASCII).strip(b"\0")


def replace_comment(tiff: bytes, text: bytes) -> bytes:
    """
    Return *tiff*, which has a comment, with *text* as its comment; all other tags stay where they are.

    A comment that is the last thing in the file makes room for the new one, else the new one is appended.
    """
    with memoryview(tiff) as view:
        old = find_comment(view)
    if old is None:
        raise FormatError("the picture's Exif data have no comment that could be replaced")
    bases = [tiff + b"\0" * (len(tiff) % 2)]
    if old.end == len(tiff):
        bases.insert(0, tiff[: old.start])
    for base in bases:
        patched = _with_value(base, old, _packed(text))
        # Directories that overlap can make the new value unreachable.
        if _comment_of(patched) == text:
            return patched
    raise FormatError("the picture's Exif data are too tangled to replace their comment")


def smallest_tiff(text: bytes) -> bytes:
    """
    Return a TIFF with nothing but the comment *text* in it.
    """
    value = _packed(text)
    first, exif, start = 8, 26, 44
    return b"".join(
        (
            b"II*\0" + first.to_bytes(4, "little"),
            _directory(_EXIF_DIRECTORY, _LONG, 1, exif),
            _directory(_USER_COMMENT, _UNDEFINED, len(value), start),
            value,
        )
    )


def _directory(tag: int, kind: int, size: int, value: int) -> bytes:
    return b"\1\0" + _entry(tag, kind, size, value, "little") + bytes(4)


def _entry(tag: int, kind: int, size: int, value: int, order: ByteOrder) -> bytes:
    fields = ((tag, 2), (kind, 2), (size, 4), (value, 4))
    return b"".join(number.to_bytes(width, order) for number, width in fields)


def _find_entry(tiff: memoryview, directory: int, tag: int, order: ByteOrder) -> int | None:
    first = directory + 2
    after = min(first + _ENTRY * _number(tiff, directory, 2, order), len(tiff) - _ENTRY + 1)
    places = range(first, after, _ENTRY)
    return next((place for place in places if _number(tiff, place, 2, order) == tag), None)


def _number(tiff: memoryview, place: int, width: int, order: ByteOrder) -> int:
    return int.from_bytes(tiff[place : place + width], order)


def _with_value(base: bytes, old: Comment, value: bytes) -> bytes:
    patched = bytearray(base + value)
    patched[old.entry : old.entry + _ENTRY] = _entry(_USER_COMMENT, _UNDEFINED, len(value), len(base), old.order)
    return bytes(patched)


def _comment_of(tiff: bytes) -> bytes | None:
    with memoryview(tiff) as view:
        found = find_comment(view)
    return None if found is None else clean_comment(tiff[found.start : found.end])


def _packed(text: bytes) -> bytes:
    value = _ASCII + text
    if not text or clean_comment(value) != text:
        raise FormatError(
            "a text that is empty, begins or ends with NUL or is a list of numbers cannot be an Exif comment"
        )
    return value


def _from_decimals(text: bytes) -> bytes:
    """
    Return the bytes that *text* lists as decimals with commas between, as TavernAI does, or else *text*.

    Brackets around them make it a list of JSON.
    """
    bare = text.strip().removeprefix(b"[").removesuffix(b"]")
    if b"," not in bare or bare.translate(None, b"0123456789, \r\n"):
        return text
    try:
        return bytes(int(number[0]) for number in _DECIMAL.finditer(bare)) or text
    except ValueError:
        return text


def _from_utf16(text: bytes) -> bytes:
    """
    Return *text* as UTF-8; the byte order shows in a mark or in the NUL beside the first letter, which is of ASCII.
    """
    for start, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\0", "utf-16-be")):
        if text.startswith(start):
            return _decoded(text, encoding)
    return _decoded(text, "utf-16-le") if text[1:2] == b"\0" else text


def _decoded(text: bytes, encoding: str) -> bytes:
    # An odd byte at the end is padding.
    whole = text[: len(text) // 2 * 2]
    return whole.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")
