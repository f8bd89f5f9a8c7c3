"""
The character card V3 with the lorebook inside, and the V3 lorebook on its own.

https://github.com/kwaroran/character-card-spec-v3
"""

from __future__ import annotations

from typing import Any

from lorebook.book import Book
from lorebook.formats import card_v2, character_book, jsontext
from lorebook.formats.card import Card
from lorebook.formats.export import Export, Format, Loss
from lorebook.formats.taker import Taker

SPEC = "chara_card_v3"
_BOOK_SPEC = "lorebook_v3"
_COVER_OF_THE_FILE = {"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}


def detect(data: bytes) -> str | None:
    """
    Say why *data* is a card V3 or a V3 lorebook, or None.
    """
    raw = jsontext.peek(data)
    spec = raw.get("spec") if raw else None
    return f"its `spec` is {spec}" if spec in (SPEC, _BOOK_SPEC) else None


def read(data: bytes) -> Book:
    """
    Read the book in a card V3, or a V3 lorebook.
    """
    raw = jsontext.parse(data)
    if isinstance(raw, dict) and raw.get("spec") == _BOOK_SPEC:
        return character_book.read(Taker(raw, "the file").raw("data"), "`data`", use_regex=True)
    return card_v2.book_in(raw)


def write(book: Book, *, card: Card) -> Export:
    """
    Write *card* with *book* in it as JSON.
    """
    whole, losses = document(book, card)
    return Export(jsontext.dump(whole), losses)


def document(book: Book, card: Card) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    """
    Return *card* with *book* in it as the JSON object of a V3 card, and its losses.
    """
    inside, losses = character_book.write(book, use_regex=True)
    more = {
        "nickname": card.nickname,
        "creator_notes_multilingual": dict(card.creator_notes_multilingual),
        "group_only_greetings": [],
        "assets": [_COVER_OF_THE_FILE],
    }
    data = card_v2.card_data(card) | {name: value for name, value in more.items() if value or name in _REQUIRED}
    return {"spec": SPEC, "spec_version": "3.0", "data": data | {"character_book": inside}}, tuple(losses)


_REQUIRED = ("group_only_greetings", "assets")

FORMAT = Format("card-v3", "Character card V3", ".json", detect, read, write)
