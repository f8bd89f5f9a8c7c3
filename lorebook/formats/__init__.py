"""
A lorebook or card file, and the book and the character in it: one module a format, and here the list of them.

A container finds the JSON in a file, a schema says what the JSON means, and a format is the two together. What was
read keeps its source beside it: written back, only what changed is new. Written as another format, the file comes
with the list of what it does not hold.
"""

from __future__ import annotations

from pathlib import PurePath

from lorebook.book import Book
from lorebook.errors import FormatError, UnknownNameError
from lorebook.formats import (
    agnai,
    agnai_character,
    ai_dungeon,
    backyard_png,
    book_v2,
    byaf,
    card_png,
    card_v1,
    card_v2,
    card_v3,
    charx,
    chub,
    converting,
    exif_card,
    koboldai,
    lorebook_v3,
    novelai,
    novelai_scenario,
    ooba,
    reading,
    risu_lorebook,
    risu_module,
    voxta,
    world_info,
)
from lorebook.formats.card import OWN_PICTURE, Card, card_for
from lorebook.formats.containers.archive import JPEG_ZIP, ZIP
from lorebook.formats.containers.container import Container, Data
from lorebook.formats.containers.exif_pictures import JPEG, WEBP
from lorebook.formats.containers.png import PNG
from lorebook.formats.containers.risum import RISUM
from lorebook.formats.containers.text import TEXT
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

FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        koboldai.FORMAT,
        ai_dungeon.FORMAT,
        novelai_scenario.FORMAT,
        novelai.FORMAT,
        agnai.FORMAT,
        agnai_character.FORMAT,
        world_info.FORMAT,
        lorebook_v3.FORMAT,
        risu_lorebook.FORMAT,
        risu_module.FORMAT,
        card_v3.FORMAT,
        card_v2.FORMAT,
        chub.FORMAT,
        book_v2.FORMAT,
        card_v1.FORMAT,
        ooba.GRADIO_FORMAT,
        ooba.FORMAT,
        card_png.FORMAT,
        novelai.PICTURE,
        exif_card.WEBP_FORMAT,
        exif_card.JPEG_FORMAT,
        charx.FORMAT,
        charx.JPEG_FORMAT,
        risu_module.RISUM_FORMAT,
        backyard_png.FORMAT,
        byaf.FORMAT,
        voxta.FORMAT,
    )
}
"""By name, in the order in which a file is tried: the more telling marks first."""

_LISTED = (
    *(world_info.FORMAT, card_png.FORMAT, card_v3.FORMAT, card_v2.FORMAT, charx.FORMAT, charx.JPEG_FORMAT),
    *(chub.FORMAT, lorebook_v3.FORMAT, book_v2.FORMAT, card_v1.FORMAT),
    *(risu_lorebook.FORMAT, risu_module.RISUM_FORMAT, risu_module.FORMAT),
    *(agnai.FORMAT, agnai_character.FORMAT),
    *(novelai.FORMAT, novelai.PICTURE, novelai_scenario.FORMAT),
    *(ai_dungeon.FORMAT, koboldai.FORMAT),
    *(byaf.FORMAT, backyard_png.FORMAT, voxta.FORMAT),
    *(ooba.FORMAT, ooba.GRADIO_FORMAT, exif_card.WEBP_FORMAT, exif_card.JPEG_FORMAT),
)
LISTED: dict[str, Format] = {form.name: form for form in _LISTED}
"""By name, in the order in which people look for one: what most programs read first, then program by program."""

CONTAINERS: tuple[Container, ...] = (PNG, JPEG_ZIP, ZIP, RISUM, WEBP, JPEG, TEXT)
"""In the order in which a file is tried."""


def find_format(name: str) -> Format:
    """
    Return the format called *name*.

    Raises UnknownNameError where there is none.
    """
    if name not in FORMATS:
        raise UnknownNameError(f"no format {name!r}", hint=f"one of {', '.join(LISTED)}")
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
