"""
The character card V3 with the lorebook inside. https://github.com/kwaroran/character-card-spec-v3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lorebook.formats import card_data, card_v2, card_version, character_book
from lorebook.formats.card import MAIN_ICON
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Loss, Schema, Slot
from lorebook.formats.notes import Notes

SPEC = "chara_card_v3"


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a card V3, or None; a newer one is read as V3.
    """
    found = card_version.version(raw)
    return found.reason if found and found.number == card_version.V3 else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a card V3.
    """
    return card_v2.read_card(raw, where, notes, use_regex=True)


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: FBT001 (the protocol's)
    """
    Return the card with its book as a V3 card; *strict* leaves out what is not specified.
    """
    card = content.needed_card
    shown = card if card.assets else replace(card, assets=(MAIN_ICON,))
    data = card_data.write_v2(card) | card_data.write_v3(shown) | ({} if strict else dict(card.fields))
    if content.book is not None:
        data["character_book"] = character_book.write(content.book, use_regex=True, strict=strict)
    return {"spec": SPEC, "spec_version": "3.0", "data": data}


def remarks(content: Content) -> Iterator[Loss]:
    """
    Yield what V3 has no place for but SillyTavern.
    """
    return character_book.remarks(content, use_regex=True)


SCHEMA = Schema(detect, read, write, card_v2.entries_at, remarks=remarks)
FORMAT = Format(
    "card-v3",
    "Character card V3",
    ".json",
    TEXT,
    (Slot(WHOLE, (SCHEMA,)),),
    {WHOLE: SCHEMA},
    is_card=True,
    ready_made="programs that read cards as JSON and know V3",
)
