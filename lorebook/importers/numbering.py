"""
Outline numbers: which level a marker such as `I.`, `a.` or `3.` belongs to.

A marker alone is ambiguous: `C.` may be a letter or a Roman hundred, `i.` the ninth letter or the first
numeral. What came before decides: the reading that continues a list wins over one that opens a new list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from lorebook.rulenumbers import ROMAN, roman

_MARKER = re.compile(r"(?P<marker>[A-Z]|[IVXLC]{2,7}|[a-z]|[ivxlc]{2,7}|\d{1,3})[.)](?:\s*(?P<rest>\S.*))?")


class Style(StrEnum):
    """
    How the headings of one level are marked.
    """

    UPPER = "A."
    ROMAN = "I."
    LOWER = "a."
    LOWER_ROMAN = "i."
    ARABIC = "1."
    BARE = "unnumbered"
    LABEL = "in parentheses"


@dataclass(frozen=True)
class Marker:
    """
    One way to read a marker: the style it may have and its place in that style.
    """

    style: Style
    value: int


def split(text: str) -> tuple[str, str] | None:
    """
    Return the marker that *text* begins with and what follows it, or None.

    A single letter needs a space or a capital behind its point: `e.g.` and `i.e.` are no headings.
    """
    found = _MARKER.fullmatch(text)
    if not found or not found["rest"]:
        return None
    spaced = text[len(found["marker"]) + 1].isspace()
    if not spaced and not (found["rest"][0].isupper() and not found["marker"].islower()):
        return None
    # `U.S. cards` and `J.R.R.` are initials, not headings.
    return None if re.match(r"[A-Z]\.", found["rest"]) and not spaced else (found["marker"], found["rest"])


def readings(marker: str) -> tuple[Marker, ...]:
    """
    Return every way to read *marker*.
    """
    if marker.isdecimal():
        return (Marker(Style.ARABIC, int(marker)),)
    found = []
    small = marker.lower()
    upper = marker.isupper()
    if ROMAN.fullmatch(small):
        found.append(Marker(Style.ROMAN if upper else Style.LOWER_ROMAN, roman(small)))
    if len(marker) == 1:
        found.append(Marker(Style.UPPER if upper else Style.LOWER, ord(small) - ord("a") + 1))
    return tuple(found)
