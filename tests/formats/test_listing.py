"""
The order of a list of entries, in and out of formats whose entries have a number for it.
"""

from __future__ import annotations

import pytest

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Card, Document, Format, convert, open_document
from lorebook.records import EntrySettings
from tests.formats import files

_LISTED = [form for form in FORMATS.values() if form.is_listed]
each_listed = pytest.mark.parametrize("form", _LISTED, ids=lambda form: form.name)


def _book(*orders: int) -> Book:
    entries = (
        Entry(uid=uid, keys=("gate",), content=f"Gate {uid}.", settings=EntrySettings(insertion_order=order))
        for uid, order in enumerate(orders)
    )
    return Book(name="", entries=tuple(entries))


def _of(form: Format, *orders: int) -> Document:
    data = files.made(form, _book(*orders), Card(name="Mira") if form.is_card else None).data
    return open_document(data, file_name="x", form=form)


def _orders(document: Document) -> list[int]:
    return [entry.settings.insertion_order for entry in document.content.needed_book.entries]


@each_listed
@pytest.mark.parametrize("origin", [True, False], ids=["with the original", "without"])
def test_each_entry_of_a_list_gets_its_place_and_gives_it_back(form: Format, origin: bool) -> None:  # noqa: FBT001
    source = _of(form, 100, 100, 100)
    there = open_document(convert(source, FORMATS["world-info"], origin=origin).data, file_name="x")
    assert _orders(there) == [0, 1, 2]
    back = convert(there, form)
    assert "insertion_order" not in [loss.field for loss in back.losses]
    assert open_document(back.data, file_name="x", form=form).content.needed_book == source.book


@each_listed
@pytest.mark.parametrize(
    ("orders", "lost"),
    [((1, 2, 2), []), ((2, 1, 100), [0, 1]), ((7,), [0]), ((100, 100), [])],
    ids=["in their order", "in another", "one alone", "none"],
)
def test_an_order_that_the_list_has_is_not_lost(form: Format, orders: tuple[int, ...], lost: list[int]) -> None:
    losses = convert(_of(FORMATS["world-info"], *orders), form).losses
    assert [loss.entry for loss in losses if loss.field == "insertion_order"] == lost


def test_one_entry_alone_stays_as_it_is() -> None:
    there = convert(_of(FORMATS["ai-dungeon"], 100), FORMATS["world-info"], origin=False)
    assert _orders(open_document(there.data, file_name="x")) == [100]
