"""
The character card V2 with the lorebook inside. https://github.com/malfoyslastname/character-card-spec-v2
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lorebook.formats import card_data, card_version, character_book
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Loss, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker, kind

SPEC = "chara_card_v2"
_BOOK: Place = ("data", "character_book")


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a card V2, or None.
    """
    found = card_version.version(raw)
    return found.reason if found and found.number == card_version.V2 else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a card V2.
    """
    return read_card(raw, where, notes, use_regex=False)


def read_card(raw: Json, where: str, notes: Notes, *, use_regex: bool) -> Content:
    """
    Read the character in `data`, and the book where there is one; V3 has *use_regex* in it.
    """
    outer = Taker(raw, where, notes)
    _check_version(outer, "3.0" if use_regex else "2.0")
    data = Taker(outer.raw("data"), outer.at("data"), notes)
    _note_mirror(outer, data)
    there, inside = "character_book" in data, data.raw("character_book")
    if there and not isinstance(inside, dict):
        notes.add(data.at("character_book"), "is no object; the card has no lorebook")
    book = None
    if isinstance(inside, dict):
        book = character_book.read(inside, data.at("character_book"), notes, use_regex=use_regex, told=True)
    return Content(book, card_data.read(data))


def _check_version(outer: Taker, wanted: str) -> None:
    there, version = "spec_version" in outer, outer.raw("spec_version")
    is_said, spec = "spec" in outer, outer.text("spec")
    taken = f"read as a card V{wanted[0]}"
    if is_said and spec != f"chara_card_v{wanted[0]}":
        outer.notes.add(outer.at("spec"), f"is {kind(spec or None)} and no `spec` that is known; {taken}")
    if there and version != wanted:
        outer.notes.add(outer.at("spec_version"), f"is {version!r} and not {wanted!r}; {taken}")


def _note_mirror(outer: Taker, data: Taker) -> None:
    """
    Note where the copies for readers of V1, which may stand outermost, say something else than `data`.
    """
    names = [name for name in card_data.V1_TEXTS if isinstance(outer.peek(name), str) and name in data]
    other = [name for name in names if outer.peek(name) != data.peek(name)]
    if other:
        shown = ", ".join(f"`{name}`" for name in other)
        outer.notes.add(outer.where, f"has copies outermost that say something else than `data`, which counts: {shown}")


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: FBT001 (the protocol's)
    """
    Return the card with its book as a V2 card; *strict* leaves out what is not specified.
    """
    card = content.needed_card
    data = card_data.write_v2(card) | ({} if strict else dict(card.fields))
    if content.book is not None:
        data["character_book"] = character_book.write(content.book, use_regex=False, strict=strict)
    return {"spec": SPEC, "spec_version": "2.0", "data": data}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are, in a card V2 or V3.
    """
    return character_book.entries_at(raw, inside=_BOOK)


def remarks(content: Content) -> Iterator[Loss]:
    """
    Yield what V2 has no place for but SillyTavern.
    """
    return character_book.remarks(content, use_regex=False)


_WHY = {"card": "a card V2 has no field for it"}
SCHEMA = Schema(detect, read, write, entries_at, why=_WHY, remarks=remarks)
FORMAT = Format(
    "card-v2",
    "Character card V2",
    ".json",
    TEXT,
    (Slot(WHOLE, (SCHEMA,)),),
    {WHOLE: SCHEMA},
    is_card=True,
    ready_made="programs that read cards as JSON, most of them V2",
)
