"""
The numbers of rules, in whatever way a document or a question writes them: `702.19b`, `C.I.a`, `第三条`, `（二）`.

Two spellings are one number when their parts are the same: `第3条` is `第三条`, and `1.2(a)` is `1.2a`.
"""

from __future__ import annotations

import re
import unicodedata

DIGITS = "〇零一二三四五六七八九十百千两"
"""The characters of Chinese numerals, for use inside a character class."""

_VALUES = dict(zip("〇零一二三四五六七八九", [0, *range(10)], strict=True)) | {"两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_PART = re.compile(rf"[{DIGITS}]+|\d+|[^\W\d_{DIGITS}第条條章节節款项項编編部篇则則规規]+")
_CALLED = re.compile(r"(?:rule|article|section|chapter|part|appendix|§+)\s*(?=[\dA-Z])", re.IGNORECASE)
# What an outline's part may have of letters: `iii`, `xvii`, `b`; a longer run is a word.
_LONGEST = 8


def parts_of(number: str) -> tuple[str, ...]:
    """
    Return the parts of *number*, outermost first: `("702", "19", "b")`; none for what holds no number.
    """
    plain = unicodedata.normalize("NFKC", number)
    found = _PART.findall(_CALLED.sub("", plain, count=1).lower())
    return tuple(_plain(part) for part in found) if all(len(part) <= _LONGEST for part in found) else ()


def _plain(part: str) -> str:
    if part.isdecimal():
        return part.lstrip("0") or "0"
    value = value_of(part)
    return part if value is None else str(value)


def value_of(numeral: str) -> int | None:
    """
    Return the value of a Chinese numeral below ten thousand, or None for what is none; `二〇` is read digit by digit.
    """
    if not numeral or any(sign not in _VALUES and sign not in _UNITS for sign in numeral):
        return None
    if not any(sign in _UNITS for sign in numeral):
        return int("".join(str(_VALUES[sign]) for sign in numeral))
    total, digit = 0, 0
    for sign in numeral:
        if sign in _UNITS:
            total += (digit or 1) * _UNITS[sign]
            digit = 0
        else:
            digit = _VALUES[sign]
    return total + digit
