"""
Chub's lorebook: World Info and a character book in one, every entry under both spellings.

In real downloads the two spellings of one setting disagree. SillyTavern reads World Info's and Chub's own pages offer
the file for SillyTavern, so World Info's spelling wins here, and writing makes both say the same.
"""

from __future__ import annotations

from typing import Any

from lorebook.book import CARD_NAMES, Entry
from lorebook.formats import character_book, settings, vocabulary, world_info
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.patching import same
from lorebook.formats.settings import HEAD_NAMES
from lorebook.formats.taker import Taker
from lorebook.formats.vocabulary import SETTINGS_IN_EXTENSIONS

_NAMES = world_info.NAMES | character_book.NAMES | {"id"}
# The character book's spelling of what World Info's spelling says.
_TWICE = {"keys": "key", "secondary_keys": "keysecondary", "insertion_order": "order", "id": "uid"}
_COPIES = (*_TWICE, "enabled", "case_sensitive")


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a lorebook of Chub, or None.
    """
    if not isinstance(raw, dict) or "spec" in raw or not isinstance(raw.get("entries"), dict | None):
        return None
    if mark := world_info.chub_mark(raw):
        return mark
    if raw.get("entries") is None:
        return None
    both = any(isinstance(item, dict) and "keys" in item and "key" in item for item in raw["entries"].values())
    return "its `entries` are an object and have `key` and `keys`, as in Chub's lorebooks" if both else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a lorebook of Chub.
    """
    take = Taker(raw, where, notes)
    takes = settings.entries_if_any(take, "entries")
    uids = settings.numbers(takes, "uid")
    return Content(
        settings.read_book(take, tuple(_read_entry(entry, uid) for entry, uid in zip(takes, uids, strict=True)))
    )


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as a lorebook of Chub.
    """
    settled = vocabulary.settle(content.needed_book, HEAD_NAMES, _NAMES)
    return settings.write_book(settled, {str(entry.uid): _write_entry(entry) for entry in settled.entries})


def _read_entry(take: Taker, uid: int) -> Entry:
    if "key" not in take:
        return character_book.read_entry(take, uid, use_regex=False)
    extensions = character_book.spelled(take.mapping("extensions"))
    _note_copies(take, extensions)
    for name in _COPIES:
        take.raw(name)
    title, other = take.text("comment"), take.text("name")
    plain = take.rest() | {"comment": title or other, "extensions": _unshadowed(extensions)}
    plain |= {name: extensions[card] for name, card in CARD_NAMES.items() if card in extensions and name not in plain}
    if other not in ("", plain["comment"]):
        plain["name"] = other
    return world_info.read_entry(Taker(plain, take.where, take.notes), uid)


def _note_copies(take: Taker, extensions: dict[str, Any]) -> None:
    """
    Note where the spellings of one setting disagree; World Info's counts.
    """
    pairs = [(name, take.peek(name), f"extensions.{card}", extensions.get(card)) for name, card in CARD_NAMES.items()]
    pairs += [(name, take.peek(name), card, take.peek(card)) for card, name in _TWICE.items() if card != "id"]
    for name, value, card, copy in pairs:
        if value is not None and copy is not None and not same(value, copy):
            take.notes.add(take.at(name), f"is {value!r}, but `{card}` is {copy!r}; `{name}` counts"[:200])


def _unshadowed(extensions: dict[str, Any]) -> dict[str, Any]:
    copies = SETTINGS_IN_EXTENSIONS | frozenset(CARD_NAMES.values())
    return {name: value for name, value in extensions.items() if name not in copies}


def _write_entry(entry: Entry) -> dict[str, Any]:
    card = character_book.write_entry(entry, use_regex=False)
    return card | world_info.write_entry(entry) | {"id": entry.uid, "extensions": card["extensions"]}


SCHEMA = Schema(detect, read, write, world_info.entries_at, why={"fields": vocabulary.OCCUPIED})
FORMAT = Format(
    "chub",
    "Chub lorebook",
    ".json",
    TEXT,
    (Slot(WHOLE, (SCHEMA,)),),
    {WHOLE: SCHEMA},
    ready_made="Chub's lorebook page, which takes no World Info",
)
