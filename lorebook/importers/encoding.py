"""
Which encoding a text is in: UTF-8, UTF-16, and the two old ones of Chinese documents, GB18030 and Big5.

UTF-8 is what decodes as UTF-8. A text that does not is Chinese where it decodes without a fault and most of what comes
out are everyday characters; everything else is refused, with the line on which it stops being UTF-8.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from lorebook.errors import DocumentError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OLD = {"gb18030": "GB18030", "big5hkscs": "Big5"}
# The commonest characters of running text in both ways of writing: they are a fifth of any page.
_EVERYDAY = re.compile(
    "[的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得"
    "这個國時来們對會發動說產種後學經過為與從點無場長現見間關戰擊張卡牌回合手效果怪獸召唤喚。，、；：？！]"
)
_LETTER = re.compile(r"[^\W\d_]")
_ENOUGH = 0.12
_SAMPLE = 200_000


class Decoded(NamedTuple):
    """
    The text of a document, and the name of its encoding where that is not UTF-8.
    """

    text: str
    encoding: str | None = None


def decode(data: bytes, *, where: str) -> Decoded:
    """
    Return the text in *data*, without a byte order mark.

    Raises DocumentError, naming *where*, for what is no text or in none of the encodings.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data, encoding, where)
    if wide := _wide(data):
        return _marked(data, wide, where)
    if b"\0" in data:
        raise DocumentError("the file is binary, not text", where=where, hint="save it as UTF-8 text")
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return _chinese(data) or _refuse(data, error, where)


def _marked(data: bytes, encoding: str, where: str) -> Decoded:
    name = encoding.removesuffix("-sig").upper()
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        what = f"the file begins as {name} and then is not" if name != "UTF-8" else _not_utf8(data, error)
        raise DocumentError(what, where=where, hint="save it as UTF-8") from error
    if "\0" in text:
        raise DocumentError("the file is binary, not text", where=where, hint="save it as UTF-8 text")
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


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _chinese(data: bytes) -> Decoded | None:
    found = []
    for codec, name in _OLD.items():
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        sample = text[:_SAMPLE]
        foreign = "".join(sign for sign in sample if not sign.isascii())
        letters = len(_LETTER.findall(foreign))
        share = len(_EVERYDAY.findall(foreign)) / len(foreign)
        if letters and share >= _ENOUGH:
            found.append((share, Decoded(text, name)))
    return max(found, key=lambda item: item[0])[1] if found else None


def _refuse(data: bytes, error: UnicodeDecodeError, where: str) -> Decoded:
    raise DocumentError(_not_utf8(data, error), where=where, hint="save it as UTF-8") from error


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    line = data[: error.start].count(b"\n") + 1
    return f"line {line} is not UTF-8 text"
