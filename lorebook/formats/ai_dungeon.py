"""
AI Dungeon's story cards: a list of `{"keys": "a, b", "value": "…", "type": "…", "title": "…", …}`.

Older files, from when they were called World Info, have the text in `entry`. AI Dungeon splits keys at commas and
looks for them as plain words. https://help.aidungeon.com/story-cards-import-and-export
"""

from __future__ import annotations

from functools import partial
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import app_fields, comma_keys, settings
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

APP = "aidungeon"
"""Under it in an entry's `extensions`: fields of a card that say more than a new one's."""

_OTHERS = {"type": "other", "description": "", "useForCharacterCreation": False}
"""What AI Dungeon wants in a card besides keys, text and title, as a new one has it."""
_TEXT, _OLD_TEXT = "value", "entry"
_WRITTEN = ("keys", "title", _TEXT, _OLD_TEXT)


def _detect(raw: Json, text: str) -> str | None:
    """
    Say why *raw* is a list of cards whose texts are called *text*, or None.
    """
    if not isinstance(raw, list):
        return None
    if not raw and text == _TEXT:
        return "it is an empty list, as AI Dungeon writes no cards"
    for item in raw:
        if isinstance(item, dict) and isinstance(item.get("keys"), str) and isinstance(item.get(text), str):
            return f"it is a list of `keys` and `{text}`, as AI Dungeon's cards are"
    return None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read story cards.
    """
    takes = settings.entries(raw, where, notes)
    return Content(Book(name="", entries=tuple(_read_entry(take, uid) for uid, take in enumerate(takes))))


def _read_entry(take: Taker, uid: int) -> Entry:
    name, keys = take.text("title"), take.texts("keys", joined=",")
    content = take.text(_TEXT if _TEXT in take else _OLD_TEXT)
    extensions = app_fields.keep(APP, take.rest(), _OTHERS)
    return Entry(uid=uid, name=name, keys=keys, content=content, extensions=extensions)


def _write(content: Content, strict: bool, text: str) -> list[Json]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as story cards, their texts called *text*.
    """
    return [_write_entry(entry, text) for entry in content.needed_book.entries]


def _write_entry(entry: Entry, text: str) -> dict[str, Any]:
    more = _OTHERS | {name: value for name, value in app_fields.own(entry, APP).items() if name not in _WRITTEN}
    return {"keys": comma_keys.joined(entry.keys, ", "), text: entry.content, "title": entry.name} | more


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are: the list is all there is.
    """
    return ((),) if isinstance(raw, list) else ()


_ONLY_CARDS = "in a list of AI Dungeon's cards there is nothing else"
_ALL_ALIKE = "AI Dungeon treats all cards alike"
_WHY = {
    "uid": "AI Dungeon's cards have no numbers",
    "keys": comma_keys.WHY,
    "enabled": "AI Dungeon has no switch for a card",
    "constant": "AI Dungeon adds a card only when one of its keys comes up",
    "secondary_keys": "AI Dungeon wants any one key and nothing more",
    "secondary_logic": "AI Dungeon wants any one key and nothing more",
    "rule": "AI Dungeon has no field for it",
    "extensions": "AI Dungeon has no field for it",
    **dict.fromkeys(("name", "description", "scan_depth", "token_budget", "recursive_scanning"), _ONLY_CARDS),
    **dict.fromkeys(("position", "depth", "role", "insertion_order", "probability"), _ALL_ALIKE),
    **dict.fromkeys(("case_sensitive", "match_whole_words"), _ALL_ALIKE),
}


def _schema(text: str) -> Schema:
    return Schema(partial(_detect, text=text), read, partial(_write, text=text), entries_at, why=_WHY)


SCHEMA = _schema(_TEXT)
OLD_SCHEMA = _schema(_OLD_TEXT)
FORMAT = Format(
    "ai-dungeon",
    "AI Dungeon story cards",
    ".json",
    TEXT,
    (Slot(WHOLE, (SCHEMA, OLD_SCHEMA)),),
    {WHOLE: SCHEMA},
    ready_made="AI Dungeon, which reads none of the others",
)
