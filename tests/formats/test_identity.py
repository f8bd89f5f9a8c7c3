"""
Formats that need ids get them for whatever the names are.
"""

from __future__ import annotations

import pytest

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Content, export, open_document


@pytest.mark.parametrize("name", ["novelai", "novelai-scenario", "risum", "risu-module"])
def test_half_a_character_in_a_name_is_no_hindrance(name: str) -> None:
    book = Book(name="\ud800", entries=(Entry(uid=0, name="\udfff", keys=("a",), content="b"),))
    read = open_document(export(FORMATS[name], Content(book)).data, file_name="book")
    assert [entry.content for entry in read.content.needed_book.entries] == ["b"]
