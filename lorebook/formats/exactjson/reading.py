"""
Reading JSON step by step: what Python's own reader does in C, but with a place for everything that is damaged.

It is the slow way, taken only for a text that Python's reader refuses or in which something was noticed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import reduce
from json import JSONDecodeError, JSONDecoder
from typing import Any, NoReturn

from lorebook.errors import FormatError
from lorebook.formats.exactjson.nesting import DEEPEST
from lorebook.formats.exactjson.spelled import NUMBER, fraction, whole
from lorebook.formats.notes import Notes, step

SPACE = re.compile(r"[ \t\n\r]*")
_WORD = re.compile(r"true|false|null|NaN|-?Infinity")
_WORDS = {"true": True, "false": False}
_TEXTS = JSONDecoder(strict=False)  # control characters are read
_CONTROL = re.compile(r"[\x00-\x1f]")
_ESCAPES = {"\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
_MOST_NOTES = 1000
# What Python calls the damage of a text in quotes, and what is said of it here.
_WRONG_TEXT = {
    "Unterminated string": "the text whose quote opens here has no closing quote",
    "Invalid \\escape": "JSON has no such escape after a backslash",
    "Invalid \\uXXXX": "\\u wants four hexadecimal digits",
}


@dataclass(frozen=True, order=True)
class Edit:
    """
    What is written instead of `text[start:end]`.
    """

    start: int
    end: int
    new: str


def edited(text: str, edits: list[Edit]) -> str:
    """
    Return *text* with *edits*, of which no two may overlap; what is only inserted comes before what begins there.
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits):
        pieces += (text[at : edit.start], edit.new)
        at = edit.end
    return "".join([*pieces, text[at:]])


@dataclass
class _Open:
    """
    A list or an object that is being read.
    """

    value: Any
    closer: str
    empty: bool = True
    key: str | int = -1
    """Of the member that is being read; -1 before the first."""

    def put(self, value: object) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        else:
            self.value[self.key] = value


class Reader:
    """
    One text being read; `mends` are the edits that make it JSON.
    """

    def __init__(self, text: str, notes: Notes, where: str) -> None:
        self.mends: list[Edit] = []
        self._text = text
        self._notes = notes
        self._where = where
        self._noted = 0
        self._open = [_Open([], "")]
        self._lines: list[int] | None = None

    def read(self) -> Any:  # noqa: ANN401 (JSON is any value)
        """
        Return the value.

        Raises FormatError with line and column where the text is no JSON and not of the damage that is mended.
        """
        root = self._open[0]
        at = self._value(0)
        while len(self._open) > 1:
            at = self._next(at)
        at = self._space(at)
        if at < len(self._text):
            self._fail(at, "nothing may follow the value")
        if self._noted > _MOST_NOTES:
            self._notes.add(self._where, f"has {self._noted - _MOST_NOTES} more such places")
        return root.value[0]

    def _next(self, at: int) -> int:
        """
        Read what follows in the innermost list or object: its end or its next member.
        """
        top = self._open[-1]
        at = self._space(at)
        if self._text.startswith(top.closer, at):
            return self._close(at)
        if not top.empty:
            comma, at = at, self._space(self._expect(at, ",", f"a comma or {top.closer}"))
            if self._text.startswith(top.closer, at):
                return self._close(at, comma)
        top.empty = False
        if isinstance(top.value, list):
            top.key = len(top.value)
        else:
            at = self._key(top, at)
        return self._value(at)

    def _close(self, at: int, comma: int | None = None) -> int:
        top = self._open.pop()
        if comma is not None:
            self._note("ends in a comma, which is not JSON; left out")
            self.mends.append(Edit(comma, comma + 1, ""))
        self._open[-1].put(top.value)
        return at + 1

    def _key(self, top: _Open, at: int) -> int:
        if not self._text.startswith('"', at):
            self._fail(at, "a key in double quotes should be here")
        top.key, end = self._string(at)
        self._mend(at, end)
        if top.key in top.value:
            line, column = self._place(at)
            self._note(f"is there again in line {line}, column {column}; the last one counts")
        return self._expect(self._space(end), ":", "a colon")

    def _value(self, at: int) -> int:
        """
        Read the value at *at*; of a list or an object only the beginning.
        """
        at = self._space(at)
        sign = self._text[at : at + 1]
        if sign in ("[", "{"):
            if len(self._open) > DEEPEST:
                self._fail(at, f"nested more than {DEEPEST} deep")
            self._open.append(_Open([], "]") if sign == "[" else _Open({}, "}"))
            return at + 1
        value, end = self._string(at) if sign == '"' else self._scalar(at)
        if sign == '"':
            self._mend(at, end)
        self._open[-1].put(value)
        return end

    def _scalar(self, at: int) -> tuple[float | None, int]:
        if number := NUMBER.match(self._text, at):
            return (fraction if number[2] else whole)(number[0]), number.end()
        word = _WORD.match(self._text, at)
        if word is None:
            self._fail(at, "a value should be here")
        if "N" in word[0] or "I" in word[0]:
            self._note(f"is {word[0]}, which is not JSON; read as null")
            self.mends.append(Edit(at, word.end(), "null"))
        return _WORDS.get(word[0]), word.end()

    def _string(self, at: int) -> tuple[str, int]:
        try:
            value, end = _TEXTS.raw_decode(self._text, at)
        except JSONDecodeError as error:
            why = next((ours for theirs, ours in _WRONG_TEXT.items() if error.msg.startswith(theirs)), error.msg)
            self._fail(error.pos, why)
        return value, end

    def _mend(self, at: int, end: int) -> None:
        if _CONTROL.search(self._text, at, end):
            self._note("has line breaks or other control characters as they are, which is not JSON; read as text")
            self.mends.append(Edit(at, end, _CONTROL.sub(_escaped, self._text[at:end])))

    def _space(self, at: int) -> int:
        found = SPACE.match(self._text, at)
        return found.end() if found else at

    def _expect(self, at: int, sign: str, what: str) -> int:
        if not self._text.startswith(sign, at):
            self._fail(at, f"{what} should be here")
        return at + 1

    def _note(self, what: str) -> None:
        self._noted += 1
        if self._noted <= _MOST_NOTES:
            keys = (holder.key for holder in self._open[1:] if holder.key != -1)
            self._notes.add(reduce(step, keys, self._where), what)

    def _place(self, at: int) -> tuple[int, int]:
        if self._lines is None:
            self._lines = [found.start() for found in re.finditer("\n", self._text)]
        line = bisect_left(self._lines, at)
        return line + 1, at - (self._lines[line - 1] if line else -1)

    def _fail(self, at: int, what: str) -> NoReturn:
        line, column = self._place(at)
        hint = ""
        if self._text.startswith(("//", "/*"), at):
            what, hint = "JSON has no comments", "take the comments out"
        elif self._text.startswith("```", at):
            what, hint = "a mark of Markdown is here", "keep only what stands between the lines with ```"
        elif at >= len(self._text):
            what = f"the text ends too early ({what})"
        raise FormatError(f"not JSON: line {line}, column {column}: {what}", hint=hint)


def _escaped(sign: re.Match[str]) -> str:
    return _ESCAPES.get(sign[0], f"\\u{ord(sign[0]):04x}")
