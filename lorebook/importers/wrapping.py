"""
Whether a line of plain text goes on with the sentence or paragraph of the line above it.

An editor breaks a line where the next word would not fit, so in a text of which most lines are as full as its widest
allows, a full line goes on. Where nothing shows that, only the words tell: a small letter or a comma begins no
sentence, and `of the` ends none. In a PDF letters are of many widths, so there the gaps between lines tell instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lorebook.importers.document import Document, TextLine
from lorebook.importers.elements import join_lines
from lorebook.scripts import UNSPACED

_ENDS = re.compile(r".*[.!?:;。！？：；…][”\"'’」』)）\]】]*")
_GOES_ON = re.compile(r"[a-z(（\[【,，、;；。：:]|但|且|或|并且|而且|以及|则|否则")
_LEFT_OPEN = re.compile(r"(?:.*\s(?:an?|and|at|by|for|from|in|of|on|or|the|to|with)|.*[的或与及且是于被时時])")
_WIDE = re.compile(rf"[{UNSPACED}\u3000-\u303f\uff01-\uff60]")
_SMALL = re.compile(r"[a-z]")
# No editor wraps wider; a longer line is a paragraph.
_WIDEST = 132
_FEW, _SHARE, _SHARE_OPEN = 4, 0.4, 0.2


def ends(text: str) -> bool:
    """
    Tell whether *text* ends as a sentence, or the part of one before a list, does.
    """
    return _ENDS.fullmatch(text) is not None


def is_left_open(text: str) -> bool:
    """
    Tell whether *text* stops at a word that wants another.
    """
    return _LEFT_OPEN.fullmatch(text) is not None


def begins_small(text: str) -> bool:
    """
    Tell whether *text* begins as no sentence does: with a small letter, a bracket, a comma, `但`.
    """
    return _GOES_ON.match(text) is not None


def is_long(text: str) -> bool:
    """
    Tell whether *text* is longer than a line of wrapped text, so that it is a paragraph.
    """
    return len(text) > _WIDEST


@dataclass(frozen=True)
class Wrapping:
    """
    How the lines of a text are broken.
    """

    width: int | None
    """Columns to which its lines are filled; None where they are not."""
    is_wrapped: bool
    """Whether many lines are only a part of their paragraph."""
    columns: tuple[int, ...] = ()
    """The width of every line, by its number less one; empty where there is no width."""
    lines: tuple[str, ...] = ()

    @classmethod
    def of(cls, document: Document) -> Wrapping:
        """
        Return how the lines of *document* are broken.
        """
        pairs = [(one, other) for one, other in pairwise(document.spoken) if one.number + 1 == other.number]
        going = sum(not ends(one.text) and _SMALL.match(other.text) is not None for one, other in pairs)
        is_open = going > _SHARE_OPEN * len(document.spoken)
        columns = tuple(_columns(line.rstrip()) for line in document.lines)
        width = max((columns[one.number - 1] for one, _ in pairs), default=0)
        full = sum(_is_full(columns[one.number - 1], other.text, width) for one, other in pairs)
        if width > _WIDEST or full < max(_FEW, _SHARE * len(pairs)):
            return cls(None, is_open, (), document.lines)
        return cls(width, True, columns, document.lines)

    def goes_on(self, before: TextLine, line: TextLine) -> bool:
        """
        Tell whether *line* goes on with what the line *before* it says.
        """
        if before.number + 1 != line.number:
            return False
        if not ends(before.text) and (begins_small(line.text) or is_left_open(before.text)):
            return True
        return self.width is not None and _is_full(self.columns[before.number - 1], line.text, self.width)

    def parts(self, before: TextLine, line: TextLine) -> bool:
        """
        Tell whether a paragraph ends with the line *before* and *line* begins another.
        """
        return (ends(before.text) or is_long(before.text)) and not self.goes_on(before, line)

    def indent(self, line: TextLine) -> int:
        """
        Return how many signs of white space *line* begins with.
        """
        whole = self.lines[line.number - 1]
        return len(whole) - len(whole.lstrip())

    def joined(self, lines: Sequence[TextLine]) -> str:
        """
        Return *lines* as one text in which lines that go on with each other are one.
        """
        rows: list[list[str]] = []
        for before, line in zip([None, *lines], lines, strict=False):
            if before is not None and self.goes_on(before, line):
                rows[-1].append(line.text)
            else:
                rows.append([line.text])
        return "\n".join(map(join_lines, rows))


def _is_full(columns: int, after: str, width: int) -> bool:
    """Tell whether a line of *columns* has no room for the first word of the line *after* it."""
    # Of Chinese, a character and the comma behind it move to the next line together.
    word = 4 if _WIDE.match(after) else len(after.split(maxsplit=1)[0]) + 1
    return columns + word > width


def _columns(line: str) -> int:
    return len(line) if line.isascii() else len(line) + len(_WIDE.findall(line))
