"""
Chub's lorebooks: two spellings of every setting.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Content, open_document
from lorebook.records import EntrySettings, Position, SecondaryLogic
from tests.formats import files
from tests.formats.files import made, parsed, saved


def read(entry: dict[str, Any]) -> Entry:
    return files.read("chub", {"name": "Archive", "entries": {"1": entry}}).entries[0]


def test_both_spellings_are_written_and_say_the_same() -> None:
    settings = EntrySettings(
        enabled=False,
        secondary_keys=("password",),
        secondary_logic=SecondaryLogic.NOT_ALL,
        position=Position.AFTER_NOTE,
        insertion_order=5,
        case_sensitive=True,
    )
    entry = Entry(uid=2, name="Gate", keys=("gate",), settings=settings, extensions={"sticky": 3})
    book = Book(name="Archive", entries=(entry,), token_budget=500)
    assert not made(FORMATS["chub"], book).losses
    whole = saved("chub", book)
    assert whole["token_budget"] == 500
    item = whole["entries"]["2"]
    assert item["key"] == item["keys"] == ["gate"]
    assert item["keysecondary"] == item["secondary_keys"] == ["password"]
    assert item["order"] == item["insertion_order"] == 5
    assert item["disable"] is (not item["enabled"]) is True
    assert item["comment"] == item["name"] == "Gate"
    assert item["uid"] == item["id"] == 2
    assert item["caseSensitive"] is item["case_sensitive"] is True
    assert item["sticky"] == item["extensions"]["sticky"] == 3
    assert item["position"] == item["extensions"]["position"] == 3
    assert item["selectiveLogic"] == item["extensions"]["selectiveLogic"] == 1


def test_where_the_spellings_disagree_sillytaverns_wins() -> None:
    entry = read(
        {
            "key": ["gate"],
            "keys": ["door"],
            "order": 1,
            "insertion_order": 2,
            "disable": True,
            "enabled": True,
            "excludeRecursion": True,
            "position": 4,
            "extensions": {"exclude_recursion": False, "position": 1, "weight": 10},
        }
    )
    assert entry.keys == ("gate",)
    assert entry.settings.insertion_order == 1
    assert not entry.settings.enabled
    assert entry.settings.position is Position.AT_DEPTH
    assert entry.extensions == {"exclude_recursion": True, "weight": 10}


def test_where_the_spellings_disagree_a_note_names_both() -> None:
    entry = {"key": ["gate"], "keys": ["door"], "sticky": 1, "extensions": {"sticky": 2}}
    notes = parsed("chub", {"entries": {"1": entry}}).notes
    assert {note.where for note in notes} == {"$.entries['1'].key", "$.entries['1'].sticky"}
    assert any(note.what == "is 1, but `extensions.sticky` is 2; `sticky` counts" for note in notes)


def test_a_setting_that_only_the_card_spells_is_taken_from_there() -> None:
    entry = read({"key": ["gate"], "name": "Gate", "extensions": {"exclude_recursion": True}})
    assert entry.name == "Gate"
    assert entry.extensions == {"exclude_recursion": True}


def test_an_entry_that_has_the_cards_spelling_alone_is_read_as_a_cards() -> None:
    entry = read({"keys": ["gate"], "content": "Opens.", "enabled": False, "insertion_order": 3})
    assert entry.keys == ("gate",)
    assert not entry.settings.enabled
    assert entry.settings.insertion_order == 3


@pytest.mark.parametrize(
    ("marks", "reason"),
    [
        ({"extensions": {"chub": {"id": 5}}}, "its `extensions` have `chub`"),
        ({"is_creation": False, "extensions": {}}, "it has `is_creation`, as Chub's lorebooks have"),
    ],
    ids=["extensions", "is_creation"],
)
def test_a_book_without_entries_is_known_by_chubs_other_marks(marks: dict[str, Any], reason: str) -> None:
    data = json.dumps({"name": "Archive", "entries": {}} | marks).encode()
    document = open_document(data, file_name="x")
    assert (document.form.name, document.reason, document.notes) == ("chub", reason, ())
    assert document.book is not None
    assert (document.book.name, document.book.entries) == ("Archive", ())
    edited = document.book.model_copy(update={"entries": (Entry(uid=7, keys=("gate",)),)})
    again = open_document(document.write(Content(edited)).data, file_name="x")
    assert again.form.name == "chub"
    assert again.book == edited


@pytest.mark.parametrize("extensions", [None, {}, {"other": 1}, "chub"])
def test_a_book_without_entries_and_marks_is_not_chubs(extensions: object) -> None:
    data = json.dumps({"name": "Archive", "entries": {}, "extensions": extensions}).encode()
    assert open_document(data, file_name="x").form.name == "world-info"


@pytest.mark.parametrize("entries", [{}, {"entries": None}], ids=["missing", "null"])
def test_a_book_without_entries_is_chubs_by_its_mark_and_takes_some(entries: dict[str, Any]) -> None:
    value = {"name": "Tides", "is_creation": True, "extensions": {"chub": {"id": 1}}} | entries
    document = open_document(json.dumps(value).encode(), file_name="x")
    assert (document.form.name, document.write().data) == ("chub", document.data)
    assert [note.where for note in document.notes] == ["$.entries"]
    assert document.book is not None
    edited = document.book.model_copy(update={"entries": (Entry(uid=3, keys=("gate",), content="It opens."),)})
    written = document.write(Content(edited)).data
    assert open_document(written, file_name="x").book == edited
    assert json.loads(written).items() >= {name: item for name, item in value.items() if name != "entries"}.items()
