"""
KoboldAI United's World Info: `{"entries": {"0": {…}, …}}` with lists of keys, alone or as a save's `worldinfo_v2`.

It is changed where it is found; new files are KoboldAI Lite's, which United opens, too.
https://github.com/henk717/KoboldAI
"""

from __future__ import annotations

from functools import partial
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import settings, stories, vocabulary
from lorebook.formats.format import Content, Json, Place, Schema
from lorebook.formats.koboldai_entries import STORY, WHY, read_entry, write_entry
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

_IN_SAVE = "worldinfo_v2"
_ALWAYS_ON = ("constant", "commentator")
_OWN = ("manual_text", "wpp", "used_in_game", "v1_uid")
"""Only United writes these in an entry."""
_OTHERS = ("order", "disable", "position")
"""World Info of other programs has these, some of which also keep fields of United."""
_MEANINGLESS = {
    "folder": "root",
    "type": "wi",
    "comment": "",
    "wpp": {"name": "", "type": "", "format": "W++", "attributes": {}},
    "use_wpp": False,
    "v1_uid": None,
    "object_type": None,
}


def detect(raw: Json) -> str | None:
    """
    Say why *raw* has World Info of KoboldAI United, or None.
    """
    if not isinstance(raw, dict) or "spec" in raw:
        return None
    inside = raw.get(_IN_SAVE)
    if isinstance(inside, dict) and isinstance(inside.get("entries"), dict) and not _is_forgotten(raw, inside):
        return f"it has `{_IN_SAVE}`, as saves of KoboldAI United have"
    held = raw.get("entries")
    if not isinstance(held, dict) or not isinstance(raw.get("folders"), dict):
        return None
    found = any(_is_own(item) for item in held.values())
    return "its `entries` have `manual_text` or `wpp`, as in KoboldAI United" if found else None


def _is_forgotten(save: dict[str, Any], inside: dict[str, Any]) -> bool:
    """
    Tell whether *inside* is empty beside the list of a save that was made before there was a second version.
    """
    return not inside["entries"] and bool(save.get("worldinfo"))


def _is_own(item: Json) -> bool:
    has = isinstance(item, dict) and "key" in item and any(name in item for name in _OWN)
    return has and not any(name in item for name in _OTHERS)


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read World Info of KoboldAI United.
    """
    take = Taker(raw, where, notes)
    if _IN_SAVE in take:
        take = take.inner(_IN_SAVE)
    takes = settings.entries(take.raw("entries"), take.at("entries"), notes)
    uids = settings.numbers(takes, "uid")
    return Content(
        Book(name="", entries=tuple(_read_entry(entry, uid) for entry, uid in zip(takes, uids, strict=True)))
    )


def _read_entry(take: Taker, uid: int) -> Entry:
    for name in ("uid", "token_length", "used_in_game"):
        take.raw(name)
    title, content, typed = take.text("title"), take.text("content"), take.text("manual_text")
    if take.peek("use_wpp") is True:
        take.notes.add(take.at("use_wpp"), "is on: KoboldAI makes the text from attributes, and drops another one")
    constant = take.peek("type") in _ALWAYS_ON
    return read_entry(take, uid, title, content or typed, _MEANINGLESS, selective=True, constant=constant)


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as World Info in a save of KoboldAI United.
    """
    entries = vocabulary.distinct(content.needed_book.entries)
    return {_IN_SAVE: {"entries": {str(entry.uid): _write_entry(entry) for entry in entries}}}


def _write_entry(entry: Entry) -> dict[str, Any]:
    keys = write_entry(entry)
    kind, folder = keys.more.get("type"), keys.more.get("folder")
    on = entry.settings.constant
    own = {
        "uid": entry.uid,
        "title": entry.name,
        "key": keys.key,
        "keysecondary": keys.keysecondary,
        "keyanti": keys.keyanti,
        "folder": folder if isinstance(folder, str) else "root",
        "constant": on,
        "manual_text": entry.content,
        "content": entry.content,
        "comment": keys.more.get("comment", ""),
        "type": kind if isinstance(kind, str) and (on or kind not in _ALWAYS_ON) else "wi",
        "selective": bool(entry.settings.secondary_keys),
    }
    return own | {name: value for name, value in keys.more.items() if name not in own}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    inside: Place = (_IN_SAVE,) if isinstance(raw, dict) and _IN_SAVE in raw else ()
    held = raw.get(_IN_SAVE) if inside else raw
    there = isinstance(held, dict) and isinstance(held.get("entries"), dict | list)
    return ((*inside, "entries"),) if there else ()


_WHY = {
    **WHY,
    "enabled": "KoboldAI United has no switch for an entry",
    "probability": "KoboldAI United takes every entry that is asked for",
}
SCHEMA = Schema(detect, read, write, entries_at, why=_WHY, left=partial(stories.story, names=STORY))
