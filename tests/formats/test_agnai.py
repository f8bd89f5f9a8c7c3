"""
Agnai's memory books and their keywords.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Content, Document, LossKind, agnai_keys, open_document
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic
from tests.formats import files

SHARED = Path(__file__).parents[3] / "shared" / "formats"
OURS = {
    "agnai_memory.json": "agnai",
    "agnai_priority_missing.json": "agnai",
    "agnai_character.json": "agnai-character",
}

ENTRY = {
    "name": "Salt gate",
    "entry": "Opens at low water.",
    "keywords": ["salt gate", "sluic*"],
    "priority": 100,
    "weight": 2,
    "enabled": True,
    "id": 0,
}
BOOK = {"kind": "memory", "_id": "", "name": "Archive", "description": "", "userId": ""}


def opened(*entries: Any, **fields: Any) -> Document:
    return open_document(json.dumps(BOOK | fields | {"entries": list(entries)}).encode(), file_name="x.json")


def read(**fields: Any) -> Entry:
    return opened(ENTRY | fields).content.needed_book.entries[0]


def test_an_entry_is_read() -> None:
    assert read() == Entry(
        uid=0,
        name="Salt gate",
        keys=("salt gate", r"/\bsluic\w*\b/i"),
        content="Opens at low water.",
        settings=EntrySettings(insertion_order=2),
    )


def test_a_new_book_is_what_agnai_exports() -> None:
    book = opened(ENTRY).content.needed_book
    export = files.made(FORMATS["agnai"], book)
    assert json.loads(export.data) == BOOK | {"entries": [ENTRY]}
    assert not export.losses


@pytest.mark.parametrize(
    ("fields", "settings"),
    [
        ({"enabled": False}, {"enabled": False}),
        ({"weight": -7}, {"insertion_order": -7}),
        ({"constant": True}, {"constant": True}),
        ({"position": "after_char"}, {"position": Position.AFTER_CHAR}),
        ({"secondaryKeys": ["b"], "selective": True}, {"secondary_keys": ("b",)}),
        (
            {"secondaryKeys": ["b"], "selective": True, "selectiveLogic": 2},
            {"secondary_keys": ("b",), "secondary_logic": SecondaryLogic.NOT_ANY},
        ),
        ({"secondaryKeys": ["b"], "selective": False}, {}),
        ({"probability": 40, "useProbability": True}, {"probability": 40}),
        ({"probability": 40, "useProbability": False}, {}),
        ({"case_sensitive": True}, {"case_sensitive": True}),
        ({"excludeRecursion": True}, {}),
        ({"priority": 5}, {}),
        ({"comment": "For the author."}, {}),
        ({"odd": [None, 1.0]}, {}),
        ({"id": "b7"}, {}),
    ],
    ids=", ".join,
)
def test_settings_are_read_and_written(fields: dict[str, Any], settings: dict[str, Any]) -> None:
    book = opened(ENTRY | fields).content.needed_book
    assert book.entries[0].settings == EntrySettings(**({"insertion_order": 2} | settings))
    export = files.made(FORMATS["agnai"], book)
    assert json.loads(export.data)["entries"] == [ENTRY | fields]
    assert not [loss for loss in export.losses if loss.kind is not LossKind.UNREAD]


def test_the_priority_is_that_of_a_card() -> None:
    data = files.made(FORMATS["book-v2"], opened(ENTRY | {"priority": 5}).content.needed_book).data
    assert json.loads(data)["entries"][0]["priority"] == 5
    book = open_document(data, file_name="x.json").content.needed_book
    assert files.saved("agnai", book)["entries"] == [ENTRY | {"priority": 5}]


@pytest.mark.parametrize(
    "fields",
    [
        {"scanDepth": 4, "tokenBudget": 500, "recursiveScanning": True},
        {"scan_depth": 4, "token_budget": 500, "recursive_scanning": True},
    ],
    ids=["Agnai", "Chub"],
)
def test_a_books_settings_are_read_in_both_spellings_and_edited(fields: dict[str, Any]) -> None:
    document = opened(ENTRY, **fields)
    book = document.content.needed_book
    assert (book.scan_depth, book.token_budget, book.recursive_scanning) == (4, 500, True)
    export = document.write(Content(book.model_copy(update={"scan_depth": 9})))
    assert json.loads(export.data) == BOOK | fields | {"entries": [ENTRY], "scanDepth": 9}
    assert open_document(export.data, file_name="x.json").content.needed_book.scan_depth == 9


def test_what_a_book_says_comes_back_also_by_way_of_world_info() -> None:
    said = {"_id": "x", "userId": "y", "is_creation": False, "extensions": {"chub": {"id": 1}, "agnai": {"old": 1}}}
    book = opened(ENTRY, **said).content.needed_book
    assert book.extensions["chub"] == {"id": 1}
    assert book.extensions["agnai"]["_id"] == "x"
    data = files.made(FORMATS["world-info"], book).data
    again = open_document(data, file_name="archive.json").content.needed_book
    assert files.saved("agnai", again) == BOOK | said | {"entries": [ENTRY]}


@pytest.mark.parametrize(
    ("keyword", "key"),
    [
        ("tid*", r"/\btid\w*\b/i"),
        ("t?de", r"/\bt\wde\b/i"),
        ("*gate and/or *", r"/\b\w*gate and\/or \w*\b/i"),
        ("salt gate", "salt gate"),
        ("C++", "C++"),
        ("门*", r"/\b门\w*\b/i"),
        ("/gate/", r"/\b\/gate\/\b/i"),
    ],
)
def test_wildcards_are_the_patterns_that_agnai_makes_of_them(keyword: str, key: str) -> None:
    assert agnai_keys.read(keyword) == key
    assert agnai_keys.write(key) == keyword


@pytest.mark.parametrize(
    ("key", "keyword"),
    [("/ga(te|p)/i", None), (r"/\btid\w*\b/", None), ("what?", "what"), ("a*b", None), ("*", None), ("", "")],
)
def test_keys_that_agnai_takes_for_something_else_are_nearly_written_or_not(key: str, keyword: str | None) -> None:
    assert agnai_keys.write(key) == keyword


@given(keyword=st.text("gat *?/.+_$()[]\\门", max_size=10))
def test_a_keyword_that_was_read_is_written_so_that_it_reads_the_same(keyword: str) -> None:
    key = agnai_keys.read(keyword)
    written = agnai_keys.write(key)
    assert written is not None
    assert agnai_keys.read(written) == key


@given(
    keyword=st.text("gat*?", min_size=1, max_size=5).filter(lambda text: "*" in text or "?" in text),
    text=st.text("gat -", max_size=12),
)
def test_a_pattern_finds_a_word_that_the_wildcards_fit(keyword: str, text: str) -> None:
    pattern = re.compile(agnai_keys.read(keyword)[1:-2], re.IGNORECASE | re.ASCII)
    fitting = re.compile(keyword.replace("*", "[gat]*").replace("?", "[gat]"))
    fits = any(fitting.fullmatch(word) for word in re.findall(r"[gat]+", text))
    assert bool(pattern.search(text.upper())) == fits


@pytest.mark.parametrize(
    ("entry", "lost"),
    [
        (Entry(uid=7, keys=("gate", "one, two")), []),
        (Entry(uid=0, keys=("/ga(te|p)/i",)), ["keys"]),
        (
            Entry(uid=0, keys=("gate",), settings=EntrySettings(position=Position.AT_DEPTH, depth=2)),
            ["position", "depth"],
        ),
        (
            Entry(
                uid=0,
                settings=EntrySettings(role=Role.USER, match_whole_words=True),
                rule="chess/castling",
                extensions={"sticky": 2, "lorebook": {"fields": {"odd": 3}}},
            ),
            ["role", "match_whole_words", "rule", "extensions.sticky", "fields.odd"],
        ),
    ],
    ids=["nothing", "pattern", "depth", "much"],
)
def test_what_is_not_held_is_named(entry: Entry, lost: list[str]) -> None:
    export = files.made(FORMATS["agnai"], Book(name="Archive", entries=(entry,)))
    assert [loss.field for loss in export.losses] == lost
    assert all("Agnai" in loss.why for loss in export.losses)


def test_what_agnai_may_pass_over_is_named() -> None:
    settings = EntrySettings(
        constant=True, secondary_keys=("b",), position=Position.AFTER_CHAR, probability=50, case_sensitive=False
    )
    export = files.made(
        FORMATS["agnai"], Book(name="Archive", entries=(Entry(uid=0, keys=("盐门",), settings=settings),))
    )
    assert [(loss.field, loss.kind) for loss in export.losses] == [
        (field, LossKind.UNREAD) for field in ("keys", "constant", "secondary_keys", "position", "probability")
    ]


def test_an_edit_changes_the_text_and_nothing_else() -> None:
    entries = [ENTRY, {"keywords": ["_a_*"], "entry": "Rust.", "priority": "5", "odd": [1.0]}, "odd"]
    data = json.dumps({"entries": entries, "name": "Archive"}, indent=4).encode()
    document = open_document(data, file_name="x.json")
    assert (document.form.name, document.write().data) == ("agnai", data)
    book = document.content.needed_book
    changed = (book.entries[0], book.entries[1].model_copy(update={"content": "Rusted."}))
    export = document.write(Content(book.model_copy(update={"entries": changed})))
    assert export.data == data.replace(b"Rust.", b"Rusted.")
    assert not export.losses


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"entries": []},
        {"entries": [{"keys": ["a"], "content": "b"}]},
        {"entries": {"0": ENTRY}},
        {"kind": "memory"},
        {"kind": "character", "entries": []},
        {"spec": "lorebook_v3", "entries": [ENTRY]},
        [ENTRY],
        None,
    ],
    ids=str,
)
def test_other_json_is_not_claimed(value: object) -> None:
    assert FORMATS["agnai"].written[""].detect(value) is None


def test_a_book_without_entries_is_known_by_its_kind() -> None:
    assert opened().form.name == "agnai"


@pytest.mark.parametrize(
    ("held", "names"), [(None, []), ({"0": ENTRY}, [ENTRY["name"]])], ids=["null", "an object of entries"]
)
def test_a_memory_book_is_read_whatever_its_entries_are(held: object, names: list[str]) -> None:
    data = json.dumps({"kind": "memory", "name": "Archive", "entries": held}).encode()
    document = open_document(data, file_name="x.json")
    assert (document.form.name, document.write().data) == ("agnai", data)
    assert [entry.name for entry in document.content.needed_book.entries] == names


@pytest.mark.parametrize("path", sorted(SHARED.glob("*/*")), ids=lambda path: path.name)
def test_the_shared_files_are_ours_where_they_are_agnais(path: Path) -> None:
    try:
        document = open_document(path.read_bytes(), file_name=path.name)
    except FormatError:
        assert path.name not in OURS
        return
    assert (document.form.name if "agnai" in document.form.name else None) == OURS.get(path.name)
    if path.name in OURS:
        assert document.write().data == path.read_bytes()
        assert document.content.needed_book.entries[0].name == "Salt gate"
        assert document.notes == ()


def test_a_bare_list_of_entries_is_read_and_edited_where_it_is() -> None:
    whole = [None, ENTRY, ENTRY | {"entry": "Shut.", "id": 1}]
    data = json.dumps(whole, indent=1).encode()
    document = open_document(data, file_name="x.json")
    assert (document.form.name, document.write().data) == ("agnai", data)
    assert [note.where for note in document.notes] == ["$[0]"]
    book = document.content.needed_book
    assert [entry.name for entry in book.entries] == ["Salt gate", "Salt gate"]
    first = book.entries[0].model_copy(update={"content": "Rusted."})
    export = document.write(Content(book.model_copy(update={"entries": (first, book.entries[1])})))
    assert json.loads(export.data) == [None, ENTRY | {"entry": "Rusted."}, whole[2]]
    assert not export.losses
