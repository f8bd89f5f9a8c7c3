"""
The bulk benchmark: its cards are what they should be, what it measures is measured, and memory does not grow.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lorebook.formats import FORMATS, export, open_document
from tests.benchmarks import bulk
from tests.benchmarks.bulk_cards import KINDS, large_card, write_cards
from tests.benchmarks.bulk_child import MARK, changed


def test_cards_are_different_and_of_each_kind_in_turn(tmp_path: Path) -> None:
    size = write_cards(tmp_path, 6)
    paths = sorted(tmp_path.iterdir())
    documents = [open_document(path.read_bytes(), file_name=path.name) for path in paths]
    assert size == sum(path.stat().st_size for path in paths)
    assert [document.form.name for document in documents] == [*KINDS, *KINDS]
    assert len({repr(document.book) for document in documents}) == 6
    names = [document.card.name for document in documents if document.card]
    assert len(set(names)) == 6
    assert [name.isascii() for name in names] == [True, False] * 3
    assert all(document.notes == () for document in documents)


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_large_card_is_as_large_as_it_should_be_and_an_edit_changes_one_entry(kind: str) -> None:
    size = 8_000_000
    document = open_document(export(FORMATS[kind], large_card(kind, size)).data, file_name="large")
    assert 0.95 * size < len(document.data) < 1.1 * size
    again = open_document(document.write(changed(document)).data, file_name="edited")
    texts = [[entry.content for entry in each.content.needed_book.entries] for each in (document, again)]
    assert texts[1] == [texts[0][0] + MARK, *texts[0][1:]]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_folder(tmp_path: Path) -> None:
    for row in bulk.bulks(tmp_path, 3 * bulk.FEW):
        assert row.peak < 1.15 * row.peak_of_few, row.work


@pytest.mark.slow
def test_a_large_file_is_edited_without_being_read_into_memory(tmp_path: Path) -> None:
    for row in bulk.edits(tmp_path, 100_000_000):
        assert row.edit.own < row.bytes
        # An archive is read where its directory says; a picture has checksums over all of it.
        assert row.read.looked_at < (0.02 if row.kind == "charx" else 1.1) * row.bytes
        assert row.edit.looked_at < 1.1 * row.bytes
        assert open_document((tmp_path / f"edited.{row.kind}").read_bytes(), file_name="edited").book is not None
