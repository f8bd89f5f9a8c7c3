"""
Changing a text of JSON where its value changed, and nowhere else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from lorebook.formats.exactjson.aligning import Sameness, align
from lorebook.formats.exactjson.nesting import refuse_deeper
from lorebook.formats.exactjson.reading import SPACE, Edit, edited
from lorebook.formats.exactjson.spans import Member, Spans
from lorebook.formats.exactjson.writing import Style, quoted, written

_BREAK = re.compile(r"\r?\n[ \t]*")
# Perhaps of something that looks like it in a text; it decides only how members are written that have no neighbours.
_COLON = re.compile(r'"([ \t]*:[ \t]*)[-"\[{0-9tfn]')
# Of what is not ASCII, after an even number of backslashes.
_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[0-7])")


def patched(text: str, old: object, new: object) -> str:
    """
    Return *text*, which says *old*, with as little changed as says *new*.

    Raises FormatError when JSON cannot hold *new*.
    """
    if old is new:
        return text
    refuse_deeper(new)
    same = Sameness()
    return text if same(old, new) else edited(text, _Patch(text, same).edits(old, new))


class _Task(NamedTuple):
    """
    A value that may have changed, where it is written, and the style around it.
    """

    start: int
    end: int
    old: Any
    new: Any
    style: Style


class _Holder(NamedTuple):
    """
    A list or an object as it is written.
    """

    start: int
    last: int
    """Where its last bracket is."""
    members: list[Member]
    style: Style
    """Of what is in it."""
    between: str
    """What stands between two members."""


class _Patch:
    """
    One text being changed.
    """

    def __init__(self, text: str, same: Sameness) -> None:
        self._text = text
        self._same = same
        self._spans = Spans(text)
        self._edits: list[Edit] = []
        self._tasks: list[_Task] = []

    def edits(self, old: object, new: object) -> list[Edit]:
        """
        Return what must be changed so that the text says *new* and no longer *old*.
        """
        self._tasks = [self._whole(old, new)]
        while self._tasks:
            task = self._tasks.pop()
            if self._same(task.old, task.new):
                continue
            if isinstance(task.old, dict) and isinstance(task.new, dict):
                self._change_object(task)
            elif isinstance(task.old, list) and isinstance(task.new, list | tuple):
                self._change_list(task, task.old, task.new)
            else:
                self._edits.append(Edit(task.start, task.end, written(task.new, task.style)))
        return self._edits

    def _whole(self, old: object, new: object) -> _Task:
        found = SPACE.match(self._text)
        start = found.end() if found else 0
        colon = _COLON.search(self._text)
        style = Style(
            line="\n" if "\n" in self._text.strip() else None,
            ascii=self._text.isascii() and _ESCAPED.search(self._text) is not None,
        )
        style = _with_colon(style, colon[1]) if colon else style
        return _Task(start, self._spans.end(start), old, new, style)

    def _change_object(self, task: _Task) -> None:
        """
        Change, remove and add members; where a key is there more than once, the last one is its member.
        """
        holder = self._holder(task)
        keys = [_key(member) for member in holder.members]
        removed = [number for number, key in enumerate(keys) if key not in task.new]
        for key, number in {key: number for number, key in enumerate(keys)}.items():
            if key in task.new:
                member = holder.members[number]
                self._tasks.append(_Task(member.value, member.end, task.old[key], task.new[key], holder.style))
        added = [self._added(key, item, holder) for key, item in task.new.items() if key not in task.old]
        gone = set(removed)
        last = next((number for number in range(len(keys) - 1, -1, -1) if number not in gone), -1)
        self._rearrange(holder, removed, {last: added} if added else {})

    def _added(self, key: object, item: object, holder: _Holder) -> str:
        return f"{quoted(key, holder.style)}{holder.style.colon}{written(item, holder.style)}"

    def _change_list(self, task: _Task, old: list[Any], new: Sequence[Any]) -> None:
        holder = self._holder(task)
        found = align(old, new, self._same)
        for one, other in found.changed:
            member = holder.members[one]
            self._tasks.append(_Task(member.value, member.end, old[one], new[other], holder.style))
        inserted = {
            after: [written(new[number], holder.style) for number in numbers]
            for after, numbers in found.inserted.items()
        }
        self._rearrange(holder, found.removed, inserted)

    def _rearrange(self, holder: _Holder, removed: list[int], inserted: dict[int, list[str]]) -> None:
        """
        Remove members, each with one comma and its space, and insert others after the members with these numbers.
        """
        members, between = holder.members, holder.between
        if len(removed) == len(members):
            self._refill(holder, between.join(inserted.get(-1, [])))
            return
        for first, last in _runs(removed):
            if first:
                self._edits.append(Edit(members[first - 1].end, members[last].end, ""))
            else:
                self._edits.append(Edit(members[0].start, members[last + 1].start, ""))
        for after, pieces in inserted.items():
            at = members[0].start if after < 0 else members[after].end
            new = between.join(pieces)
            self._edits.append(Edit(at, at, f"{new}{between}" if after < 0 else f"{between}{new}"))

    def _refill(self, holder: _Holder, content: str) -> None:
        """
        Write *content* in place of all members.
        """
        if content and holder.members:
            self._edits.append(Edit(holder.members[0].start, holder.members[-1].end, content))
        else:
            self._edits.append(Edit(holder.start + 1, holder.last, content))

    def _holder(self, task: _Task) -> _Holder:
        members, last = self._spans.members(task.start)
        if not members:
            style = replace(task.style, line=None)
            return _Holder(task.start, last, members, style, style.comma)
        style = task.style
        end = members[-1]
        if end.key:
            style = _with_colon(style, self._text[end.start + len(end.key) : end.value])
        lead = self._text[task.start + 1 : members[0].start]
        between = f",{lead}" if "\n" in lead else style.comma
        if len(members) > 1:
            between = self._text[members[-2].end : end.start]
        return _Holder(task.start, last, members, self._inside(style, between, self._text[end.end : last]), between)

    def _inside(self, style: Style, between: str, tail: str) -> Style:
        """
        Return the style of members that have *between* between them and *tail* after the last.
        """
        lines = _BREAK.findall(between)
        if not lines:
            return replace(style, line=None, comma=between)
        line, outer = lines[-1], "".join(_BREAK.findall(tail)[-1:])
        further = line[len(outer) :] if outer and line.startswith(outer) else ""
        return replace(style, line=line, unit=further or style.unit)


def _with_colon(style: Style, colon: str) -> Style:
    """
    Return *style* with *colon*, and with commas that have space after them where the colon has.
    """
    return replace(style, colon=colon, comma=", " if colon.endswith(" ") else ",")


def _key(member: Member) -> str:
    key: str = json.loads(member.key) if "\\" in member.key else member.key[1:-1]
    return key


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """
    Yield the first and the last of each run of consecutive *numbers*.
    """
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        yield found[0], found[-1]
