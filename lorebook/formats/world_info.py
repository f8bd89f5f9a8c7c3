"""
SillyTavern's World Info: `{"entries": {"0": {…}, …}}`.

SillyTavern takes the book's name from the file's name and its scanning from global settings. What it does not read it
keeps, so the name, the description and the scanning stand beside the entries, where Chub's downloads have them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lorebook.book import CARD_NAMES, Entry
from lorebook.formats import settings, vocabulary
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Loss, LossKind, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.settings import HEAD_NAMES, WORLD_INFO
from lorebook.formats.taker import Taker
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


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is World Info, or None.
    """
    if not isinstance(raw, dict) or "spec" in raw or not isinstance(raw.get("entries"), dict | list):
        return None
    held = raw["entries"]
    items = list(held.values() if isinstance(held, dict) else held)
    if not items and not ("extensions" in raw and isinstance(held, list)) and not chub_mark(raw):
        return "its `entries` are empty, as World Info writes a book without entries"
    found = [item for item in items if isinstance(item, dict) and "keys" not in item]
    if any("key" in item or "uid" in item for item in found):
        return "its `entries` have `key`, as in World Info"
    is_bare = isinstance(held, dict) and all(map(str.isdecimal, held)) and not any(map(of_a_card, found))
    bare = is_bare and any("content" in item for item in found)
    return "its `entries` are an object with `content` under numbers, as in World Info" if bare else None


def of_a_card(item: dict[str, Any]) -> bool:
    """
    Say whether an entry has names that a character book has and World Info has not.
    """
    return any(name in item for name in ("insertion_order", "secondary_keys", "enabled"))


def chub_mark(book: dict[str, Any]) -> str | None:
    """
    Say which field of *book*, entries apart, only Chub writes; None where there is none.
    """
    extensions = book.get("extensions")
    if isinstance(extensions, dict) and "chub" in extensions:
        return "its `extensions` have `chub`"
    return "it has `is_creation`, as Chub's lorebooks have" if "is_creation" in book else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read World Info.
    """
    take = Taker(raw, where, notes)
    takes = settings.entries(take.raw("entries"), take.at("entries"), notes)
    uids = settings.numbers(takes, "uid")
    return Content(
        settings.read_book(take, tuple(read_entry(entry, uid) for entry, uid in zip(takes, uids, strict=True)))
    )


def read_entry(take: Taker, uid: int) -> Entry:
    """
    Read an entry of World Info as the entry *uid*.
    """
    own = take.raw("uid")
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
    if own is not None and str(own) != str(uid):
        fields["uid"] = own
    return Entry(
        uid=uid,
        name=name,
        keys=keys,
        content=content,
        settings=read,
        rule=vocabulary.rule_of(free),
        extensions=vocabulary.keep(known | free, fields=fields, inert=inert),
    )


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as World Info.
    """
    settled = vocabulary.settle(content.needed_book, HEAD_NAMES, NAMES)
    return settings.write_book(settled, {str(entry.uid): write_entry(entry) for entry in settled.entries})


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
        "extensions": extensions | (shadowed if isinstance(shadowed, dict) else {}),
    }
    return own | fields


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    return (("entries",),) if isinstance(raw, dict) and isinstance(raw.get("entries"), dict | list) else ()


def remarks(content: Content) -> Iterator[Loss]:
    """
    Yield what SillyTavern passes over.
    """
    book = content.needed_book
    for name, why in _NOT_OF_A_BOOK.items():
        if getattr(book, name) not in (None, ""):
            yield Loss(None, name, why, LossKind.UNREAD)
    for entry in book.entries:
        if "priority" in vocabulary.fields(entry):
            yield Loss(entry.uid, "fields.priority", _NO_PRIORITY, LossKind.UNREAD)


SCHEMA = Schema(detect, read, write, entries_at, why={"fields": vocabulary.OCCUPIED}, remarks=remarks)
FORMAT = Format(
    "world-info",
    "SillyTavern World Info",
    ".json",
    TEXT,
    (Slot(WHOLE, (SCHEMA,)),),
    {WHOLE: SCHEMA},
    ready_made="SillyTavern, and the many programs that import its World Info",
)
