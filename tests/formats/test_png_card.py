"""
Cards in pictures: which text counts, and what is said of one that cannot be read.
"""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, OWN_PICTURE, Content, Document, export, open_document, read_book
from tests.formats.containers.pictures import END, PIXEL, opened, picture, text
from tests.formats.files import PICTURE, made

PNG = FORMATS["png"]
BOOK = Book(name="Archive", entries=(Entry(uid=0, keys=("盐门",), content="退潮时开启。"),))


def card_json(name: str, spec: str = "chara_card_v2") -> dict[str, Any]:
    return {"spec": spec, "data": {"name": "Mira", "character_book": {"name": name, "extensions": {}, "entries": []}}}


def payload(name: str, spec: str = "chara_card_v2") -> bytes:
    return base64.b64encode(json.dumps(card_json(name, spec)).encode())


def card_of(*texts: tuple[str, bytes]) -> Document:
    data = picture(PIXEL, *(text(keyword, value) for keyword, value in texts), END)
    return open_document(data, file_name="mira.png")


def test_both_versions_are_in_the_picture_and_hold_the_same_book() -> None:
    texts = opened(made(PNG, BOOK).data)[0]
    assert list(texts) == ["chara", "ccv3"]
    older, newer = (base64.b64decode(value, validate=True) for value in texts.values())
    documents = [open_document(data, file_name="x") for data in (older, newer)]
    assert [document.reason for document in documents] == ["its `spec` is chara_card_v2", "its `spec` is chara_card_v3"]
    assert [document.book for document in documents] == [BOOK, BOOK]
    assert "盐门" in newer.decode("utf-8")


def test_an_older_card_in_the_picture_is_replaced() -> None:
    once = made(PNG, BOOK).data
    assert export(PNG, Content(BOOK, files={OWN_PICTURE: once})).data == once


def test_the_picture_of_a_card_is_what_is_left_without_its_texts() -> None:
    document = open_document(made(PNG, BOOK).data, file_name="mira.png")
    assert document.content.files[OWN_PICTURE] == PICTURE


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        ([("chara", payload("old")), ("ccv3", payload("new", "chara_card_v3"))], "new"),
        ([("ccv3", payload("new", "chara_card_v3")), ("chara", payload("old"))], "new"),
        ([("chara", payload("old"))], "old"),
        ([("Chara", payload("old"))], "old"),
        ([("chara", payload("new", "chara_card_v3"))], "new"),
        ([("chara", payload("first")), ("chara", payload("second"))], "first"),
        ([("chara", payload("old").rstrip(b"="))], "old"),
        ([("chara", b"\n".join([payload("old")[:40], payload("old")[40:]]))], "old"),
        ([("chara", payload("盐").translate(bytes.maketrans(b"+/", b"-_")))], "盐"),
        ([("chara", base64.b64encode(payload("old")))], "old"),
        ([("chara", base64.b64decode(payload("old")))], "old"),
        ([("chara", payload("old") + b"\0\0")], "old"),
        ([("chara", b"cut off"), ("ccv3", payload("new", "chara_card_v3"))], "new"),
        ([("chara", payload("old")), ("ccv3", b"cut off")], "old"),
    ],
)
def test_v3_counts_before_v2_and_the_first_of_equals(texts: list[tuple[str, bytes]], name: str) -> None:
    book = card_of(*texts).book
    assert book is not None
    assert book.name == name


def test_two_cards_that_disagree_are_noted_and_an_edit_reaches_both() -> None:
    document = card_of(("chara", payload("old")), ("ccv3", payload("new", "chara_card_v3")))
    assert ["differs from `ccv3`, which counts: name" in note.what for note in document.notes] == [True]
    book = Book(name="newest")
    texts = opened(document.write(replace(document.content, book=book)).data)[0]
    for value in texts.values():
        assert read_book(base64.b64decode(value), file_name="x") == book


def test_a_lorebook_in_one_of_two_cards_is_the_cards_and_no_disagreement() -> None:
    newer = card_json("x", "chara_card_v3")
    del newer["data"]["character_book"]
    document = card_of(("chara", payload("old")), ("ccv3", base64.b64encode(json.dumps(newer).encode())))
    assert document.book == Book(name="old")
    assert list(map(str, document.notes)) == ["`chara`: has a lorebook and `ccv3` has none; it is the card's"]


@pytest.mark.parametrize("use_regex", [True, False])
@pytest.mark.parametrize("key", ["gate", "/gate/i"])
@pytest.mark.parametrize("spec", ["chara_card_v2", "chara_card_v3"])
def test_what_only_v3_can_say_is_no_disagreement(spec: str, key: str, use_regex: bool) -> None:  # noqa: FBT001 (a case)
    card = card_json("book", spec)
    entry = {"keys": [key], "content": "It opens.", "use_regex": use_regex, "extensions": {}}
    card["data"]["character_book"]["entries"].append(entry)
    document = open_document(json.dumps(card).encode(), file_name="mira.json")
    content = replace(document.content, files={OWN_PICTURE: PICTURE})
    assert open_document(export(PNG, content).data, file_name="mira.png").notes == ()


def test_of_a_text_that_cannot_be_read_only_that_is_said() -> None:
    document = card_of(("chara", payload("old")), ("ccv3", b"%caf\xe9"))
    assert list(map(str, document.notes)) == [
        "`ccv3`: not JSON: line 1, column 1: a value should be here; the other payloads count"
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "mira.png: no lorebook and no card: "),
        (b"rcc||rccv1||x", "mira.png: `chara`: the card is locked with a password (RisuAI)"),
        (b"{}", "mira.png: no lorebook and no card: "),
        (base64.b64encode(b"hello"), "mira.png: `chara`: not JSON: line 1, column 1"),
        (base64.b64encode(b'{"name": "Mira"}'), "mira.png: no lorebook and no card: "),
        (
            base64.b64encode(b'{"spec": "chara_card_v2", "data": {"name": "Mira"}}'),
            "mira.png: there is no lorebook in this Character card in a PNG picture",
        ),
    ],
)
def test_a_picture_without_a_readable_card_says_what_is_wrong(value: bytes | None, message: str) -> None:
    data = picture(PIXEL, *([text("chara", value)] if value else []), END)
    with pytest.raises(FormatError) as caught:
        read_book(data, file_name="mira.png")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
