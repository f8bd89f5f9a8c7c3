"""
Writing a value as JSON, in the style of what stands around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any

from lorebook.errors import FormatError
from lorebook.formats.exactjson.spelled import spelling

_LONE = re.compile("[\ud800-\udfff]")
_WORDS = {None: "null", True: "true", False: "false"}
_NO_MORE = object()


@dataclass(frozen=True)
class Style:
    """
    How values are written at one place of a text.
    """

    colon: str = ": "
    """What stands between a key and its value."""
    comma: str = ", "
    """What stands between two members on one line."""
    line: str | None = None
    """The line break and indentation at which the value stands; None where all is on one line."""
    unit: str = "  "
    """How much further its members are indented."""
    ascii: bool = False
    """Whether all other characters are escaped."""


def written(value: object, style: Style) -> str:
    """
    Return *value* as JSON.

    Half a surrogate pair is written as an escape; where two halves are side by side, readers take them for the pair.
    Raises FormatError for what JSON cannot hold; *value* must not be nested too deeply (`refuse_deeper`).
    """
    pieces: list[str] = []
    todo: list[Iterator[tuple[str, object]]] = [iter([("", value)])]
    while todo:
        for lead, item in todo[-1]:
            pieces.append(lead)
            if isinstance(item, dict | list | tuple):
                todo.append(_members(item, style, len(todo)))
                break
            pieces.append(_scalar(item, style))
        else:
            todo.pop()
    return "".join(pieces)


def quoted(value: object, style: Style) -> str:
    """
    Return the text or the key *value* as JSON.
    """
    if not isinstance(value, str):
        raise FormatError(f"JSON cannot hold it: a key is of the type {type(value).__name__}, not a text")
    if style.ascii:
        return encode_basestring_ascii(value)
    found = encode_basestring(value)
    return found if found.isascii() else _LONE.sub(lambda half: f"\\u{ord(half[0]):04x}", found)


def _members(holder: Any, style: Style, level: int) -> Iterator[tuple[str, object]]:  # noqa: ANN401 (JSON is any value)
    """
    Yield each member with what stands before it, then the end of the list or object that they are in.
    """
    line = "" if style.line is None else style.line + style.unit * level
    comma = style.comma if style.line is None else f",{line}"
    opener, closer = "{}" if isinstance(holder, dict) else "[]"
    lead = opener + line
    if isinstance(holder, dict):
        for key, item in holder.items():
            yield f"{lead}{quoted(key, style)}{style.colon}", item
            lead = comma
    else:
        for item in holder:
            yield lead, item
            lead = comma
    if not holder:
        yield opener + closer, _NO_MORE
    else:
        yield ("" if style.line is None else style.line + style.unit * (level - 1)) + closer, _NO_MORE


def _scalar(value: object, style: Style) -> str:
    if value is _NO_MORE:
        return ""
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, str):
        return quoted(value, style)
    if not isinstance(value, int | float):
        raise FormatError(f"JSON cannot hold it: a value is of the type {type(value).__name__}")
    try:
        return spelling(value)
    except ValueError as error:
        raise FormatError(f"JSON cannot hold it: {error}") from error
