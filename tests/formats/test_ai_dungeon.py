"""
AI Dungeon's story cards, and the World Info that they once were.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Content, open_document
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic
from tests.formats import files
from tests.formats.anything import texts
from tests.formats.words import KEYS

EXAMPLE = Path(__file__).parents[3] / "shared" / "formats" / "examples" / "aidungeon.json"

CARD = {
    "keys": "salt gate, 盐门",
    "value": "Opens at low water.",
    "title": "Salt gate",
    "type": "other",
    "description": "",
    "useForCharacterCreation": False,
}
OLD = {"keys": "salt gate, 盐门", "entry": "Opens at low water.", "id": "17", "hidden": False}


def read(**fields: Any) -> Entry:
    return files.read("ai-dungeon", [CARD | fields]).entries[0]


def test_a_card_is_read() -> None:
    assert read() == Entry(uid=0, name="Salt gate", keys=("salt gate", "盐门"), content="Opens at low water.")


def test_an_old_entry_is_read() -> None:
    assert files.read("ai-dungeon", [OLD]).entries[0] == Entry(
        uid=0,
        keys=("salt gate", "盐门"),
        content="Opens at low water.",
        extensions={"aidungeon": {"id": "17", "hidden": False}},
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"keys": ["salt gate", "盐门"]}, {}),
        ({"keys": None}, {"keys": ()}),
        ({"keys": "7"}, {"keys": ("7",)}),
        ({"title": None, "name": "Sluice"}, {"name": "Sluice"}),
        ({"value": "", "entry": "It was."}, {"content": "It was."}),
        ({"value": None, "entry": "It was."}, {"content": "It was."}),
    ],
    ids=["a list of keys", "no keys", "a number", "an old title", "an old text", "no text but an old one"],
)
def test_a_card_of_another_tool_is_read_and_stays_as_it_is(fields: dict[str, Any], said: dict[str, Any]) -> None:
    data = json.dumps([CARD | fields], indent=1).encode()
    document = open_document(data, file_name="cards.json")
    assert (document.form.name, document.write().data) == ("ai-dungeon", data)
    plain = Entry(uid=0, name="Salt gate", keys=("salt gate", "盐门"), content="Opens at low water.")
    assert document.content.needed_book.entries == (plain.model_copy(update=said),)


@pytest.mark.parametrize("holder", ["storyCards", "worldInfo"])
@pytest.mark.parametrize("card", [CARD, OLD], ids=["new", "old"])
def test_the_cards_of_a_scenario_are_read_and_edited_where_they_are(holder: str, card: dict[str, Any]) -> None:
    whole = {"title": "Tides", "prompt": "The gate is shut.", holder: [card, None], "memory": ""}
    data = json.dumps(whole, indent=1).encode()
    document = open_document(data, file_name="scenario.json")
    assert (document.form.name, document.write().data) == ("ai-dungeon", data)
    book = document.content.needed_book
    assert (book.name, [entry.content for entry in book.entries]) == ("Tides", ["Opens at low water."])
    shut = book.model_copy(update={"entries": (book.entries[0].model_copy(update={"content": "Shut."}),)})
    text = "value" if "value" in card else "entry"
    assert json.loads(document.write(Content(shut)).data) == whole | {holder: [card | {text: "Shut."}, None]}


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "location"},
        {"description": "For the author."},
        {"useForCharacterCreation": True},
        {"id": "17"},
        {"hidden": None},
    ],
    ids=" ".join,
)
def test_what_a_card_says_comes_back_also_by_way_of_world_info(fields: dict[str, Any]) -> None:
    book = files.read("ai-dungeon", [CARD | fields])
    assert book.entries[0].extensions == {"aidungeon": fields}
    assert files.saved("ai-dungeon", book) == [CARD | fields]
    as_world_info = files.made(FORMATS["world-info"], book)
    again = open_document(as_world_info.data, file_name="archive.json").content.needed_book
    assert files.saved("ai-dungeon", again) == [CARD | fields]


def test_a_new_file_is_what_ai_dungeon_exports() -> None:
    book = Book(name="", entries=(Entry(uid=0, name="Gate", keys=("gate", "闸"), content="Opens."),))
    assert files.saved("ai-dungeon", book) == [
        {
            "keys": "gate, 闸",
            "value": "Opens.",
            "title": "Gate",
            "type": "other",
            "description": "",
            "useForCharacterCreation": False,
        }
    ]


@pytest.mark.parametrize(
    ("entry", "lost"),
    [
        (Entry(uid=0, keys=("a, b", "c")), ["keys"]),
        (Entry(uid=0, keys=("/ga(te|p)/i", "c")), ["keys"]),
        (Entry(uid=4, keys=("c",)), ["uid"]),
        (Entry(uid=0), []),
        (Entry(uid=0, settings=EntrySettings(constant=True)), ["constant"]),
        (Entry(uid=0, settings=EntrySettings(enabled=False)), ["enabled"]),
        (
            Entry(
                uid=0,
                settings=EntrySettings(
                    secondary_keys=("a",),
                    secondary_logic=SecondaryLogic.NOT_ANY,
                    position=Position.AT_DEPTH,
                    depth=2,
                    role=Role.USER,
                    insertion_order=7,
                    probability=50,
                    case_sensitive=True,
                    match_whole_words=True,
                ),
                rule="chess/castling",
                extensions={"sticky": 2},
            ),
            [
                *("secondary_keys", "secondary_logic", "position", "depth", "role", "insertion_order", "probability"),
                *("case_sensitive", "match_whole_words", "rule", "extensions.sticky"),
            ],
        ),
    ],
    ids=lambda value: ", ".join(value) or "nothing" if isinstance(value, list) else "",
)
def test_what_is_not_held_is_named(entry: Entry, lost: list[str]) -> None:
    export = files.made(FORMATS["ai-dungeon"], Book(name="", entries=(entry,)))
    assert [loss.field for loss in export.losses] == lost
    assert all("AI Dungeon" in loss.why or "comma" in loss.why for loss in export.losses)


def test_a_book_without_entries_is_an_empty_list() -> None:
    export = files.made(FORMATS["ai-dungeon"], Book(name=""))
    assert json.loads(export.data) == []
    document = open_document(export.data, file_name="cards.json")
    assert (document.form.name, document.book) == ("ai-dungeon", Book(name=""))


def test_a_books_own_settings_are_not_held() -> None:
    book = Book(name="Archive", description="Gates.", scan_depth=3, token_budget=9, recursive_scanning=True)
    export = files.made(FORMATS["ai-dungeon"], book)
    fields = {"name", "description", "scan_depth", "token_budget", "recursive_scanning"}
    assert {loss.field for loss in export.losses} == fields


@given(data=st.data(), count=st.integers(1, 3))
def test_what_it_can_say_reads_back_as_it_was(data: st.DataObject, count: int) -> None:
    entries = (
        Entry(uid=uid, name=data.draw(texts), keys=data.draw(KEYS), content=data.draw(texts)) for uid in range(count)
    )
    book = Book(name="", entries=tuple(entries))
    export = files.made(FORMATS["ai-dungeon"], book)
    assert open_document(export.data, file_name="cards.json").book == book
    assert not export.losses


@pytest.mark.parametrize(("item", "text"), [(CARD, "value"), (OLD, "entry")], ids=["now", "old"])
def test_an_edit_changes_the_text_and_nothing_else(item: dict[str, Any], text: str) -> None:
    source = [item, item | {"keys": "rust,  红锈", "odd": 1.0}]
    data = json.dumps(source, indent=4).encode()
    document = open_document(data, file_name="cards.json")
    assert (document.form.name, document.notes, document.write().data) == ("ai-dungeon", (), data)
    book = document.content.needed_book
    edited = book.entries[1].model_copy(update={"content": "Rusted."})
    export = document.write(Content(book.model_copy(update={"entries": (book.entries[0], edited)})))
    assert json.loads(export.data) == [source[0], source[1] | {text: "Rusted."}]
    assert not export.losses


@pytest.mark.parametrize("item", [CARD, OLD], ids=["now", "old"])
def test_entries_come_and_go(item: dict[str, Any]) -> None:
    document = files.parsed("ai-dungeon", [item, item | {"keys": "rust"}, "odd"])
    book = document.content.needed_book
    new = Entry(uid=1, name="New", keys=("new",), content="Fresh.")
    export = document.write(Content(book.model_copy(update={"entries": (book.entries[0], new)})))
    again = open_document(export.data, file_name="cards.json").content.needed_book
    assert [entry.keys for entry in again.entries] == [("salt gate", "盐门"), ("new",)]
    assert "odd" in json.loads(export.data)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"entries": [CARD]},
        {"storyCards": []},
        {"storyCards": [{"keys": "a", "content": "b"}]},
        {"storyCards": [CARD], "spec": "chara_card_v2"},
        {"worldInfo": [CARD], "name": "Mira", "first_mes": "Hi."},
        CARD,
        [{"keys": ["a"], "value": "b"}],
        [{"keys": ["a"], "content": "b"}],
        [{"key": "a", "content": "b", "insertorder": 1}],
        [{"keys": "a", "content": "b"}],
        [1, None],
        "text",
    ],
    ids=str,
)
def test_other_json_is_not_claimed(value: object) -> None:
    slots = FORMATS["ai-dungeon"].slots
    assert not any(schema.detect(value) for slot in slots for schema in slot.schemas)


def test_the_example_is_read() -> None:
    if not EXAMPLE.is_file():
        pytest.skip("the examples are not here")
    entry = open_document(EXAMPLE.read_bytes(), file_name=EXAMPLE.name).content.needed_book.entries[0]
    assert entry.name == "Salt gate"
    assert entry.keys == ("salt gate", "sluice")
    assert entry.extensions == {"aidungeon": {"type": "location"}}
