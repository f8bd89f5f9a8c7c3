"""
Chub's lorebook: World Info and a character book in one, every entry under both spellings.

In real downloads the two spellings of one setting disagree. SillyTavern reads World Info's and Chub's own pages offer
the file for SillyTavern, so World Info's spelling wins here, and writing makes both say the same.
"""

from __future__ import annotations

from typing import Any

from lorebook.book import CARD_NAMES, Book, Entry
from lorebook.formats import character_book, jsontext, settings, vocabulary, world_info
from lorebook.formats.card import Card
from lorebook.formats.export import Export, Format
from lorebook.formats.settings import HEAD_NAMES
from lorebook.formats.taker import Taker
from lorebook.formats.vocabulary import SETTINGS_IN_EXTENSIONS

_NAMES = world_info.NAMES | character_book.NAMES | {"id"}
# The character book's spelling of what World Info's spelling says.
_TWICE = ("keys", "secondary_keys", "insertion_order", "enabled", "case_sensitive", "id")


def detect(data: bytes) -> str | None:
    """
    Say why *data* is a lorebook of Chub, or None.
    """
    raw = jsontext.peek(data)
    if raw is None or "spec" in raw or not isinstance(raw.get("entries"), dict):
        return None
    if isinstance(raw.get("extensions"), dict) and "chub" in raw["extensions"]:
        return "its `extensions` have `chub`"
    items = raw["entries"].values()
    both = bool(items) and all(isinstance(item, dict) and "keys" in item for item in items)
    return "its `entries` are an object and have `keys`, as in Chub's lorebooks" if both else None


def read(data: bytes) -> Book:
    """
    Read a lorebook of Chub.
    """
    take = Taker(jsontext.parse(data), "the file")
    raws = world_info.labelled(take.raw("entries"))
    uids = settings.numbers((raw for _, raw in raws), "uid")
    return settings.read_book(take, tuple(_read_entry(raw, at, uid) for (at, raw), uid in zip(raws, uids, strict=True)))


def write(book: Book, *, card: Card) -> Export:  # noqa: ARG001 (no card is in it)
    """
    Write *book* as a lorebook of Chub.
    """
    settled, losses = vocabulary.settle(book, HEAD_NAMES, _NAMES)
    entries = {str(entry.uid): _write_entry(entry) for entry in settled.entries}
    return Export(jsontext.dump(settings.write_book(settled, entries)), tuple(losses))


def _read_entry(raw: object, where: str, uid: int) -> Entry:
    if isinstance(raw, dict) and "key" not in raw:
        return character_book.read_entry(Taker(raw, where), uid, use_regex=False)
    take = Taker(raw, where)
    for name in _TWICE:
        take.raw(name)
    extensions = take.mapping("extensions")
    title, other = take.text("comment"), take.text("name")
    plain = take.rest() | {"comment": title or other, "extensions": _unshadowed(extensions)}
    plain |= {name: extensions[card] for name, card in CARD_NAMES.items() if card in extensions and name not in plain}
    if other not in ("", plain["comment"]):
        plain["name"] = other
    return world_info.read_entry(Taker(plain, where), uid)


def _unshadowed(extensions: dict[str, Any]) -> dict[str, Any]:
    copies = SETTINGS_IN_EXTENSIONS | frozenset(CARD_NAMES.values())
    return {name: value for name, value in extensions.items() if name not in copies}


def _write_entry(entry: Entry) -> dict[str, Any]:
    card = character_book.write_entry(entry, use_regex=False)
    return card | world_info.write_entry(entry) | {"id": entry.uid, "extensions": card["extensions"]}


FORMAT = Format("chub", "Chub lorebook", ".json", detect, read, write)
