"""
JSON that comes back exactly as it was, changed only where its value changed.

Reading takes Python's own reader; only what that refuses, or where something was noticed, is read again step by step.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from json import JSONDecoder
from typing import Any

from lorebook.formats.exactjson.nesting import DEEPEST, deeper, refuse_deeper, surely_shallow
from lorebook.formats.exactjson.patching import patched
from lorebook.formats.exactjson.reading import Reader, edited
from lorebook.formats.exactjson.spelled import SpelledFloat, SpelledInt, fraction, whole
from lorebook.formats.exactjson.writing import Style, written
from lorebook.formats.notes import Notes

__all__ = ["DEEPEST", "JsonText", "SpelledFloat", "SpelledInt", "dump", "parse"]

_MINUS_ZERO = re.compile(r"-0(?![.eE0-9])")


@dataclass(frozen=True)
class JsonText:
    """
    A text and the value that it says.
    """

    text: str
    value: Any
    """Plain Python; numbers that Python would spell otherwise know their spelling. Not to be changed: copy it."""
    _sound: str = field(repr=False)
    """The text with its damage mended: JSON."""

    def patched(self, value: Any) -> str:  # noqa: ANN401 (JSON is any value)
        """
        Return the text with its damage mended and as little else changed as says *value*.

        Raises FormatError when JSON cannot hold *value*.
        """
        return patched(self._sound, self.value, value)


def parse(text: str, notes: Notes, where: str = "$") -> JsonText:
    """
    Read *text*; what was damaged and could be mended goes to *notes*, with its path below *where*.

    Raises FormatError with line and column where it is not JSON.
    """
    odd: list[object] = []
    value = _quick(text, odd)
    if not odd:
        return JsonText(text, value, text)
    reader = Reader(text, notes, where)
    value = reader.read()
    return JsonText(text, value, edited(text, reader.mends))


def dump(value: object, *, indent: int | None = 2) -> str:
    """
    Return *value* as JSON without a line end after it; None for *indent* is compact.

    Raises FormatError when JSON cannot hold it.
    """
    refuse_deeper(value)
    if indent is None:
        return written(value, Style(colon=":", comma=","))
    return written(value, Style(line="\n", unit=" " * indent))


def _quick(text: str, odd: list[object]) -> Any:  # noqa: ANN401 (JSON is any value)
    """
    Read *text* with Python's reader; where that is not the whole story, something is added to *odd*.
    """

    def joined(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            odd.append(pairs)
        return found

    decoder = JSONDecoder(
        object_pairs_hook=joined,
        parse_float=fraction,
        parse_int=whole if _MINUS_ZERO.search(text) else None,
        parse_constant=odd.append,
    )
    try:
        value = decoder.decode(text)
    except (ValueError, RecursionError) as error:  # the other reader says what and where
        odd.append(error)
        return None
    if not surely_shallow(value) and deeper(value):
        odd.append(value)
    return value
