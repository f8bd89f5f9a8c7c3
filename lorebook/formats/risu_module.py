"""
RisuAI's module: a lorebook with scripts, triggers and assets; as JSON, and as a file of its own (`.risum`).

In JSON the module's fields stand beside `"type": "risuModule"`; in a `.risum` they are in an object `module` there.
The scripts and what else RisuAI alone knows are kept with the book. https://github.com/kwaroran/RisuAI
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from lorebook.book import Book
from lorebook.formats import risu_books, risu_entries, risu_lorebook
from lorebook.formats.containers.risum import MODULE, RISUM
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Place, Schema, Slot
from lorebook.formats.identity import id_in
from lorebook.formats.notes import Notes
from lorebook.formats.risu_entries import APP, own_fields
from lorebook.formats.settings import entries_if_any
from lorebook.formats.taker import Taker

_TYPE = "risuModule"
_LORE = "lorebook"
_INSIDE = "module"
_TAKEN = frozenset({"type", "ver", _LORE, _INSIDE})
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://github.com/kwaroran/RisuAI")


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a module, or None.
    """
    if _is_module(raw):
        return None if isinstance(raw.get(_INSIDE), dict) else f"its `type` is {_TYPE}"
    if not isinstance(raw, dict) or "type" in raw or not isinstance(raw.get(_LORE), list):
        return None
    found = any(isinstance(item, dict) and "insertorder" in item for item in raw[_LORE])
    return f"its `{_LORE}` has items with `insertorder`, as a module of RisuAI has" if found else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a module; one without a lorebook has an empty one.
    """
    head = risu_books.take(raw, where, notes)
    there, items = _LORE in head, head.raw(_LORE)
    if there and not isinstance(items, dict | list):
        notes.add(head.at(_LORE), "is no list; the module has no entries")
    book = risu_books.read(head, items if isinstance(items, dict | list) else [], head.at(_LORE))
    return Content(_without_our_id(book))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as a module.
    """
    book = risu_books.settled(content.needed_book)
    needed = {"name": book.name, "description": book.description, "id": _id(book)}
    head = risu_books.write_head(book, taken=_TAKEN)
    return needed | head | {_LORE: risu_books.write_items(book), "type": _TYPE}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    return ((_LORE,),) if isinstance(raw, dict) and isinstance(raw.get(_LORE), dict | list) else ()


def _is_module(raw: Json) -> bool:
    return isinstance(raw, dict) and raw.get("type") == _TYPE


def _id(book: Book) -> str:
    """
    Return the id of a new module: RisuAI refuses one without, and the same book has the same.
    """
    return id_in(_NAMESPACE, book.name)


def _without_our_id(book: Book) -> Book:
    own = own_fields(book.extensions)
    if own.get("id") != _id(book):
        return book
    del own["id"]
    others = {name: value for name, value in book.extensions.items() if name != APP}
    return book.model_copy(update={"extensions": others | ({APP: own} if own else {})})


def _detect_inside(raw: Json) -> str | None:
    return f"its `type` is {_TYPE}" if _is_module(raw) and isinstance(raw.get(_INSIDE), dict) else None


def _read_inside(raw: Json, where: str, notes: Notes) -> Content:
    outer = Taker(raw, where, notes)
    return read(outer.mapping(_INSIDE), outer.at(_INSIDE), notes)


def _write_inside(content: Content, strict: bool) -> dict[str, Any]:  # noqa: FBT001 (the protocol's)
    whole = write(content, strict)
    return {_INSIDE: {name: value for name, value in whole.items() if name != "type"}, "type": _TYPE}


def _inside_at(raw: Json) -> tuple[Place, ...]:
    inner = raw.get(_INSIDE) if isinstance(raw, dict) else None
    return tuple((_INSIDE, *place) for place in entries_at(inner))


def _read_followed(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read the module of a card: entry by entry what the card's book has, folders among them.
    """
    inner = Taker(raw, where, notes).inner(_INSIDE)
    takes = entries_if_any(inner, _LORE) if _LORE in inner else []
    return Content(Book(name="", entries=tuple(risu_entries.read(take, uid) for uid, take in enumerate(takes))))


def _write_followed(content: Content, strict: bool) -> Mapping[str, Any]:  # noqa: ARG001, FBT001 (the protocol's)
    book = risu_books.settled(content.book or Book(name=""))
    return {_INSIDE: {_LORE: [risu_entries.write(entry, folders=True) for entry in book.entries]}, "type": _TYPE}


SCHEMA = Schema(detect, read, write, entries_at, risu_entries.is_entry, risu_books.WHY, risu_lorebook.remarks)
INSIDE = Schema(
    _detect_inside,
    _read_inside,
    _write_inside,
    _inside_at,
    risu_entries.is_entry,
    risu_books.WHY,
    risu_lorebook.remarks,
)
FOLLOWED = Schema(_detect_inside, _read_followed, _write_followed, _inside_at)
"""The module beside a card: of its fields the lorebook alone, which says what the card's book says."""

FORMAT = Format(
    "risu-module",
    "RisuAI module",
    ".json",
    TEXT,
    (Slot(WHOLE, (SCHEMA, INSIDE)),),
    {WHOLE: SCHEMA},
    app=APP,
)
RISUM_FORMAT = Format(
    "risum",
    "RisuAI module in its own file",
    ".risum",
    RISUM,
    (Slot(MODULE, (INSIDE, SCHEMA)),),
    {MODULE: INSIDE},
    app=APP,
)
