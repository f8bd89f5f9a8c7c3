"""
The decorators at the head of an entry's content: Character Card V3's, and those that RisuAI adds.

A head is the run of lines at the very beginning that start with `@@`: `@@name`, or `@@name value`. A line
`@@@name value` stands in for the line above it where that one does nothing here, and so may the next one for it, in
chains of any length. Of decorators that say the same thing the first counts, but `additional_keys` add up. A name
that nobody knows, or a value that cannot be meant, does nothing; the head still tells of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from lorebook.records import Frozen, Role

_SIGN, _FALLBACK_SIGN = "@@", "@@@"
_LINE = re.compile(r"@@@?(?P<name>\S*)\s*(?P<value>.*)", re.DOTALL)
# Nine digits are more messages than any chat has, and no text of a million digits is ever converted.
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_DECIMAL = re.compile(r"\+?[0-9]{1,9}(?:\.[0-9]{1,9})?")
# A comma inside `/a{1,2}/i` belongs to the expression.
_LISTED = re.compile(r"\s*(/(?:[^\\/]|\\.)+/[a-z]*(?=\s*(?:,|$))|[^,]*)\s*(?:,|$)")
_PROMPTS = frozenset({"post_history_instructions", "system_prompt"})
_NAMED_PLACES = frozenset({"after_desc", "before_desc", "personality", "scenario"})
_TEMPLATE_PLACE = "pt_"


class Ignored(StrEnum):
    """
    Why a decorator does nothing.
    """

    UNKNOWN = "unknown"
    BAD_VALUE = "bad_value"
    DUPLICATE = "duplicate"
    NOT_NEEDED = "not_needed"
    """It would stand in for a line that does something, or for none."""
    SUPERSEDED = "superseded"
    """Another decorator places the entry."""
    NO_EFFECT = "no_effect"
    """It is about prompts that are one text; a chat has messages."""


class DecoratorLine(Frozen):
    """
    One line of a head: what it says, and why it does nothing if it does nothing.
    """

    name: str
    value: str = ""
    ignored: Ignored | None = None

    def __str__(self) -> str:
        told = f"@@{self.name} {self.value}".rstrip()
        return f"{told} (ignored: {self.ignored.replace('_', ' ')})" if self.ignored else told


@dataclass(frozen=True)
class Head:
    """
    What a head asks for; None and False where it says nothing. Names are the decorators'.
    """

    content: str
    """What stands below the head, without the blank lines between."""
    lines: tuple[DecoratorLine, ...] = ()
    activate: bool = False
    dont_activate: bool = False
    activate_only_after: int | None = None
    activate_only_every: int | None = None
    keep_activate_after_match: bool = False
    dont_activate_after_match: bool = False
    is_greeting: int | None = None
    is_user_icon: str | None = None
    position: str | None = None
    depth: int | None = None
    reverse_depth: int | None = None
    role: Role | None = None
    scan_depth: int | None = None
    additional_keys: tuple[tuple[str, ...], ...] = ()
    exclude_keys: tuple[str, ...] = ()
    exclude_keys_all: tuple[str, ...] = ()
    whole_words: bool | None = None
    ignore_on_max_context: bool = False
    priority: int | None = None
    probability: float | None = None
    recursive: bool | None = None
    no_recursive_search: bool = False
    disable_ui_prompt: str | None = None

    @property
    def is_remembered(self) -> bool:
        """
        Whether it matters later that the entry has fired.
        """
        return self.keep_activate_after_match or self.dont_activate_after_match

    @property
    def key_lists(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """
        The lists of keys that have a say beside the entry's own, each under its decorator's name.
        """
        vetoes = {"exclude_keys": self.exclude_keys, "exclude_keys_all": self.exclude_keys_all}
        added = tuple(("additional_keys", keys) for keys in self.additional_keys)
        return added + tuple((name, keys) for name, keys in vetoes.items() if keys)


def read_head(content: str) -> Head:
    """
    Return the head of *content*; one without decorators asks for nothing and leaves the content as it is.
    """
    if not has_head(content):
        return Head(content)
    lines = content.lstrip("\r\n").split("\n")
    size = next((number for number, line in enumerate(lines) if not line.startswith(_SIGN)), len(lines))
    reading = _Reading()
    for line in lines[:size]:
        reading.take(line)
    return reading.head("\n".join(lines[size:]).lstrip("\r\n"))


def has_head(content: str) -> bool:
    """
    Tell whether *content* begins with a decorator, blank lines apart.
    """
    return content.startswith(_SIGN) or (content[:1] in {"\r", "\n"} and content.lstrip("\r\n").startswith(_SIGN))


# What values may be: a reader returns None for one that cannot be meant.

_Reader: TypeAlias = Callable[[str], object]


def _says(answer: object) -> _Reader:
    """
    For decorators without a value; `true` is let pass.
    """
    return lambda value: answer if value.lower() in {"", "true"} else None


def _at_least(least: int, *, raised: bool = False) -> _Reader:
    """
    For whole numbers; a smaller one is no value, or counts as *least* where it is *raised*.
    """

    def read(value: str) -> object:
        number = int(value) if _WHOLE.fullmatch(value) else None
        if number is None or number >= least:
            return number
        return least if raised else None

    return read


def _per_cent(value: str) -> object:
    return float(value) if _DECIMAL.fullmatch(value) and float(value) <= 100 else None  # noqa: PLR2004 (per cent)


def _one_of(names: frozenset[str]) -> _Reader:
    return lambda value: value if value in names else None


def _role(value: str) -> object:
    return Role(value) if value in set(Role) else None


def _place(value: str) -> object:
    is_known = value in _NAMED_PLACES or (value.startswith(_TEMPLATE_PLACE) and value != _TEMPLATE_PLACE)
    return value if is_known else None


def _keys(value: str) -> object:
    return tuple(key for found in _LISTED.findall(value) if (key := found.strip())) or None


# Each decorator's name, the field of `Head` that it sets, and how its value is read.
_DECORATORS: Mapping[str, tuple[str, _Reader]] = {
    "activate": ("activate", _says(True)),
    "dont_activate": ("dont_activate", _says(True)),
    "activate_only_after": ("activate_only_after", _at_least(0, raised=True)),
    "activate_only_every": ("activate_only_every", _at_least(1)),
    "keep_activate_after_match": ("keep_activate_after_match", _says(True)),
    "dont_activate_after_match": ("dont_activate_after_match", _says(True)),
    "is_greeting": ("is_greeting", _at_least(0)),
    "is_user_icon": ("is_user_icon", lambda value: value or None),
    "position": ("position", _place),
    "depth": ("depth", _at_least(0, raised=True)),
    "reverse_depth": ("reverse_depth", _at_least(0, raised=True)),
    "role": ("role", _role),
    "scan_depth": ("scan_depth", _at_least(0, raised=True)),
    "additional_keys": ("additional_keys", _keys),
    "exclude_keys": ("exclude_keys", _keys),
    "ignore_on_max_context": ("ignore_on_max_context", _says(True)),
    "disable_ui_prompt": ("disable_ui_prompt", _one_of(_PROMPTS)),
    # RisuAI's own.
    "end": ("depth", _says(0)),
    "exclude_keys_all": ("exclude_keys_all", _keys),
    "match_full_word": ("whole_words", _says(True)),
    "match_word_boundary": ("whole_words", _says(True)),
    "match_partial_word": ("whole_words", _says(False)),
    "priority": ("priority", _at_least(-(10**9))),
    "probability": ("probability", _per_cent),
    "recursive": ("recursive", _says(True)),
    "unrecursive": ("recursive", _says(False)),
    "no_recursive_search": ("no_recursive_search", _says(True)),
}
# They count tokens of a prompt that is one text; so a fallback below them is tried.
_FOR_PLAIN_PROMPTS = frozenset({"instruct_depth", "reverse_instruct_depth", "instruct_scan_depth"})
# Fields that say where the text goes, the strongest first.
_PLACING = ("position", "depth", "reverse_depth")


@dataclass
class _Reading:
    """
    A head while it is read.
    """

    values: dict[str, Any] = field(default_factory=dict)
    lines: list[DecoratorLine] = field(default_factory=list)
    wants_fallback: bool = False

    def take(self, line: str) -> None:
        """
        Take the next *line*, which begins with the sign.
        """
        found = _LINE.fullmatch(line)
        name, value = (found["name"], found["value"].strip()) if found else ("", "")
        is_fallback = line.startswith(_FALLBACK_SIGN)
        # RisuAI once wrote `@@@end` alone, and still reads it.
        if is_fallback and not self.wants_fallback and not (name == "end" and not self.lines):
            ignored: Ignored | None = Ignored.NOT_NEEDED
        else:
            ignored = self._set(name, value)
            self.wants_fallback = ignored not in {None, Ignored.DUPLICATE}
        self.lines.append(DecoratorLine(name=name, value=value, ignored=ignored))

    def _set(self, name: str, value: str) -> Ignored | None:
        if name not in _DECORATORS:
            return Ignored.NO_EFFECT if name in _FOR_PLAIN_PROMPTS else Ignored.UNKNOWN
        target, reader = _DECORATORS[name]
        read = reader(value)
        if read is None:
            return Ignored.BAD_VALUE
        if name == "additional_keys":
            self.values[target] = (*self.values.get(target, ()), read)
        elif target in self.values:
            return Ignored.DUPLICATE
        else:
            self.values[target] = read
        return None

    def head(self, content: str) -> Head:
        """
        Return what has been read, above *content*.
        """
        for beaten in [target for target in _PLACING if target in self.values][1:]:
            del self.values[beaten]
            self.lines = [_superseded(line) if _target(line) == beaten else line for line in self.lines]
        return Head(content, tuple(self.lines), **self.values)


def _target(line: DecoratorLine) -> str | None:
    return None if line.ignored else _DECORATORS[line.name][0]


def _superseded(line: DecoratorLine) -> DecoratorLine:
    return line.model_copy(update={"ignored": Ignored.SUPERSEDED})
