"""
A lorebook or card file, and the book and the character in it: one module a format, `catalogue` the list of them.

A container finds the JSON in a file, a schema says what the JSON means, and a format is the two together. What was
read keeps its source beside it: written back, only what changed is new. Written as another format, the file comes
with the list of what it does not hold.
"""

from __future__ import annotations

from pathlib import PurePath

from lorebook.book import Book
from lorebook.errors import FormatError, UnknownNameError
from lorebook.formats import converting, reading
from lorebook.formats.card import OWN_PICTURE, Card, card_for
from lorebook.formats.catalogue import CONTAINERS, FORMATS, LISTED
from lorebook.formats.containers.container import Data
from lorebook.formats.cover import cover_for, draw_cover
from lorebook.formats.document import Document
from lorebook.formats.format import Content, Export, Format, Loss, LossKind, Origin
from lorebook.formats.notes import Note
from lorebook.formats.writing import export

__all__ = [
    "CONTAINERS",
    "FORMATS",
    "LISTED",
    "OWN_PICTURE",
    "Card",
    "Content",
    "Document",
    "Export",
    "Format",
    "Loss",
    "LossKind",
    "Note",
    "Origin",
    "card_for",
    "convert",
    "cover_for",
    "draw_cover",
    "export",
    "find_format",
    "open_document",
    "origin_of",
    "read_book",
]


def find_format(name: str, *, to_write: bool = False) -> Format:
    """
    Return the format called *name*.

    Raises UnknownNameError where there is none, with those that there are, *to_write* with those that can be written.
    """
    if name not in FORMATS:
        known = [known for known, form in LISTED.items() if form.writes or not to_write]
        raise UnknownNameError.among("format", name, known)
    return FORMATS[name]


def open_document(data: Data, *, file_name: str, form: Format | None = None, strict: bool = False) -> Document:
    """
    Read the file *data* of whatever format, or of *form*; *file_name* is for messages and a book without a name.

    Raises FormatError for what cannot be read, with the place, and with *strict* for what had to be mended.
    """
    try:
        document = reading.open_document(data, FORMATS, CONTAINERS, form=form)
    except FormatError as error:
        where = ": ".join(part for part in (file_name, error.where) if part)
        raise FormatError(error.what, where=where, hint=error.hint) from error
    if strict and document.notes:
        first = document.notes[0]
        where = ": ".join(part for part in (file_name, first.where) if part)
        raise FormatError(
            first.what, where=where, hint=f"{len(document.notes)} such notes; without --strict it is read"
        )
    return document


def convert(document: Document, form: Format, *, origin: bool = True, strict: bool = False) -> Export:
    """
    Return *document* as a file of *form*; see `converting.convert`.
    """
    return converting.convert(document, form, _open_as, origin=origin, strict=strict)


def origin_of(document: Document) -> str | None:
    """
    Return the name of the format that *document* was converted from, where the original is tucked in.
    """
    original = converting.original_of(document, _open_as)
    return original.document.form.name if original else None


def _open_as(data: bytes, format_name: str) -> Document:
    return open_document(data, file_name="the original", form=find_format(format_name))


def read_book(data: Data, *, file_name: str, form: Format | None = None) -> Book:
    """
    Read the lorebook in *data*; a book without a name is called as its file.

    Raises FormatError for what cannot be read, and for a file without a lorebook.
    """
    document = open_document(data, file_name=file_name, form=form)
    if document.book is None:
        hint = "it is a character without a book"
        raise FormatError(f"there is no lorebook in this {document.form.title}", where=file_name, hint=hint)
    book = document.book
    return book if book.name else book.model_copy(update={"name": PurePath(file_name).stem})
