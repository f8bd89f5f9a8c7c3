"""
Backyard's archives: what is read, what a new one must have, and that an edit changes nothing else.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, Document, convert, export, open_document
from lorebook.formats.card import Asset
from lorebook.formats.containers.archive import ZIP
from tests.formats.files import PICTURE, archived, unpacked

EXAMPLES = Path(__file__).parents[3] / "shared" / "formats" / "examples"
FORM = FORMATS["byaf"]
CHARACTER, FIRST, SECOND = "characters/c1/character.json", "scenarios/start.json", "scenarios/later.json"
ITEM = {"key": "salt gate, 盐门", "value": "{user} opens it.", "order": "a0"}


def scenario(first: str | None, **said: Any) -> dict[str, Any]:
    numbers = {"minP": 0.1, "temperature": 1.2, "repeatPenalty": 1.05, "repeatLastN": 256, "topK": 30, "topP": 0.9}
    return {
        "schemaVersion": 1,
        **numbers,
        "minPEnabled": True,
        "canDeleteExampleMessages": True,
        "formattingInstructions": "Stay {character}.",
        "narrative": "A flooded library.",
        "exampleMessages": [{"characterID": "c1", "text": "#{user}: Deep?\n#{character}: Enough."}],
        "firstMessages": [] if first is None else [{"characterID": "c1", "text": first}],
        "promptTemplate": None,
        "grammar": None,
        "messages": [{"type": "human", "text": "A private word."}],
        **said,
    }


def members(**changed: Any) -> dict[str, Any]:
    character = {
        "schemaVersion": 1,
        "id": "c1",
        "name": "Mira",
        "displayName": "Mira Vell",
        "isNSFW": True,
        "persona": "Keeper. {user} is a visitor.",
        "createdAt": "2024-01-01T00:00:00.500Z",
        "updatedAt": "2024-01-01T00:00:00.500Z",
        "loreItems": [ITEM],
        "images": [{"path": "images/a.png", "label": "Portrait"}, {"path": "images/b.png", "label": "angry"}],
    }
    manifest = {
        "schemaVersion": 1,
        "createdAt": "2024-01-01T00:00:00Z",
        "author": {"name": "Ann", "backyardURL": "https://backyard.ai/hub/user/ann"},
        "characters": [CHARACTER],
        "scenarios": [FIRST, SECOND],
    }
    return {
        "manifest.json": manifest,
        CHARACTER: character | changed,
        SECOND: scenario("Still here, {user}?", title="Later", narrative="At low water."),
        FIRST: scenario("Mind the third step."),
    }


def opened(found: dict[str, Any], **pictures: bytes) -> Document:
    return archived(FORM, found, {f"characters/c1/images/{name}.png": data for name, data in pictures.items()})


def test_the_card_is_made_of_character_scenarios_and_author() -> None:
    document = opened(members(), a=PICTURE, b=b"angry")
    assert document.notes == ()
    assert document.card == Card(
        name="Mira Vell",
        nickname="Mira",
        description="Keeper. {{user}} is a visitor.",
        scenario="A flooded library.",
        first_mes="Mind the third step.",
        alternate_greetings=("Still here, {{user}}?",),
        mes_example="<START>\n{{user}}: Deep?\n{{char}}: Enough.",
        system_prompt="Stay {{char}}.",
        creator="Ann",
        creation_date=1704067200,
        assets=(
            Asset("icon", "embeded://characters/c1/images/a.png", "main", "png"),
            Asset("icon", "embeded://characters/c1/images/b.png", "angry", "png"),
        ),
        extensions={
            "backyard": {
                "character": {"id": "c1", "isNSFW": True},
                "scenarios": [{}, {"title": "Later", "narrative": "At low water."}],
                "paths": [CHARACTER, FIRST, SECOND],
                "author": {"backyardURL": "https://backyard.ai/hub/user/ann"},
                "labels": {"images/a.png": "Portrait"},
            }
        },
    )
    assert {uri: document.content.files[uri] for uri in document.content.files} == {
        "embeded://characters/c1/images/a.png": PICTURE,
        "embeded://characters/c1/images/b.png": b"angry",
    }


def test_items_of_lore_are_entries() -> None:
    book = opened(members()).book
    assert book is not None
    kept = {"backyard": {"order": "a0"}}
    assert book.entries == (Entry(uid=0, keys=("salt gate", "盐门"), content="{{user}} opens it.", extensions=kept),)


def test_nothing_changes_where_nothing_changed() -> None:
    document = opened(members(), a=PICTURE)
    assert document.write().data == document.data


def test_an_edit_of_one_text_changes_nothing_else() -> None:
    document = opened(members())
    assert document.book is not None
    entry = document.book.entries[0].model_copy(update={"content": "Shut, {{char}}."})
    book = document.book.model_copy(update={"entries": (entry,)})
    written = document.write(replace(document.content, book=book))
    assert not written.losses
    wanted = members()
    wanted[CHARACTER]["loreItems"] = [ITEM | {"value": "Shut, {character}."}]
    assert unpacked(written) == wanted


def test_another_greeting_is_another_scenario_and_a_chat_stays_where_it_is() -> None:
    document = opened(members())
    assert document.card is not None
    greetings = (*document.card.alternate_greetings, "Hush, {{user}}.")
    written = document.write(replace(document.content, card=replace(document.card, alternate_greetings=greetings)))
    assert not written.losses
    found = unpacked(written)
    added = found.pop("scenarios/scenario1.json")
    assert added == scenario("Hush, {user}.", messages=[])
    wanted = members()
    wanted["manifest.json"]["scenarios"].append("scenarios/scenario1.json")
    assert found == wanted


def test_a_greeting_that_is_taken_out_leaves_the_manifest() -> None:
    document = opened(members())
    assert document.card is not None
    written = document.write(replace(document.content, card=replace(document.card, alternate_greetings=())))
    assert unpacked(written)["manifest.json"]["scenarios"] == [FIRST]
    card = open_document(written.data, file_name="mira.byaf").card
    assert card is not None
    assert card.alternate_greetings == ()


def test_a_silent_scenario_between_two_greetings_keeps_its_place() -> None:
    found = members() | {"scenarios/x.json": scenario(None), "scenarios/y.json": scenario("Third.")}
    found["manifest.json"]["scenarios"] = [FIRST, "scenarios/x.json", "scenarios/y.json"]
    del found[SECOND]
    document = opened(found)
    assert document.card is not None
    assert document.card.alternate_greetings == ("Third.",)
    written = document.write(replace(document.content, card=replace(document.card, alternate_greetings=("Fourth.",))))
    assert not written.losses
    assert unpacked(written) == found | {"scenarios/y.json": scenario("Fourth.")}


def test_all_of_it_survives_a_card_v3() -> None:
    document = opened(members())
    card = open_document(export(FORMATS["card-v3"], document.content).data, file_name="x.json")
    found = unpacked(export(FORM, card.content))
    wanted = members()
    for name in (FIRST, SECOND):
        wanted[name]["messages"] = []
    wanted[CHARACTER] |= {"createdAt": "2024-01-01T00:00:00Z", "updatedAt": "2024-01-01T00:00:00Z"}
    assert found == wanted


@pytest.mark.parametrize("strict", [False, True])
def test_a_new_one_has_what_the_schemas_demand(*, strict: bool) -> None:
    card = Card(
        name="Mira",
        first_mes="Hello.",
        alternate_greetings=("Hi.",),
        creation_date=1704067200,
        extensions={"backyard": {"character": {"mood": 1}, "scenarios": [{"mood": 1}]}},
    )
    entry = Entry(uid=0, keys=("gate",), content="Opens.", extensions={"backyard": {"order": "a0"}})
    written = export(FORM, Content(Book(name="", entries=(entry,)), card, {OWN_PICTURE: PICTURE}), strict=strict)
    found = unpacked(written)
    manifest = found.pop("manifest.json")
    assert set(manifest) == {"schemaVersion", "createdAt", "characters", "scenarios"}
    [path] = manifest["characters"]
    assert re.fullmatch(r"characters/[^/]+/character\.json", path)
    assert set(manifest["scenarios"]) == set(found) - {path}
    character = found.pop(path)
    more = set() if strict else {"mood"}
    assert set(character) - more == {
        *("schemaVersion", "id", "name", "displayName", "isNSFW", "persona", "createdAt", "updatedAt"),
        *("loreItems", "images"),
    }
    assert path == f"characters/{character['id']}/character.json"
    assert character["createdAt"] == character["updatedAt"] == manifest["createdAt"] == "2024-01-01T00:00:00Z"
    assert character["images"] == [{"path": "images/main.png", "label": "main"}]
    item = {"key": "gate", "value": "Opens."}
    assert character["loreItems"] == [item if strict else {"order": "a0", **item}]
    for told in found.values():
        assert set(told) - more == set(scenario("x"))
        assert len(told["firstMessages"]) == 1
        assert all(set(each) == {"characterID", "text"} for each in told["firstMessages"])
        assert type(told["minPEnabled"]) is type(told["canDeleteExampleMessages"]) is bool


def test_pictures_move_into_the_archive_the_main_one_first() -> None:
    assets = (
        Asset("icon", "embeded://x/angry.webp", "angry", "webp"),
        Asset("icon", "embeded://x/other.png", "angry", "webp"),
        Asset("icon", "embeded://x/main.png", "main", "png"),
        Asset("background", "embeded://x/sea.png", "sea", "png"),
    )
    files = {asset.uri: asset.name.encode() for asset in assets}
    written = export(FORM, Content(None, Card(name="Mira", assets=assets), files))
    document = open_document(written.data, file_name="mira.byaf")
    assert document.card is not None
    folder = document.card.assets[0].uri.removeprefix("embeded://").rpartition("/")[0]
    assert [asset.name for asset in document.card.assets] == ["main", "angry", "angry"]
    names = [name for name in document.opened.parts if name.startswith(folder)]
    assert names == [f"{folder}/main.png", f"{folder}/angry.webp", f"{folder}/angry1.webp"]
    assert [loss.field for loss in written.losses] == ["card.assets"]


@pytest.mark.parametrize("own_id", ["../../x", "a/b", "", "..", "a\\b", "Mira Vell"])
def test_no_id_leads_out_of_the_archives_own_folders(own_id: str) -> None:
    card = Card(name="Mira", extensions={"backyard": {"character": {"id": own_id}, "paths": ["characters/../x.json"]}})
    written = export(FORM, Content(None, card, {OWN_PICTURE: PICTURE}))
    document = open_document(written.data, file_name="x")
    assert document.form is FORM
    assert all(re.fullmatch(r"[\w.-]+(/[\w-][\w.-]*)*", name) for name in document.opened.parts)


@pytest.mark.parametrize(
    "kept",
    ["text", {"character": "text"}, {"scenarios": [1, None]}, {"paths": {}, "labels": [], "author": 3}],
    ids=str,
)
def test_what_others_put_under_our_key_breaks_nothing(kept: object) -> None:
    card = Card(name="Mira", alternate_greetings=("Hi.",), extensions={"backyard": kept})
    again = open_document(export(FORM, Content(None, card)).data, file_name="x").card
    assert again is not None
    assert (again.name, again.alternate_greetings) == ("Mira", ("Hi.",))


def test_a_manifest_that_is_wrong_is_noted_and_the_names_of_members_count() -> None:
    found = members()
    found["manifest.json"] = {"characters": ["characters/x/character.json"], "scenarios": 5}
    document = opened(found, a=PICTURE, b=PICTURE)
    assert document.card is not None
    greetings = {document.card.first_mes, *document.card.alternate_greetings}
    assert greetings == {"Mind the third step.", "Still here, {{user}}?"}
    assert [note.where for note in document.notes] == ["`manifest.json`"]


def test_another_character_and_a_scenario_that_nobody_names_are_noted() -> None:
    found = members() | {"characters/c2/character.json": {"name": "Other"}, "scenarios/lost.json": scenario("Lost.")}
    document = opened(found, a=PICTURE, b=PICTURE)
    assert document.card is not None
    assert document.card.name == "Mira Vell"
    assert [note.where for note in document.notes] == ["`characters/c2/character.json`", "`scenarios/lost.json`"]


def test_an_archive_of_something_else_is_refused() -> None:
    data = b"".join(ZIP.build({"manifest.json": b"{}", "readme.txt": b"x"}, b""))
    with pytest.raises(FormatError, match=r"manifest\.json"):
        open_document(data, file_name="x.zip")


@pytest.mark.skipif(not EXAMPLES.exists(), reason="the examples are not there")
def test_the_example_and_no_other_is_backyards() -> None:
    claimed = {}
    for path in sorted(EXAMPLES.iterdir()):
        document = open_document(path.read_bytes(), file_name=path.name)
        if document.form is FORM:
            claimed[path.name] = document
    assert list(claimed) == ["demo.byaf"]
    document = claimed["demo.byaf"]
    assert document.notes == ()
    assert document.write().data == (EXAMPLES / "demo.byaf").read_bytes()


@pytest.mark.parametrize("name", ["card-v3", "backyard-png"])
def test_a_chat_goes_into_no_other_file_and_is_named(name: str) -> None:
    with_chat, without = (
        opened(members()),
        opened({**members(), FIRST: scenario("Hi.", messages=[]), SECOND: scenario("Ho.", messages=None)}),
    )
    found = [[loss.field for loss in convert(each, FORMATS[name]).losses] for each in (with_chat, without)]
    assert ["chat" in fields for fields in found] == [True, False]
