"""
KoboldAI's World Info: in stories of KoboldAI Lite and of KoboldAI United.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Content, open_document
from lorebook.records import EntrySettings, Position, SecondaryLogic
from tests.formats import files
from tests.formats.words import KEYS

EXAMPLE = Path(__file__).parents[3] / "shared" / "formats" / "examples" / "koboldai_save.json"

PLAIN = {
    "key": "salt gate, 盐门",
    "keysecondary": "",
    "keyanti": "",
    "content": "Opens at low water.",
    "comment": "Salt gate",
    "folder": None,
    "selective": False,
    "constant": False,
    "probability": 100,
    "wigroup": "",
    "widisabled": False,
}
UNITED = {
    "uid": 3,
    "title": "Salt gate",
    "key": ["salt gate", "sluice"],
    "keysecondary": [],
    "folder": "root",
    "constant": False,
    "manual_text": "Opens at low water.",
    "content": "Opens at low water.",
    "comment": "",
    "type": "wi",
    "token_length": 6,
    "selective": False,
    "used_in_game": False,
    "wpp": {"name": "", "type": "", "format": "W++", "attributes": {}},
    "use_wpp": False,
    "v1_uid": None,
    "object_type": None,
}
SHAPES = {
    "save": {
        "gamestarted": True,
        "prompt": "Dusk.",
        "actions": [],
        "worldinfo": [PLAIN, {**PLAIN, "comment": "Second"}],
    },
    "united": {
        "file_version": 2,
        "prompt": "Dusk.",
        "worldinfo_v2": {"folders": {"root": [3, 7]}, "entries": {"3": UNITED, "7": {**UNITED, "uid": 7}}},
        "worldinfo": [],
    },
    "alone": {"folders": {"root": [3, 7]}, "entries": {"3": UNITED, "7": {**UNITED, "uid": 7}}},
}
"""Two entries in each shape that there is."""


def read(**fields: Any) -> Entry:
    return files.read("koboldai", {"gamestarted": True, "worldinfo": [PLAIN | fields]}).entries[0]


def written(*entries: Entry) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = files.saved("koboldai", Book(name="Archive", entries=entries))["worldinfo"]
    return found


def test_an_entry_is_read() -> None:
    assert read() == Entry(uid=0, name="Salt gate", keys=("salt gate", "盐门"), content="Opens at low water.")


_ANY, _NONE = SecondaryLogic.AND_ANY, SecondaryLogic.NOT_ANY
_ALL, _NOT_ALL = SecondaryLogic.AND_ALL, SecondaryLogic.NOT_ALL
_BOTH = EntrySettings(secondary_keys=("moon", "tide"))


@pytest.mark.parametrize(
    ("fields", "settings"),
    [
        ({"widisabled": True}, {"enabled": False}),
        ({"constant": True}, {"constant": True}),
        ({"probability": "35"}, {"probability": 35}),
        ({"selective": True, "keysecondary": "moon, tide"}, {"secondary_keys": ("moon", "tide")}),
        ({"selective": True, "keyanti": "moon"}, {"secondary_keys": ("moon",), "secondary_logic": _NONE}),
        ({"selective": True, "keysecondary": "a", "keyanti": "b"}, {"secondary_keys": ("a",), "secondary_logic": _ANY}),
        ({"selective": True}, {}),
        ({"keysecondary": "moon", "keyanti": "tide"}, {}),
    ],
)
def test_settings_are_read(fields: dict[str, Any], settings: dict[str, Any]) -> None:
    assert read(**fields).settings == EntrySettings(**settings)


def test_a_key_that_is_a_number_is_its_digits() -> None:
    assert read(key=5).keys == ("5",)


def test_of_two_lists_of_secondary_keys_one_is_kept_and_noted() -> None:
    both = PLAIN | {"selective": True, "keysecondary": "moon", "keyanti": "tide, ebb"}
    document = files.parsed("koboldai", {"gamestarted": True, "worldinfo": [both]})
    assert document.book is not None
    assert document.book.entries[0].extensions == {"koboldai": {"keyanti": ["tide", "ebb"]}}
    assert [note.where for note in document.notes] == ["$.worldinfo[0].keyanti"]
    assert written(*document.book.entries) == [both | {"key": "salt gate,盐门", "keyanti": "tide,ebb"}]


@pytest.mark.parametrize(
    "fields",
    [
        {"keysecondary": "moon,tide"},
        {"keyanti": "moon"},
        {"selective": True, "keyanti": "moon"},
        {"wigroup": "Places"},
        {"seen": {"deep": [1]}},
        {"probability": 12.5, "constant": True, "widisabled": True},
    ],
    ids=" ".join,
)
def test_what_an_entry_says_comes_back_also_by_way_of_world_info(fields: dict[str, Any]) -> None:
    item = PLAIN | {"key": "salt gate,盐门"} | fields
    entry = read(**item)
    assert written(entry) == [item]
    as_world_info = files.made(FORMATS["world-info"], Book(name="Archive", entries=(entry,)))
    again = open_document(as_world_info.data, file_name="archive.json").book
    assert again is not None
    assert written(*again.entries) == [item]


def test_a_group_is_a_folder_and_no_group_of_world_info_of_which_only_one_comes() -> None:
    assert read(wigroup="Places").extensions == {"koboldai": {"wigroup": "Places"}}


def test_folders_come_back_with_the_book_and_empty_lines_in_them_are_no_entries() -> None:
    folders = {"wifolders_d": {"-5": {"name": "Gates", "collapsed": False}}, "wifolders_l": [-5]}
    blank = {"key": "", "content": "", "folder": -5, "num": 1, "init": False, "uid": -6}
    first = PLAIN | {"folder": -5, "num": 0, "init": True, "uid": 42}
    book = files.read("koboldai", {"gamestarted": True, "worldinfo": [first, blank], **folders})
    assert [(entry.uid, entry.extensions) for entry in book.entries] == [(42, {"koboldai": {"folder": -5}})]
    save = files.saved("koboldai", book)
    assert {name: save[name] for name in folders} == folders
    assert [(item["folder"], item["uid"]) for item in save["worldinfo"]] == [(-5, 42)]


def test_a_folder_that_is_not_in_the_book_is_left_out() -> None:
    assert written(Entry(uid=0, extensions={"koboldai": {"folder": -5}}))[0]["folder"] is None


def test_a_new_file_is_a_save_in_which_no_story_has_begun() -> None:
    settings = EntrySettings(secondary_keys=("moon",), secondary_logic=_NONE, probability=50)
    entry = Entry(uid=0, name="Gate", keys=("gate", "闸"), content="Opens.", settings=settings)
    assert files.saved("koboldai", Book(name="Archive", entries=(entry,))) == {
        "gamestarted": True,
        "prompt": "",
        "memory": "",
        "authorsnote": "",
        "anotetemplate": "",
        "actions": [],
        "actions_metadata": {},
        "wifolders_d": {},
        "wifolders_l": [],
        "worldinfo": [
            {
                "key": "gate,闸",
                "keysecondary": "",
                "keyanti": "moon",
                "content": "Opens.",
                "comment": "Gate",
                "folder": None,
                "selective": True,
                "constant": False,
                "probability": 50,
                "wigroup": "",
                "widisabled": False,
            }
        ],
    }


@pytest.mark.parametrize(
    ("entry", "lost"),
    [
        (Entry(uid=0, keys=("a, b", "c")), ["keys"]),
        (Entry(uid=0, keys=("/ga(te|p)/i",)), ["keys"]),
        (Entry(uid=0, rule="chess/castling"), ["rule"]),
        (Entry(uid=0, extensions={"sticky": 2, "novelai": {}}), ["extensions.sticky", "extensions.novelai"]),
        (Entry(uid=0, settings=EntrySettings(position=Position.OUTLET, depth=2)), ["position", "depth"]),
        (Entry(uid=0, settings=EntrySettings(insertion_order=7)), ["insertion_order"]),
        (Entry(uid=0, settings=EntrySettings(case_sensitive=True)), ["case_sensitive"]),
        (Entry(uid=0, settings=EntrySettings(match_whole_words=False)), ["match_whole_words"]),
        (Entry(uid=0, settings=_BOTH.model_copy(update={"secondary_logic": _NONE})), []),
        (Entry(uid=0, settings=_BOTH.model_copy(update={"secondary_logic": _ALL})), ["secondary_logic"]),
        (Entry(uid=0, settings=_BOTH.model_copy(update={"secondary_logic": _NOT_ALL})), ["secondary_logic"]),
        (Entry(uid=5, settings=EntrySettings(enabled=False, constant=True, probability=5)), []),
    ],
    ids=lambda value: ", ".join(value) or "nothing" if isinstance(value, list) else "",
)
def test_what_is_not_held_is_named(entry: Entry, lost: list[str]) -> None:
    export = files.made(FORMATS["koboldai"], Book(name="", entries=(entry,)))
    assert [loss.field for loss in export.losses] == lost
    assert all("KoboldAI" in loss.why or "comma" in loss.why for loss in export.losses)


def test_a_books_own_settings_are_not_held() -> None:
    book = Book(name="Archive", description="Gates.", scan_depth=3, token_budget=9, recursive_scanning=True)
    export = files.made(FORMATS["koboldai"], book)
    fields = {"name", "description", "scan_depth", "token_budget", "recursive_scanning"}
    assert {loss.field for loss in export.losses} == fields


@st.composite
def _entries(draw: st.DrawFn, uid: int) -> Entry:
    secondary = draw(KEYS)
    group = draw(st.text(min_size=1, max_size=3) | st.none())
    return Entry(
        uid=uid,
        name=draw(st.text(max_size=5)),
        keys=draw(KEYS),
        content=draw(st.text(max_size=10)),
        settings=EntrySettings(
            enabled=draw(st.booleans()),
            constant=draw(st.booleans()),
            secondary_keys=secondary,
            secondary_logic=draw(st.sampled_from((_ANY, _NONE))) if secondary else _ANY,
            probability=draw(st.integers(0, 100) | st.floats(0, 100)),
        ),
        extensions={"koboldai": {"wigroup": group}} if group else {},
    )


@given(data=st.data(), uids=st.lists(st.integers(-9, 9), max_size=3, unique=True))
def test_what_it_can_say_reads_back_as_it_was(data: st.DataObject, uids: list[int]) -> None:
    book = Book(name="", entries=tuple(data.draw(_entries(uid)) for uid in uids))
    export = files.made(FORMATS["koboldai"], book)
    assert open_document(export.data, file_name="story.json").book == book
    assert not export.losses


# --- KoboldAI United ---


@pytest.mark.parametrize("shape", ["united", "alone"])
def test_entries_of_united_are_read(shape: str) -> None:
    book = open_document(json.dumps(SHAPES[shape]).encode(), file_name="story.json").content.needed_book
    assert book.entries[0] == Entry(
        uid=3, name="Salt gate", keys=("salt gate", "sluice"), content="Opens at low water."
    )


def united(**fields: Any) -> dict[str, Any]:
    return {"file_version": 2, "prompt": "", "worldinfo_v2": {"folders": {}, "entries": {"3": UNITED | fields}}}


@pytest.mark.parametrize(
    ("fields", "settings", "extensions"),
    [
        ({"type": "commentator"}, {"constant": True}, {"type": "commentator"}),
        ({"type": "chatcharacter"}, {}, {"type": "chatcharacter"}),
        ({"keysecondary": ["moon"], "selective": True}, {"secondary_keys": ("moon",)}, {}),
        ({"folder": "Gates", "comment": "mine"}, {}, {"folder": "Gates", "comment": "mine"}),
        ({"manual_text": "x", "content": "Opens."}, {}, {}),
    ],
)
def test_what_united_says_beyond_is_kept(
    fields: dict[str, Any], settings: dict[str, Any], extensions: dict[str, Any]
) -> None:
    entry = files.read("koboldai", united(**fields)).entries[0]
    assert entry.settings == EntrySettings(**settings)
    assert entry.extensions == ({"koboldai": extensions} if extensions else {})


def test_a_text_made_from_attributes_is_noted() -> None:
    document = files.parsed("koboldai", united(use_wpp=True))
    assert [note.where for note in document.notes] == ["$.worldinfo_v2.entries['3'].use_wpp"]


def test_what_is_no_longer_always_on_is_no_constant_of_united_either() -> None:
    document = files.parsed("koboldai", united(type="constant", constant=True))
    entry = document.content.needed_book.entries[0]
    off = entry.model_copy(update={"settings": EntrySettings()})
    again = json.loads(document.write(Content(Book(name="", entries=(off,)))).data)
    assert again == united(type="wi", constant=False)


def test_united_cannot_switch_an_entry_off_and_says_so() -> None:
    document = files.parsed("koboldai", united())
    entry = document.content.needed_book.entries[0].model_copy(update={"settings": EntrySettings(enabled=False)})
    export = document.write(Content(Book(name="", entries=(entry,))))
    assert [(loss.field, loss.why) for loss in export.losses] == [
        ("enabled", "KoboldAI United has no switch for an entry")
    ]


# --- what stays ---


@pytest.mark.parametrize("shape", SHAPES)
def test_unchanged_it_is_the_same_file(shape: str) -> None:
    data = json.dumps(SHAPES[shape], indent=1).encode()
    document = open_document(data, file_name="story.json")
    assert (document.form.name, document.notes) == ("koboldai", ())
    assert document.write().data == data


@pytest.mark.parametrize("shape", SHAPES)
def test_an_edit_changes_the_text_and_nothing_else(shape: str) -> None:
    document = files.parsed("koboldai", SHAPES[shape])
    book = document.content.needed_book
    edited = book.entries[1].model_copy(update={"content": "Rusted.", "keys": ("rust", "锈")})
    export = document.write(Content(book.model_copy(update={"entries": (book.entries[0], edited)})))
    expected: Any = copy.deepcopy(SHAPES[shape])
    if shape == "save":
        expected["worldinfo"][1] |= {"content": "Rusted.", "key": "rust,锈"}
    else:
        holder = expected["worldinfo_v2"] if shape == "united" else expected
        holder["entries"]["7"] |= {"content": "Rusted.", "manual_text": "Rusted.", "key": ["rust", "锈"]}
    assert json.loads(export.data) == expected
    assert not export.losses


@pytest.mark.parametrize("shape", SHAPES)
def test_entries_come_and_go(shape: str) -> None:
    document = files.parsed("koboldai", SHAPES[shape])
    book = document.content.needed_book
    new = Entry(uid=9, name="New", keys=("new",), content="Fresh.")
    changed = book.model_copy(update={"entries": (book.entries[1], new)})
    export = document.write(Content(changed))
    assert not export.losses
    assert open_document(export.data, file_name="story.json").book == changed


@pytest.mark.parametrize(
    ("save", "contents"),
    [
        ({"worldinfo": [PLAIN]}, ["Opens at low water."]),
        ({"gamestarted": True, "worldinfo": {"0": PLAIN}}, ["Opens at low water."]),
        ({"gamestarted": True, "worldinfo": None}, []),
        ({"prompt": "", "worldinfo_v2": {"entries": {}}, "worldinfo": [PLAIN]}, ["Opens at low water."]),
    ],
    ids=["alone", "an object", "null", "beside an empty second version"],
)
def test_a_save_of_another_shape_is_read_and_stays_as_it_is(save: dict[str, Any], contents: list[str]) -> None:
    data = json.dumps(save).encode()
    document = open_document(data, file_name="save.json")
    assert (document.form.name, document.write().data) == ("koboldai", data)
    assert [entry.content for entry in document.content.needed_book.entries] == contents


@pytest.mark.parametrize(
    "value",
    [
        {"worldinfo": [{"key": "a"}]},
        {"worldinfo": {"0": PLAIN}},
        {"gamestarted": True, "worldinfo": "text"},
        {"gamestarted": True},
        {"spec": "chara_card_v2", "gamestarted": True, "worldinfo": []},
        {"folders": {}, "entries": {"0": {**UNITED, "order": 5}}},
        {"folders": {}, "entries": {"0": {"key": ["a"], "content": "b"}}},
        {"entries": {"0": UNITED}},
        {"worldinfo_v2": {"entries": []}},
        [PLAIN],
        None,
    ],
)
def test_other_json_is_not_claimed(value: object) -> None:
    slots = FORMATS["koboldai"].slots
    assert [schema.detect(value) for slot in slots for schema in slot.schemas] == [None, None]


def test_the_example_is_read() -> None:
    if not EXAMPLE.is_file():
        pytest.skip("the examples are not here")
    book = open_document(EXAMPLE.read_bytes(), file_name=EXAMPLE.name).content.needed_book
    assert [(entry.name, entry.keys) for entry in book.entries] == [("Salt gate", ("salt gate", "sluice"))]
