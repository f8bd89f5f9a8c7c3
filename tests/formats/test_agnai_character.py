"""
Agnai's characters: a persona told as a description, a memory book inside.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Card, Content, open_document
from tests.formats import files

PERSONA = {"kind": "boostyle", "attributes": {"species": ["human"], "trait": ["dry", "exact"]}}
MEMORY = {
    "kind": "memory",
    "_id": "",
    "name": "Archive",
    "description": "",
    "userId": "",
    "entries": [
        {"name": "Gate", "entry": "Opens.", "keywords": ["gat*"], "priority": 5, "weight": 2, "enabled": True, "id": 0}
    ],
}
CHARACTER = {
    "kind": "character",
    "name": "Mira Vell",
    "persona": PERSONA,
    "scenario": "A flooded library.",
    "greeting": "Mind the third step.",
    "sampleChat": "{{user}}: Deep?",
    "description": "Notes.",
    "systemPrompt": "Be dry.",
    "postHistoryInstructions": "Be brief.",
    "creator": "Me",
    "characterVersion": "2",
    "alternateGreetings": ["Well?", "Yes, you."],
    "tags": ["library"],
    "insert": {"prompt": "Still dry.", "depth": 3},
    "extensions": {"chub": {"id": 1}},
    "characterBook": MEMORY,
    "voice": None,
    "appearance": "Grey coat.",
}


def read(**fields: Any) -> Card:
    card = files.parsed("agnai-character", CHARACTER | fields).card
    assert card is not None
    return card


def test_a_character_is_a_card_and_a_book() -> None:
    assert read() == Card(
        name="Mira Vell",
        description="Mira Vell + human + dry + exact",
        scenario="A flooded library.",
        first_mes="Mind the third step.",
        mes_example="{{user}}: Deep?",
        creator_notes="Notes.",
        system_prompt="Be dry.",
        post_history_instructions="Be brief.",
        creator="Me",
        character_version="2",
        alternate_greetings=("Well?", "Yes, you."),
        tags=("library",),
        extensions={
            "chub": {"id": 1},
            "depth_prompt": {"prompt": "Still dry.", "depth": 3},
            "agnai": {"persona": PERSONA, "voice": None, "appearance": "Grey coat."},
        },
    )
    book = files.read("agnai-character", CHARACTER)
    assert [entry.keys for entry in book.entries] == [(r"/\bgat\w*\b/i",)]


def test_all_of_it_comes_back_by_way_of_a_card() -> None:
    content = files.parsed("agnai-character", CHARACTER).content
    data = files.made(FORMATS["card-v2"], content.book, content.card).data
    again = open_document(data, file_name="card.json").content
    export = files.made(FORMATS["agnai-character"], again.book, again.card)
    assert json.loads(export.data) == CHARACTER
    assert not export.losses


@pytest.mark.parametrize("fields", [{"extensions": None}, {"insert": []}, {"insert": None}], ids=str)
def test_odd_values_come_back(fields: dict[str, Any]) -> None:
    content = files.parsed("agnai-character", CHARACTER | fields).content
    made = files.saved("agnai-character", content.needed_book, content.card)
    assert files.parsed("agnai-character", made).content == content


@pytest.mark.parametrize(
    ("persona", "description"),
    [
        ({"kind": "text", "attributes": {"text": ["A woman."]}}, "A woman."),
        (PERSONA, "Mira Vell + human + dry + exact"),
        (PERSONA | {"kind": "wpp"}, '[character("Mira Vell") {\nspecies("human")\ntrait("dry" + "exact")\n}]'),
        (PERSONA | {"kind": "sbf"}, '[ character: "Mira Vell"; species: "human"; trait: "dry", "exact" ]'),
        (PERSONA | {"kind": "attributes"}, "Name: Mira Vell\nspecies: human\ntrait: dry, exact"),
        ({"kind": "text", "attributes": {}}, ""),
        ({"kind": "text", "attributes": {"text": "A woman."}}, "A woman."),
        ({"kind": "text", "attributes": {"text": [1, "A woman."]}}, "A woman."),
        ({"kind": ["odd"]}, ""),
        ("A woman.", "A woman."),
        ([1], ""),
        (None, ""),
    ],
    ids=[
        "text",
        "boostyle",
        "W++",
        "square brackets",
        "attributes",
        "empty",
        "one",
        "mixed",
        "odd",
        "str",
        "list",
        "null",
    ],
)
def test_a_persona_is_told_as_agnai_tells_it(persona: object, description: str) -> None:
    card = read(persona=persona)
    assert card.description == description
    written = files.saved("agnai-character", Book(name="Archive"), card)["persona"]
    assert written == ({"kind": "text", "attributes": {"text": [""]}} if persona is None else persona)


def test_a_persona_that_no_longer_says_what_the_description_says_becomes_a_text() -> None:
    document = files.parsed("agnai-character", CHARACTER)
    card = document.content.needed_card
    export = document.write(Content(document.book, replace(card, description="A woman.")))
    text = {"kind": "text", "attributes": {"text": ["A woman."]}}
    assert json.loads(export.data) == CHARACTER | {"persona": text}
    assert [loss.field for loss in export.losses] == ["card.extensions.agnai"]


def test_a_new_character_has_the_personality_in_its_persona() -> None:
    card = Card(name="Mira", description="Human.", personality="Dry.", nickname="M")
    export = files.made(FORMATS["agnai-character"], None, card)
    assert json.loads(export.data) == {
        "kind": "character",
        "name": "Mira",
        "persona": {"kind": "text", "attributes": {"text": ["Human.\nDry."]}},
        "scenario": "",
        "greeting": "",
        "sampleChat": "",
    }
    assert [loss.field for loss in export.losses] == ["card.description", "card.personality", "card.nickname"]


def test_an_edit_changes_one_text_and_nothing_else() -> None:
    source = CHARACTER | {"odd": [1.0], "createdAt": "2024"}
    data = json.dumps(source, indent=1).encode()
    document = open_document(data, file_name="x.json")
    assert (document.form.name, document.write().data) == ("agnai-character", data)
    book, card = document.content.needed_book, document.content.needed_card
    closed = book.model_copy(update={"entries": (book.entries[0].model_copy(update={"content": "Closes."}),)})
    export = document.write(Content(closed, replace(card, first_mes="Mind the step.")))
    assert export.data == data.replace(b"Opens.", b"Closes.").replace(b"the third step", b"the step")
    assert not export.losses


def test_a_book_is_put_into_a_character_without_one() -> None:
    source = {name: value for name, value in CHARACTER.items() if name != "characterBook"}
    document = files.parsed("agnai-character", source)
    assert document.book is None
    book = Book(name="Archive", entries=(Entry(uid=0, name="Gate", keys=("gate",), content="Opens."),))
    export = document.write(Content(book, document.card))
    assert open_document(export.data, file_name="x.json").book == book


@pytest.mark.parametrize("held", [1, [], {"entries": None}], ids=str)
def test_a_book_that_is_none_is_noted(held: object) -> None:
    document = files.parsed("agnai-character", CHARACTER | {"characterBook": held})
    assert document.book is None
    assert [note.where for note in document.notes] == ["$.characterBook"]


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (CHARACTER, "agnai-character"),
        ({name: CHARACTER[name] for name in ("name", "persona", "greeting", "sampleChat")}, "agnai-character"),
        ({"name": "Mira", "description": "Human.", "scenario": "A library.", "first_mes": "Well?"}, "card-v1"),
        ({"kind": "character", "name": "Mira", "description": "Human.", "first_mes": "Well?"}, "card-v1"),
        ({"spec": "chara_card_v2", "data": {"name": "Mira"}, **CHARACTER}, "card-v2"),
        (MEMORY, "agnai"),
    ],
    ids=["whole", "without a kind", "V1", "V1 with a kind", "V2 with Agnai's fields", "memory"],
)
def test_a_character_is_known_by_its_marks(value: object, form: str) -> None:
    assert open_document(json.dumps(value).encode(), file_name="x.json").form.name == form


@pytest.mark.parametrize("missing", ["kind", "persona", "greeting"])
def test_a_character_is_known_without_one_of_its_marks(missing: str) -> None:
    whole = {name: value for name, value in CHARACTER.items() if name not in ("kind", missing)}
    data = json.dumps(whole).encode()
    document = open_document(data, file_name="mira.json")
    assert (document.form.name, document.write().data) == ("agnai-character", data)
    assert document.card is not None
    assert document.card.mes_example == "{{user}}: Deep?"


def test_a_card_v1_with_a_field_of_agnais_is_none() -> None:
    card = {"name": "Mira", "description": "", "first_mes": "Hi.", "mes_example": "", "greeting": "", "sampleChat": ""}
    assert open_document(json.dumps(card).encode(), file_name="mira.json").form.name == "card-v1"
