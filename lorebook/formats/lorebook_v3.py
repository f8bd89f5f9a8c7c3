"""
The lorebook of the V3 specification on its own. https://github.com/kwaroran/character-card-spec-v3
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lorebook.formats import character_book
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Loss, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

SPEC = "lorebook_v3"
_ANY = "lorebook_v"


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a lorebook V3, or None; another version is read as V3.
    """
    spec = raw.get("spec") if isinstance(raw, dict) else None
    said = spec.strip().lower() if isinstance(spec, str) else ""
    return f"its `spec` is {said}" if said.startswith(_ANY) else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a lorebook V3.
    """
    outer = Taker(raw, where, notes)
    if (spec := outer.text("spec")) != SPEC:
        notes.add(outer.at("spec"), f"is {spec!r} and not {SPEC!r}; read as that")
    return Content(character_book.read(outer.raw("data"), outer.at("data"), notes, use_regex=True, told=True))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: FBT001 (the protocol's)
    """
    Return the book as a lorebook V3.
    """
    return {"spec": SPEC, "data": character_book.write(content.needed_book, use_regex=True, strict=strict)}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    return character_book.entries_at(raw, inside=("data",))


def remarks(content: Content) -> Iterator[Loss]:
    """
    Yield what V3 has no place for.
    """
    return character_book.remarks(content, use_regex=True)


SCHEMA = Schema(detect, read, write, entries_at, remarks=remarks)
FORMAT = Format("lorebook-v3", "Lorebook V3 without a card", ".json", TEXT, (Slot(WHOLE, (SCHEMA,)),), {WHOLE: SCHEMA})
