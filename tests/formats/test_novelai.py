"""
NovelAI's lorebooks, as files and in pictures.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Content, Document, open_document
from lorebook.records import EntrySettings, Position, SecondaryLogic
from tests.formats import files
from tests.formats.anything import texts
from tests.formats.words import KEYS

SHARED = Path(__file__).parents[3] / "shared" / "formats"
MINE = {"novelai", "novelai-png", "novelai-scenario"}

CONFIG = {
    "prefix": "",
    "suffix": "\n",
    "tokenBudget": 2048,
    "reservedTokens": 0,
    "budgetPriority": 400,
    "trimDirection": "trimBottom",
    "insertionType": "newline",
    "maximumTrimType": "sentence",
    "insertionPosition": -1,
}
ENTRY = {
    "text": "Opens at low water.",
    "contextConfig": CONFIG,
    "lastUpdatedAt": 0,
    "displayName": "Salt gate",
    "id": "00000000-0000-4000-8000-000000000001",
    "keys": ["salt gate", "盐门"],
    "searchRange": 1000,
    "enabled": True,
    "forceActivation": False,
    "keyRelative": False,
    "nonStoryActivatable": False,
    "category": "",
    "loreBiasGroups": [
        {
            "phrases": [{"sequences": [], "type": 2}],
            "ensureSequenceFinish": False,
            "generateOnce": True,
            "bias": 0,
            "enabled": True,
            "whenInactive": False,
        }
    ],
}
OWN = {"id": ENTRY["id"]}


def source(*entries: Any, **fields: Any) -> dict[str, Any]:
    plain = {"lorebookVersion": 5, "entries": list(entries), "settings": {"orderByKeyLocations": False}}
    return plain | {"categories": []} | fields


def opened(*entries: Any, **fields: Any) -> Document:
    return open_document(json.dumps(source(*entries, **fields), indent=3).encode(), file_name="x.lorebook")


def read(**fields: Any) -> Entry:
    return opened(ENTRY | fields).content.needed_book.entries[0]


def test_an_entry_is_read() -> None:
    assert read() == Entry(
        uid=0,
        name="Salt gate",
        keys=("salt gate", "盐门"),
        content="Opens at low water.",
        settings=EntrySettings(insertion_order=400),
        extensions={"novelai": OWN},
    )


@pytest.mark.parametrize(
    ("fields", "settings"),
    [
        ({"enabled": False}, {"enabled": False}),
        ({"forceActivation": True}, {"constant": True}),
        ({"contextConfig": CONFIG | {"budgetPriority": -7}}, {"insertion_order": -7}),
        ({"contextConfig": {}}, {}),
        ({"keys": ["a & b"]}, {"secondary_keys": ("b",)}),
    ],
    ids=["enabled", "forceActivation", "budgetPriority", "no placement", "both"],
)
def test_settings_are_read_and_written(fields: dict[str, Any], settings: dict[str, Any]) -> None:
    book = opened(ENTRY | fields).content.needed_book
    assert book.entries[0].settings == EntrySettings(**({"insertion_order": 400} | settings))
    assert opened(*files.saved("novelai", book)["entries"]).content.needed_book == book


@pytest.mark.parametrize(
    "fields",
    [
        {"searchRange": 9000},
        {"keyRelative": True},
        {"nonStoryActivatable": True},
        {"category": "00000000-0000-4000-8000-0000000000c1"},
        {"loreBiasGroups": []},
        {"lastUpdatedAt": 1700000000000},
        {"advancedConditions": [{"type": "and"}]},
    ],
    ids=" ".join,
)
def test_what_novelai_alone_says_comes_back_also_by_way_of_world_info(fields: dict[str, Any]) -> None:
    book = opened(ENTRY | fields).content.needed_book
    assert book.entries[0].extensions == {"novelai": OWN | fields}
    data = files.made(FORMATS["world-info"], book).data
    again = open_document(data, file_name="archive.json").content.needed_book
    assert files.saved("novelai", again)["entries"] == [ENTRY | fields]


def test_a_placement_comes_back_also_by_way_of_world_info() -> None:
    placed = CONFIG | {"prefix": "[", "insertionPosition": -4, "budgetPriority": 9}
    book = opened(ENTRY | {"contextConfig": placed}).content.needed_book
    assert book.entries[0].extensions == {"novelai": OWN | {"contextConfig": {"prefix": "[", "insertionPosition": -4}}}
    data = files.made(FORMATS["world-info"], book).data
    again = open_document(data, file_name="archive.json").content.needed_book
    assert files.saved("novelai", again)["entries"][0]["contextConfig"] == placed


def test_what_a_book_says_comes_back() -> None:
    said = {"lorebookVersion": 6, "settings": {"orderByKeyLocations": True}, "categories": [{"name": "places"}]}
    book = opened(ENTRY, **said, order=["x"]).content.needed_book
    assert book.extensions == {"novelai": said | {"order": ["x"]}}
    assert files.saved("novelai", book) == source(ENTRY, **said, order=["x"])


def test_a_new_entry_is_as_novelai_makes_one() -> None:
    entry = Entry(uid=0, name="Salt gate", keys=("salt gate", "盐门"), content="Opens at low water.")
    made = files.saved("novelai", Book(name="", entries=(entry,)))
    new_id = made["entries"][0]["id"]
    assert made == source(ENTRY | {"id": new_id, "contextConfig": CONFIG | {"budgetPriority": 100}})


def test_new_ids_are_the_same_each_time_and_each_its_own() -> None:
    names = ("Gate", "Gate", "", "")
    book = Book(name="", entries=tuple(Entry(uid=uid, name=name) for uid, name in enumerate(names)))
    ids = [item["id"] for item in files.saved("novelai", book)["entries"]]
    assert len(set(ids)) == len(ids)
    assert ids == [item["id"] for item in files.saved("novelai", book)["entries"]]


@pytest.mark.parametrize(
    ("entry", "lost"),
    [
        (Entry(uid=0, keys=("Dungeons & Dragons", "/a/i", "a, b")), []),
        (Entry(uid=4), ["uid"]),
        (Entry(uid=0, keys=("a",), settings=EntrySettings(secondary_keys=("b", "c"))), []),
        (Entry(uid=0, keys=("a",), settings=EntrySettings(secondary_keys=("b",))), []),
        (
            Entry(
                uid=0,
                keys=("a",),
                settings=EntrySettings(secondary_keys=("b",), secondary_logic=SecondaryLogic.AND_ALL),
            ),
            ["secondary_logic"],
        ),
        (
            Entry(
                uid=0,
                keys=("a",),
                settings=EntrySettings(
                    secondary_keys=("b",),
                    secondary_logic=SecondaryLogic.NOT_ANY,
                    position=Position.AT_DEPTH,
                    probability=50,
                    case_sensitive=True,
                    match_whole_words=False,
                ),
                rule="chess/castling",
                extensions={"sticky": 2, "lorebook": {"fields": {"priority": 3}}},
            ),
            [
                *("secondary_keys", "secondary_logic", "position", "probability", "case_sensitive"),
                *("match_whole_words", "rule", "extensions.sticky", "fields.priority"),
            ],
        ),
    ],
    ids=["nothing", "uid", "any of two", "any of one", "all of one", "much"],
)
def test_what_is_not_held_is_named(entry: Entry, lost: list[str]) -> None:
    export = files.made(FORMATS["novelai"], Book(name="", entries=(entry,)))
    assert [loss.field for loss in export.losses] == lost
    assert all("NovelAI" in loss.why for loss in export.losses)


@pytest.mark.parametrize(
    ("logic", "why"),
    [
        (SecondaryLogic.AND_ALL, "they mean the same"),
        (SecondaryLogic.NOT_ANY, "NovelAI has no way to forbid a word"),
        (SecondaryLogic.NOT_ALL, "NovelAI has no way to forbid a word"),
    ],
)
def test_each_logic_has_its_reason(logic: SecondaryLogic, why: str) -> None:
    has = EntrySettings(secondary_keys=("b",), secondary_logic=logic)
    export = files.made(FORMATS["novelai"], Book(name="", entries=(Entry(uid=0, keys=("a",), settings=has),)))
    (found,) = (loss for loss in export.losses if loss.field == "secondary_logic")
    assert found.why.endswith(why)


def test_a_books_own_settings_are_not_held() -> None:
    book = Book(name="Archive", description="Gates.", scan_depth=3, token_budget=9, recursive_scanning=True)
    export = files.made(FORMATS["novelai"], book)
    fields = {"name", "description", "scan_depth", "token_budget", "recursive_scanning"}
    assert {loss.field for loss in export.losses} == fields
    assert all("NovelAI" in loss.why for loss in export.losses)


@given(data=st.data(), count=st.integers(0, 3))
def test_what_it_can_say_reads_back_as_it_was(data: st.DataObject, count: int) -> None:
    settings = st.builds(
        EntrySettings, enabled=st.booleans(), constant=st.booleans(), insertion_order=st.integers(-999, 999)
    )
    entries = (
        Entry(
            uid=uid,
            name=data.draw(texts),
            keys=data.draw(KEYS),
            content=data.draw(texts),
            settings=data.draw(settings),
        )
        for uid in range(count)
    )
    book = Book(name="", entries=tuple(entries))
    for name in ("novelai", "novelai-png"):
        export = files.made(FORMATS[name], book)
        assert open_document(export.data, file_name="x").book == book
        assert not export.losses


def edited(document: Document, number: int, **update: Any) -> Content:
    book = document.content.needed_book
    entries = [entry.model_copy(update=update) if n == number else entry for n, entry in enumerate(book.entries)]
    return Content(book.model_copy(update={"entries": tuple(entries)}), document.card)


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6, None])
def test_an_edit_changes_the_text_and_nothing_else(version: int | None) -> None:
    odd = {"keys": ["a  & b", "c"], "text": "Rust.", "contextConfig": {"budgetPriority": 4.0}, "odd": [1.0]}
    whole = source(ENTRY, odd, "odd", lorebookVersion=version)
    if version is None:
        del whole["lorebookVersion"]
    data = json.dumps(whole, indent=4).encode()
    document = open_document(data, file_name="x.lorebook")
    assert (document.form.name, document.write().data) == ("novelai", data)
    export = document.write(edited(document, 1, content="Rusted."))
    assert json.loads(export.data) == whole | {"entries": [ENTRY, odd | {"text": "Rusted."}, "odd"]}
    assert not export.losses


def test_an_edit_of_our_own_file_changes_the_text_and_nothing_else() -> None:
    book = Book(name="", entries=(Entry(uid=0, name="Gate", content="Opens."), Entry(uid=1, name="Gate")))
    whole = files.saved("novelai", book)
    document = files.parsed("novelai", whole)
    export = document.write(edited(document, 0, content="Closes."))
    whole["entries"][0]["text"] = "Closes."
    assert json.loads(export.data) == whole
    assert not export.losses


def test_a_picture_keeps_its_picture_and_its_other_texts() -> None:
    book = Book(name="", entries=(Entry(uid=0, name="Gate", keys=("门",), content="开。"),))
    export = files.made(FORMATS["novelai-png"], book)
    document = open_document(export.data, file_name="x.png")
    assert document.form.name == "novelai-png"
    assert document.book == book
    assert dict(document.content.files) == {"ccdefault:": files.PICTURE}
    again = open_document(document.write(edited(document, 0, content="关。")).data, file_name="x.png")
    assert again.content.needed_book.entries[0].content == "关。"


def test_a_category_that_is_switched_off_is_noted() -> None:
    document = opened(ENTRY, categories=[{"enabled": True}, {"enabled": False}])
    assert [note.where for note in document.notes] == ["$.categories[1]"]


CLOSED = [{"id": "on", "enabled": True}, {"id": "off", "enabled": False}]


def test_entries_of_a_category_that_is_switched_off_are_off_and_stay_as_they_are() -> None:
    entries = [ENTRY | {"category": name, "enabled": on} for name in ("on", "off", "") for on in (True, False)]
    document = opened(*entries, categories=CLOSED)
    book = document.content.needed_book
    assert [entry.settings.enabled for entry in book.entries] == [True, False, False, False, True, False]
    assert document.write().data == document.data
    data = files.made(FORMATS["world-info"], book).data
    again = open_document(data, file_name="archive.json").content.needed_book
    assert again.entries[2].settings.enabled is False
    assert files.saved("novelai", again)["entries"] == entries


def test_an_entry_is_not_switched_on_without_its_category_and_that_is_said() -> None:
    document = opened(ENTRY | {"category": "off"}, categories=CLOSED)
    entry = document.content.needed_book.entries[0]
    on = entry.model_copy(update={"settings": entry.settings.model_copy(update={"enabled": True})})
    export = document.write(Content(Book(name="", entries=(on,), extensions=document.content.needed_book.extensions)))
    assert [str(loss) for loss in export.losses] == [
        "entry 0: enabled: NovelAI switches an entry off with its category"
    ]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"lorebookVersion": 5}, "is missing; read as a book without entries"),
        ({"lorebookVersion": 5, "entries": None}, "is null, not a list of entries; read as a book without entries"),
    ],
    ids=["missing", "null"],
)
def test_a_lorebook_without_entries_is_an_empty_one_and_takes_some(value: dict[str, Any], said: str) -> None:
    data = json.dumps(value).encode()
    document = open_document(data, file_name="x.lorebook")
    assert [str(note) for note in document.notes] == [f"$.entries: {said}"]
    assert document.write().data == data
    filled = Book(name="", entries=(Entry(uid=0, name="Gate", content="Opens."),))
    again = open_document(document.write(Content(filled)).data, file_name="x.lorebook")
    assert again.content.needed_book == filled


@pytest.mark.parametrize("mark", ["contextConfig", "displayName", "forceActivation", "loreBiasGroups"])
def test_a_lorebook_without_a_version_is_known_by_any_field_of_an_entry(mark: str) -> None:
    data = json.dumps({"entries": [None, {"text": "Opens.", "keys": ["gate"], mark: ENTRY[mark]}]}).encode()
    document = open_document(data, file_name="x.json")
    assert (document.form.name, document.write().data) == ("novelai", data)
    assert document.content.needed_book.entries[0].keys == ("gate",)


@pytest.mark.parametrize(
    "value",
    [{}, {"entries": []}, {"entries": [{"text": "a"}]}, {"entries": {"0": ENTRY}}, [ENTRY], 1, None, "text"],
    ids=str,
)
def test_other_json_is_not_claimed(value: object) -> None:
    detect = FORMATS["novelai"].written[""].detect
    assert detect(value) is None


@pytest.mark.parametrize("path", sorted(SHARED.glob("*/*")), ids=lambda path: path.name)
def test_the_shared_files_are_ours_where_they_are_novelais(path: Path) -> None:
    try:
        document = open_document(path.read_bytes(), file_name=path.name)
    except FormatError:
        assert "novelai" not in path.name
        return
    assert (document.form.name in MINE) == ("novelai" in path.name)
    if document.form.name in MINE:
        assert document.write().data == path.read_bytes()
        entry = document.content.needed_book.entries[0]
        assert (entry.name, entry.keys[:2]) == ("Salt gate", ("salt gate", "/sluice(s)?/i"))


def test_a_bare_list_of_entries_is_read_and_edited_where_it_is() -> None:
    whole = [None, ENTRY, ENTRY | {"text": "Shut."}]
    data = json.dumps(whole, indent=1).encode()
    document = open_document(data, file_name="x.json")
    assert (document.form.name, document.write().data) == ("novelai", data)
    assert [note.where for note in document.notes] == ["$[0]"]
    book = document.content.needed_book
    assert [entry.name for entry in book.entries] == ["Salt gate", "Salt gate"]
    first = book.entries[0].model_copy(update={"content": "Rusted."})
    export = document.write(Content(book.model_copy(update={"entries": (first, book.entries[1])})))
    assert json.loads(export.data) == [None, ENTRY | {"text": "Rusted."}, whole[2]]
    assert not export.losses
