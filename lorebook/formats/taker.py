"""
Taking typed values out of a JSON object; what was not taken is what the reader does not know.

Files from many tools are read here, so nothing short of a wrong outermost structure is an error: a value of the wrong
type is taken for what it most likely means, or as missing, and a note says so with its JSON path. The source is kept
beside what was read, so nothing is lost by it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from lorebook.errors import FormatError
from lorebook.formats.notes import Notes, step

_Default = TypeVar("_Default")

MOST = 2**53
"""The largest number that every JSON reader takes exactly (RFC 8259, section 6), and far more than any setting."""
_SHOWN = 30
# A pattern as a whole, or what stands before the next comma.
_PART = re.compile(r"\s*+(/(?:[^/\\]|\\.)++/[a-z]*+(?=\s*+(?:,|$))|[^,]++)(?:,|\s*+$)?", re.DOTALL)
_WORDS = {"true": True, "false": False, "1": True, "0": False}


class Taker:
    """
    One JSON object being read.
    """

    def __init__(self, raw: object, where: str, notes: Notes) -> None:
        """
        Raise FormatError when *raw*, found at the JSON path *where*, is no object.
        """
        if not isinstance(raw, dict):
            raise FormatError(f"it is {kind(raw)}, not an object", where=where)
        self.where = where
        self.notes = notes
        self._left: dict[str, Any] = dict(raw)

    def __contains__(self, name: str) -> bool:
        """
        Say whether *name* is there, perhaps as null, and not yet taken.
        """
        return name in self._left

    def raw(self, name: str) -> Any:  # noqa: ANN401 (JSON is any value)
        """
        Take *name* as it is.
        """
        return self._left.pop(name, None)

    def peek(self, name: str) -> Any:  # noqa: ANN401 (JSON is any value)
        """
        Return *name* as it is and leave it there.
        """
        return self._left.get(name)

    def text(self, name: str, default: str = "") -> str:
        """
        Take a text; a number is taken as its digits.
        """
        value = self.raw(name)
        if value is None or isinstance(value, str):
            return default if value is None else value
        said = _said(value)
        if said is None:
            self._refuse(self.at(name), value, "a text")
            return default
        self._note(self.at(name), value, "a text", repr(said))
        return said

    def flag(self, name: str, default: _Default) -> bool | _Default:
        """
        Take true or false; 1, 0 and the words are such, too.
        """
        value = self.raw(name)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        found = _WORDS.get(str(value).lower())
        if found is None:
            self._refuse(self.at(name), value, "true or false")
            return default
        self._note(self.at(name), value, "true or false", str(found).lower())
        return found

    def number(self, name: str, default: _Default) -> float | _Default:
        """
        Take a number no further from 0 than `MOST`, or text that is one.
        """
        value = self.raw(name)
        if value is None:
            return default
        number = _number(value)
        if number is None or not -MOST <= number <= MOST:
            self._refuse(self.at(name), value, "a number" if number is None else f"a number between {-MOST} and {MOST}")
            return default
        if isinstance(value, str):
            self._note(self.at(name), value, "a number", str(number))
        return number

    def whole(self, name: str, default: _Default) -> int | _Default:
        """
        Take a whole number, or text that is one.
        """
        value = self._left.get(name)
        number = self.number(name, None)
        if number is None:
            return default
        if number != int(number):
            self._note(self.at(name), value, "a whole number", str(int(number)))
        return int(number)

    def texts(self, name: str, *, joined: str = "") -> tuple[str, ...]:
        """
        Take a list of texts; one text is split at commas, but for those in a pattern `/.../`. Null in a list is left
        out, and numbers become texts, also one that stands alone.

        With *joined* one text, split there, is the format's own way and not noted.
        """
        value = self.raw(name)
        if value is None:
            return ()
        if isinstance(value, str):
            found = value.split(joined) if joined else _PART.findall(value)
            parts = tuple(stripped for part in found if (stripped := part.strip()))
            if not joined:
                self._note(self.at(name), value, "a list", f"{len(parts)} split at commas")
            return parts
        if not isinstance(value, list):
            return tuple(self._alone(name, value))
        return tuple(self._texts(name, value))

    def _alone(self, name: str, value: object) -> Iterator[str]:
        said = _said(value)
        if said is None:
            self._refuse(self.at(name), value, "a list")
        else:
            self._note(self.at(name), value, "a list", f"the one text {said!r}")
            yield said

    def _texts(self, name: str, items: list[object]) -> Iterator[str]:
        for place, item in enumerate(items):
            if isinstance(item, str):
                yield item
                continue
            said, at = _said(item), step(self.at(name), place)
            if said is None:
                self._refuse(at, item, "a text")
            else:
                self._note(at, item, "a text", repr(said))
                yield said

    def mapping(self, name: str) -> dict[str, Any]:
        """
        Take an object; a missing one is empty.
        """
        there, value = name in self, self.raw(name)
        if isinstance(value, dict):
            return dict(value)
        if there:
            self._refuse(self.at(name), value, "an object")
        return {}

    def rest(self) -> dict[str, Any]:
        """
        Return everything that was not taken.
        """
        return dict(self._left)

    def at(self, name: str | int) -> str:
        """
        Return the JSON path of *name* in this object.
        """
        return step(self.where, name)

    def inner(self, name: str) -> Taker:
        """
        Take an object to be read in its turn; a missing one is empty.
        """
        return Taker(self.mapping(name), self.at(name), self.notes)

    def _note(self, where: str, value: object, wanted: str, taken: str) -> None:
        self.notes.add(where, f"is {kind(value)}, not {wanted}; read as {shorten(taken)}")

    def _refuse(self, where: str, value: object, wanted: str) -> None:
        self.notes.add(where, f"is {kind(value)}, not {wanted}; read as if it were missing")


def kind(value: object) -> str:
    """
    Return what JSON calls *value*, with the value itself where that is short.
    """
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "null"
    if isinstance(value, str):
        return f"the text {value[:_SHOWN]!r}"
    return shorten(str(value).lower())


def shorten(text: str) -> str:
    """
    Return *text*, cut off where it is too long for a message.
    """
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _said(value: object) -> str | None:
    is_plain = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_plain else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = int(value) if isinstance(value, int) else float(value)
    except ValueError:
        return None
    if isinstance(number, int):
        return number
    return None if math.isnan(number) or math.isinf(number) else int(number) if number == int(number) else number
