"""
Where lines break: at spaces in English, between any two characters in Chinese and Japanese, but never so that a closing
mark begins a line or an opening one ends it.

rich breaks at spaces only, so a Chinese sentence, one long word to it, would leave half a line empty before it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import pairwise

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, OverflowMethod
from rich.containers import Lines
from rich.measure import Measurement
from rich.text import Text

# Ideographs, kana and the forms as wide as they; Korean is written with spaces.
_WIDE = "\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U00020000-\U0003ffff"
# Makes one emoji of two; several in a row join nothing.
_JOINER = re.compile("(?<!\u200d)\u200d(?!\u200d)")
_NARROW_OPENING = re.escape("“‘([{")
_OPENING = rf"{re.escape('（《〈「『【〔［｛')}{_NARROW_OPENING}"
_CLOSING = re.escape("，。、；：？！）》〉」』】〕］｝”’…—·～,.;:?!)]}%％")
# Quotation marks of one form open at the beginning of a word and close at its end.
_BEFORE = rf"(?:(?<!\S)[`\"'])?[{_OPENING}]*+"
_AFTER = rf"(?:[{_CLOSING}]|[`\"'](?=[\s{_CLOSING}]|$))*+"
# A word ends where the opening marks and the number before a wide character begin. Each of its parts is taken whole or
# not at all (`++`): a long one is looked at once.
_NUMBER = rf"[^\D{_WIDE}]++"
_WORD = (
    rf"(?:[^\s\d{_WIDE}{_OPENING}]++|[{_NARROW_OPENING}]*+{_NUMBER}(?!(?![{_OPENING}])[{_WIDE}])"
    rf"|[{_NARROW_OPENING}]++(?![\d{_WIDE}]))++"
)
# What stays together: a wide character with the number before it or a run of others, with the marks that open and close
# it and the space after.
_PIECE = re.compile(rf"{_BEFORE}(?:\d*(?![{_OPENING}])[{_WIDE}]|{_WORD}){_AFTER}\s*|[{_OPENING}]+\s*|\s+")


def breaks(text: str, width: int, *, hanging: int = 0) -> list[int]:
    """
    Return where the lines of *text*, a line without breaks, begin but for the first, each of at most *width* columns.

    All but the first have *hanging* columns less, those by which they are indented.
    """
    found: list[int] = []
    used, room = 0, width
    for start, piece in _fitting(text, width - hanging):
        columns = cell_len(piece.rstrip())
        if used and used + columns > room:
            found.append(start)
            used, room = 0, width - hanging
        used += cell_len(piece)
    return found


def _fitting(text: str, width: int) -> Iterator[tuple[int, str]]:
    """
    Yield what stays together and where it begins; what is wider than a line, sign by sign.
    """
    signs = _signs(text)
    for start, piece in _pieces(text, signs):
        if cell_len(piece.rstrip()) <= width:
            yield start, piece
        else:
            yield from _cut(text, [at for at in range(start, start + len(piece)) if at in signs], start + len(piece))


def _pieces(text: str, signs: Container[int]) -> Iterator[tuple[int, str]]:
    """
    Yield what stays together and where it begins, always one of the *signs*.
    """
    begins = [match.start() for match in _PIECE.finditer(text) if match.start() in signs]
    return _cut(text, begins, len(text))


def _cut(text: str, begins: list[int], end: int) -> Iterator[tuple[int, str]]:
    return ((start, text[start:after]) for start, after in pairwise([*begins, end]))


def _signs(text: str) -> Container[int]:
    """
    Return where a reader sees a sign begin: not at what has no width, such as an accent, nor behind what joins two.
    """
    if text.isascii():
        return range(len(text))
    joined = {match.end() for match in _JOINER.finditer(text)}
    return {at for at, sign in enumerate(text) if not at or (cell_len(sign) and at not in joined)}


class Prose(Text):
    """
    Text that is wrapped as its script wants it.
    """

    def wrap(
        self,
        console: Console,
        width: int,
        *,
        justify: JustifyMethod | None = None,
        overflow: OverflowMethod | None = None,
        tab_size: int = 8,
        no_wrap: bool | None = None,
    ) -> Lines:
        """
        Return the lines, of at most *width* columns where they are not justified or kept whole.
        """
        if no_wrap or overflow == "ignore":
            return super().wrap(console, width, justify=justify, overflow=overflow, tab_size=tab_size, no_wrap=no_wrap)
        lines = Lines()
        for parts in self._broken(width, tab_size):
            if justify in ("center", "right", "full"):
                parts.justify(console, width, justify=justify, overflow=overflow or "fold")
            lines.extend(parts)
        return lines

    def hung(self, width: int, hanging: int) -> Iterator[Text]:
        """
        Yield the lines, of at most *width* columns; those that go on with another are indented by *hanging* of them.
        """
        for first, *rest in self._broken(width, hanging=hanging):
            yield first
            yield from (Text(" " * hanging) + line for line in rest)

    def _broken(self, width: int, tab_size: int = 8, *, hanging: int = 0) -> Iterator[Lines]:
        for whole in self.split(allow_blank=True):
            whole.expand_tabs(tab_size)
            parts = whole.divide(breaks(whole.plain, width, hanging=hanging))
            for part in parts:
                part.rstrip()
            yield parts

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        found = super().__rich_measure__(console, options)
        pieces = _pieces(self.plain, _signs(self.plain))
        least = max((cell_len(piece.rstrip()) for _, piece in pieces), default=0)
        return Measurement(min(least, found.maximum), found.maximum)
