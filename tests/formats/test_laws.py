"""
What holds for every format that is written, and every book and card.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, OWN_PICTURE, Content, Document, Format, export, open_document
from lorebook.formats.containers.text import TEXT
from lorebook.records import EntrySettings
from tests.formats.anything import contents
from tests.formats.files import PICTURE, made
from tests.formats.likeness import gone, unsaid

_WRITTEN = [known for known in FORMATS.values() if known.writes]

each_format = pytest.mark.parametrize("known", _WRITTEN, ids=lambda known: known.name)
laws = settings(max_examples=10)


def opened(data: bytes, form: Format | None = None) -> Document:
    return open_document(data, file_name="x", form=form)


@each_format
@laws
@given(data=st.data())
def test_what_was_written_reads_back_equal_but_for_exactly_the_losses_that_were_named(
    known: Format, data: st.DataObject
) -> None:
    content = data.draw(contents(known))
    written = export(known, content)
    document = opened(written.data, known)
    assert unsaid(content, document.content) == gone(written.losses)


@each_format
@laws
@given(data=st.data())
def test_writing_twice_is_writing_once(known: Format, data: st.DataObject) -> None:
    content = data.draw(contents(known))
    once = export(known, content).data
    assert export(known, content).data == once
    assert opened(once, known).write().data == once


@each_format
@laws
@given(data=st.data())
def test_what_was_read_from_an_export_is_exported_without_further_losses(known: Format, data: st.DataObject) -> None:
    once = export(known, data.draw(contents(known)))
    again = export(known, opened(once.data, known).content)
    assert gone(again.losses) == set()
    assert again.data == once.data or gone(once.losses)


@each_format
@laws
@given(data=st.data())
def test_what_was_written_is_recognised(known: Format, data: st.DataObject) -> None:
    """
    A book without entries may look like one of another format, or like nothing.
    """
    found = opened(export(known, data.draw(contents(known, least=0 if known.is_card else 1))).data)
    assert found.form is known
    assert found.reason


@each_format
@laws
@given(data=st.data())
def test_the_json_in_it_is_utf8_without_what_json_has_not(known: Format, data: st.DataObject) -> None:
    written = export(known, data.draw(contents(known))).data
    for reading in opened(written, known).readings:
        for payload in reading.payloads.values():
            text = payload.json.text.encode().decode("utf-8")
            json.loads(text, parse_constant=pytest.fail, object_pairs_hook=distinct)
    if known.container is TEXT:
        assert written.decode("utf-8").endswith("\n")


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    assert len(found) == len(pairs)
    return found


@each_format
@laws
@given(data=st.data())
def test_entries_have_distinct_numbers_whatever_they_had(known: Format, data: st.DataObject) -> None:
    content = data.draw(contents(known, least=2, distinct=False))
    written = export(known, content)
    document = opened(written.data, known)
    assert unsaid(content, document.content) == gone(written.losses)
    if document.book is not None:
        uids = [entry.uid for entry in document.book.entries]
        assert len(set(uids)) == len(uids)


@each_format
def test_a_plain_book_loses_nothing_but_what_its_format_never_has(known: Format) -> None:
    book = Book(name="Archive", entries=(Entry(uid=0, keys=("salt gate",), content="Opens at low water."),))
    written = made(known, book)
    document = opened(written.data)
    assert document.form is known
    assert document.notes == ()
    assert {field for _, field in gone(written.losses)} <= {"name", "entry", "uid", "insertion_order", "position"}
    if document.book is not None:
        entry = document.book.entries[0]
        assert (entry.keys, entry.content) == (("salt gate",), "Opens at low water.")


@pytest.mark.parametrize("name", ["world-info", "lorebook-v3", "card-v3", "card-v2", "chub", "book-v2"])
def test_whole_numbers_stay_whole(name: str) -> None:
    entry = Entry(uid=1, settings=EntrySettings(probability=50), extensions={"big": 12345678901234567890, "one": 1.0})
    text = made(FORMATS[name], Book(name="Archive", entries=(entry,))).data.decode()
    assert '"probability": 50,' in text
    assert '"big": 12345678901234567890' in text
    assert '"one": 1.0' in text


@pytest.mark.parametrize("known", [known for known in _WRITTEN if not known.is_card], ids=lambda known: known.name)
@laws
@given(data=st.data())
def test_a_file_that_is_nothing_but_a_book_names_the_whole_card_as_lost(known: Format, data: st.DataObject) -> None:
    content = data.draw(contents(known))
    alone = gone(export(known, replace(content, card=None)).losses)
    both = gone(export(known, Content(content.book, content.card, {OWN_PICTURE: PICTURE})).losses)
    assert {field for _, field in both - alone} == {
        field for _, field in unsaid(content, Content(content.book, files=content.files)) if field.startswith("card.")
    }
