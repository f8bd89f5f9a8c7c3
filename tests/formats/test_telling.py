"""
A new file is taken for what it is, whatever else stood in the old one.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, Document, Format, convert, export, open_document
from lorebook.formats.vocabulary import OWN
from tests.formats.files import PICTURE
from tests.formats.likeness import gone, unsaid

_WRITTEN = [known for known in FORMATS.values() if known.writes]
_ENTRY = {"keys": ["a"], "content": "b", "extensions": {}, "enabled": True, "insertion_order": 1}
_NAMES = (
    *("spec", "spec_version", "type", "kind", "data", "card", "lorebook", "character", "memoryBook", "worldinfo"),
    *("folders", "is_creation", "lorebookVersion", "scenarioVersion", "storyContainerVersion", "prompt", "memory"),
    *("persona", "greeting", "sampleChat", "char_name", "char_persona", "context", "bot", "module", "novelty"),
)
_OF_ENTRY = (
    *("keywords", "entry", "text", "contextConfig", "manual_text", "wpp", "insertorder", "title", "value"),
    *("key", "keys", "uid", "novelty"),
)
_VALUES: st.SearchStrategy[Any] = st.sampled_from(
    ["x", "risu", "risuModule", "memory", "character", "lorebook_v3", "chara_card_v2", "chara_card_v3", 1, None, "", []]
) | st.sampled_from(
    [["x"], {}, {"name": "n"}, {"entries": {}}, {"name": "n", "assets": []}, {"aiName": "n"}, {"lorebook": []}]
)
_FIELDS = st.dictionaries(st.sampled_from(_NAMES), _VALUES, max_size=6)
_FIELDS_OF_ENTRY = st.dictionaries(st.sampled_from(_OF_ENTRY), _VALUES, max_size=4)


def keeping(fields: dict[str, Any]) -> dict[str, Any]:
    return {OWN: {"fields": fields}} if fields else {}


def content_of(book: dict[str, Any], entry: dict[str, Any], card: dict[str, Any]) -> Content:
    """
    Return a card with a book of one entry, each with the fields that stood beside what is understood of it.
    """
    entries = (Entry(uid=0, name="A", keys=("a",), content="b", extensions=keeping(entry)),)
    made = Book(name="B", entries=entries, extensions=keeping(book))
    return Content(made, Card(name="n", description="d", fields=card), {OWN_PICTURE: PICTURE})


@pytest.mark.parametrize("known", _WRITTEN, ids=lambda known: known.name)
@settings(max_examples=40)
@given(book=_FIELDS, entry=_FIELDS_OF_ENTRY, card=_FIELDS)
def test_odd_fields_disguise_no_file(
    known: Format, book: dict[str, Any], entry: dict[str, Any], card: dict[str, Any]
) -> None:
    content = content_of(book, entry, card)
    written = export(known, content)
    document = open_document(written.data, file_name="x")
    assert document.form is known
    assert unsaid(content, document.content) == gone(written.losses)


def of_book(**fields: Any) -> Document:
    book = {**fields, "entries": [_ENTRY]}
    return of_card(character_book=book)


def of_card(**fields: Any) -> Document:
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "n", **fields}}
    return open_document(json.dumps(card).encode(), file_name="x")


@pytest.mark.parametrize(
    ("source", "name", "left_out"),
    [
        (of_book(spec="x"), "world-info", ["fields.spec"]),
        (of_book(spec="x"), "chub", ["fields.spec"]),
        (of_book(spec="x", novelty=1), "book-v2", ["fields.spec"]),
        (of_book(type="risu", novelty=1), "book-v2", ["fields.type"]),
        (of_book(kind="memory"), "book-v2", ["fields.kind"]),
        (of_book(kind="memory", type="risu"), "world-info", []),
        (of_card(spec=["x"], novelty=1), "card-v1", ["card.fields.spec"]),
        (of_card(spec=["x"], novelty=1), "card-v3", []),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_would_disguise_the_file_is_left_out_and_said_and_nothing_else(
    source: Document, name: str, left_out: list[str]
) -> None:
    made = convert(source, FORMATS[name])
    there = open_document(made.data, file_name="x")
    assert there.form.name == name
    assert [loss.field for loss in made.losses if loss.why.startswith("by this name")] == left_out
    assert convert(there, source.form).data == source.data


def test_of_many_fields_the_one_that_matters_is_found() -> None:
    fields = {f"f{number:05}": number for number in range(20_000)}
    made = export(FORMATS["world-info"], content_of({**fields, "spec": "x"}, {}, {}))
    assert [loss.field for loss in made.losses if loss.field.startswith("fields.")] == ["fields.spec"]
    assert json.loads(made.data).items() >= fields.items()


def test_a_book_without_entries_keeps_what_it_has() -> None:
    """
    Empty, a lorebook of Chub without its marks is World Info: no field makes it so.
    """
    content = Content(Book(name="B", extensions=keeping({"novelty": 1})))
    made = export(FORMATS["chub"], content)
    assert open_document(made.data, file_name="x").form.name == "world-info"
    assert json.loads(made.data)["novelty"] == 1
