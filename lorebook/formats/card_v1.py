"""
The character card V1: six texts and no lorebook, flat.
"""

from __future__ import annotations

from typing import Any

from lorebook.formats import card_data
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

_TELLING = ("description", "personality", "scenario", "first_mes", "mes_example")


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a card V1, or None.
    """
    if not isinstance(raw, dict) or "spec" in raw or "name" not in raw:
        return None
    telling = [name for name in _TELLING if name in raw]
    return f"it has `name` and `{telling[-1]}` outermost, and no `spec`" if len(telling) > 1 else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a card V1.
    """
    return Content(card=card_data.read(Taker(raw, where, notes)))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: FBT001 (the protocol's)
    """
    Return the card's six texts; what else stood in a card of V1 goes along, but for *strict*.
    """
    card = content.needed_card
    texts = {name: getattr(card, name) for name in card_data.V1_TEXTS}
    more = {"extensions": dict(card.extensions)} if card.extensions else {}
    return texts if strict else texts | more | dict(card.fields)


def entries_at(_raw: Json) -> tuple[Place, ...]:
    """
    Return nothing: there is no book.
    """
    return ()


_WHY = {"entry": "a card V1 has no lorebook", "entries": "a card V1 has no lorebook"}
SCHEMA = Schema(detect, read, write, entries_at, why=_WHY)
FORMAT = Format("card-v1", "Character card V1", ".json", TEXT, (Slot(WHOLE, (SCHEMA,)),), {WHOLE: SCHEMA}, is_card=True)
