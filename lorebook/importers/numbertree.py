"""
Where a numbered heading or rule stands among those that are open, and its whole number.

A decimal number says so itself (`3.2` stands in `3`); of the others, the ranks say it (`（一）` stands in `一`), and a
bracketed letter is only a number together with the rule that it belongs to (`3.2(a)`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from lorebook.importers.markers import BRACKETED, Marker, Rank

BARE = 99
"""The level of a line that only its shortness shows to be a heading."""

_HUNDRED = 100
_OWN_PLACE = frozenset({Rank.PART, Rank.CHAPTER, Rank.SECTION, Rank.ARTICLE, Rank.HAN, Rank.HUNDRED, Rank.DECIMAL})
_SWAPPED = frozenset({Rank.BRACKET, Rank.LETTER})


@dataclass(eq=False)
class Opened:
    """
    A heading or numbered rule that is open: what follows stands in it until something of its rank or above comes.
    """

    title: str | None
    """Its part in the section path; None for a numbered rule without a heading."""
    level: int = 0
    """The level that the markup gives it; 0 where only its number does."""
    marker: Marker | None = None
    number: str | None = None
    lead: str | None = None
    """What a numbered rule says of those that stand in it: `You may:`."""


class NumberTree:
    """
    What is open, outermost first.
    """

    def __init__(self, repeated: Collection[str] = ()) -> None:
        """
        Begin with nothing open; *repeated* are numbers that stand more than once and need what they stand in.
        """
        self.open: list[Opened] = []
        self._used: set[str] = set(repeated)
        self._listed = 0
        """The last number of a list inside a rule."""
        self._letters_hold = False
        """Whether `(1)` stands in `(a)`, as in statutes, and not `(a)` in `(1)`."""

    def path_to(self, inner: Opened | None) -> tuple[str, ...]:
        """
        Return the headings that are open, without *inner* itself.
        """
        titles = (opened.title or opened.lead for opened in self.open if opened is not inner)
        return tuple(title for title in titles if title)

    def heading(self, title: str | None, level: int, marker: Marker | None) -> Opened:
        """
        Open a heading of the markup's *level*; without a *title* it is only a number.
        """
        while self.open and (self.open[-1].level >= level or not self.open[-1].level):
            self.open.pop()
        return self._push(Opened(title, level, marker))

    def fits(self, marker: Marker, *, tight: bool, after: Marker | None) -> bool:
        """
        Tell whether *marker* is a rule's number here: a bracket needs a rule to belong to, and a list in a rule has
        numbers of its own; *tight* says that it stands on the line after the rule's, *after* what number follows it.
        """
        inner = next((opened.marker for opened in reversed(self.open) if opened.marker), None)
        if marker.rank in (*BRACKETED, Rank.CLAUSE, Rank.ITEM):
            return inner is not None
        if marker.rank is Rank.DOT and inner and inner.rank in (Rank.DECIMAL, Rank.HUNDRED):
            if after and len(after.parts) > 1 and after.parts[0] == marker.parts[0]:
                return True
            goes_on = tight and marker.value == self._listed + 1
            self._listed = marker.value if goes_on or not self._next_chapter(marker) else 0
            return not self._listed
        return True

    def _next_chapter(self, marker: Marker) -> bool:
        """Tell whether `4.` after `3.2` goes on with the chapters; else it is an item of a list in `3.2`."""
        outer = next((opened.marker for opened in self.open if opened.marker), None)
        if outer is None or not outer.parts[0].isdecimal():
            return False
        first = int(outer.parts[0])
        if outer.rank is Rank.DOT:
            return marker.value > first
        return marker.value in (first + 1, first // _HUNDRED + 1) and marker.value > 1

    def rule(self, title: str | None, marker: Marker, *, fresh: bool = True) -> Opened:
        """
        Open the numbered heading or rule *marker*; *title* is its part in the section path, if it has one.

        A bare heading with text of its own does not hold the numbers that follow it.
        """
        self._listed = 0
        if self.open and self.open[-1].level == BARE and not fresh:
            self.open.pop()
        marker = self._as_letter(marker)
        ranks = {opened.marker.rank for opened in self.open if opened.marker}
        if ranks & _SWAPPED and marker.rank in _SWAPPED - ranks:
            self._letters_hold = marker.rank is Rank.BRACKET and marker.value == 1
        while self.open and not self.open[-1].level and self._closes(marker, self.open[-1].marker):
            self.open.pop()
        return self._push(Opened(title, 0, marker))

    def _as_letter(self, marker: Marker) -> Marker:
        """`(i)` after `(h)` is a letter."""
        if marker.rank is Rank.ROMAN and len(marker.parts[0]) == 1:
            before = chr(ord(marker.parts[0]) - 1)
            open_letters = [o.marker.parts for o in self.open if o.marker and o.marker.rank is Rank.LETTER]
            if (before,) in open_letters:
                return Marker(Rank.LETTER, marker.number, marker.parts, marker.rest)
        return marker

    def _closes(self, marker: Marker, other: Marker | None) -> bool:
        if other is None:
            return True
        if self._letters_hold and {marker.rank, other.rank} == _SWAPPED:
            return marker.rank is Rank.LETTER
        first = int(marker.parts[0]) if marker.parts[0].isdecimal() else 0
        if marker.rank is Rank.DECIMAL and other.rank is Rank.DOT and first >= _HUNDRED:
            return first // _HUNDRED != other.value
        if marker.rank is Rank.DECIMAL and other.rank in (Rank.DECIMAL, Rank.DOT, Rank.HUNDRED, Rank.ARTICLE):
            return marker.parts[: len(other.parts)] != other.parts or len(marker.parts) == len(other.parts)
        if marker.rank is Rank.HUNDRED and other.rank is Rank.DOT:
            return marker.value // _HUNDRED != other.value
        return other.rank >= marker.rank

    def _push(self, opened: Opened) -> Opened:
        if opened.marker:
            opened.number = self._whole(opened.marker)
            self._used.add(opened.number)
        self.open.append(opened)
        return opened

    def _whole(self, marker: Marker) -> str:
        """Return the number with what it stands in, where it needs that to be told from others."""
        own = marker.number
        above = next((opened.number for opened in reversed(self.open) if opened.number), None)
        first = marker.rank in _OWN_PLACE or (marker.rank is Rank.DOT and not self._in_han())
        if above is None or (first and own not in self._used):
            return own
        if marker.rank in (Rank.DECIMAL, Rank.HUNDRED) or (first and marker.rank is Rank.DOT):
            return own
        joint = "" if own[0] in "(（第" else "." if own[0].isascii() else " "
        return f"{above}{joint}{own}"

    def _in_han(self) -> bool:
        return any(o.marker and o.marker.rank in (Rank.HAN, Rank.HAN_BRACKET, Rank.ARTICLE) for o in self.open)
