"""
Cards in pictures: which text counts, and what is said of one that cannot be read.
"""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import pytest

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Card, png, read_book

PNG = FORMATS["png"]
BOOK = Book(name="Archive", entries=(Entry(uid=0, keys=("盐门",), content="退潮时开启。"),))


def payload(name: str, spec: str = "chara_card_v2") -> bytes:
    data = {"name": "Mira", "character_book": {"name": name, "extensions": {}, "entries": []}}
    return base64.b64encode(json.dumps({"spec": spec, "data": data}).encode())


def test_both_versions_are_in_the_picture_and_hold_the_same_book(card: Card) -> None:
    texts = dict(png.read_texts(PNG.write(BOOK, card=card).data))
    assert list(texts) == ["chara", "ccv3"]
    older, newer = (base64.b64decode(text, validate=True) for text in texts.values())
    assert FORMATS["card-v2"].detect(older) == "its `spec` is chara_card_v2"
    assert FORMATS["card-v3"].detect(newer) == "its `spec` is chara_card_v3"
    assert FORMATS["card-v2"].read(older) == FORMATS["card-v3"].read(newer) == BOOK
    assert "盐门" in newer.decode("utf-8")


def test_an_older_card_in_the_cover_is_replaced(card: Card) -> None:
    once = PNG.write(BOOK, card=card)
    assert PNG.write(BOOK, card=replace(card, cover=once.data)) == once


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
    ],
)
def test_v3_counts_before_v2_and_the_first_of_equals(texts: list[tuple[str, bytes]], name: str, card: Card) -> None:
    end = png.Chunk(b"IEND", b"").packed()
    added = b"".join(png.Chunk(b"tEXt", keyword.encode() + b"\0" + text).packed() for keyword, text in texts)
    assert PNG.read(card.cover.removesuffix(end) + added + end).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "mira.png: the picture has no card in it"),
        (b"rcc||rccv1||x", "mira.png: the card in 'chara' is locked with a password (RisuAI)"),
        (b"{}", "mira.png: the text 'chara' is not base64"),
        (base64.b64encode(b"hello"), "mira.png: the text 'chara': not JSON: line 1, column 1"),
        (base64.b64encode(b'{"name": "Mira"}'), "mira.png: the text 'chara': the card has no lorebook in it"),
    ],
)
def test_a_picture_without_a_readable_card_says_what_is_wrong(text: bytes | None, message: str, card: Card) -> None:
    data = png.replace_texts(card.cover, {"chara": text} if text else {})
    with pytest.raises(FormatError) as caught:
        read_book(data, file_name="mira.png")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
