"""
Settings of an entry as decorators: lines `@@name value` above the content, RisuAI's only place for them.

Where RisuAI reads a card of SillyTavern's it writes the same lines. They are told from decorators that the author
wrote by their number, which the entry keeps beside them: an author's own stay part of the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from lorebook.records import EntrySettings, Position, Role, SecondaryLogic

KEY_LISTS: Mapping[SecondaryLogic, str] = {
    SecondaryLogic.NOT_ALL: "exclude_keys_all",
    SecondaryLogic.NOT_ANY: "exclude_keys",
    SecondaryLogic.AND_ALL: "additional_keys",
}
"""The decorator for secondary keys that are not simply asked for, one of them at least."""

_LINE = re.compile(r"@@([a-z_]+)(?: (.*))?")
_LOGICS = {name: logic for logic, name in KEY_LISTS.items()}
# Without a value: the setting that the line stands for.
_SETTINGS: Mapping[str, tuple[str, Any]] = {
    "dont_activate": ("enabled", False),
    "match_full_word": ("match_whole_words", True),
    "match_partial_word": ("match_whole_words", False),
}
# RisuAI's own field has 0 where there is no chance to be taken.
_NEVER = "probability 0"


def lines(settings: EntrySettings) -> list[str]:
    """
    Return the decorators that say what *settings* have beyond RisuAI's fields, in RisuAI's order.
    """
    return [f"@@{line}" for line in _lines(settings)]


def read(head: list[str]) -> dict[str, Any] | None:
    """
    Return the settings that the lines *head* stand for, or None where `lines` does not write them so.
    """
    said: dict[str, Any] = {}
    try:
        for line in head:
            _take(line, said)
        settings = EntrySettings(**said)
    except ValueError:
        # No number, no role, nothing of ours: somebody else wrote these lines.
        return None
    return said if lines(settings) == head else None


def _lines(has: EntrySettings) -> Iterator[str]:
    yield from (name for name, (field, value) in _SETTINGS.items() if getattr(has, field) is value)
    yield from _key_lists(has)
    if has.position is Position.AT_DEPTH:
        yield f"depth {has.depth}"
        yield f"role {has.role.value}"
    if not has.probability:
        yield _NEVER


def _key_lists(has: EntrySettings) -> Iterator[str]:
    name = KEY_LISTS.get(has.secondary_logic)
    if name == "additional_keys":
        yield from (f"{name} {key}" for key in has.secondary_keys)
    elif name and has.secondary_keys:
        yield f"{name} {','.join(has.secondary_keys)}"


def _take(line: str, settings: dict[str, Any]) -> None:
    """
    Put what *line* says into *settings*; raises ValueError for what it cannot say.
    """
    found = _LINE.fullmatch(line)
    name, value = (found[1], found[2] or "") if found else ("", "")
    if name in _SETTINGS:
        field, said = _SETTINGS[name]
        settings[field] = said
    elif name in _LOGICS:
        keys = value.split(",") if name != "additional_keys" else [value]
        settings["secondary_logic"] = _LOGICS[name]
        settings["secondary_keys"] = (*settings.get("secondary_keys", ()), *keys)
    elif name == "depth":
        settings |= {"position": Position.AT_DEPTH, "depth": int(value)}
    elif line == f"@@{_NEVER}":
        settings["probability"] = 0
    elif name == "role":
        settings["role"] = Role(value)
    else:
        raise ValueError(line)
