"""
World Info: SillyTavern's fields as they are in its files.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Card, Document, LossKind, open_document, read_book
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic
from tests.formats import files
from tests.formats.files import made, parsed, saved


def opened(**fields: Any) -> Document:
    entry = {"uid": 0, "key": ["salt gate"], "content": "Opens at low water.", **fields}
    return parsed("world-info", {"entries": {"0": entry}})


def read(**fields: Any) -> Entry:
    book = opened(**fields).book
    assert book is not None
    return book.entries[0]


def written(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = saved("world-info", Book(name="Archive", entries=(entry,)))["entries"][str(entry.uid)]
    return found


@pytest.mark.parametrize(("number", "position"), list(enumerate(Position)))
def test_positions_are_numbered_from_before_the_character_to_outlet(number: int, position: Position) -> None:
    assert read(position=number).settings.position is position
    assert written(Entry(uid=0, settings=EntrySettings(position=position)))["position"] == number


def test_the_last_position_is_the_outlet() -> None:
    assert read(position=7).settings.position is Position.OUTLET


@pytest.mark.parametrize("word", ["NOT_ANY", " Not_Any ", "not_any"])
def test_secondary_logic_may_be_a_word_in_whatever_letters(word: str) -> None:
    document = opened(keysecondary=["password"], selectiveLogic=word, role="User", position="At_Depth")
    assert document.book is not None
    settings = document.book.entries[0].settings
    said = settings.secondary_logic, settings.role, settings.position
    assert said == (SecondaryLogic.NOT_ANY, Role.USER, Position.AT_DEPTH)
    assert document.notes == ()


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("salt gate, 盐门 ,tide", ("salt gate", "盐门", "tide")),
        ("/a,b/i, c", ("/a,b/i", "c")),
        (r"x, /a{1,3}\/,/ , y/z, 1/2", ("x", r"/a{1,3}\/,/", "y/z", "1/2")),
        ("/a, b", ("/a", "b")),
        (",, a,", ("a",)),
        ("", ()),
    ],
)
def test_keys_in_one_text_are_split_at_commas_but_for_those_in_patterns(text: str, keys: tuple[str, ...]) -> None:
    assert read(key=text).keys == keys
    assert any(f"{len(keys)} split at commas" in note.what for note in opened(key=text).notes)


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ({"probability": 150}, "$.entries['0'].probability: is 150, not between 0 and 100; read as 100"),
        ({"probability": -5}, "$.entries['0'].probability: is -5, not between 0 and 100; read as 0"),
        ({"depth": -1}, "$.entries['0'].depth: is -1, less than 0; read as 0"),
    ],
)
def test_a_number_out_of_its_limits_is_noted(fields: dict[str, Any], note: str) -> None:
    assert list(map(str, opened(**fields).notes)) == [note]


@pytest.mark.parametrize("uid", ["0b1c-22", "gate", 1.5, [1]])
def test_a_uid_that_is_no_number_is_kept_in_a_card(uid: object) -> None:
    assert files.parsed("card-v3", saved_card(opened(uid=uid))).book == opened(uid=uid).book


def saved_card(document: Document) -> Any:
    return saved("card-v3", document.book, Card(name="Mira"))


@pytest.mark.parametrize(
    ("entries", "form"),
    [
        ({"0": {"content": "Low."}}, "world-info"),
        ({"3": {"comment": "Gate", "content": "Low.", "constant": True}}, "world-info"),
        ({"0": {"content": "Low.", "enabled": True, "insertion_order": 5}}, "book-v2"),
        ([{"content": "Low.", "enabled": True, "insertion_order": 5, "constant": True}], "book-v2"),
        ([{"content": "Low."}], None),
        ({"intro": {"content": "Low."}}, None),
    ],
    ids=["content", "always on", "V2's names", "a V2 list", "a list of texts", "other names"],
)
def test_entries_without_keys_are_known_by_what_they_have(entries: object, form: str | None) -> None:
    data = json.dumps({"entries": entries}).encode()
    if form is None:
        with pytest.raises(FormatError, match="no lorebook and no card: it is a JSON object with entries"):
            open_document(data, file_name="x")
    else:
        document = open_document(data, file_name="x")
        assert (document.form.name, document.write().data) == (form, data)
        assert document.book is not None
        assert document.book.entries[0].content == "Low."


@pytest.mark.parametrize(
    ("number", "logic"),
    [
        (0, SecondaryLogic.AND_ANY),
        (1, SecondaryLogic.NOT_ALL),
        (2, SecondaryLogic.NOT_ANY),
        (3, SecondaryLogic.AND_ALL),
    ],
)
def test_secondary_logic_has_sillytaverns_numbers(number: int, logic: SecondaryLogic) -> None:
    settings = read(keysecondary=["password"], selectiveLogic=number).settings
    assert settings.secondary_keys == ("password",)
    assert settings.secondary_logic is logic
    assert written(Entry(uid=0, settings=settings))["selectiveLogic"] == number


@pytest.mark.parametrize(
    ("number", "role"), [(0, Role.SYSTEM), (1, Role.USER), (2, Role.ASSISTANT), (None, Role.SYSTEM)]
)
def test_roles_have_sillytaverns_numbers(number: int | None, role: Role) -> None:
    assert read(role=number).settings.role is role


def test_a_field_that_is_missing_has_sillytaverns_default() -> None:
    assert read().settings == EntrySettings()


def test_every_setting_is_written_where_sillytavern_reads_it() -> None:
    settings = EntrySettings(
        enabled=False,
        constant=True,
        secondary_keys=("password",),
        secondary_logic=SecondaryLogic.NOT_ANY,
        position=Position.AT_DEPTH,
        depth=2,
        role=Role.ASSISTANT,
        insertion_order=7,
        probability=12.5,
        case_sensitive=True,
        match_whole_words=False,
    )
    entry = Entry(uid=9, name="Salt gate", keys=("gate",), content="Opens.", settings=settings, rule="chess/castling")
    assert written(entry) == {
        "uid": 9,
        "key": ["gate"],
        "keysecondary": ["password"],
        "comment": "Salt gate",
        "content": "Opens.",
        "constant": True,
        "selective": True,
        "order": 7,
        "disable": True,
        "position": 4,
        "depth": 2,
        "role": 2,
        "probability": 12.5,
        "useProbability": True,
        "selectiveLogic": 2,
        "caseSensitive": True,
        "matchWholeWords": False,
        "extensions": {"lorebook": {"rule": "chess/castling"}},
    }


def test_secondary_keys_that_are_switched_off_stay_off_and_are_not_lost() -> None:
    entry = read(keysecondary=["password"], selective=False)
    assert entry.settings.secondary_keys == ()
    again = written(entry)
    assert (again["keysecondary"], again["selective"]) == (["password"], False)


def test_a_chance_that_is_not_rolled_always_comes_and_is_not_lost() -> None:
    entry = read(probability=40, useProbability=False)
    assert entry.settings.probability == 100
    again = written(entry)
    assert (again["probability"], again["useProbability"]) == (40, False)


def test_an_edit_wins_over_what_was_switched_off() -> None:
    entry = read(probability=40, useProbability=False)
    again = written(entry.model_copy(update={"settings": EntrySettings(probability=70)}))
    assert (again["probability"], again["useProbability"]) == (70, True)


def test_settings_that_cards_know_by_another_name_and_fields_nobody_knows_come_back() -> None:
    fields = {
        "sticky": 2,
        "excludeRecursion": True,
        "group": "gates",
        "characterFilter": {"names": ["Mira"]},
        "wpp": [1],
    }
    entry = read(**fields)
    assert entry.extensions["exclude_recursion"] is True
    again = written(entry)
    assert {name: again[name] for name in fields} == fields


def test_stale_copies_in_extensions_stay_there_and_mean_nothing() -> None:
    stale = {"position": 3, "exclude_recursion": False, "linked": True}
    entry = read(position=1, excludeRecursion=True, extensions=stale)
    assert entry.settings.position is Position.AFTER_CHAR
    assert entry.extensions["exclude_recursion"] is True
    assert written(entry)["extensions"] == stale


def test_a_book_that_says_how_it_is_scanned_is_told_that_sillytavern_will_not_care() -> None:
    book = Book(name="Archive", description="Places.", scan_depth=4, token_budget=0, recursive_scanning=False)
    export = made(FORMATS["world-info"], book)
    assert {loss.field for loss in export.losses} == {"description", "scan_depth", "token_budget", "recursive_scanning"}
    assert {loss.kind for loss in export.losses} == {LossKind.UNREAD}
    assert read_book(export.data, file_name="x") == book


def test_entries_may_be_a_list_and_numbers_that_are_missing_or_come_twice_are_given() -> None:
    entries = [{"key": ["a"], "uid": 1}, {"key": ["b"]}, {"key": ["c"], "uid": "1"}]
    book = files.read("world-info", {"entries": entries})
    assert [entry.uid for entry in book.entries] == [1, 2, 3]


@pytest.mark.parametrize(
    ("fields", "where", "what"),
    [
        ({"position": 8}, "position", "is 8, not one of 0 to 7; read as before_char"),
        ({"key": "gate, salt"}, "key", "is the text 'gate, salt', not a list; read as 2 split at commas"),
        ({"key": [{}, "gate", "salt"]}, "key[0]", "is an object, not a text; read as if it were missing"),
        ({"key": ["gate", "salt", None]}, "key[2]", "is null, not a text; read as if it were missing"),
        ({"key": ["gate", 5]}, "key[1]", "is 5, not a text; read as '5'"),
        ({"order": "first"}, "order", "is the text 'first', not a number; read as if it were missing"),
        ({"order": "12"}, "order", "is the text '12', not a number; read as 12"),
        ({"depth": 1.5}, "depth", "is 1.5, not a whole number; read as 1"),
        ({"disable": "no"}, "disable", "is the text 'no', not true or false; read as if it were missing"),
        ({"disable": 1}, "disable", "is 1, not true or false; read as true"),
        ({"content": []}, "content", "is a list, not a text; read as if it were missing"),
        ({"content": 5}, "content", "is 5, not a text; read as '5'"),
        ({"extensions": []}, "extensions", "is a list, not an object; read as if it were missing"),
    ],
)
def test_a_field_of_the_wrong_type_is_read_for_what_it_means_with_a_note(
    fields: dict[str, Any], where: str, what: str
) -> None:
    document = opened(**fields)
    assert [str(note) for note in document.notes] == [f"$.entries['0'].{where}: {what}"]
    assert document.write().data == document.data


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ({"key": "gate, salt"}, "keys", ("gate", "salt")),
        ({"key": [{}, "gate", None, 5]}, "keys", ("gate", "5")),
        ({"key": None}, "keys", ()),
        ({"content": None}, "content", ""),
        ({"content": 5}, "content", "5"),
        ({"content": []}, "content", ""),
        ({"comment": 7}, "name", "7"),
    ],
)
def test_what_a_value_of_the_wrong_type_is_taken_for(fields: dict[str, Any], name: str, value: object) -> None:
    assert getattr(read(**fields), name) == value


@pytest.mark.parametrize(
    ("fields", "settings"),
    [
        ({"order": "12"}, EntrySettings(insertion_order=12)),
        ({"order": "first"}, EntrySettings()),
        ({"depth": 1.5}, EntrySettings(depth=1)),
        ({"depth": -2}, EntrySettings(depth=0)),
        ({"disable": "true"}, EntrySettings(enabled=False)),
        ({"constant": 1}, EntrySettings(constant=True)),
        ({"position": "at_depth"}, EntrySettings(position=Position.AT_DEPTH)),
        ({"position": "4"}, EntrySettings(position=Position.AT_DEPTH)),
        ({"position": 8}, EntrySettings()),
        ({"probability": 500}, EntrySettings()),
        ({"probability": -1}, EntrySettings(probability=0)),
        ({"keysecondary": ["a\nb", " \n"]}, EntrySettings(secondary_keys=("a b",))),
    ],
)
def test_what_a_setting_of_the_wrong_type_is_taken_for(fields: dict[str, Any], settings: EntrySettings) -> None:
    assert read(**fields).settings == settings


HUGE = [10**400, -(10**400), "9" * 5000, 2**53 + 1, 1e300]


@pytest.mark.parametrize("name", ["order", "position", "depth", "probability", "role", "selectiveLogic"])
@pytest.mark.parametrize("value", HUGE, ids=range(len(HUGE)))
def test_a_number_beyond_what_json_holds_exactly_is_missing(name: str, value: object) -> None:
    document = opened(**{name: value})
    assert read(**{name: value}).settings == EntrySettings()
    assert len(document.notes) == 1
    assert document.notes[0].where == f"$.entries['0'].{name}"
    assert "read as if it were missing" in document.notes[0].what
    assert len(document.notes[0].what) < 200
    assert document.write().data == document.data


@pytest.mark.parametrize("name", ["scan_depth", "token_budget"])
@pytest.mark.parametrize("value", HUGE, ids=range(len(HUGE)))
def test_a_books_number_beyond_what_json_holds_exactly_is_missing(name: str, value: object) -> None:
    document = parsed("world-info", {"entries": {}, name: value})
    assert document.book == Book(name="")
    assert [note.where for note in document.notes] == [f"$.{name}"]


@pytest.mark.parametrize("uid", ["9" * 5000, 10**400, 2**53 + 1])
def test_an_entry_with_a_huge_number_of_its_own_gets_a_free_one(uid: object) -> None:
    assert read(uid=uid).uid == 0


@pytest.mark.parametrize("entries", [None, 5, "gate", True])
def test_a_file_without_entries_is_refused_with_the_place(entries: object) -> None:
    with pytest.raises(FormatError, match=r"^file.json: \$.entries: it is .*, not an object or a list of entries"):
        parsed("world-info", {"entries": entries})
