"""
RisuAI's lorebook: `{"type": "risu", "ver": 1, "data": […]}`, or the list of its items alone.

RisuAI itself exports entries without a name for the book. Where such a file becomes a module it takes `name` and
`description` from beside the entries, so they stand there. https://github.com/kwaroran/RisuAI
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lorebook.book import Book
from lorebook.formats import bare_list, risu_books, risu_entries
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Loss, LossKind, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

_TYPE = "risu"
_TAKEN = frozenset({"type", "ver", "data"})
_VERSION = 1


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a lorebook of RisuAI, or None.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("data"), dict | list):
        return None
    if raw.get("type") == _TYPE:
        return f"its `type` is {_TYPE}"
    return _detect_list(raw["data"]) and "its `data` have `insertorder`, as RisuAI's entries have"


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a lorebook of RisuAI.
    """
    head = risu_books.take(raw, where, notes)
    return Content(risu_books.read(head, head.raw("data"), head.at("data")))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as a lorebook of RisuAI.
    """
    book = risu_books.settled(content.needed_book)
    kind = {"type": _TYPE, "ver": _VERSION}
    return kind | risu_books.write_head(book, taken=_TAKEN) | {"data": risu_books.write_items(book)}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    return (("data",),) if isinstance(raw, dict) and isinstance(raw.get("data"), dict | list) else ()


def remarks(content: Content) -> Iterator[Loss]:
    """
    Yield what RisuAI passes over.
    """
    book = content.needed_book
    for name, why in risu_books.UNREAD.items():
        if getattr(book, name) is not None:
            yield Loss(None, name, why, LossKind.UNREAD)
    yield from risu_entries.remarks(book.entries)


def _detect_list(raw: Json) -> str | None:
    there = isinstance(raw, list) and any(isinstance(item, dict) and "insertorder" in item for item in raw)
    return "it is a list whose items have `insertorder`, as RisuAI's entries have" if there else None


def _read_list(raw: Json, where: str, notes: Notes) -> Book:
    return risu_books.read(Taker({}, where, notes), raw, where)


def _write_list(book: Book) -> list[Json]:
    return risu_books.write_items(risu_books.settled(book))


SCHEMA = Schema(detect, read, write, entries_at, risu_entries.is_entry, risu_books.WHY, remarks)
_LIST = bare_list.schema(SCHEMA, _detect_list, _read_list, _write_list)
FORMAT = Format(
    "risu-lorebook",
    "RisuAI lorebook",
    ".json",
    TEXT,
    (Slot(WHOLE, (SCHEMA, _LIST)),),
    {WHOLE: SCHEMA},
    app=risu_entries.APP,
    ready_made="RisuAI, for a lorebook beside a character of one's own",
)
