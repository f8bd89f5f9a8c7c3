"""
Backyard's characters in pictures, of the versions that wrote plain JSON and of the one that writes base64.
"""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.formats import (
    FORMATS,
    OWN_PICTURE,
    Card,
    Content,
    Document,
    Export,
    LossKind,
    convert,
    export,
    open_document,
)
from lorebook.formats.backyard import examples_to_backyard, examples_to_card, to_backyard, to_card
from lorebook.formats.containers.png import PNG
from tests.formats.files import PICTURE

EXAMPLES = Path(__file__).parents[3] / "shared" / "formats" / "examples"
FORM = FORMATS["backyard-png"]
ITEM = {"id": "l1", "order": "Rmewjb1d.B", "key": "salt gate, 盐门 ,", "value": "{character} opens it.", "colour": 3}
SAID: dict[str, Any] = {
    "id": "c1",
    "aiName": "Mira",
    "aiDisplayName": "Mira Vell",
    "aiPersona": "Keeper. {user} is a visitor.",
    "scenario": "A flooded library.",
    "firstMessage": "Mind the third step.",
    "customDialogue": "#{user}: Deep?\n#{character}: Enough, {user}.",
    "basePrompt": "Stay {character}.",
    "Chat": [{"ChatItems": []}],
    "temperature": 0.7,
    "isNSFW": False,
    "createdAt": "2024-01-01T00:00:00.000Z",
    "updatedAt": "2024-02-01T00:00:00.000Z",
    "loreItems": [ITEM],
}


def opened(character: dict[str, Any], *, version: int = 4) -> Document:
    text = json.dumps({"character": character, "version": version}).encode()
    data = b"".join(PNG.build({"exif": base64.b64encode(text) if version == 4 else text}, PICTURE))
    document = open_document(data, file_name="mira.png")
    assert document.form is FORM
    return document


def comment(written: Export) -> Any:
    packed = open_document(written.data, file_name="mira.png").opened.parts["exif"]
    return json.loads(packed if packed[:1] == b"{" else base64.b64decode(packed, validate=True))


def content_of(*entries: Entry, card: Card | None = None) -> Content:
    return Content(Book(name="", entries=entries), card or Card(name="Mira Vell"), {OWN_PICTURE: PICTURE})


@pytest.mark.parametrize("version", [1, 2, 4])
def test_every_version_is_read_without_a_note_and_stays_packed_as_it_is(version: int) -> None:
    document = opened(SAID, version=version)
    assert document.notes == ()
    assert document.card is not None
    assert document.write().data == document.data
    edited = document.write(replace(document.content, card=replace(document.card, first_mes="Mind your head.")))
    packed = open_document(edited.data, file_name="mira.png").opened.parts["exif"]
    assert (packed[:1] == b"{") == (version != 4)
    assert comment(edited) == {"character": SAID | {"firstMessage": "Mind your head."}, "version": version}


def test_fields_are_a_cards_with_a_cards_macros() -> None:
    card = opened(SAID).card
    assert card == Card(
        name="Mira Vell",
        nickname="Mira",
        description="Keeper. {{user}} is a visitor.",
        scenario="A flooded library.",
        first_mes="Mind the third step.",
        mes_example="<START>\n{{user}}: Deep?\n{{char}}: Enough, {{user}}.",
        system_prompt="Stay {{char}}.",
        creation_date=1704067200,
        modification_date=1706745600,
        extensions={"backyard": {"character": {"id": "c1", "temperature": 0.7}}},
    )


def test_an_item_is_an_entry_with_keys_between_commas() -> None:
    book = opened(SAID).book
    assert book is not None
    kept = {"id": "l1", "order": "Rmewjb1d.B", "colour": 3}
    wanted = Entry(uid=0, keys=("salt gate", "盐门"), content="{{char}} opens it.", extensions={"backyard": kept})
    assert book.entries == (wanted,)


def test_an_edit_of_one_text_changes_nothing_else() -> None:
    document = opened(SAID, version=2)
    assert document.book is not None
    entry = document.book.entries[0].model_copy(update={"content": "Shut."})
    book = document.book.model_copy(update={"entries": (entry,)})
    written = document.write(replace(document.content, book=book))
    assert not written.losses
    assert comment(written)["character"] == SAID | {"loreItems": [ITEM | {"value": "Shut."}]}


def test_the_picture_is_the_cards_and_comes_back() -> None:
    document = opened(SAID)
    assert document.content.files[OWN_PICTURE] == PICTURE
    written = export(FORMATS["png"], document.content)
    assert open_document(written.data, file_name="x.png").content.files[OWN_PICTURE] == PICTURE


def test_a_new_one_has_what_version_4_must_have() -> None:
    written = export(FORM, content_of(Entry(uid=4, keys=("gate",), content="{{user}} waits.")))
    whole = comment(written)
    assert whole["version"] == 4
    said = whole["character"]
    texts = ("id", "aiName", "aiDisplayName", "aiPersona", "basePrompt", "customDialogue", "scenario", "model")
    numbers = ("temperature", "repeatPenalty", "repeatLastN", "topK", "topP", "minP")
    assert all(isinstance(said[name], str) for name in (*texts, "createdAt", "updatedAt"))
    assert all(isinstance(said[name], int | float) and not isinstance(said[name], bool) for name in numbers)
    assert all(isinstance(said[name], bool) for name in ("isNSFW", "minPEnabled", "canDeleteCustomDialogue"))
    assert said["Chat"] == []
    assert said["grammar"] is None is said["promptTemplate"]
    assert [(item["key"], item["value"]) for item in said["loreItems"]] == [("gate", "{user} waits.")]
    assert isinstance(said["loreItems"][0]["id"], str)
    assert export(FORM, content_of(Entry(uid=4, keys=("gate",), content="{{user}} waits."))).data == written.data


@pytest.mark.parametrize(
    ("entry", "field", "kind"),
    [
        (Entry(uid=0, keys=("one, two", "gate")), "keys", LossKind.CHANGED),
        (Entry(uid=0, keys=("/ga(te|p)s?/i",)), "keys", LossKind.UNREAD),
        (Entry(uid=0, name="Gate"), "name", LossKind.LOST),
        (Entry(uid=0, content="say {user}"), "content", LossKind.CHANGED),
        (Entry(uid=3), "uid", LossKind.CHANGED),
    ],
    ids=["a comma in a key", "a regex", "a name", "their macro in our text", "a number"],
)
def test_what_an_item_cannot_hold_is_named(entry: Entry, field: str, kind: LossKind) -> None:
    losses = export(FORM, content_of(entry)).losses
    assert [(loss.entry, loss.field, loss.kind) for loss in losses] == [(entry.uid, field, kind)]


def test_other_greetings_are_named_as_lost() -> None:
    card = Card(name="Mira", alternate_greetings=("Hello.",))
    assert [loss.field for loss in export(FORM, content_of(card=card)).losses] == ["card.alternate_greetings"]


@pytest.mark.parametrize(
    ("held", "count", "noted"),
    [(None, None, False), ([], None, False), ("none", None, True), ([ITEM, 5], 1, True)],
    ids=["null", "empty", "a text", "a number among them"],
)
def test_lore_that_is_none_is_noted(held: object, count: int | None, *, noted: bool) -> None:
    document = opened(SAID | {"loreItems": held})
    assert (document.book and len(document.book.entries)) == count
    assert bool(document.notes) == noted


@pytest.mark.parametrize("comment", [b"made with love", b'{"character": {"name": "x"}}', b"[]"])
def test_another_comment_is_not_taken_for_a_character(comment: bytes) -> None:
    assert FORM.slots[0].schemas[0].detect(json.loads(comment) if comment[:1] in b"{[" else comment.decode()) is None


_pieces = st.sampled_from(
    ["{character}", "{user}", "#{user}:", "#{character}:", "\n", "a ", "门", "{", "}x", "<START>"]
)
_words = st.lists(_pieces, max_size=6).map("".join).filter(lambda text: "{{" not in text and "}}" not in text)


@given(_words)
def test_backyards_macros_survive_a_card(text: str) -> None:
    assert to_backyard(to_card(text)) == text


@given(st.lists(st.sampled_from(["{{char}}", "{{user}}", "\n", "a ", "#", "门"]), max_size=6).map("".join))
def test_a_cards_macros_survive_backyard(text: str) -> None:
    assert to_card(to_backyard(text)) == text
    marked = f"<START>\n{text}\n<START>\n{text}"
    assert examples_to_card(examples_to_backyard(marked)).replace("#", "") == marked.replace("#", "")


def test_macros_in_capitals_become_backyards_own() -> None:
    assert to_backyard("{{Char}} and {{USER}}") == "{character} and {user}"


@pytest.mark.parametrize("name", ["backyard_v1.png", "backyard_v4.png"])
@pytest.mark.skipif(not EXAMPLES.exists(), reason="the examples are not there")
def test_examples_are_read_and_stay(name: str) -> None:
    data = (EXAMPLES / name).read_bytes()
    document = open_document(data, file_name=name)
    assert document.form is FORM
    assert document.notes == ()
    assert document.book is not None
    assert document.book.entries[0].keys == ("salt gate", "sluice")
    assert document.write().data == data


@pytest.mark.parametrize(
    ("chat", "named"),
    [
        ([{"ChatItems": [{"input": "Deep?", "output": "Enough."}]}], ["chat"]),
        ([{"id": "x", "ChatItems": []}], []),
        (None, []),
    ],
    ids=["said", "empty", "none"],
)
def test_a_chat_goes_into_no_other_file_and_is_named(chat: object, named: list[str]) -> None:
    losses = convert(opened(SAID | {"Chat": chat}), FORMATS["card-v3"]).losses
    assert [loss.field for loss in losses if loss.field == "chat"] == named
