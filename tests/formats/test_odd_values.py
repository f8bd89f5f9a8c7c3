"""
One value of the wrong type in a file, in every place of every format: the rest is read and the value stays.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Card, Document, Format, open_document
from lorebook.formats.containers.container import streamed
from lorebook.formats.format import Place
from tests.formats.files import made

_ODD: tuple[Any, ...] = (None, "text", "", 5, 1.5, True, [], {}, [5], {"a": "b"}, [None])
_BOOK = Book(
    name="Tides",
    entries=tuple(Entry(uid=n, name=f"Gate {n}", keys=(f"gate {n}",), content=f"It opens {n}.") for n in range(3)),
)
_CARD = Card(name="Mira", description="Keeper.", first_mes="Mind the step.", personality="dry")
_WITH_BOOKS = [known for known in FORMATS.values() if known.writes and known.name != "card-v1"]
_CARDS = [known for known in _WITH_BOOKS if known.is_card]

each_format = pytest.mark.parametrize("known", _WITH_BOOKS, ids=lambda known: known.name)
each_card = pytest.mark.parametrize("known", _CARDS, ids=lambda known: known.name)


@dataclass(frozen=True)
class _Sound:
    """
    A file without damage, and the JSON in its first payload.
    """

    document: Document

    @property
    def value(self) -> Any:
        first = self.document.readings[0]
        values = {name: payload.json.value for name, payload in first.payloads.items()}
        return values if first.slot.together else values[first.name]

    @property
    def holder(self) -> Place:
        """
        Where the entries are.
        """
        return self.document.readings[0].schema.entries_at(self.value)[0]

    def second(self) -> Place:
        held = at(self.value, self.holder)
        return (*self.holder, list(held)[1] if isinstance(held, dict) else 1)

    def damaged(self, place: Place, odd: object) -> bytes:
        """
        Return the file with *odd* at *place*.
        """
        first = self.document.readings[0]
        value = put(self.value, place, odd)
        inner = value if first.slot.together else {first.name: value}
        parts = {name: first.payloads[name].bytes_of(each) for name, each in inner.items()}
        return b"".join(streamed(self.document.opened.replaced(parts)))


def sound(known: Format) -> _Sound:
    return _Sound(open_document(made(known, _BOOK, _CARD if known.is_card else None).data, file_name="x"))


def at(value: Any, place: Place) -> Any:
    for step in place:
        value = value[step]
    return value


def put(value: Any, place: Place, odd: object) -> Any:
    if not place:
        return odd
    result = copy.deepcopy(value)
    at(result, place[:-1])[place[-1]] = odd
    return result


def refused(data: bytes) -> str | None:
    """
    Return why *data* is refused, None where it is read; strictly it is refused wherever something was noted.
    """
    try:
        document = open_document(data, file_name="x")
    except FormatError as error:
        assert "\n" not in str(error)
        return str(error)
    if document.notes:
        with pytest.raises(FormatError) as caught:
            open_document(data, file_name="x", strict=True)
        assert "\n" not in str(caught.value)
        assert str(document.notes[0]) in str(caught.value)
    return None


def spelt(document: Document, place: Place) -> str:
    return json.dumps(at(_Sound(document).value, place))


def check_kept(data: bytes, place: Place, odd: object) -> Document:
    """
    The damaged file is written as it is, and with another text the value is still in its place.

    Unless another payload has the book: it is put where there was none.
    """
    document = open_document(data, file_name="x")
    assert document.write().data == data
    book = document.book
    if book is not None and book.entries:
        *others, last = book.entries
        edited = book.model_copy(update={"entries": (*others, last.model_copy(update={"content": "New."}))})
        written = document.write(replace(document.content, book=edited))
        again = open_document(written.data, file_name="x")
        assert document.readings[0].is_hollow or spelt(again, place) == json.dumps(odd)
        assert again.book is not None
        assert again.book.entries[-1].content == "New."
    return document


@each_format
def test_an_odd_member_among_the_entries_is_left_out_and_named(known: Format) -> None:
    whole = sound(known)
    for odd in _ODD:
        place = whole.second()
        data = whole.damaged(place, odd)
        assert refused(data) is None
        document = check_kept(data, place, odd)
        assert document.form is known
        assert document.book is not None
        left_out = not isinstance(odd, dict)
        assert [entry.name or entry.content for entry in document.book.entries][:: 1 if left_out else 2] == [
            entry.name or entry.content for n, entry in enumerate(_entries(whole)) if n != 1
        ]
        if left_out:
            assert any(_ends_at(note.where, place[-1]) and "left out" in note.what for note in document.notes)


def _entries(whole: _Sound) -> tuple[Entry, ...]:
    assert whole.document.book is not None
    return whole.document.book.entries


def _ends_at(where: str, name: str | int) -> bool:
    return where.endswith((f"[{name}]", f"['{name}']"))


@each_format
def test_an_odd_value_in_an_entry_changes_no_other(known: Format) -> None:
    whole = sound(known)
    for place, odd in _fields(whole):
        data = whole.damaged(place, odd)
        assert refused(data) is None, (place, odd)
        document = check_kept(data, place, odd)
        assert document.form is known, (place, odd)
        assert document.book is not None
        assert [document.book.entries[n] for n in (0, 2)] == [_entries(whole)[n] for n in (0, 2)], (place, odd)


def _fields(whole: _Sound) -> Iterator[tuple[Place, Any]]:
    """
    Yield the fields of the second entry, each with a few odd values; which ones differs from field to field.
    """
    for n, name in enumerate(at(whole.value, whole.second())):
        for odd in _ODD[n % 3 :: 3]:
            yield (*whole.second(), name), odd


@each_format
def test_odd_entries_are_refused_in_a_line_or_read_with_a_note(known: Format) -> None:
    whole = sound(known)
    for odd in _ODD:
        data = whole.damaged(whole.holder, odd)
        if refused(data) is None:
            document = check_kept(data, whole.holder, odd)
            assert document.notes or odd in (None, [], {})
        else:
            assert not known.is_card


@each_card
def test_a_card_is_read_whose_book_is_odd(known: Format) -> None:
    whole = sound(known)
    for odd in ("text", 5, True, None):
        data = whole.damaged(whole.holder, odd)
        document = open_document(data, file_name="x")
        assert document.form is known
        assert document.card is not None
        assert document.card.name == "Mira"
        edited = document.write(replace(document.content, card=replace(document.card, description="Another.")))
        again = open_document(edited.data, file_name="x")
        assert again.card is not None
        assert again.card.description == "Another."
        assert (spelt(again, whole.holder) == json.dumps(odd)) == (len(document.readings) == 1)


def test_where_one_payload_has_no_entries_the_book_is_that_of_the_other() -> None:
    whole = sound(FORMATS["png"])
    document = open_document(whole.damaged(whole.holder, "text"), file_name="x")
    assert [note.where for note in document.notes] == ["`ccv3` $.data.character_book.entries"]
    assert (document.book, document.card) == (whole.document.book, whole.document.card)
