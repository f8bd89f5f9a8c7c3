"""
Voxta's packages: characters, books and scenarios in one archive.
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
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, Document, LossKind, convert, export, open_document
from lorebook.formats.containers.archive import ZIP
from lorebook.formats.voxta_books import to_card, to_voxta
from lorebook.records import EntrySettings
from tests.formats.files import PICTURE, archived, unpacked

EXAMPLES = Path(__file__).parents[3] / "shared" / "formats" / "examples"
FORM = FORMATS["voxta"]
FIRST, SECOND = "Characters/c1/character.json", "Characters/c2/character.json"
TIDES, GATES = "Books/b1/book.json", "Books/b2/book.json"


def item(own_id: str, text: str, **said: Any) -> dict[str, Any]:
    times = {"CreatedAt": "2025-07-04T06:50:09.824+00:00", "LastUpdated": "2025-07-27T23:28:58.139+00:00"}
    return {"Id": own_id, "Keywords": ["salt gate", "one, two"], "Text": text, "Weight": 10, **times, **said}


def members() -> dict[str, Any]:
    return {
        "package.json": {"$type": "package", "Id": "p1", "Name": "Library", "Version": "1.0.0"},
        FIRST: {
            "$type": "character",
            "Id": "c1",
            "Name": "Mira",
            "Version": "1.2.0",
            "Culture": "en-US",
            "Description": "Tall.",
            "Profile": "{{ char }} keeps the archive.",
            "Personality": "Dry.",
            "Scenario": "A flooded library.",
            "FirstMessage": "Mind the step, {{ user }}.",
            "AlternativeFirstMessages": ["{{ user }}?"],
            "MessageExamples": "<START>\n{{ user }}: Deep?",
            "SystemPrompt": "Stay {{ char }}.",
            "PostHistoryInstructions": "Be brief.",
            "CreatorNotes": "For {{ user }}.",
            "Creator": "Ann",
            "Tags": ["archive"],
            "MemoryBooks": ["b2", "elsewhere"],
            "DateCreated": "0001-01-01T00:00:00+00:00",
            "DateModified": "2025-10-19T06:59:21.1150191+00:00",
        },
        SECOND: {"$type": "character", "Id": "c2", "Name": "Other"},
        TIDES: {"$type": "book", "Id": "b1", "Name": "Tides", "Items": [item("i1", "Low.")]},
        GATES: {
            "$type": "book",
            "Id": "b2",
            "Name": "Gates",
            "Description": "All of them.",
            "Items": [item("i2", "{{ user }} opens it.", Weight=3), item("i3", "Gone.", Deleted=True)],
        },
        "Scenarios/s1/scenario.json": {"$type": "scenario", "Id": "s1"},
    }


def opened(found: dict[str, Any], **pictures: bytes) -> Document:
    return archived(FORM, found, {f"Characters/{name}/thumbnail.png": data for name, data in pictures.items()})


def book_of(document: Document) -> Book:
    assert document.book is not None
    return document.book


def with_content(document: Document, uid: int, text: str) -> Content:
    book = book_of(document)
    entries = [each.model_copy(update={"content": text}) if each.uid == uid else each for each in book.entries]
    return replace(document.content, book=book.model_copy(update={"entries": tuple(entries)}))


def test_the_first_character_is_the_card() -> None:
    document = opened(members(), c2=b"other", c1=PICTURE)
    assert document.card == Card(
        name="Mira",
        description="{{char}} keeps the archive.",
        personality="Dry.",
        scenario="A flooded library.",
        first_mes="Mind the step, {{user}}.",
        alternate_greetings=("{{user}}?",),
        mes_example="<START>\n{{user}}: Deep?",
        system_prompt="Stay {{char}}.",
        post_history_instructions="Be brief.",
        creator_notes="For {{ user }}.",
        creator="Ann",
        tags=("archive",),
        character_version="1.2.0",
        modification_date=1760857161,
        extensions={"voxta": {"Id": "c1", "Culture": "en-US", "Description": "Tall.", "MemoryBooks": ["elsewhere"]}},
    )
    assert document.content.files[OWN_PICTURE] == PICTURE
    assert [note.where for note in document.notes] == [f"`{SECOND}`", f"`{TIDES}`"]


def test_all_books_are_one_that_of_the_character_first() -> None:
    book = book_of(opened(members()))
    assert (book.name, book.description) == ("Gates", "All of them.")
    assert [(entry.uid, entry.content) for entry in book.entries] == [
        (0, "{{user}} opens it."),
        (1, "Gone."),
        (2, "Low."),
    ]
    assert {entry.keys for entry in book.entries} == {("salt gate", "one, two")}
    assert [entry.settings.enabled for entry in book.entries] == [True, False, True]
    assert book.entries[0].extensions["voxta"]["Weight"] == 3
    assert "Weight" not in book.entries[1].extensions["voxta"]


def test_nothing_changes_where_nothing_changed() -> None:
    document = opened(members(), c1=PICTURE)
    assert document.write().data == document.data


@pytest.mark.parametrize(("uid", "path", "number"), [(0, GATES, 0), (1, GATES, 1), (2, TIDES, 0)])
def test_an_edit_of_one_text_changes_nothing_else(uid: int, path: str, number: int) -> None:
    document = opened(members())
    written = document.write(with_content(document, uid, "Shut, {{user}}."))
    assert not written.losses
    wanted = members()
    wanted[path]["Items"][number]["Text"] = "Shut, {{ user }}."
    assert unpacked(written) == wanted


def test_an_item_that_is_switched_on_again_is_no_longer_deleted() -> None:
    document = opened(members())
    entries = tuple(each.model_copy(update={"settings": EntrySettings()}) for each in book_of(document).entries)
    book = book_of(document).model_copy(update={"entries": entries})
    written = document.write(replace(document.content, book=book))
    wanted = members()
    del wanted[GATES]["Items"][1]["Deleted"]
    assert unpacked(written) == wanted


def test_a_book_for_a_character_without_one_is_put_beside_it() -> None:
    found = {FIRST: members()[FIRST] | {"MemoryBooks": []}}
    document = opened(found)
    book = Book(name="Tides", entries=(Entry(uid=0, keys=("tide",), content="Low."),))
    written = document.write(replace(document.content, book=book))
    assert not written.losses
    parts = unpacked(written)
    [path] = set(parts) - {FIRST}
    assert parts[FIRST] == found[FIRST] | {"MemoryBooks": [parts[path]["Id"]]}
    assert path == f"Books/{parts[path]['Id']}/book.json"


def test_a_new_one_is_a_character_with_its_book_and_picture() -> None:
    entry = Entry(uid=0, keys=("gate",), content="{{char}} opens.")
    content = Content(Book(name="Gates", entries=(entry,)), Card(name="Mira"), {OWN_PICTURE: PICTURE})
    written = export(FORM, content)
    assert not written.losses
    assert export(FORM, content).data == written.data
    character, book = unpacked(written).values()
    assert character["$type"] == "character"
    assert character["MemoryBooks"] == [book["Id"]]
    assert character["DateCreated"] == "0001-01-01T00:00:00+00:00"
    assert (book["$type"], book["Name"]) == ("book", "Gates")
    [told] = book["Items"]
    assert (told["Keywords"], told["Text"], told["Weight"]) == (["gate"], "{{ char }} opens.", 10)
    parts = open_document(written.data, file_name="x").opened.parts
    assert parts[f"Characters/{character['Id']}/thumbnail.png"] == PICTURE


def test_all_of_it_survives_a_card_v3() -> None:
    found = {name: members()[name] for name in (FIRST, GATES)}
    card = open_document(export(FORMATS["card-v3"], opened(found).content).data, file_name="x.json")
    wanted = dict(found)
    wanted[FIRST] |= {"DateModified": "2025-10-19T06:59:21Z"}
    assert unpacked(export(FORM, card.content)) == wanted


@pytest.mark.parametrize(
    ("entry", "field", "kind"),
    [
        (Entry(uid=0, name="Gate"), "name", LossKind.LOST),
        (Entry(uid=0, content="{{ user }}"), "content", LossKind.CHANGED),
        (Entry(uid=0, settings=EntrySettings(constant=True)), "constant", LossKind.LOST),
        (Entry(uid=0, extensions={"sticky": 3}), "extensions.sticky", LossKind.LOST),
    ],
    ids=["a name", "Voxta's macro", "always on", "another program's"],
)
def test_what_an_item_cannot_hold_is_named(entry: Entry, field: str, kind: LossKind) -> None:
    losses = export(FORM, Content(Book(name="", entries=(entry,)), Card(name="Mira"))).losses
    assert [(loss.entry, loss.field, loss.kind) for loss in losses] == [(0, field, kind)]


@pytest.mark.parametrize(
    ("found", "names"),
    [({GATES: members()[GATES]}, (None, "Gates")), ({SECOND: members()[SECOND]}, ("Other", None))],
    ids=["a book alone", "a character alone"],
)
def test_one_of_the_two_is_enough(found: dict[str, Any], names: tuple[str | None, str | None]) -> None:
    document = opened(found)
    assert (document.card and document.card.name, document.book and document.book.name) == names
    renamed = document.book and document.book.model_copy(update={"name": "New"})
    written = document.write(replace(document.content, book=renamed))
    assert list(unpacked(written)) == list(found)


@pytest.mark.parametrize("own_id", ["../../x", "a/b", "..", "a\\b"])
def test_no_id_leads_out_of_the_packages_own_folders(own_id: str) -> None:
    kept = {"voxta": {"Id": own_id, "path": "Characters/../character.json"}}
    book = Book(name="Gates", extensions={"voxta": {"Id": own_id, "path": "Books/../book.json"}})
    written = export(FORM, Content(book, Card(name="Mira", extensions=kept), {OWN_PICTURE: PICTURE}))
    names = list(open_document(written.data, file_name="x").opened.parts)
    assert [name.rpartition("/")[2] for name in names] == ["thumbnail.png", "character.json", "book.json"]
    assert all(name.count("/") == 2 and ".." not in name and "\\" not in name for name in names)


@pytest.mark.parametrize("held", [None, "none", 5], ids=str)
def test_a_book_without_items_is_noted(held: object) -> None:
    document = opened({GATES: members()[GATES] | {"Items": held}})
    assert book_of(document).entries == ()
    assert [note.where for note in document.notes] == [f"`{GATES}` $.Items"]


def test_a_package_of_scenarios_only_is_refused() -> None:
    data = b"".join(ZIP.build({"package.json": b"{}", "Scenarios/s1/scenario.json": b"{}"}, b""))
    with pytest.raises(FormatError, match="no lorebook and no card: it is a package of Voxta"):
        open_document(data, file_name="x.voxpkg")


@pytest.mark.parametrize("own", [{}, {"id": "c1", "name": "Mira", "persona": "Dry."}], ids=["empty", "Backyard's"])
def test_a_character_without_voxtas_names_is_none_of_voxtas(own: dict[str, str]) -> None:
    data = b"".join(ZIP.build({"Characters/c1/character.json": json.dumps(own).encode()}, b""))
    with pytest.raises(FormatError, match="no lorebook and no card"):
        open_document(data, file_name="x.byaf")


def test_a_book_may_be_in_the_folder_of_memory_books_and_stays_there() -> None:
    path = GATES.replace("Books", "MemoryBooks")
    document = opened({SECOND: members()[SECOND], path: members()[GATES]})
    book = book_of(document)
    assert book.name == "Gates"
    written = document.write(replace(document.content, book=book.model_copy(update={"name": "New"})))
    assert unpacked(written)[path] == members()[GATES] | {"Name": "New"}


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ({"AlternateGreetings": ["Well, {{ user }}?"]}, ("Well, {{user}}?",)),
        ({"AlternateGreetings": ["Old."], "AlternativeFirstMessages": []}, ("Old.",)),
        ({"AlternateGreetings": ["Old."], "AlternativeFirstMessages": ["New."]}, ("New.",)),
    ],
    ids=["the old name", "nothing under the new one", "both"],
)
def test_other_greetings_have_two_names(said: dict[str, list[str]], read: tuple[str, ...]) -> None:
    document = opened({SECOND: members()[SECOND] | said})
    assert document.card is not None
    assert document.card.alternate_greetings == read
    edited = replace(document.card, alternate_greetings=("Edited.",))
    again = open_document(document.write(replace(document.content, card=edited)).data, file_name="x.voxpkg")
    assert again.card is not None
    assert again.card.alternate_greetings == ("Edited.",)


@given(st.lists(st.sampled_from(["{{user}}", "{{Char}}", "\n", "a ", "{", "}", "门"]), max_size=6).map("".join))
def test_a_cards_macros_survive_voxta(text: str) -> None:
    assert to_card(to_voxta(text)) == text


@pytest.mark.skipif(not EXAMPLES.exists(), reason="the examples are not there")
def test_no_example_of_another_program_is_voxtas() -> None:
    found = {path.name: open_document(path.read_bytes(), file_name=path.name).form.name for path in EXAMPLES.iterdir()}
    assert "voxta" not in found.values()
    assert found["demo.byaf"] == "byaf"


def test_a_scenario_goes_into_no_other_file_and_is_named() -> None:
    scenario = {"$type": "scenario", "Name": "Tides", "Actions": []}
    document = opened({**members(), "Scenarios/s1/scenario.json": scenario, "Scenarios/s2/scenario.json": []})
    losses = convert(document, FORMATS["card-v3"]).losses
    told = "they are no part of a lorebook or a character: 'Tides'"
    assert [loss.why for loss in losses if loss.field == "scenarios"] == [told]
    assert document.card is not None
    edited = document.write(replace(document.content, card=replace(document.card, personality="Edited.")))
    assert unpacked(edited)["Scenarios/s1/scenario.json"] == scenario
