"""
Reads the plainest YAML, that which `emitter` writes, many times faster than the library.

Anything else, well-formed or not, it leaves to the library, which knows all of YAML and says what is wrong where.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from lorebook.yamltext.scalars import INDENT, ODD, Doubtful, is_key, value_of

_FIELD = re.compile(r"([A-Za-z][\w-]*):(?: (.+))?", re.ASCII)
_QUOTED = r"'(?:[^']|'')*'"
# Where a text stands.
_FLOW, _BLOCK = True, False
_WHOLE_QUOTED = re.compile(_QUOTED)
# A line may be broken behind a bracket, too.
_TOKEN = re.compile(rf"\[ ?|\]|, |{_QUOTED}|[^\[\],' ][^\[\],]*")
_NUMBERS = re.compile(r"[\[\], 0-9]+")
_MOST_LEVELS = 20


def read(text: str) -> dict[str, Any] | None:
    """
    Return the mapping that *text* is, or None where that takes the library.
    """
    if not text.endswith("\n") or ODD.search(text):
        return None
    scanner = _Scanner(text.split("\n")[:-1])
    try:
        return scanner.whole()
    except Doubtful:
        return None


class _Scanner:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0

    def whole(self) -> dict[str, Any]:
        fields = self._mapping(0)
        if self._at < len(self._lines):
            raise Doubtful
        return fields

    def _mapping(self, indent: int) -> dict[str, Any]:
        if indent > _MOST_LEVELS * INDENT:
            raise Doubtful
        before = " " * indent
        fields: dict[str, Any] = {}
        while self._at < len(self._lines) and self._lines[self._at].startswith(before):
            found = _FIELD.fullmatch(self._lines[self._at], indent)
            if not found or found[1] in fields or not is_key(found[1]):
                raise Doubtful
            self._at += 1
            fields[found[1]] = self._value(found[2], indent + INDENT)
        return fields

    def _value(self, said: str | None, indent: int) -> Any:  # noqa: ANN401 (a value of YAML)
        if said is None:
            return self._block(indent)
        return self._flow(said, indent) if said[0] == "[" else self._scalar(said, indent)

    def _block(self, indent: int) -> Any:  # noqa: ANN401 (see above)
        before = " " * indent
        first = self._lines[self._at] if self._at < len(self._lines) else ""
        if first.startswith(before + "- "):
            return self._list(before + "- ", indent + INDENT)
        if not first.startswith(before):
            raise Doubtful
        return self._mapping(indent)

    def _list(self, before: str, indent: int) -> list[str | int]:
        items = []
        while self._at < len(self._lines) and self._lines[self._at].startswith(before):
            said = self._lines[self._at][len(before) :]
            self._at += 1
            items.append(self._scalar(said, indent))
        return items

    def _scalar(self, said: str, indent: int) -> str | int:
        if said == "|-":
            return self._literal(indent)
        return _unquoted(said) if said[:1] == "'" else value_of(said, _BLOCK)

    def _literal(self, indent: int) -> str:
        before = " " * indent
        start = self._at
        while self._at < len(self._lines) and (not self._lines[self._at] or self._lines[self._at].startswith(before)):
            self._at += 1
        lines = [line[indent:] for line in self._lines[start : self._at]]
        # Spaces before the first line would say how far the block is indented; the last lines may be cut off.
        if not lines or not lines[0] or lines[0][0] == " " or not lines[-1].strip(" "):
            raise Doubtful
        return "\n".join(lines)

    def _flow(self, said: str, indent: int) -> list[Any]:
        inner = " " * indent
        while self._at < len(self._lines) and self._lines[self._at].startswith(inner):
            if said[-1] == " ":
                raise Doubtful
            said += " " + self._lines[self._at].lstrip(" ")
            self._at += 1
        if len(said) < len("[]") or said[-1] != "]":
            raise Doubtful
        if _NUMBERS.fullmatch(said):
            return _numbers(said)
        if said[1] not in "]'" and ", '" not in said and "[" not in said[1:]:
            return [value_of(item, _FLOW) for item in said[1:-1].split(", ")]
        return _bracketed(said)


def _unquoted(said: str) -> str:
    if not _WHOLE_QUOTED.fullmatch(said):
        raise Doubtful
    return said[1:-1].replace("''", "'")


def _numbers(said: str) -> list[Any]:
    """
    Return the list of numbers that *said* is: what JSON takes for one, YAML reads alike.
    """
    try:
        return list(json.loads(said))
    except (ValueError, RecursionError) as error:
        raise Doubtful from error


def _bracketed(said: str) -> list[Any]:
    """
    Return the list that *said* is, lists and texts in quotation marks in it.
    """
    tokens = _tokens(said)
    if next(tokens)[0] != "[":
        raise Doubtful
    items = _items(tokens, 0)
    if next(tokens, None) is not None:
        raise Doubtful
    return items


def _tokens(said: str) -> Iterator[str]:
    at = 0
    while at < len(said):
        found = _TOKEN.match(said, at)
        if not found:
            raise Doubtful
        yield found.group()
        at = found.end()


def _items(tokens: Iterator[str], level: int) -> list[Any]:
    """
    Return what stands up to the bracket that closes the list.
    """
    if level > _MOST_LEVELS:
        raise Doubtful
    items: list[Any] = []
    said = next(tokens, "")
    while said != "]" or items:
        items.append(_items(tokens, level + 1) if said[:1] == "[" else _item(said))
        behind = next(tokens, "")
        if behind == "]":
            break
        if behind != ", ":
            raise Doubtful
        said = next(tokens, "")
    return items


def _item(said: str) -> str | int:
    return _unquoted(said) if said[:1] == "'" else value_of(said, _FLOW)
