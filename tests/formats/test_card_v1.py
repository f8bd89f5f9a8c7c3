"""
Cards V1: six texts, and what the programs of those days wrote beside them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Card, Content, export, open_document
from tests.formats import anything, files

SHARED = Path(__file__).parents[3] / "shared" / "formats"

V1: dict[str, Any] = {
    "name": "Mira Vell",
    "description": "Keeper of the tide archive.",
    "personality": "dry, exact",
    "scenario": "A flooded library.",
    "first_mes": "Mind the third step.",
    "mes_example": "<START>",
}
BESIDE = {
    "TavernAI": {
        "public_id": "a1",
        "public_id_short": "a",
        "user_name": "keeper",
        "short_description": "",
        "categories": ["sea"],
        "nsfw": False,
        "online": True,
        "create_date_online": 1700000000000,
        "chat": "2023",
    },
    "AICharED": {
        "metadata": {
            "version": 1,
            "created": 1700000000000,
            "modified": 1700000000000,
            "source": None,
            "tool": {"name": "AICharED", "version": "0.7", "url": "https://example.org"},
        }
    },
    "SillyTavern": {
        "avatar": "none",
        "chat": "Mira - 2023-5-1",
        "create_date": "2023-5-1 @10h 02m 03s 004ms",
        "talkativeness": "0.5",
        "fav": False,
    },
}


def read(**fields: Any) -> Card:
    return files.parsed("card-v1", V1 | fields).content.needed_card


@pytest.mark.parametrize("fields", BESIDE.values(), ids=BESIDE)
def test_what_other_programs_wrote_stays(fields: dict[str, Any]) -> None:
    data = json.dumps(V1 | fields, indent=1).encode()
    document = open_document(data, file_name="mira.json")
    assert (document.form.name, document.notes, document.write().data) == ("card-v1", (), data)
    card = document.content.needed_card
    assert card.fields == fields
    edited = document.write(Content(card=replace(card, description="Drowned.")))
    assert json.loads(edited.data) == V1 | fields | {"description": "Drowned."}
    assert not edited.losses
    assert json.loads(export(FORMATS["card-v1"], document.content).data) == V1 | fields


@pytest.mark.parametrize(
    ("fields", "notes", "noted"),
    [
        ({"creatorcomment": "Mine."}, "Mine.", []),
        ({"creator_notes": "Mine."}, "Mine.", []),
        ({"creatorcomment": "", "creator_notes": "Mine."}, "Mine.", []),
        ({"creatorcomment": "Mine.", "creator_notes": "Mine."}, "Mine.", []),
        ({"creatorcomment": "Mine.", "creator_notes": "Old."}, "Mine.", ["$.creator_notes"]),
        ({}, "", []),
    ],
)
def test_the_creators_comment_is_what_v2_calls_notes(fields: dict[str, str], notes: str, noted: list[str]) -> None:
    document = files.parsed("card-v1", V1 | fields)
    assert document.content.needed_card.creator_notes == notes
    assert [note.where for note in document.notes] == noted


def test_an_edit_of_the_comment_is_where_sillytavern_reads_it() -> None:
    document = files.parsed("card-v1", V1 | {"creatorcomment": "Mine.", "tags": ["sea"]})
    card = document.content.needed_card
    edited = document.write(Content(card=replace(card, creator_notes="Yours.", tags=("sea", "海"), creator="Mi")))
    assert json.loads(edited.data) == V1 | {"creatorcomment": "Yours.", "tags": ["sea", "海"], "creator": "Mi"}
    assert not edited.losses


def test_a_new_card_has_six_texts_and_what_there_is_beside_them() -> None:
    card = Card(**V1)
    written = FORMATS["card-v1"].written[""]
    assert written.write(Content(card=card), False) == V1
    more = replace(card, creator_notes="Mine.", tags=("sea",), extensions={"x": 1}, fields={"chat": "a", "tags": "b"})
    beside = {"creatorcomment": "Mine.", "tags": ["sea"], "extensions": {"x": 1}, "chat": "a"}
    assert written.write(Content(card=more), False) == V1 | beside
    assert written.write(Content(card=more), True) == V1


def test_what_v1_has_no_field_for_is_named() -> None:
    card = Card("Mira", system_prompt="Be dry.", alternate_greetings=("Hi.",), nickname="Mi", creation_date=5)
    book = Book(name="", entries=(Entry(uid=0, keys=("gate",)),))
    made = files.made(FORMATS["card-v1"], book, card)
    fields = {"entry", "card.system_prompt", "card.alternate_greetings", "card.nickname", "card.creation_date"}
    assert {loss.field for loss in made.losses} == fields
    assert all("a card V1 has no" in loss.why for loss in made.losses)


@given(
    texts=st.fixed_dictionaries(dict.fromkeys(V1, anything.texts)),
    more=st.fixed_dictionaries(
        {
            "creator_notes": anything.texts,
            "creator": anything.texts,
            "tags": st.lists(anything.texts, max_size=2).map(tuple),
        }
    ),
)
def test_what_it_can_say_reads_back_as_it_was(texts: dict[str, Any], more: dict[str, Any]) -> None:
    card = Card(**texts, **more)
    made = files.made(FORMATS["card-v1"], None, card)
    assert open_document(made.data, file_name="mira.json").card == card
    assert not made.losses


@pytest.mark.parametrize("name", ["examples/v1.json", "quirks/v1_extras.json"])
def test_the_examples_are_read_and_come_back(name: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("the examples are not here")
    data = (SHARED / name).read_bytes()
    document = open_document(data, file_name=name)
    assert document.form.name == "card-v1"
    assert document.content.needed_card.personality == "dry, exact"
    assert document.write().data == data
