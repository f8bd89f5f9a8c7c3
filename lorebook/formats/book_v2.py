"""
The lorebook of a card V2 on its own: the bare character book, or only the list of its entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lorebook.formats import character_book, world_info
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Loss, Place, Schema, Slot
from lorebook.formats.notes import Notes


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a character book without a card, or None.
    """
    if _is_entries(raw):
        return "it is a list of entries with `keys` and `content`"
    if not isinstance(raw, dict) or "spec" in raw or "kind" in raw or "type" in raw:
        return None
    held = raw.get("entries")
    if held == [] and "extensions" in raw:
        return "its `entries` are an empty list and it has `extensions`, as the book in a card has"
    items = list(held.values()) if isinstance(held, dict) else held
    if _is_entries(items):
        return "its `entries` have `keys` and `content`, as the book in a card has"
    bare = isinstance(items, list) and any(_is_bare(item) for item in items)
    return "its `entries` have `content` and fields that the book in a card has" if bare else None


def _is_entries(items: object) -> bool:
    return isinstance(items, list) and any(_is_entry(item) for item in items)


def _is_entry(item: object) -> bool:
    return isinstance(item, dict) and "keys" in item and "content" in item and "contextConfig" not in item


def _is_bare(item: object) -> bool:
    """
    Say whether *item* is an entry without keys, as one that is always on may be.
    """
    return isinstance(item, dict) and "content" in item and "key" not in item and world_info.of_a_card(item)


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a character book, or a list of its entries.
    """
    whole = {"entries": raw} if isinstance(raw, list) else raw
    return Content(character_book.read(whole, where, notes, use_regex=False))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: FBT001 (the protocol's)
    """
    Return the book as a character book.
    """
    return character_book.write(content.needed_book, use_regex=False, strict=strict)


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    return ((),) if isinstance(raw, list) else character_book.entries_at(raw, inside=())


def remarks(content: Content) -> Iterator[Loss]:
    """
    Yield what the specification has no place for.
    """
    return character_book.remarks(content, use_regex=False)


SCHEMA = Schema(detect, read, write, entries_at, remarks=remarks)
FORMAT = Format(
    "book-v2", "Character book V2 without a card", ".json", TEXT, (Slot(WHOLE, (SCHEMA,)),), {WHOLE: SCHEMA}
)
