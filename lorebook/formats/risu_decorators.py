"""
Settings of an entry as decorators: lines `@@name value` above the content, RisuAI's only place for them.

Where RisuAI reads a card of SillyTavern's it writes the same lines. They are told from decorators that the author
wrote by their number, which the entry keeps beside them: an author's own stay part of the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from lorebook.book import Entry
from lorebook.formats.taker import MOST
from lorebook.formats.vocabulary import ALWAYS, plain
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic

KEY_LISTS: Mapping[SecondaryLogic, str] = {
    SecondaryLogic.NOT_ALL: "exclude_keys_all",
    SecondaryLogic.NOT_ANY: "exclude_keys",
    SecondaryLogic.AND_ALL: "additional_keys",
}
"""The decorator for secondary keys that are not simply asked for, one of them at least."""

_LINE = re.compile(r"@@([a-z_]+)(?: (.*))?")
_LOGICS = {name: logic for logic, name in KEY_LISTS.items()}
# Without a value: the setting, or the name in `extensions`, that the line stands for.
_SETTINGS: Mapping[str, tuple[str, Any]] = {
    "dont_activate": ("enabled", False),
    "match_full_word": ("match_whole_words", True),
    "match_partial_word": ("match_whole_words", False),
}
_FLAGS = {"no_recursive_search": "exclude_recursion", "unrecursive": "prevent_recursion"}
_COUNTS = {"activate_only_after": ("delay", 1), "scan_depth": ("scan_depth", 0)}
_AFTER_CHAR = "after_desc"


def lines(entry: Entry) -> list[str]:
    """
    Return the decorators that say what *entry* has beyond RisuAI's fields, in RisuAI's order.
    """
    return [f"@@{line}" for line in _lines(entry)]


def carried(extensions: Mapping[str, Any]) -> set[str]:
    """
    Return the names in an entry's *extensions* that decorators say.
    """
    counts = {name for name, least in _COUNTS.values() if _is_count(extensions.get(name), least)}
    return counts | {name for name in _FLAGS.values() if extensions.get(name) is True}


def read(head: list[str]) -> Entry | None:
    """
    Return an entry with the settings and extensions that the lines *head* stand for, or None where `lines` writes
    them otherwise.
    """
    settings: dict[str, Any] = {}
    extensions: dict[str, Any] = {}
    try:
        for line in head:
            _take(line, settings, extensions)
        entry = Entry(uid=0, settings=EntrySettings(**settings), extensions=extensions)
    except ValueError:
        # No number, no role, nothing of ours: somebody else wrote these lines.
        return None
    return entry if lines(entry) == head else None


def settings_said(entry: Entry) -> dict[str, Any]:
    """
    Return the settings that `read` found in its lines.
    """
    return {name: getattr(entry.settings, name) for name in entry.settings.model_fields_set}


def _lines(entry: Entry) -> Iterator[str]:
    has, more = entry.settings, entry.extensions
    yield from (name for name, (field, value) in _SETTINGS.items() if getattr(has, field) is value)
    if "delay" in carried(more):
        yield f"activate_only_after {more['delay']}"
    yield from _key_lists(has)
    if has.position is Position.AFTER_CHAR:
        yield f"position {_AFTER_CHAR}"
    if has.position is Position.AT_DEPTH:
        yield f"depth {has.depth}"
        yield f"role {has.role.value}"
    if has.probability != ALWAYS:
        yield f"probability {plain(has.probability)}"
    if "scan_depth" in carried(more):
        yield f"scan_depth {more['scan_depth']}"
    yield from (name for name, field in _FLAGS.items() if more.get(field) is True)


def _key_lists(has: EntrySettings) -> Iterator[str]:
    name = KEY_LISTS.get(has.secondary_logic)
    if name == "additional_keys":
        yield from (f"{name} {key}" for key in has.secondary_keys)
    elif name and has.secondary_keys:
        yield f"{name} {','.join(has.secondary_keys)}"


def _take(line: str, settings: dict[str, Any], extensions: dict[str, Any]) -> None:
    """
    Put what *line* says into *settings* or *extensions*; raises ValueError for what it cannot say.
    """
    found = _LINE.fullmatch(line)
    name, value = (found[1], found[2] or "") if found else ("", "")
    if name in _SETTINGS:
        field, said = _SETTINGS[name]
        settings[field] = said
    elif name in _FLAGS:
        extensions[_FLAGS[name]] = True
    elif name in _COUNTS:
        extensions[_COUNTS[name][0]] = int(value)
    elif name in _LOGICS:
        keys = value.split(",") if name != "additional_keys" else [value]
        settings["secondary_logic"] = _LOGICS[name]
        settings["secondary_keys"] = (*settings.get("secondary_keys", ()), *keys)
    elif name == "depth":
        settings |= {"position": Position.AT_DEPTH, "depth": int(value)}
    elif name == "position" and value == _AFTER_CHAR:
        settings["position"] = Position.AFTER_CHAR
    elif name == "role":
        settings["role"] = Role(value)
    elif name == "probability":
        settings["probability"] = float(value)
    else:
        raise ValueError(line)


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST
