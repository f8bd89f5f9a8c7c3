"""
RisuAI's lorebooks and modules.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Content, Document, LossKind, export, open_document
from lorebook.formats.containers.risum import MODULE, RISUM
from lorebook.formats.notes import Notes
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic
from tests.formats import files
from tests.formats.anything import entries as any_entry

SHARED = Path(__file__).parents[3] / "shared" / "formats"
FORMS = ("risu-lorebook", "risu-module", "risum")

FOLDER_KEY = "\uf000folder:00000000-0000-4000-8000-0000000000f1"
FOLDER = {
    "key": FOLDER_KEY,
    "comment": "Places",
    "content": "",
    "mode": "folder",
    "insertorder": 100,
    "alwaysActive": False,
    "secondkey": "",
    "selective": False,
    "bookVersion": 2,
}
ENTRY = {
    "key": "salt gate, 盐门",
    "secondkey": "",
    "insertorder": 400,
    "comment": "Salt gate",
    "content": "Opens at low water.",
    "mode": "normal",
    "alwaysActive": False,
    "selective": False,
    "useRegex": False,
    "bookVersion": 2,
}


def source(*items: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "risu", "ver": 1, **fields, "data": list(items)}


def opened(*items: Any, **fields: Any) -> Document:
    return open_document(json.dumps(source(*items, **fields), indent=3).encode(), file_name="lore.json")


def book(document: Document) -> Book:
    return document.content.needed_book


def read(**fields: Any) -> Entry:
    return book(opened(ENTRY | fields)).entries[0]


def written(**fields: Any) -> dict[str, Any]:
    entry = Entry(**{"uid": 0, "name": "Salt gate", "keys": ("salt gate",), "content": "Opens.", **fields})
    found: dict[str, Any] = files.saved("risu-lorebook", Book(name="", entries=(entry,)))["data"][0]
    return found


def set_to(**settings: Any) -> dict[str, Any]:
    return written(settings=EntrySettings(**settings))


def test_an_entry_is_read() -> None:
    assert read() == Entry(
        uid=0,
        name="Salt gate",
        keys=("salt gate", "盐门"),
        content="Opens at low water.",
        settings=EntrySettings(insertion_order=400),
    )


@pytest.mark.parametrize(
    ("fields", "settings"),
    [
        ({"alwaysActive": True}, {"constant": True}),
        ({"insertorder": -7}, {"insertion_order": -7}),
        ({"selective": True, "secondkey": "low, 潮"}, {"secondary_keys": ("low", "潮")}),
        ({"activationPercent": 80}, {"probability": 80}),
        ({"activationPercent": 12.5}, {"probability": 12.5}),
        ({"activationPercent": None}, {}),
        ({"activationPercent": 0}, {}),
        ({"extentions": {"risu_case_sensitive": True}}, {"case_sensitive": True}),
        ({"extentions": {"position": 1}}, {"position": Position.AFTER_CHAR}),
        ({"extentions": {"position": 4, "depth": 2}}, {"depth": 2}),
        ({"loreCache": None, "folder": None}, {}),
    ],
    ids=[
        "always",
        "order",
        "selective",
        "chance",
        "part of one",
        "no chance",
        "zero is no chance",
        "case",
        "kept position",
        "depth not acted on",
        "nothing",
    ],
)
def test_settings_are_read_and_written(fields: dict[str, Any], settings: dict[str, Any]) -> None:
    found = book(opened(ENTRY | fields))
    assert found.entries[0].settings == EntrySettings(**({"insertion_order": 400} | settings))
    again = open_document(files.made(FORMATS["risu-lorebook"], found).data, file_name="lore.json")
    assert book(again) == found


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("/ga(te|p)s?/i", ("/ga(te|p)s?/i",)),
        ("/a{1,3}/", ("/a{1,3}/",)),
        ("/gate/i, /门/", ("/gate/i", "/门/")),
        ("gate|gap", ("/gate|gap/",)),
        ("low/high", (r"/low\/high/",)),
        ("", ()),
    ],
    ids=["flags", "comma in it", "two", "bare", "bare with slash", "none"],
)
def test_patterns_are_told_from_words_by_the_switch(text: str, keys: tuple[str, ...]) -> None:
    assert read(key=text, useRegex=True).keys == keys


def test_slashes_without_the_switch_are_noted() -> None:
    document = opened(ENTRY | {"key": "/gate/i"})
    assert [note.where for note in document.notes] == ["$.data[0].key"]


@pytest.mark.parametrize(
    ("keys", "text", "is_pattern", "losses"),
    [
        (("gate", "盐门"), "gate, 盐门", False, {}),
        (("/a/i", "/b/u"), "/a/i, /b/u", True, {}),
        (("/a{1,3}/i",), "/a{1,3}/i", True, {"keys": LossKind.UNREAD}),
        (("/a/",), "/a/", True, {"keys": LossKind.UNREAD}),
        (("gate", "one, two"), "gate", False, {"keys": LossKind.CHANGED}),
        (("青云(山", "/a/i", "a,b"), r"/青云\(山/i, /a/i, /a\x2cb/i", True, {"keys": LossKind.CHANGED}),
        (("gate", "/a{1,3}/i"), "gate", False, {"keys": LossKind.CHANGED}),
        (("/a{1,3}/i", "/b/i"), "/b/i", True, {"keys": LossKind.CHANGED}),
    ],
    ids=[
        "words",
        "patterns",
        "comma in a pattern",
        "no flags",
        "comma in a word",
        "mixed",
        "comma beside",
        "comma in one of two",
    ],
)
def test_keys_that_do_not_fit_are_left_out_and_named(
    keys: tuple[str, ...], text: str, losses: dict[str, LossKind], *, is_pattern: bool
) -> None:
    made = files.made(FORMATS["risu-lorebook"], Book(name="", entries=(Entry(uid=0, keys=keys),)))
    item = json.loads(made.data)["data"][0]
    assert (item["key"], item["useRegex"]) == (text, is_pattern)
    assert {loss.field: loss.kind for loss in reversed(made.losses)} == losses


@pytest.mark.parametrize(
    ("settings", "head"),
    [
        ({"enabled": False}, "@@dont_activate"),
        ({"match_whole_words": True}, "@@match_full_word"),
        ({"match_whole_words": False}, "@@match_partial_word"),
        ({"position": Position.AT_DEPTH, "depth": 2, "role": Role.USER}, "@@depth 2\n@@role user"),
        ({"probability": 0}, "@@probability 0"),
        (
            {"secondary_keys": ("low", "潮"), "secondary_logic": SecondaryLogic.NOT_ANY},
            "@@exclude_keys low,潮",
        ),
        (
            {"secondary_keys": ("low", "潮"), "secondary_logic": SecondaryLogic.NOT_ALL},
            "@@exclude_keys_all low,潮",
        ),
        (
            {"secondary_keys": ("low", "潮"), "secondary_logic": SecondaryLogic.AND_ALL},
            "@@additional_keys low\n@@additional_keys 潮",
        ),
    ],
    ids=["off", "whole", "part", "depth", "never", "not any", "not all", "all"],
)
def test_what_risuai_has_no_field_for_becomes_decorators(settings: dict[str, Any], head: str) -> None:
    assert set_to(**settings)["content"] == f"{head}\nOpens."
    entry = Entry(uid=0, content="Opens.", settings=EntrySettings(**settings))
    made = files.made(FORMATS["risu-lorebook"], Book(name="", entries=(entry,)))
    assert made.losses == ()
    assert book(open_document(made.data, file_name="x")).entries == (entry,)


def test_other_settings_of_world_info_are_kept_and_said_to_be_unread() -> None:
    entry = Entry(uid=0, extensions={"sticky": 2, "group": "gates"})
    made = files.made(FORMATS["risu-lorebook"], Book(name="", entries=(entry,)))
    assert json.loads(made.data)["data"][0]["extentions"] == {"group": "gates", "sticky": 2}
    assert {(loss.field, loss.kind) for loss in made.losses} == {
        ("extensions.group", LossKind.UNREAD),
        ("extensions.sticky", LossKind.UNREAD),
    }


@pytest.mark.parametrize(
    "content",
    [
        "@@depth 4\nIt opens.",
        "@@dont_activate\nIt opens.",
        "@@nonsense\n",
        "@@@end\r\nIt opens.",
        "\n@@role user",
        "@@",
    ],
    ids=repr,
)
@pytest.mark.parametrize("enabled", [True, False], ids=["on", "off"])
def test_decorators_of_the_author_stay_text(content: str, *, enabled: bool) -> None:
    entry = Entry(uid=0, content=content, settings=EntrySettings(enabled=enabled))
    data = files.made(FORMATS["risu-lorebook"], Book(name="", entries=(entry,))).data
    assert book(open_document(data, file_name="x")).entries == (entry,)
    assert read(content=content).content == content


@pytest.mark.parametrize(
    "content", ["@@depth 3\nOpens.", "Opens.", "@@depth x\n@@role user\nOpens.", "@@role user\n@@depth 2\nOpens.", ""]
)
def test_lines_that_are_not_ours_any_more_are_text_again(content: str) -> None:
    mark = {"extentions": {"lorebook": {"decorators": 2}}}
    document = opened(ENTRY | mark | {"content": content})
    assert book(document).entries[0].content == content
    assert [note.where for note in document.notes] == ["$.data[0].content"]


def test_a_value_that_was_edited_in_risuai_is_the_new_setting() -> None:
    item = set_to(position=Position.AT_DEPTH, depth=2)
    edited = item | {"content": item["content"].replace("depth 2", "depth 7")}
    assert read(**edited).settings.depth == 7


def test_an_entry_with_a_chance_is_of_the_version_that_takes_it() -> None:
    assert "bookVersion" not in set_to(probability=80)
    assert set_to(probability=100)["bookVersion"] == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"enabled": False},
        {"position": Position.AT_DEPTH, "depth": 3},
        {"probability": 50.0},
        {"probability": 0.0},
        {"secondary_logic": SecondaryLogic.NOT_ANY, "secondary_keys": ("low",)},
        {"match_whole_words": True},
        {"position": Position.OUTLET},
    ],
    ids=str,
)
@pytest.mark.parametrize("fields", [{}, {"activationPercent": 80}, {"content": "@@depth 1\nOpens."}], ids=str)
def test_a_setting_is_changed_in_a_file_of_risuais(fields: dict[str, Any], settings: dict[str, Any]) -> None:
    document = opened(ENTRY | {"extentions": {"risu_case_sensitive": False, "position": 1}} | fields)
    before = book(document)
    entry = before.entries[0]
    changed = {"settings": entry.settings.model_copy(update=settings)}
    for update in (changed, {"content": "@@role user\nShut."}, changed | {"content": "Shut."}):
        now = before.model_copy(update={"entries": (entry.model_copy(update=update),)})
        made = document.write(Content(now))
        assert made.losses == ()
        again = open_document(made.data, file_name="lore.json")
        assert book(again) == now
        assert book(open_document(again.write(Content(before)).data, file_name="lore.json")) == before


@pytest.mark.parametrize(
    ("has", "text"),
    [
        ({}, "/gate/i, /a/i"),
        ({"case_sensitive": True}, "/gate/m, /a/i"),
        ({"match_whole_words": True}, r"/\bgate\b/i, /a/i"),
    ],
    ids=["plain", "case", "whole words"],
)
def test_words_beside_patterns_are_found_as_they_were(has: dict[str, bool], text: str) -> None:
    assert written(keys=("gate", "/a/i"), settings=EntrySettings(**has))["key"] == text


def test_the_keys_that_are_not_as_they_were_are_named() -> None:
    book = Book(name="", entries=(Entry(uid=0, keys=("gate", "a,b", "c" * 50 + ",", "d,", "e,")),))
    (found,) = files.made(FORMATS["risu-lorebook"], book).losses
    assert found.why.endswith(f"; gone: 'a,b', '{'c' * 39}…', 'd,' and 1 more")
    mixed = Book(name="", entries=(Entry(uid=0, keys=("gate", "/a/i")),))
    (found,) = files.made(FORMATS["risu-lorebook"], mixed).losses
    assert found.why.endswith("; written otherwise: 'gate'")


def test_plain_secondary_keys_beside_patterns_become_patterns() -> None:
    item = written(keys=("/gate/i",), settings=EntrySettings(secondary_keys=("low.water",)))
    assert (item["secondkey"], item["useRegex"]) == (r"/low\.water/i", True)


def test_a_folder_is_no_entry_and_stays_where_it_is() -> None:
    member = ENTRY | {"folder": FOLDER_KEY}
    document = opened(ENTRY, FOLDER, member)
    found = book(document)
    assert [entry.extensions for entry in found.entries] == [{}, {"risuai": {"folder": FOLDER_KEY}}]
    fewer = found.model_copy(update={"entries": found.entries[1:]})
    assert json.loads(document.write(Content(fewer)).data)["data"] == [FOLDER, member]


def test_a_new_file_has_the_folders() -> None:
    member = ENTRY | {"folder": FOLDER_KEY, "id": "a-1", "loreCache": {"key": "x", "data": []}}
    found = book(opened(member, FOLDER))
    data = files.made(FORMATS["world-info"], found).data
    again = book(open_document(data, file_name="archive.json"))
    assert files.saved("risu-lorebook", again)["data"] == [FOLDER, member]


def test_a_list_of_items_is_a_lorebook_and_stays_a_list() -> None:
    data = json.dumps([FOLDER, ENTRY]).encode()
    document = open_document(data, file_name="lore.json")
    assert document.form.name == "risu-lorebook"
    assert document.write().data == data
    entry = book(document).entries[0].model_copy(update={"content": "Shut."})
    changed = book(document).model_copy(update={"entries": (entry,)})
    assert json.loads(document.write(Content(changed)).data) == [FOLDER, ENTRY | {"content": "Shut."}]


def test_items_in_an_object_are_read_and_stay_there() -> None:
    data = json.dumps({"type": "risu", "ver": 1, "data": {"a": FOLDER, "b": ENTRY}}).encode()
    document = open_document(data, file_name="x")
    assert (document.form.name, document.write().data) == ("risu-lorebook", data)
    assert document.book is not None
    (entry,) = document.book.entries
    edited = document.book.model_copy(update={"entries": (entry.model_copy(update={"content": "New."}),)})
    written = json.loads(document.write(Content(edited)).data)
    assert written["data"] == {"a": FOLDER, "b": ENTRY | {"content": "New."}}


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({"ver": 1, "data": [ENTRY]}, "risu-lorebook"),
        ({"name": "M", "id": "x", "lorebook": [ENTRY]}, "risu-module"),
        ({"module": {"name": "M", "id": "x", "lorebook": [ENTRY]}}, "risu-module"),
        ({"type": "risuModule", "name": "M", "id": "x", "lorebook": {"a": ENTRY}}, "risu-module"),
    ],
    ids=["a lorebook", "a module", "a module inside", "an object of items"],
)
def test_files_without_a_type_are_known_by_their_items(value: object, form: str) -> None:
    data = json.dumps(value).encode()
    document = open_document(data, file_name="x")
    assert (document.form.name, document.write().data) == (form, data)
    assert document.book is not None
    (entry,) = document.book.entries
    edited = document.book.model_copy(update={"entries": (entry.model_copy(update={"content": "New."}),)})
    written = document.write(Content(edited)).data
    assert json.loads(written) == json.loads(data.replace(json.dumps(ENTRY["content"]).encode(), b'"New."'))


def test_numbers_of_entries_come_back() -> None:
    entries = tuple(Entry(uid=uid, name=str(uid)) for uid in (7, 3))
    made = files.made(FORMATS["risu-lorebook"], Book(name="", entries=entries))
    assert made.losses == ()
    assert book(open_document(made.data, file_name="x")).entries == entries


@pytest.mark.parametrize("uids", [[1], [1, 1], "01", [1, "2"], [True, 2], None], ids=repr)
def test_numbers_that_do_not_fit_the_entries_count_for_nothing(uids: object) -> None:
    found = book(opened(ENTRY, ENTRY, extensions={"lorebook": {"uids": uids}}))
    assert [entry.uid for entry in found.entries] == [0, 1]


def test_a_module_keeps_its_scripts_by_way_of_world_info() -> None:
    said = {"id": "m-1", "regex": [{"in": "a"}], "trigger": [], "assets": [], "namespace": "tide"}
    module = {"type": "risuModule", "name": "Archive", "description": "Gates.", **said, "lorebook": [FOLDER, ENTRY]}
    document = files.parsed("risu-module", module)
    assert (book(document).name, book(document).description) == ("Archive", "Gates.")
    again = book(open_document(files.made(FORMATS["world-info"], book(document)).data, file_name="x"))
    assert files.saved("risu-module", again) == module


def test_a_new_module_has_the_id_that_its_name_gives() -> None:
    one, other = (files.saved("risu-module", Book(name=name)) for name in ("Archive", "Other"))
    assert one == files.saved("risu-module", Book(name="Archive"))
    assert one["id"] != other["id"]
    assert book(files.parsed("risu-module", one)).extensions == {}


@pytest.mark.parametrize("lore", [{}, {"lorebook": None}, {"lorebook": 5}], ids=str)
def test_a_module_without_a_lorebook_has_an_empty_one(lore: dict[str, Any]) -> None:
    document = files.parsed("risu-module", {"type": "risuModule", "name": "Archive", **lore})
    assert book(document).entries == ()
    assert len(document.notes) == bool(lore)


def test_a_risum_is_changed_inside_and_keeps_its_assets() -> None:
    module = {"module": {"name": "Archive", "lorebook": [ENTRY], "cjs": "x"}, "type": "risuModule"}
    data = b"".join(RISUM.build({MODULE: json.dumps(module).encode(), "asset:0": b"\0\1\2"}, b""))
    document = open_document(data, file_name="archive.risum")
    assert document.form.name == "risum"
    assert document.write().data == data
    entry = book(document).entries[0].model_copy(update={"content": "Shut."})
    changed = document.write(Content(book(document).model_copy(update={"entries": (entry,)}))).data
    parts = RISUM.open(changed, Notes()).parts
    module["module"]["lorebook"][0]["content"] = "Shut."  # type: ignore[index]
    assert (json.loads(parts[MODULE]), parts["asset:0"]) == (module, b"\0\1\2")


@pytest.mark.parametrize("name", FORMS)
@given(entry=any_entry(0))
def test_what_can_be_said_is_read_as_it_was_written(name: str, entry: Entry) -> None:
    made = export(FORMATS[name], Content(Book(name="", entries=(entry,))))
    found = book(open_document(made.data, file_name="x", form=FORMATS[name]))
    again = export(FORMATS[name], Content(found))
    assert [loss for loss in again.losses if loss.kind is not LossKind.UNREAD] == []
    assert book(open_document(again.data, file_name="x", form=FORMATS[name])) == found


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("examples/risu_lorebook.json", "risu-lorebook"),
        ("examples/risu_module.json", "risu-module"),
        ("examples/module.risum", "risum"),
        ("quirks/risu_ver_missing.json", "risu-lorebook"),
    ],
    ids=lambda value: value.rpartition("/")[2],
)
def test_an_example_comes_back_and_an_edit_changes_one_field(path: str, form: str) -> None:
    if not (SHARED / path).exists():
        pytest.skip("the examples are not here")
    data = (SHARED / path).read_bytes()
    document = open_document(data, file_name=path)
    assert (document.form.name, document.notes, document.write().data) == (form, (), data)
    before = book(document)
    edited = before.entries[0].model_copy(update={"content": "Shut."})
    after = document.write(Content(before.model_copy(update={"entries": (edited, *before.entries[1:])})))
    assert after.losses == ()
    opening, changed = (document.opened.parts, open_document(after.data, file_name=path).opened.parts)
    part = MODULE if form == "risum" else ""
    assert changed[part].replace(b"Shut.", before.entries[0].content.replace("\n", "\\n").encode()) == opening[part]
