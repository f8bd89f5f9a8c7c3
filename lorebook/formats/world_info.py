"""
SillyTavern's World Info: `{"entries": {"0": {...}, …}}`.

SillyTavern takes the book's name from the file's name and its scanning from global settings. What it does not read it
keeps, so the name, the description and the scanning stand beside the entries, where Chub's downloads have them.
"""

from __future__ import annotations

from typing import Any

from lorebook.book import CARD_NAMES, Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import jsontext, settings, vocabulary
from lorebook.formats.card import Card
from lorebook.formats.export import Export, Format, Loss
from lorebook.formats.seen import foreign
from lorebook.formats.settings import HEAD_NAMES, WORLD_INFO
from lorebook.formats.taker import Taker, kind
from lorebook.formats.vocabulary import SETTINGS_IN_EXTENSIONS
from lorebook.records import Position

NAMES = frozenset(
    {
        *("uid", "key", "keysecondary", "comment", "content", "constant", "selective", "selectiveLogic", "order"),
        *("position", "disable", "probability", "useProbability", "depth", "role", "caseSensitive", "matchWholeWords"),
        *CARD_NAMES,
    }
)
"""What World Info itself writes in an entry, `extensions` apart."""

# In the `extensions` of World Info's own entry these are stale copies: SillyTavern reads the fields beside them.
_SHADOWED = SETTINGS_IN_EXTENSIONS | frozenset(CARD_NAMES.values())
_NOT_OF_A_BOOK = {
    "description": "SillyTavern shows no description of a book",
    "scan_depth": "SillyTavern has one setting for all books",
    "token_budget": "SillyTavern has one setting for all books",
    "recursive_scanning": "SillyTavern has one setting for all books",
}
_NO_PRIORITY = "SillyTavern decides by the order alone which entries leave a full prompt"


def detect(data: bytes) -> str | None:
    """
    Say why *data* is World Info, or None.
    """
    raw = jsontext.peek(data)
    if raw is None or "spec" in raw or not isinstance(raw.get("entries"), dict | list):
        return None
    items = [item for _, item in labelled(raw["entries"])]
    if not items and foreign(raw) is None:
        return "its `entries` are empty, as World Info writes a book without entries"
    found = any(isinstance(item, dict) and "keys" not in item and ("key" in item or "uid" in item) for item in items)
    return "its `entries` have `key`, as in World Info" if found else None


def read(data: bytes) -> Book:
    """
    Read World Info.
    """
    take = Taker(jsontext.parse(data), "the file")
    raws = labelled(take.raw("entries"))
    uids = settings.numbers((raw for _, raw in raws), "uid")
    return settings.read_book(
        take, tuple(read_entry(Taker(raw, at), uid) for (at, raw), uid in zip(raws, uids, strict=True))
    )


def labelled(entries: object) -> list[tuple[str, object]]:
    """
    Return each of a file's *entries* with what to call it; they are an object or a list (SillyTavern takes both).

    Raises FormatError when they are neither.
    """
    if isinstance(entries, dict):
        return [(f"entry {key!r}", raw) for key, raw in entries.items()]
    if isinstance(entries, list):
        return [(f"entry {number}", raw) for number, raw in enumerate(entries, 1)]
    raise FormatError(f"`entries` is {kind(entries)}, not an object or a list")


def read_entry(take: Taker, uid: int) -> Entry:
    """
    Read an entry of World Info as the entry *uid*.
    """
    take.raw("uid")
    switched_on = not take.flag("disable", False)
    read, inert = settings.read(
        take, take, WORLD_INFO, enabled=switched_on, position=Position.BEFORE_CHAR, selective=True
    )
    known = {card: take.raw(name) for name, card in CARD_NAMES.items() if name in take}
    extensions = take.mapping("extensions")
    shadowed = {name: value for name, value in extensions.items() if name in _SHADOWED}
    free = {name: value for name, value in extensions.items() if name not in _SHADOWED}
    name, keys, content = take.text("comment"), take.texts("key"), take.text("content")
    fields = take.rest() | ({"extensions": shadowed} if shadowed else {})
    return Entry(
        uid=uid,
        name=name,
        keys=keys,
        content=content,
        settings=read,
        rule=vocabulary.rule_of(free),
        extensions=vocabulary.keep(known | free, fields=fields, inert=inert),
    )


def write(book: Book, *, card: Card) -> Export:  # noqa: ARG001 (no card is in it)
    """
    Write *book* as World Info.
    """
    settled, losses = vocabulary.settle(book, HEAD_NAMES, NAMES)
    losses += [Loss(None, name, why) for name, why in _NOT_OF_A_BOOK.items() if getattr(book, name) not in (None, "")]
    losses += [
        Loss(entry.uid, "priority", _NO_PRIORITY) for entry in settled.entries if "priority" in vocabulary.fields(entry)
    ]
    entries = {str(entry.uid): write_entry(entry) for entry in settled.entries}
    return Export(jsontext.dump(settings.write_book(settled, entries)), tuple(losses))


def write_entry(entry: Entry) -> dict[str, Any]:
    """
    Return *entry* as World Info has it.
    """
    secondary, selective = vocabulary.secondary(entry)
    extensions = vocabulary.written(entry)
    fields = vocabulary.fields(entry)
    shadowed = fields.pop("extensions", {})
    own = {
        "uid": entry.uid,
        "key": list(entry.keys),
        "keysecondary": secondary,
        "comment": entry.name,
        "content": entry.content,
        "constant": entry.settings.constant,
        "selective": selective or not secondary,
        "order": entry.settings.insertion_order,
        "disable": not entry.settings.enabled,
        **settings.write_more(entry, WORLD_INFO),
        **{name: extensions.pop(card) for name, card in CARD_NAMES.items() if card in extensions},
        "extensions": extensions | shadowed,
    }
    return own | fields


FORMAT = Format("world-info", "SillyTavern World Info", ".json", detect, read, write)
