"""
The character card V2 with the lorebook inside. https://github.com/malfoyslastname/character-card-spec-v2
"""

from __future__ import annotations

from typing import Any

from lorebook.book import Book
from lorebook.errors import FormatError
from lorebook.formats import character_book, jsontext
from lorebook.formats.card import Card
from lorebook.formats.export import Export, Format, Loss
from lorebook.formats.taker import Taker

SPEC = "chara_card_v2"


def detect(data: bytes) -> str | None:
    """
    Say why *data* is a card V2, or None.
    """
    raw = jsontext.peek(data)
    if raw is None:
        return None
    if raw.get("spec") == SPEC:
        return f"its `spec` is {SPEC}"
    if "spec" not in raw and isinstance(raw.get("data"), dict) and "name" in raw["data"]:
        return "it has `data` with a `name`, as cards have, and no `spec`"
    items = raw.get("entries")
    if "spec" not in raw and isinstance(items, list) and items:
        bare = all(isinstance(item, dict) and "keys" in item and "content" in item for item in items)
        return "its `entries` are a list and have `keys`, as the book in a card has" if bare else None
    return None


def read(data: bytes) -> Book:
    """
    Read the book in a card V2, or such a book without its card.
    """
    raw = jsontext.parse(data)
    if isinstance(raw, dict) and "entries" in raw:
        return character_book.read(raw, "the file", use_regex=False)
    return book_in(raw)


def book_in(raw: object) -> Book:
    """
    Return the book in the card *raw*, of any version that has one.
    """
    take = Taker(raw, "the file")
    if take.peek("data") is None:
        raise FormatError("the card has no lorebook in it", hint="a card V1, without `data`, never has one")
    inside = Taker(take.raw("data"), "`data`").raw("character_book")
    if inside is None:
        raise FormatError("the card has no lorebook in it", hint="`data.character_book` is missing")
    return character_book.read(inside, "`character_book`", use_regex="v3" in take.text("spec"))


def write(book: Book, *, card: Card) -> Export:
    """
    Write *card* with *book* in it as JSON.
    """
    whole, losses = document(book, card)
    return Export(jsontext.dump(whole), losses)


def document(book: Book, card: Card) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    """
    Return *card* with *book* in it as the JSON object of a V2 card, and its losses.
    """
    inside, losses = character_book.write(book, use_regex=False)
    return {"spec": SPEC, "spec_version": "2.0", "data": card_data(card) | {"character_book": inside}}, tuple(losses)


def card_data(card: Card) -> dict[str, Any]:
    """
    Return the fields of *card* that a V2 card must have.
    """
    return {
        "name": card.name,
        "description": card.description,
        "personality": card.personality,
        "scenario": card.scenario,
        "first_mes": card.first_mes,
        "mes_example": card.mes_example,
        "creator_notes": card.creator_notes,
        "system_prompt": card.system_prompt,
        "post_history_instructions": card.post_history_instructions,
        "alternate_greetings": list(card.alternate_greetings),
        "tags": list(card.tags),
        "creator": card.creator,
        "character_version": card.character_version,
        "extensions": dict(card.extensions),
    }


FORMAT = Format("card-v2", "Character card V2", ".json", detect, read, write)
