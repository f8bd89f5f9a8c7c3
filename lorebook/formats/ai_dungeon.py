"""
AI Dungeon's story cards: a list of `{"keys": "a, b", "value": "…", "type": "…", "title": "…", …}`.

Older files, from when they were called World Info, have the text in `entry`, and the title in `name`; a scenario that
was saved whole has the list in `storyCards` or `worldInfo`. AI Dungeon splits keys at commas and looks for them as
plain words. https://help.aidungeon.com/story-cards-import-and-export
"""

from __future__ import annotations

from functools import partial
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import app_fields, comma_keys, macros, settings, stories
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
_HOLDERS = ("storyCards", "worldInfo")
"""Where a scenario or an adventure has its cards, in files of tools that save one whole."""
_OWN = ("title", "type")
"""A card has these, where its keys tell too little."""
_STORY = ("description", "prompt", "memory", "authorsNote", "instructions", "actions", "actionWindow")
"""What of a scenario or an adventure is no card."""
_OF_CARDS = ("spec", "first_mes")
"""A character has these, whatever stands beside them."""


def _detect(raw: Json, text: str, holder: str) -> str | None:
    """
    Say why *raw* is a list of cards, or an object with one in *holder*, whose texts are called *text*; or None.
    """
    if holder:
        cards = raw.get(holder) if isinstance(raw, dict) and not any(name in raw for name in _OF_CARDS) else None
        there = isinstance(cards, list) and any(_is_card(item, text) for item in cards)
        return f"its `{holder}` have `keys` and `{text}`, as AI Dungeon's cards have" if there else None
    if not isinstance(raw, list):
        return None
    if not raw and text == _TEXT:
        return "it is an empty list, as AI Dungeon writes no cards"
    there = any(_is_card(item, text) for item in raw)
    return f"it is a list of `keys` and `{text}`, as AI Dungeon's cards are" if there else None


def _is_card(item: Json, text: str) -> bool:
    """
    Tell a card from other items; some tools write keys as a list, and null for none.
    """
    if not isinstance(item, dict) or not isinstance(item.get(text), str):
        return False
    keys = item.get("keys", False)
    return isinstance(keys, str) or ((keys is None or isinstance(keys, list)) and any(name in item for name in _OWN))


def _read(raw: Json, where: str, notes: Notes, holder: str) -> Content:
    """
    Read story cards; a scenario's title is the book's name.
    """
    if not holder:
        return Content(_read_book("", raw, where, notes))
    take = Taker(raw, where, notes)
    return Content(_read_book(take.text("title"), take.raw(holder), take.at(holder), notes))


def _read_book(name: str, held: Json, where: str, notes: Notes) -> Book:
    takes = settings.entries(held, where, notes)
    return Book(name=name, entries=tuple(_read_entry(take, uid) for uid, take in enumerate(takes)))


def _read_entry(take: Taker, uid: int) -> Entry:
    name, keys = take.text("title") or take.text("name"), take.texts("keys", joined=",")
    # A card that was carried over from World Info may have both, and nothing in the new one.
    is_old = take.peek(_TEXT) in (None, "") and _OLD_TEXT in take
    content = take.text(_OLD_TEXT if is_old else _TEXT)
    if is_old:
        take.raw(_TEXT)
    extensions = app_fields.keep(APP, take.rest(), _OTHERS)
    return Entry(uid=uid, name=name, keys=keys, content=content, extensions=extensions)


def _write(content: Content, strict: bool, text: str, holder: str) -> Json:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as story cards, their texts called *text*.
    """
    book = content.needed_book
    cards = [_write_entry(entry, text) for entry in book.entries]
    return {"title": book.name, holder: cards} if holder else cards


def _write_entry(entry: Entry, text: str) -> dict[str, Any]:
    more = _OTHERS | {name: value for name, value in app_fields.own(entry, APP).items() if name not in _WRITTEN}
    return {"keys": comma_keys.joined(entry.keys, ", "), text: entry.content, "title": entry.name} | more


def _entries_at(raw: Json, holder: str) -> tuple[Place, ...]:
    """
    Return where the entries are: the list is all there is, or in *holder*.
    """
    if not holder:
        return ((),) if isinstance(raw, list) else ()
    return ((holder,),) if isinstance(raw, dict) and isinstance(raw.get(holder), list) else ()


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


def _schema(text: str, holder: str = "") -> Schema:
    return Schema(
        partial(_detect, text=text, holder=holder),
        partial(_read, holder=holder),
        partial(_write, text=text, holder=holder),
        partial(_entries_at, holder=holder),
        why=_WHY,
        remarks=partial(macros.remarks, program="AI Dungeon"),
        left=partial(stories.story, names=_STORY if holder else ()),
    )


SCHEMA = _schema(_TEXT)
_SCHEMAS = (SCHEMA, _schema(_OLD_TEXT), *(_schema(text, holder) for holder in _HOLDERS for text in (_TEXT, _OLD_TEXT)))
FORMAT = Format(
    "ai-dungeon",
    "AI Dungeon story cards",
    ".json",
    TEXT,
    (Slot(WHOLE, _SCHEMAS),),
    {WHOLE: SCHEMA},
    app=APP,
    is_listed=True,
    ready_made="AI Dungeon, which reads none of the others",
)
