"""
The character card V1: six texts and no lorebook, flat.

SillyTavern of those days had three fields more, and takes them from such a file to this day: `creatorcomment`, which V2
calls `creator_notes`, `creator` and `tags`. What other programs wrote beside goes along.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lorebook.formats import card_data
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

_SPEC = "chara_card_v1"
"""Some tools write it, though V1 has no such field."""
_ALONE = frozenset({"first_mes", "mes_example"})
"""Names that nothing but a card has."""
_TELLING = ("description", "personality", "scenario", "first_mes", "mes_example")


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a card V1, or None.
    """
    if not isinstance(raw, dict) or "name" not in raw or str(raw.get("spec") or _SPEC) != _SPEC:
        return None
    telling = [name for name in _TELLING if name in raw]
    enough = len(telling) > 1 or bool(_ALONE & set(telling))
    said = f"its `spec` is {_SPEC}" if raw.get("spec") else "no `spec`"
    return f"it has `name` and `{telling[-1]}` outermost, and {said}" if enough else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a card V1.
    """
    take = Taker(raw, where, notes)
    for name in ("spec", "spec_version"):
        take.raw(name)
    comment = take.text("creatorcomment")
    card = card_data.read(take)
    if comment and card.creator_notes not in ("", comment):
        notes.add(take.at("creator_notes"), "says something else than `creatorcomment`, which counts")
    return Content(card=replace(card, creator_notes=comment or card.creator_notes))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: FBT001 (the protocol's)
    """
    Return the card's six texts; but for *strict* also what SillyTavern has beside them, and what else stood there.
    """
    card = content.needed_card
    texts = {name: getattr(card, name) for name in card_data.V1_TEXTS}
    more = {
        "creatorcomment": card.creator_notes,
        "creator": card.creator,
        "tags": list(card.tags),
        "extensions": dict(card.extensions),
    }
    if strict:
        return texts
    known = texts | {name: value for name, value in more.items() if value}
    return known | {name: value for name, value in card.fields.items() if name not in known}


def entries_at(_raw: Json) -> tuple[Place, ...]:
    """
    Return nothing: there is no book.
    """
    return ()


_WHY = {
    "entry": "a card V1 has no lorebook",
    "entries": "a card V1 has no lorebook",
    "card": "a card V1 has no field for it",
}
SCHEMA = Schema(detect, read, write, entries_at, why=_WHY)
FORMAT = Format("card-v1", "Character card V1", ".json", TEXT, (Slot(WHOLE, (SCHEMA,)),), {WHOLE: SCHEMA}, is_card=True)
