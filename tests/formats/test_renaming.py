"""
A character that gets another name stays where it is in its file, and with the old name the file is as it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Card, Content, Document, Format, open_document
from tests.formats.files import archived, made

_BOOK = Book(name="Tides", entries=(Entry(uid=0, name="Gate", keys=("gate",), content="It opens."),))
_CARD = Card(name="Mira", description="Keeper.", first_mes="Mind the step.", alternate_greetings=("Ah.",))
_CARDS = [known for known in FORMATS.values() if known.writes and known.is_card]

each_card = pytest.mark.parametrize("known", _CARDS, ids=lambda known: known.name)


def opened(data: bytes) -> Document:
    return open_document(data, file_name="x")


def with_card(content: Content, **changes: Any) -> Content:
    return replace(content, card=replace(content.needed_card, **changes))


@each_card
@pytest.mark.parametrize("book", [_BOOK, _BOOK.model_copy(update={"entries": ()}), None], ids=["book", "empty", "none"])
def test_a_renamed_character_is_still_the_one_in_the_file(known: Format, book: Book | None) -> None:
    first = opened(made(known, book, _CARD).data)
    written = first.write(with_card(first.content, name="Vell"))
    assert not written.losses
    again = opened(written.data)
    assert again.card is not None
    assert again.card.name == "Vell"
    assert again.book == first.book
    assert list(again.opened.parts) == list(first.opened.parts)
    assert again.write(with_card(again.content, name="Mira", extensions=first.content.needed_card.extensions)).data == (
        first.data
    )


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("byaf", {"backyard": {"character": {"id": "another"}}}),
        ("byaf", {"backyard": {"paths": ["characters/another/character.json", "scenarios/another.json"]}}),
        ("voxta", {"voxta": {"Id": "another"}}),
        ("voxta", {"voxta": {"path": "Characters/another/character.json"}}),
    ],
)
def test_what_is_said_of_an_id_or_a_place_moves_no_member(name: str, own: dict[str, Any]) -> None:
    first = opened(made(FORMATS[name], _BOOK, _CARD).data)
    again = opened(first.write(with_card(first.content, name="Vell", extensions=own)).data)
    assert list(again.opened.parts) == list(first.opened.parts)
    assert again.card is not None
    assert again.card.name == "Vell"
    assert again.book is not None
    assert [entry.content for entry in again.book.entries] == ["It opens."]


def test_a_greeting_more_is_a_scenario_more_of_a_renamed_character() -> None:
    first = opened(made(FORMATS["byaf"], _BOOK, _CARD).data)
    written = first.write(with_card(first.content, name="Vell", alternate_greetings=("Ah.", "Oh.")))
    assert not written.losses
    again = opened(written.data)
    assert again.card is not None
    assert again.card.alternate_greetings == ("Ah.", "Oh.")
    assert set(again.opened.parts) - set(first.opened.parts) == {"scenarios/scenario3.json"}


def test_a_package_of_a_book_alone_gets_a_new_name_and_a_character() -> None:
    book = {"$type": "book", "Name": "Tides", "Items": [{"Keywords": ["gate"], "Text": "It opens."}]}
    first = archived(FORMATS["voxta"], {"Books/tides/book.json": book}, {})
    assert first.card is None
    assert first.book is not None
    changed = Content(first.book.model_copy(update={"name": "Ebbs"}), _CARD)
    again = opened(first.write(changed).data)
    assert again.card is not None
    assert again.book is not None
    assert (again.card.name, again.book.name, len(again.book.entries)) == ("Mira", "Ebbs", 1)
