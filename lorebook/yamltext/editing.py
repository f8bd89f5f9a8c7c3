"""
A list of texts in a YAML mapping changed where it stands; all else, comments and spacing too, stays byte for byte.

What a person wrote by hand is not written anew for the sake of one item: the places are those that PyYAML tells, and
what comes out is read again before it counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

import yaml

from lorebook.errors import DataError
from lorebook.yamltext import library

_COMMENTS_ABOVE = re.compile(r"(?:^[ \t]*#[^\r\n]*\r?\n)+\Z", re.MULTILINE)


class _Field(NamedTuple):
    """
    The list of a field, and where the field stands among those of the mapping.
    """

    items: yaml.SequenceNode
    at: int


class _Mapping(NamedTuple):
    text: str
    root: yaml.MappingNode

    @property
    def line_end(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def field(self, name: str) -> _Field | None:
        for at, (key, value) in enumerate(self.root.value):
            if key.value == name and isinstance(value, yaml.SequenceNode):
                return _Field(value, at)
        return None


def with_item(text: str, name: str, item: str, *, before: Sequence[str] = (), where: str) -> str:
    """
    Return *text* with *item*, a word, at the end of the list *name*; a new list stands before the fields *before*.

    Raises DataError, naming *where*, for YAML that cannot be changed in place, as a list that is an alias.
    """
    held = _mapping(text, where)
    field = held.field(name)
    made = _appended(held, field.items, item) if field else _with_field(held, name, item, before)
    return _checked(made, text, name, [*_items(text, name, where), item], where)


def without_item(text: str, name: str, item: str, *, where: str) -> str:
    """
    Return *text* without *item* in the list *name*, and without the field where nothing else is in it.

    Raises DataError, naming *where*, for YAML that cannot be changed in place.
    """
    made, left = text, [each for each in _items(text, name, where) if each != item]
    while (field := (held := _mapping(made, where)).field(name)) and item in [each.value for each in field.items.value]:
        made = _without(held, field, item) if left else _without_field(held, field)
    return _checked(made, text, name, left, where)


def _mapping(text: str, where: str) -> _Mapping:
    # The loader in Python, not that in C: its marks count the characters of this text.
    try:
        root = yaml.compose(text, yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise DataError(f"not readable as YAML: {error}", where=where) from error
    if not isinstance(root, yaml.MappingNode):
        raise DataError("not a mapping", where=where)
    return _Mapping(text, root)


def _items(text: str, name: str, where: str) -> list[object]:
    plain = library.read(text, where=where)
    return list(plain.get(name) or ()) if isinstance(plain, dict) else []


def _checked(made: str, text: str, name: str, items: list[object], where: str) -> str:
    plain = library.read(text, where=where)
    wanted = {key: value for key, value in plain.items() if key != name} if isinstance(plain, dict) else {}
    try:
        is_meant = library.read(made, where=where) == wanted | ({name: items} if items else {})
    except DataError:
        is_meant = False
    if not is_meant:
        raise DataError(f"the list `{name}` cannot be changed in place", where=where, hint="change it by hand")
    return made


def _appended(held: _Mapping, items: yaml.SequenceNode, item: str) -> str:
    if not items.value:
        return _put(held.text, items.start_mark.index + 1, item)
    end = _end(held.text, items.value[-1])
    if items.flow_style:
        return _put(held.text, end, f", {item}")
    before = " " * items.start_mark.column
    return _put(held.text, _line_end(held.text, end), f"{held.line_end}{before}- {item}")


def _with_field(held: _Mapping, name: str, item: str, before: Sequence[str]) -> str:
    text, root = held.text, held.root
    if root.flow_style:
        return _put(text, root.value[-1][1].end_mark.index, f", {json.dumps(name)}: [{json.dumps(item)}]")
    follows = [key.start_mark for key, _ in root.value if key.value in before]
    line = f"{' ' * root.start_mark.column}{name}: [{item}]{held.line_end}"
    if follows:
        at = text.rfind("\n", 0, follows[0].index) + 1
        comments = _COMMENTS_ABOVE.search(text[:at])
        return _put(text, comments.start() if comments else at, line)
    at = root.end_mark.index
    return _put(text, at, line if text[:at].endswith("\n") else held.line_end + line)


def _without(held: _Mapping, field: _Field, item: str) -> str:
    nodes = field.items.value
    at = next(place for place, node in enumerate(nodes) if node.value == item)
    start, end = nodes[at].start_mark.index, _end(held.text, nodes[at])
    if not field.items.flow_style:
        return _cut_lines(held.text, start, end)
    if at + 1 < len(nodes):
        return held.text[:start] + held.text[nodes[at + 1].start_mark.index :]
    return held.text[: nodes[at - 1].end_mark.index] + held.text[end:]


def _without_field(held: _Mapping, field: _Field) -> str:
    text, fields = held.text, held.root.value
    start, end = fields[field.at][0].start_mark.index, field.items.end_mark.index
    if not held.root.flow_style:
        return _cut_lines(text, start, end if field.items.flow_style else _end(text, field.items.value[-1]))
    if field.at:
        return text[: fields[field.at - 1][1].end_mark.index] + text[end:]
    return text[:start] + text[fields[1][0].start_mark.index :]


def _put(text: str, at: int, more: str) -> str:
    return text[:at] + more + text[at:]


def _end(text: str, node: yaml.Node) -> int:
    """
    Where the text of *node* ends: behind a block of lines, PyYAML's mark is at what follows.
    """
    return len(text[: node.end_mark.index].rstrip())


def _line_end(text: str, at: int) -> int:
    """
    Where the line ends in which *at* is: before its line break.
    """
    found = re.compile(r"\r?\n").search(text, at)
    return found.start() if found else len(text)


def _cut_lines(text: str, start: int, end: int) -> str:
    """
    Return *text* without the lines from that of *start* to that of *end*.
    """
    behind = text.find("\n", end) + 1
    return text[: text.rfind("\n", 0, start) + 1] + (text[behind:] if behind else "")
