"""
Which encoding a document is in: UTF-8, UTF-16, the two old ones of Chinese, GB18030 and Big5, and Windows-1252.

UTF-8 is what decodes as UTF-8. Windows-1252 is English with the quotation marks and dashes of a word processor, and a
few accents. What is none of them is refused, with the line on which UTF-8 ends.
"""

from __future__ import annotations

import re

from lorebook.encodings import Decoded, chinese, is_damaged_utf8, marked
from lorebook.errors import DocumentError

_SAMPLE = 200_000
# What English is printed with beside ASCII: quotation marks, dashes, signs; accents inside words.
_TYPOGRAPHIC = re.compile("[‘’‚“”„–—…•·©®™°½¼¾×÷±§¶«»€£¥\u00a0\u00ad]|(?<=[A-Za-z])[à-öø-ÿ]|[À-ÖØ-öø-ÿ](?=[a-z])")
_FEW_RARE = 0.12
_SAVE = "save it as UTF-8 text"
# How pictures and archives begin: PNG, JPEG, WebP, zip.
_CARDS = (b"\x89PNG", b"\xff\xd8\xff", b"RIFF", b"PK\x03\x04")


def decode(data: bytes, *, where: str) -> Decoded:
    """
    Return the text in *data*, without a byte order mark.

    Raises DocumentError, naming *where*, for what is no text or in none of the encodings.
    """
    if wide := marked(data) or _wide(data):
        return _marked(data, wide, where)
    if b"\0" in data:
        hint = "`lorebook inspect` and `lorebook match --book` read cards" if data.startswith(_CARDS) else _SAVE
        raise DocumentError("the file is binary, not text", where=where, hint=hint)
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return chinese(data) or _western(data) or _refuse(data, error, where)


def _marked(data: bytes, encoding: str, where: str) -> Decoded:
    name = encoding.removesuffix("-sig").upper()
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        what = f"the file begins as {name} and then is not" if name != "UTF-8" else _not_utf8(data, error)
        raise DocumentError(what, where=where, hint="save it as UTF-8") from error
    if "\0" in text:
        raise DocumentError("the file is binary, not text", where=where, hint=_SAVE)
    return Decoded(text, None if name == "UTF-8" else name)


def _wide(data: bytes) -> str | None:
    """Return the UTF-16 that *data* is in without saying so: every second byte of its line breaks and spaces is 0."""
    sample = data[:_SAMPLE]
    if len(data) % 2 or not sample.count(0):
        return None
    # What is UTF-8 as well is UTF-16 only where that makes letters of it: Western text, of which half is zeros.
    least = len(sample) // 4 if _is_utf8(data) else len(sample) // 20
    for encoding, zero in (("utf-16-le", 1), ("utf-16-be", 0)):
        if sample[zero::2].count(0) > least and not sample[1 - zero :: 2].count(0):
            return encoding
    return None


def _western(data: bytes) -> Decoded | None:
    """Return the English text that a word processor saved in Windows-1252; None for any other."""
    rare = sum(sign > 127 for sign in data)  # noqa: PLR2004 (the last sign of ASCII)
    if rare > _FEW_RARE * len(data) or is_damaged_utf8(data):
        return None
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    return Decoded(text, "Windows-1252") if len(_TYPOGRAPHIC.findall(text)) == rare else None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _refuse(data: bytes, error: UnicodeDecodeError, where: str) -> Decoded:
    raise DocumentError(_not_utf8(data, error), where=where, hint="save it as UTF-8") from error


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    line = data[: error.start].count(b"\n") + 1
    return f"line {line} is not UTF-8 text"
