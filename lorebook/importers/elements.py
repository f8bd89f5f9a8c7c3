"""
What every kind of markup comes down to: headings and pieces of text, in order, each with its lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from lorebook.scripts import UNSPACED

ITEM = re.compile(r"[-*•·▪●◦–]\s+\S|[①-⑳]\s*\S")
"""How an item of a list begins that has no rule's number."""

_APART = re.compile(rf"(?<![{UNSPACED}])[{UNSPACED}](?:\s+[{UNSPACED}])+(?![{UNSPACED}])")
_WIDE = re.compile(rf"[{UNSPACED}，。；：！？、“”（）《》「」]")


@dataclass(frozen=True, slots=True)
class Element:
    """
    A heading, or a piece of text that is not parted: a paragraph, an item of a list, a table.
    """

    text: str
    lines: tuple[int, ...]
    level: int = 0
    """Of a heading: 1 for the outermost; 0 for text."""
    tight: bool = False
    """Whether it stands on the next line of what precedes it, as an item of a list does."""
    anchors: tuple[str, ...] = ()
    """The names by which links point here."""
    links: tuple[str, ...] = ()
    """The names that links in it point to."""
    numbered: bool = True
    """Whether a number that it begins with may be a rule's: not that of code, or of a list's own counting."""
    term: str = ""
    """What it defines, where it is in a list of definitions."""


def join_lines(lines: list[str]) -> str:
    """
    Return wrapped *lines* as one: with a space between words, with nothing between Chinese characters.
    """
    if not lines:
        return ""
    seams = ("" if _WIDE.match(b[:1]) and _WIDE.match(a[-1:]) else " " for a, b in pairwise(lines))
    return lines[0] + "".join(seam + line for seam, line in zip(seams, lines[1:], strict=True))


def closed_up(title: str) -> str:
    """
    Return *title* with words that are set wide, `总　则`, as they are written elsewhere.
    """
    return _APART.sub(lambda found: "".join(found[0].split()), title)
