"""
World Info: SillyTavern's fields as they are in its files.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Card
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic

WORLD_INFO = FORMATS["world-info"]


def read(**fields: Any) -> Entry:
    entry = {"uid": 0, "key": ["salt gate"], "content": "Opens at low water.", **fields}
    return WORLD_INFO.read(json.dumps({"entries": {"0": entry}}).encode()).entries[0]


def written(entry: Entry, card: Card) -> dict[str, Any]:
    whole = json.loads(WORLD_INFO.write(Book(name="Archive", entries=(entry,)), card=card).data)
    found: dict[str, Any] = whole["entries"][str(entry.uid)]
    return found


@pytest.mark.parametrize(("number", "position"), list(enumerate(Position)))
def test_positions_are_numbered_from_before_the_character_to_outlet(
    number: int, position: Position, card: Card
) -> None:
    assert read(position=number).settings.position is position
    assert written(Entry(uid=0, settings=EntrySettings(position=position)), card)["position"] == number


def test_the_last_position_is_the_outlet() -> None:
    assert read(position=7).settings.position is Position.OUTLET


@pytest.mark.parametrize(
    ("number", "logic"),
    [
        (0, SecondaryLogic.AND_ANY),
        (1, SecondaryLogic.NOT_ALL),
        (2, SecondaryLogic.NOT_ANY),
        (3, SecondaryLogic.AND_ALL),
    ],
)
def test_secondary_logic_has_sillytaverns_numbers(number: int, logic: SecondaryLogic, card: Card) -> None:
    settings = read(keysecondary=["password"], selectiveLogic=number).settings
    assert settings.secondary_keys == ("password",)
    assert settings.secondary_logic is logic
    assert written(Entry(uid=0, settings=settings), card)["selectiveLogic"] == number


@pytest.mark.parametrize(
    ("number", "role"), [(0, Role.SYSTEM), (1, Role.USER), (2, Role.ASSISTANT), (None, Role.SYSTEM)]
)
def test_roles_have_sillytaverns_numbers(number: int | None, role: Role) -> None:
    assert read(role=number).settings.role is role


def test_a_field_that_is_missing_has_sillytaverns_default() -> None:
    assert read().settings == EntrySettings()


def test_every_setting_is_written_where_sillytavern_reads_it(card: Card) -> None:
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
    assert written(entry, card) == {
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


def test_secondary_keys_that_are_switched_off_stay_off_and_are_not_lost(card: Card) -> None:
    entry = read(keysecondary=["password"], selective=False)
    assert entry.settings.secondary_keys == ()
    again = written(entry, card)
    assert (again["keysecondary"], again["selective"]) == (["password"], False)


def test_a_chance_that_is_not_rolled_always_comes_and_is_not_lost(card: Card) -> None:
    entry = read(probability=40, useProbability=False)
    assert entry.settings.probability == 100
    again = written(entry, card)
    assert (again["probability"], again["useProbability"]) == (40, False)


def test_an_edit_wins_over_what_was_switched_off(card: Card) -> None:
    entry = read(probability=40, useProbability=False)
    again = written(entry.model_copy(update={"settings": EntrySettings(probability=70)}), card)
    assert (again["probability"], again["useProbability"]) == (70, True)


def test_settings_that_cards_know_by_another_name_and_fields_nobody_knows_come_back(card: Card) -> None:
    fields = {
        "sticky": 2,
        "excludeRecursion": True,
        "group": "gates",
        "characterFilter": {"names": ["Mira"]},
        "wpp": [1],
    }
    entry = read(**fields)
    assert entry.extensions["exclude_recursion"] is True
    again = written(entry, card)
    assert {name: again[name] for name in fields} == fields


def test_stale_copies_in_extensions_stay_there_and_mean_nothing(card: Card) -> None:
    stale = {"position": 3, "exclude_recursion": False, "linked": True}
    entry = read(position=1, excludeRecursion=True, extensions=stale)
    assert entry.settings.position is Position.AFTER_CHAR
    assert entry.extensions["exclude_recursion"] is True
    assert written(entry, card)["extensions"] == stale


def test_a_book_that_says_how_it_is_scanned_is_told_that_sillytavern_will_not_care(card: Card) -> None:
    book = Book(name="Archive", description="Places.", scan_depth=4, token_budget=0, recursive_scanning=False)
    export = WORLD_INFO.write(book, card=card)
    assert {loss.field for loss in export.losses} == {"description", "scan_depth", "token_budget", "recursive_scanning"}
    assert WORLD_INFO.read(export.data) == book


def test_entries_may_be_a_list_and_numbers_that_are_missing_or_come_twice_are_given() -> None:
    entries = [{"key": ["a"], "uid": 1}, {"key": ["b"]}, {"key": ["c"], "uid": "1"}]
    book = WORLD_INFO.read(json.dumps({"entries": entries}).encode())
    assert [entry.uid for entry in book.entries] == [1, 2, 3]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"position": 8}, "entry '0': position is 8, not one of 0 to 7"),
        ({"key": "gate, salt"}, "entry '0': key is the text 'gate, salt', not a list"),
        ({"key": [{}]}, "entry '0': key, item 1 is an object, not a text"),
        ({"order": "first"}, "entry '0': order is the text 'first', not a number"),
        ({"depth": 1.5}, "entry '0': depth is 1.5, not a whole number"),
        ({"disable": "no"}, "entry '0': disable is the text 'no', not true or false"),
        ({"keysecondary": ["a\nb"]}, "entry '0': secondary_keys: "),
        ({"content": []}, "entry '0': content is a list, not a text"),
    ],
)
def test_a_field_that_cannot_be_read_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(**fields)
    assert str(caught.value).startswith(message)


HUGE = [10**400, -(10**400), "9" * 5000, 2**53 + 1, 1e300]


@pytest.mark.parametrize("name", ["order", "position", "depth", "probability", "role", "selectiveLogic"])
@pytest.mark.parametrize("value", HUGE, ids=range(len(HUGE)))
def test_a_number_beyond_what_json_holds_exactly_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(FormatError, match=f"{name} is .{{,60}}, not a number") as caught:
        read(**{name: value})
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["scan_depth", "token_budget"])
@pytest.mark.parametrize("value", HUGE, ids=range(len(HUGE)))
def test_a_books_number_beyond_what_json_holds_exactly_is_refused(name: str, value: object) -> None:
    with pytest.raises(FormatError, match=f"{name} is .{{,60}}, not a number"):
        WORLD_INFO.read(json.dumps({"entries": {}, name: value}).encode())


@pytest.mark.parametrize("uid", ["9" * 5000, 10**400, 2**53 + 1])
def test_an_entry_with_a_huge_number_of_its_own_gets_a_free_one(uid: object) -> None:
    assert read(uid=uid).uid == 0
