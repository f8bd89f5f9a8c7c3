"""
JSON and YAML read with the lines of every mapping; whatever is no mapping or list is text, just as it is written.

Both are read from left to right, to a limited depth; an alias of YAML, which could make much of little, is refused.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TypeAlias

import yaml

from lorebook.errors import DocumentError

MOST_DEPTH = 30

_SPACE = re.compile(r"[ \t\n\r]*")
_HALF = re.compile("[\ud800-\udfff]")
_NULL = ("", "~", "null", "Null", "NULL")


class Mapping(dict[str, "Value"]):
    """
    A mapping, and the lines that it stands on.
    """

    first = 1
    last = 1


Value: TypeAlias = "str | list[Value] | Mapping | None"


def read_json(text: str, *, where: str) -> Value:
    """
    Return what the JSON *text* says.

    Raises DocumentError for what is no JSON or nested too deeply.
    """
    try:
        return _Json(text).read()
    except (ValueError, IndexError) as error:
        raise DocumentError(f"not readable as JSON: {error}", where=where) from error


class _Json:
    def __init__(self, text: str) -> None:
        self._text = text
        self._decoder = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def read(self) -> Value:
        value, at = self._value(self._skip(0), 0)
        if self._skip(at) != len(self._text):
            raise ValueError(f"more text follows on line {self._line(at)}")
        return value

    def _value(self, at: int, depth: int) -> tuple[Value, int]:
        if depth > MOST_DEPTH:
            raise ValueError(f"nested more than {MOST_DEPTH} levels deep")
        if self._text[at] == "{":
            return self._mapping(at, depth)
        if self._text[at] == "[":
            return self._list(at, depth)
        value, end = self._decoder.raw_decode(self._text, at)
        return (None if value is None else _whole(str(value))), end

    def _mapping(self, start: int, depth: int) -> tuple[Mapping, int]:
        made = Mapping()
        made.first = self._line(start)
        at = self._skip(start + 1)
        while self._text[at] != "}":
            key, at = self._decoder.raw_decode(self._text, at)
            at = self._expect(self._skip(at), ":")
            made[_whole(str(key))], at = self._value(at, depth + 1)
            at = self._next(self._skip(at), "}")
        made.last = self._line(at)
        return made, at + 1

    def _list(self, start: int, depth: int) -> tuple[list[Value], int]:
        made: list[Value] = []
        at = self._skip(start + 1)
        while self._text[at] != "]":
            value, at = self._value(at, depth + 1)
            made.append(value)
            at = self._next(self._skip(at), "]")
        return made, at + 1

    def _next(self, at: int, end: str) -> int:
        return at if self._text[at] == end else self._expect(at, ",")

    def _expect(self, at: int, sign: str) -> int:
        if self._text[at] != sign:
            raise ValueError(f"line {self._line(at)}: {sign!r} is missing")
        return self._skip(at + 1)

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def _line(self, at: int) -> int:
        return bisect_right(self._starts, at)


def _whole(text: str) -> str:
    """
    Return *text* with what is half a character, as JSON may spell it, marked as unreadable.
    """
    return _HALF.sub("\ufffd", text)


def read_yaml(text: str, *, where: str) -> Value:
    """
    Return what the YAML *text* says, its first document.

    Raises DocumentError for what is no YAML, nested too deeply or made of aliases.
    """
    events = yaml.parse(text, yaml.CSafeLoader)
    try:
        return _yaml_value(events, next(_content(events)), 0)
    except StopIteration:
        return None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        what = f"not readable as YAML: {place}{getattr(error, 'problem', None) or error}"
        raise DocumentError(" ".join(what.split()), where=where) from error
    except ValueError as error:
        raise DocumentError(f"not readable as YAML: {error}", where=where) from error


def _content(events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    return (event for event in events if isinstance(event, yaml.NodeEvent))


def _yaml_value(events: Iterator[yaml.Event], event: yaml.Event, depth: int) -> Value:
    line = _line_of(event)
    if depth > MOST_DEPTH:
        raise ValueError(f"line {line}: nested more than {MOST_DEPTH} levels deep")
    if isinstance(event, yaml.ScalarEvent):
        return None if event.style is None and event.value in _NULL else str(event.value)
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Value] = []
        while not isinstance(inner := next(events), yaml.SequenceEndEvent):
            items.append(_yaml_value(events, inner, depth + 1))
        return items
    if isinstance(event, yaml.MappingStartEvent):
        return _yaml_mapping(events, event, depth)
    raise ValueError(f"line {line}: an alias stands in place of a value")


def _yaml_mapping(events: Iterator[yaml.Event], event: yaml.Event, depth: int) -> Mapping:
    made = Mapping()
    made.first = _line_of(event)
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        name = _yaml_value(events, key, depth + 1)
        if not isinstance(name, str):
            raise ValueError(f"line {_line_of(key)}: a key is no text")  # noqa: TRY004 (one kind of error for all)
        made[name] = _yaml_value(events, next(events), depth + 1)
    # A mapping without braces ends where the next thing begins, on a line that is not its own.
    in_braces = key.end_mark is not None and key.start_mark is not None and key.end_mark.index > key.start_mark.index
    made.last = max(made.first, _line_of(key) - (0 if in_braces else 1))
    return made


def _line_of(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
