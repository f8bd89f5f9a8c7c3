"""
The book in a card: the specified fields, and SillyTavern's exact values beside them.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Card, Content, LossKind, read_book
from lorebook.records import EntrySettings, Position, SecondaryLogic
from tests.formats import files
from tests.formats.files import made, parsed, saved

V2, V3 = FORMATS["card-v2"], FORMATS["card-v3"]


def read(spec: str = "chara_card_v2", **fields: Any) -> Entry:
    entry = {"keys": ["gate"], "content": "", "extensions": {}, "enabled": True, "insertion_order": 10, **fields}
    data = {"name": "Mira", "character_book": {"extensions": {}, "entries": [entry]}}
    return files.read("card-v3" if "v3" in spec else "card-v2", {"spec": spec, "data": data}).entries[0]


def written(entry: Entry, card: Card, *, spec: str = "v2") -> dict[str, Any]:
    whole = saved(f"card-{spec}", Book(name="Archive", entries=(entry,)), card)
    found: dict[str, Any] = whole["data"]["character_book"]["entries"][0]
    return found


@pytest.mark.parametrize("position", Position)
def test_a_position_is_one_of_two_and_exact_in_extensions(position: Position, card: Card) -> None:
    again = written(Entry(uid=0, settings=EntrySettings(position=position)), card)
    assert again["position"] == ("before_char" if position is Position.BEFORE_CHAR else "after_char")
    assert again["extensions"]["position"] == list(Position).index(position)


@pytest.mark.parametrize(
    ("specified", "exact", "position"),
    [
        ("before_char", None, Position.BEFORE_CHAR),
        ("after_char", None, Position.AFTER_CHAR),
        ("before_char", 4, Position.AT_DEPTH),
        ("after_char", 0, Position.BEFORE_CHAR),
        (None, None, Position.AFTER_CHAR),
        ("", None, Position.AFTER_CHAR),
        (3, None, Position.AFTER_NOTE),
        ("1", None, Position.AFTER_CHAR),
        ("4", None, Position.AT_DEPTH),
        (True, None, Position.AFTER_CHAR),
        ("before_char", 9, Position.BEFORE_CHAR),
    ],
)
def test_the_exact_position_wins_and_after_is_what_sillytavern_assumes(
    specified: object, exact: int | None, position: Position
) -> None:
    assert read(position=specified, extensions={"position": exact}).settings.position is position


@pytest.mark.parametrize(
    ("selective", "used"), [(True, ("password",)), (False, ()), (None, ())], ids=["on", "off", "missing"]
)
def test_secondary_keys_count_only_where_the_entry_is_selective(
    *, selective: bool | None, used: tuple[str, ...], card: Card
) -> None:
    entry = read(selective=selective, secondary_keys=["password"])
    assert entry.settings.secondary_keys == used
    again = written(entry, card)
    assert (again["secondary_keys"], again["selective"]) == (["password"], bool(selective))


def test_an_entry_without_secondary_keys_is_not_selective(card: Card) -> None:
    """
    A reader that takes `selective` at its word would wait for a key that does not exist.
    """
    assert written(Entry(uid=0), card)["selective"] is False


@pytest.mark.parametrize(
    ("fields", "title", "other"),
    [
        ({"name": "Gate"}, "Gate", None),
        ({"comment": "Gate"}, "Gate", None),
        ({"name": "Gate", "comment": "Gate"}, "Gate", None),
        ({"name": "Salt", "comment": "Gate"}, "Gate", "Salt"),
    ],
)
def test_the_title_is_the_comment_as_in_sillytavern_and_a_second_one_is_kept(
    fields: dict[str, str], title: str, other: str | None, card: Card
) -> None:
    entry = read(**fields)
    assert entry.name == title
    again = written(entry, card)
    assert (again["comment"], again["name"]) == (title, other or title)


@pytest.mark.parametrize("name", ["abc", 1.5])
def test_an_id_that_is_no_whole_number_is_kept(name: object, card: Card) -> None:
    entry = read(id=name)
    assert entry.uid == 0
    assert written(entry, card)["id"] == name


def test_case_sensitivity_has_three_states(card: Card) -> None:
    assert "case_sensitive" not in written(read(), card)
    assert written(read(case_sensitive=False), card)["case_sensitive"] is False
    assert read(case_sensitive=False, extensions={"case_sensitive": True}).settings.case_sensitive is True


def test_fields_nobody_knows_come_back(card: Card) -> None:
    fields: dict[str, Any] = {"priority": 5, "entry_id": "e1", "use_regex": True}
    again = written(read(**fields, extensions={"example": {"n": 1}, "group": "gates"}), card)
    assert {name: again[name] for name in fields} == fields
    assert again["extensions"]["example"] == {"n": 1}
    assert again["extensions"]["group"] == "gates"


@pytest.mark.parametrize(
    ("keys", "regex", "lost"),
    [
        (("gate", "C++"), False, False),
        (("/ga(te|p)/i", "/salt/"), True, False),
        (("/ga(te|p)/i", "salt"), False, True),
        ((), False, False),
    ],
)
def test_v3_has_one_switch_for_patterns_and_says_where_it_does_not_fit(
    *, keys: tuple[str, ...], regex: bool, lost: bool, card: Card
) -> None:
    entry = Entry(uid=0, keys=keys)
    assert written(entry, card, spec="v3")["use_regex"] is regex
    losses = made(V3, Book(name="Archive", entries=(entry,)), card).losses
    assert ["keys"] * lost == [loss.field for loss in losses]


def test_what_the_specification_cannot_say_is_named(card: Card) -> None:
    settings = EntrySettings(
        secondary_keys=("password",),
        secondary_logic=SecondaryLogic.NOT_ANY,
        position=Position.AT_DEPTH,
        probability=50,
        match_whole_words=True,
    )
    losses = made(V2, Book(name="Archive", entries=(Entry(uid=3, settings=settings),)), card).losses
    assert {(loss.entry, loss.kind) for loss in losses} == {(3, LossKind.UNREAD)}
    assert [loss.field for loss in losses] == ["secondary_logic", "position", "probability", "match_whole_words"]
    assert str(losses[0]).startswith("entry 3: secondary_logic: cards have no field for it")


def test_a_book_in_a_card_keeps_its_own_fields(card: Card) -> None:
    book = Book(name="Archive", description="Places.", scan_depth=0, token_budget=512, recursive_scanning=False)
    export = made(V2, book, card)
    assert not export.losses
    assert read_book(export.data, file_name="x") == book


@pytest.mark.parametrize(
    ("whole", "message"),
    [
        (
            {"spec": "chara_card_v2", "data": {}},
            "file.json: there is no lorebook in this Character card V2 (it is a character without a book)",
        ),
        ({"spec": "chara_card_v2"}, "file.json: $.data: it is null, not an object"),
        ({"spec": "chara_card_v2", "data": []}, "file.json: $.data: it is a list, not an object"),
    ],
)
def test_a_card_whose_book_cannot_be_read_says_why(whole: object, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_book(json.dumps(whole).encode(), file_name="file.json")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("inside", "entries", "note"),
    [
        ({"entries": {}}, 0, None),
        ({"entries": {"7": {"id": 7, "keys": ["gate"], "content": ""}}}, 1, None),
        (
            {"entries": [5, {"keys": ["gate"]}]},
            1,
            "$.data.character_book.entries[0]: is 5, not an entry; left out",
        ),
        (
            {"entries": {"0": {"uid": 0, "key": ["gate"]}}},
            1,
            "$.data.character_book: is World Info and no character book; read as World Info",
        ),
        (
            {"entries": 5},
            0,
            "$.data.character_book.entries: is 5, not a list of entries; read as a book without entries",
        ),
        ({"name": "Archive"}, 0, "$.data.character_book.entries: is missing; read as a book without entries"),
        ("Archive", None, "$.data.character_book: is no object; the card has no lorebook"),
        (None, None, "$.data.character_book: is no object; the card has no lorebook"),
    ],
)
def test_a_book_of_another_shape_is_read_with_a_note(inside: object, entries: int | None, note: str | None) -> None:
    document = parsed("card-v2", {"spec": "chara_card_v2", "data": {"name": "Mira", "character_book": inside}})
    assert (None if document.book is None else len(document.book.entries)) == entries
    assert [str(found) for found in document.notes] == ([note] if note else [])
    assert document.write().data == document.data


@pytest.mark.parametrize(
    ("word", "position"),
    [
        ("at_depth", Position.AT_DEPTH),
        ("before", Position.BEFORE_CHAR),
        ("Before_Char", Position.BEFORE_CHAR),
        ("after_character_definition", Position.AFTER_CHAR),
        (6.0, Position.AFTER_EXAMPLES),
        ("somewhere", Position.AFTER_CHAR),
    ],
)
def test_a_position_in_another_programs_words_is_noted(word: object, position: Position) -> None:
    document = parsed("book-v2", {"entries": [{"keys": ["gate"], "content": "x", "position": word}]})
    assert document.book is not None
    assert document.book.entries[0].settings.position is position
    assert [note.where for note in document.notes] == ["$.entries[0].position"]


@pytest.mark.parametrize(
    ("extensions", "logic"),
    [({}, SecondaryLogic.NOT_ALL), ({"selectiveLogic": 3}, SecondaryLogic.AND_ALL)],
    ids=["alone", "SillyTavern's counts"],
)
def test_wyverns_word_for_the_logic_is_read(extensions: dict[str, Any], logic: SecondaryLogic) -> None:
    entry = {"keys": ["gate"], "secondary_keys": ["tide"], "selective": True, "content": "x", "key_logic": "NOT_ALL"}
    book = files.read("book-v2", {"entries": [entry | {"extensions": extensions}]})
    assert book.entries[0].settings.secondary_logic is logic
    assert saved("book-v2", book)["entries"][0]["key_logic"] == "NOT_ALL"


def test_a_book_without_its_card_and_a_v3_lorebook_are_read() -> None:
    inside = {"name": "Archive", "extensions": {}, "entries": [{"keys": ["gate"], "content": "Opens."}]}
    bare = read_book(json.dumps(inside).encode(), file_name="x")
    assert bare == read_book(json.dumps({"spec": "lorebook_v3", "data": inside}).encode(), file_name="x")
    assert bare.entries[0].keys == ("gate",)


@pytest.mark.parametrize("inside", [{}, {"entries": None}, {"entries": 5}], ids=["missing", "null", "a number"])
def test_a_v3_lorebook_without_entries_is_an_empty_one_and_takes_some(inside: dict[str, Any]) -> None:
    document = parsed("lorebook-v3", {"spec": "lorebook_v3", "data": {"name": "Archive", "extensions": {}} | inside})
    assert [note.where for note in document.notes] == ["$.data.entries"]
    assert document.write().data == document.data
    assert document.book is not None
    edited = document.book.model_copy(update={"entries": (Entry(uid=3, keys=("gate",), content="Opens."),)})
    assert read_book(document.write(Content(edited)).data, file_name="x") == edited
