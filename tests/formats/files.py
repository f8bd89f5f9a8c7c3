"""
Files of any format in a line: JSON read as one, a book written as one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lorebook.book import Book
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, Document, Export, Format, export, open_document
from lorebook.formats.containers.archive import ZIP
from tests.formats.containers.pictures import END, PIXEL, picture

PICTURE = picture(PIXEL, END)
"""The smallest picture there is: none has to be drawn."""


def parsed(name: str, value: object) -> Document:
    """
    Return the JSON *value* read as the format *name*.
    """
    return open_document(json.dumps(value).encode(), file_name="file.json", form=FORMATS[name])


def read(name: str, value: object) -> Book:
    """
    Return the book in the JSON *value*, read as the format *name*.
    """
    book = parsed(name, value).book
    assert book is not None
    return book


def made(form: Format, book: Book | None, card: Card | None = None) -> Export:
    """
    Return *book* and *card* as a new file of *form*, with a picture where it has one.
    """
    files = {OWN_PICTURE: PICTURE} if form.shows_picture or form.pack else {}
    return export(form, Content(book, card, files))


def saved(name: str, book: Book | None, card: Card | None = None) -> Any:
    """
    Return the JSON of *book* as the format *name*, whose file is JSON and nothing else.
    """
    return json.loads(made(FORMATS[name], book, card).data)


def archived(form: Format, members: Mapping[str, object], files: Mapping[str, bytes]) -> Document:
    """
    Return an archive of JSON *members* and other *files*, read without being told that it is of *form*.
    """
    parts = {name: json.dumps(value).encode() for name, value in members.items()} | dict(files)
    document = open_document(b"".join(ZIP.build(parts, b"")), file_name=f"mira{form.suffix}")
    assert document.form is form
    return document


def unpacked(written: Export) -> dict[str, Any]:
    """
    Return the JSON members of an archive.
    """
    parts = open_document(written.data, file_name="an archive").opened.parts
    return {name: json.loads(data) for name, data in parts.items() if name.endswith(".json")}
