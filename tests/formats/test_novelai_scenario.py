"""
NovelAI's scenarios and stories: a card and a lorebook.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Card, Content, open_document
from tests.formats import files

ENTRY = {"text": "Opens.", "contextConfig": {"budgetPriority": 400}, "displayName": "Gate", "keys": ["gate"]}
LOREBOOK = {"lorebookVersion": 5, "entries": [ENTRY], "settings": {"orderByKeyLocations": False}, "categories": []}
MEMORY = {"text": "A flooded library.", "contextConfig": {"prefix": "[", "budgetPriority": 800}}
NOTE = {"text": "Dry prose.", "contextConfig": {"insertionPosition": -4}}
SCENARIO = {
    "scenarioVersion": 2,
    "title": "The gate",
    "description": "Of tides.",
    "prompt": "The gate is shut.",
    "tags": ["tides", "locks"],
    "context": [MEMORY, NOTE],
    "placeholders": [{"key": "name"}],
    "lorebook": LOREBOOK,
    "author": "Mira",
    "odd": [1.0],
}
STORY = {
    "storyContainerVersion": 1,
    "metadata": {"id": "x", "title": "The gate", "description": "Of tides.", "tags": ["tides"], "favorite": True},
    "content": {"story": {"text": "It opened."}, "context": [MEMORY, NOTE], "lorebook": LOREBOOK, "odd": 1},
}


def test_a_scenario_is_a_card_and_a_book() -> None:
    document = files.parsed("novelai-scenario", SCENARIO)
    card = document.card
    assert card is not None
    assert replace(card, extensions={}) == Card(
        name="The gate",
        description="A flooded library.",
        first_mes="The gate is shut.",
        creator_notes="Of tides.",
        tags=("tides", "locks"),
        creator="Mira",
    )
    assert card.extensions["novelai"] == {
        "scenarioVersion": 2,
        "context": [MEMORY | {"text": ""}, NOTE],
        "placeholders": [{"key": "name"}],
        "odd": [1.0],
    }
    assert [entry.keys for entry in document.content.needed_book.entries] == [("gate",)]
    assert document.notes == ()


def test_what_a_scenario_alone_says_comes_back_by_way_of_a_card() -> None:
    content = files.parsed("novelai-scenario", SCENARIO).content
    data = files.made(FORMATS["card-v2"], content.book, content.card).data
    again = open_document(data, file_name="card.json").content
    made = files.saved("novelai-scenario", again.needed_book, again.card)
    assert {name: made[name] for name in SCENARIO if name != "lorebook"} == {
        name: value for name, value in SCENARIO.items() if name != "lorebook"
    }


@pytest.mark.parametrize("source", [SCENARIO, STORY], ids=["scenario", "story"])
def test_an_edit_changes_one_text_and_nothing_else(source: dict[str, Any]) -> None:
    data = json.dumps(source, indent=1).encode()
    document = open_document(data, file_name="x")
    assert (document.form.name, document.write().data) == ("novelai-scenario", data)
    book, card = document.content.needed_book, document.content.needed_card
    closed = book.model_copy(update={"entries": (book.entries[0].model_copy(update={"content": "Closes."}),)})
    export = document.write(Content(closed, card))
    assert export.data.decode() == data.decode().replace("Opens.", "Closes.")
    assert not export.losses
    export = document.write(Content(book, replace(card, description="A dry library.")))
    assert json.loads(export.data) == json.loads(data.decode().replace("flooded", "dry"))
    assert not export.losses


def test_a_story_is_a_card_without_its_text() -> None:
    card = files.parsed("novelai-scenario", STORY).card
    assert card is not None
    assert (card.name, card.description, card.creator_notes, card.tags, card.first_mes) == (
        *("The gate", "A flooded library.", "Of tides.", ("tides",), ""),
    )


def test_a_new_scenario_has_all_that_the_card_says_of_its_character_in_its_memory() -> None:
    card = Card(name="Mira", description="Human.", personality="Dry.", scenario="A library.", first_mes="Well?")
    export = files.made(FORMATS["novelai-scenario"], None, card)
    made = json.loads(export.data)
    assert made["context"][0]["text"] == "Human.\nDry.\nA library."
    assert (made["title"], made["prompt"], made["lorebook"]["entries"]) == ("Mira", "Well?", [])
    assert [loss.field for loss in export.losses] == ["card.description", "card.personality", "card.scenario"]
    assert all("memory" in loss.why for loss in export.losses)
    assert open_document(export.data, file_name="x").book is None


@pytest.mark.parametrize("held", [None, [], "odd", [1]], ids=str)
def test_a_memory_is_written_where_there_was_none(held: object) -> None:
    document = files.parsed("novelai-scenario", SCENARIO | {"context": held})
    card = document.content.needed_card
    assert card.description == ""
    assert [note.where for note in document.notes] == (["$.context"] if held else [])
    export = document.write(Content(document.book, replace(card, description="A flooded library.")))
    again = open_document(export.data, file_name="x").content.needed_card
    assert again.description == "A flooded library."


def test_an_entry_is_put_into_an_empty_lorebook() -> None:
    document = files.parsed("novelai-scenario", SCENARIO | {"lorebook": LOREBOOK | {"entries": []}})
    assert document.book is None
    book = Book(name="", entries=(Entry(uid=0, name="Gate", keys=("gate",), content="Opens."),))
    export = document.write(Content(book, document.card))
    assert open_document(export.data, file_name="x").book == book


@pytest.mark.parametrize(
    "value",
    [{}, LOREBOOK, {"scenarioVersion": "orders-v7"}, {"lorebook": LOREBOOK}, {"storyContainerVersion": 1}, [], None],
    ids=str,
)
def test_other_json_is_not_claimed(value: object) -> None:
    slot = FORMATS["novelai-scenario"].slots[0]
    assert [schema.detect(value) for schema in slot.schemas] == [None, None]


@pytest.mark.parametrize("kept", ["prompt", "lorebook", "context"])
def test_a_scenario_is_known_by_any_of_its_parts(kept: str) -> None:
    data = json.dumps({"scenarioVersion": 0, "title": "The gate", kept: SCENARIO[kept]}).encode()
    document = open_document(data, file_name="gate.scenario")
    assert (document.form.name, document.write().data) == ("novelai-scenario", data)
    assert document.card is not None
    assert document.card.name == "The gate"
