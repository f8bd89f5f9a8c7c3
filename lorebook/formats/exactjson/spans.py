"""
Where the members of a list or an object are in a text that is JSON.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lorebook.formats.exactjson.reading import SPACE

_TEXT = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_SCALAR = re.compile(rf"{_TEXT}|[^ \t\n\r,\]}}]+", re.DOTALL)
_NO_BRACKETS = re.compile(rf'(?:[^"\[\]{{}}]++|{_TEXT})*+', re.DOTALL)
_KEY = re.compile(rf"({_TEXT})[ \t\n\r]*:[ \t\n\r]*", re.DOTALL)


class Member(NamedTuple):
    """
    A member of an object, or an item of a list, whose `key` is empty and at `start` as its value is.
    """

    start: int
    value: int
    end: int
    key: str
    """As it is written, in its quotes."""


class Spans:
    """
    The places of one text; each is looked for once, and only when it is asked for.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[int, int] = {}

    def members(self, at: int) -> tuple[list[Member], int]:
        """
        Return the members of the list or object that begins at *at*, and where its last bracket is.
        """
        found: list[Member] = []
        is_object = self._text[at] == "{"
        at = self._space(at + 1)
        while self._text[at] not in "]}":
            key = _KEY.match(self._text, at) if is_object else None
            value = key.end() if key else at
            end = self.end(value)
            found.append(Member(at, value, end, key[1] if key else ""))
            at = self._space(end)
            if self._text[at] == ",":
                at = self._space(at + 1)
        return found, at

    def end(self, at: int) -> int:
        """
        Return where the value that begins at *at* ends.
        """
        if self._text[at] in "[{":
            return self._ends[at] if at in self._ends else self._skip(at)
        return _past(_SCALAR, self._text, at)

    def _skip(self, at: int) -> int:
        """
        Go over a list or an object and remember where it and all that are in it end.
        """
        opened: list[int] = []
        while True:
            if self._text[at] in "[{":
                opened.append(at)
            else:
                self._ends[opened.pop()] = at + 1
                if not opened:
                    return at + 1
            at = _past(_NO_BRACKETS, self._text, at + 1)

    def _space(self, at: int) -> int:
        return _past(SPACE, self._text, at)


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
