"""
A lorebook or card file, and the book in it: one module a format, and here the list of them.

A format reads bytes into a `Book` and writes a `Book` (with a `Card` around it, where the file is a card) as bytes,
naming what the file cannot hold. What a file holds beyond a `Book` travels in `extensions`; see `vocabulary`.
"""

from __future__ import annotations

from pathlib import PurePath

from lorebook.book import Book
from lorebook.errors import FormatError
from lorebook.formats import card_v2, card_v3, chub, png_card, world_info
from lorebook.formats.card import Card, card_for
from lorebook.formats.cover import cover_for, draw_cover
from lorebook.formats.export import Export, Format, Loss
from lorebook.formats.seen import describe

__all__ = [
    "FORMATS",
    "Card",
    "Export",
    "Format",
    "Loss",
    "card_for",
    "cover_for",
    "detect_format",
    "draw_cover",
    "read_book",
]

FORMATS: dict[str, Format] = {
    module.FORMAT.name: module.FORMAT for module in (world_info, chub, card_v2, card_v3, png_card)
}
"""By name, in the order in which they are listed to people. A file is of one of them at most."""


def detect_format(data: bytes) -> tuple[Format, str] | None:
    """
    Return the format of a file with the content *data*, and what gave it away.
    """
    for known in FORMATS.values():
        reason = known.detect(data)
        if reason is not None:
            return known, reason
    return None


def read_book(data: bytes, *, file_name: str, form: Format | None = None) -> Book:
    """
    Read the lorebook *data* of whatever format, or of *form*; *file_name* is for messages and a book without a name.

    Raises FormatError: for a file of no format, what was seen instead; else the entry and the field that is wrong.
    """
    found = (form, "so it was said") if form else detect_format(data)
    if found is None:
        known = ", ".join(FORMATS)
        raise FormatError(f"no lorebook: {describe(data)}", where=file_name, hint=f"read are {known}")
    try:
        book = found[0].read(data)
    except FormatError as error:
        where = ": ".join(part for part in (file_name, error.where) if part)
        hint = error.hint or f"read as {found[0].name}: {found[1]}"
        raise FormatError(error.what, where=where, hint=hint) from error
    return book if book.name else book.model_copy(update={"name": PurePath(file_name).stem})
