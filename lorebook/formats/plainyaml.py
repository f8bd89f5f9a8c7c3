"""
YAML that is nothing but texts, lists and objects, read from strangers' files; written it is never.

Aliases are refused (a few lines of them stand for gigabytes), tags are, too, and whatever is not quoted is text as it
stands: `yes`, `007` and `12:30` stay what somebody typed. Only an empty value and null are null.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from lorebook.errors import FormatError
from lorebook.formats.notes import Notes, step

LARGEST = 1024 * 1024
"""Characters of a text; a character has a few thousand."""
MOST_VALUES = 10_000
DEEPEST = 20

_NULLS = ("", "~", "null", "Null", "NULL")
_PLAIN_TAGS = ("!", *(f"tag:yaml.org,2002:{name}" for name in ("str", "map", "seq")))

_NAMED = re.compile(rb"(- )?[\w-]+:(\s|$)")
_LOOKED_AT = 64 * 1024

_Node: TypeAlias = yaml.ScalarEvent | yaml.CollectionStartEvent
_MISSING = object()


@dataclass(frozen=True)
class YamlText:
    """
    A text and the value that it says.
    """

    text: str
    value: Any

    def patched(self, value: Any) -> str:  # noqa: ANN401 (JSON is any value)
        """
        Return the text for the value that it says.

        Raises FormatError for any other: YAML is not written.
        """
        if value is not self.value:
            raise FormatError("YAML is only read", hint="convert it instead")
        return self.text


def resembles(data: bytes) -> bool:
    """
    Say whether most lines of *data* that are not indented begin with a name and a colon, as those of an object do.
    """
    # A tab does not indent in YAML, but that is for the parser to say.
    others = (b" ", b"\t", b"#", b"---")
    lines = [line for line in data[:_LOOKED_AT].splitlines() if line.strip() and not line.startswith(others)]
    return 2 * sum(1 for line in lines if _NAMED.match(line)) > len(lines)


def parse(text: str, notes: Notes, where: str = "$") -> YamlText:
    """
    Read *text*; a name that stands twice goes to *notes*, with its path below *where*.

    Raises FormatError with the line where it is no YAML of plain values.
    """
    if len(text) > LARGEST:
        raise FormatError(f"the YAML has {len(text):,} characters; the limit is {LARGEST:,}")
    tree = _Tree(notes, where)
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            tree.take(event)
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise FormatError(f"not readable as YAML: {_explained(error)}") from error
    return YamlText(text, tree.value)


@dataclass
class _Open:
    """
    A list or an object that is being read.
    """

    value: Any
    where: str
    key: Any = _MISSING
    """The name in an object that waits for its value."""


class _Tree:
    """
    The value that the events make up.
    """

    def __init__(self, notes: Notes, where: str) -> None:
        self.value: Any = None
        self._notes, self._where = notes, where
        self._open: list[_Open] = []
        self._count = self._documents = 0

    def take(self, event: yaml.Event) -> None:
        """
        Take the next event.

        Raises FormatError for what is not read here.
        """
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _refused("more than one document", event)
        elif isinstance(event, yaml.AliasEvent):
            raise _refused(f"an alias (*{event.anchor}), which only says again what is said elsewhere", event)
        elif isinstance(event, _Node):
            self._node(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()

    def _node(self, event: _Node) -> None:
        self._count += 1
        if self._count > MOST_VALUES:
            raise _refused(f"more than {MOST_VALUES:,} values", event)
        if event.tag is not None and event.tag not in _PLAIN_TAGS:
            raise _refused(f"a value with the tag {event.tag[:40]}", event)
        if isinstance(event, yaml.ScalarEvent):
            self._put(None if event.implicit[0] and event.value in _NULLS else event.value, event)
            return
        if len(self._open) == DEEPEST:
            raise _refused(f"a value nested more than {DEEPEST} deep", event)
        made: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._open.append(_Open(made, self._put(made, event)))

    def _put(self, value: object, event: _Node) -> str:
        """
        Put *value* where it belongs, and return its path; a name in an object waits for what it names.
        """
        if not self._open:
            self.value = value
            return self._where
        top = self._open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
            return step(top.where, len(top.value) - 1)
        if top.key is _MISSING:
            if not isinstance(value, str):
                raise _refused("a name that is not text", event)
            top.key = value
            return top.where
        where = step(top.where, top.key)
        if top.key in top.value:
            self._notes.add(where, "stands there twice; the last one counts")
        top.value[top.key] = value
        top.key = _MISSING
        return where


def _refused(what: str, event: yaml.Event) -> FormatError:
    mark: Any = event.start_mark
    return FormatError(f"the YAML has {what}", where=f"line {mark.line + 1}")


def _explained(error: Exception) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None) or str(error)
    return f"line {mark.line + 1}: {problem}" if mark else str(problem)
