"""
KoboldAI's World Info: the list `worldinfo` in a saved story of KoboldAI Lite (KoboldCpp) or the first KoboldAI.

Nothing of the story is read. A new file is a save in which no story has begun.
https://github.com/LostRuins/lite.koboldai.net
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import app_fields, koboldai_united, settings, stories, vocabulary
from lorebook.formats.comma_keys import joined
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Place, Schema, Slot
from lorebook.formats.koboldai_entries import APP, STORY, WHY, read_entry, write_entry
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

_MARKS = ("gamestarted", "prompt", "actions", "savedsettings")
_TELLING = frozenset({"key", "content"})
_OF_BOOK = ("wifolders_d", "wifolders_l", "wisearchdepth", "wiinsertlocation")
"""What of a save is about its World Info as a whole; `extensions` keep it."""
_NEW_SAVE: Mapping[str, Any] = {
    "gamestarted": True,
    "prompt": "",
    "memory": "",
    "authorsnote": "",
    "anotetemplate": "",
    "actions": [],
    "actions_metadata": {},
    "wifolders_d": {},
    "wifolders_l": [],
}
"""What KoboldAI Lite needs to see in a save, as it is before a story begins."""
_MEANINGLESS = {"folder": None, "wigroup": "", "init": True}


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a story of KoboldAI, or None.
    """
    if not isinstance(raw, dict) or "spec" in raw or "worldinfo" not in raw:
        return None
    held = raw["worldinfo"]
    mark = next((name for name in _MARKS if name in raw), None)
    if mark and (held is None or isinstance(held, dict | list)):
        return f"it has `worldinfo` and `{mark}`, as KoboldAI's stories have"
    found = isinstance(held, list) and any(isinstance(item, dict) and item.keys() >= _TELLING for item in held)
    return "its `worldinfo` have `key` and `content`, as in KoboldAI's stories" if found else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read the World Info of a story.
    """
    take = Taker(raw, where, notes)
    takes = settings.entries_if_any(take, "worldinfo")
    takes = [entry for entry in takes if not _is_blank(entry.peek("init"))]
    uids = settings.numbers(takes, "uid")
    entries = tuple(_read_entry(entry, uid) for entry, uid in zip(takes, uids, strict=True))
    kept = {name: value for name in _OF_BOOK if (value := take.raw(name))}
    return Content(Book(name="", entries=entries, extensions=app_fields.keep(APP, kept)))


def _is_blank(init: object) -> bool:
    """
    Tell the empty line at the end of every folder, which the first KoboldAI writes, from an entry.
    """
    return init is False


def is_entry(item: Json) -> bool:
    """
    Tell an entry from what else stands among the entries.
    """
    return isinstance(item, dict) and not _is_blank(item.get("init"))


def _read_entry(take: Taker, uid: int) -> Entry:
    for name in ("uid", "num"):
        take.raw(name)
    name, content = take.text("comment"), take.text("content")
    return read_entry(take, uid, name, content, _MEANINGLESS, selective=False)


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as the World Info of a story that has not begun.
    """
    book = content.needed_book
    kept = {name: value for name, value in app_fields.own(book, APP).items() if name in _OF_BOOK}
    save = {**_NEW_SAVE, **kept}
    entries = vocabulary.distinct(book.entries)
    items = [_write_entry(entry, save["wifolders_d"]) for entry in entries]
    if [entry.uid for entry in entries] != list(range(len(entries))):
        items = [item | {"uid": entry.uid} for item, entry in zip(items, entries, strict=True)]
    return save | {"worldinfo": items}


def _write_entry(entry: Entry, folders: object) -> dict[str, Any]:
    keys = write_entry(entry)
    folder = keys.more.get("folder")
    probability, rolled = vocabulary.chance(entry)
    own = {
        "key": joined(keys.key),
        "keysecondary": joined(keys.keysecondary),
        "keyanti": joined(keys.keyanti),
        "content": entry.content,
        "comment": entry.name,
        "folder": folder if isinstance(folders, dict) and str(folder) in folders else None,
        "selective": bool(entry.settings.secondary_keys),
        "constant": entry.settings.constant,
        "probability": probability if rolled else vocabulary.ALWAYS,
        "wigroup": keys.more.get("wigroup", ""),
        "widisabled": not entry.settings.enabled,
    }
    return own | {name: value for name, value in keys.more.items() if name not in own}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    return (("worldinfo",),) if isinstance(raw, dict) and isinstance(raw.get("worldinfo"), dict | list) else ()


SCHEMA = Schema(detect, read, write, entries_at, is_entry, WHY, left=partial(stories.story, names=STORY))
FORMAT = Format(
    name="koboldai",
    title="KoboldAI story with World Info",
    suffix=".json",
    container=TEXT,
    slots=(Slot(WHOLE, (koboldai_united.SCHEMA, SCHEMA)),),
    written={WHOLE: SCHEMA},
    app=APP,
    is_listed=True,
)
