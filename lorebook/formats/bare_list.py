"""
A book's entries as a list with nothing around it: tools store them so, and pass them on so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lorebook.book import Book
from lorebook.formats.format import Content, Json, Place, Schema
from lorebook.formats.notes import Notes


def schema(
    whole: Schema,
    detect: Callable[[Json], str | None],
    read: Callable[[Json, str, Notes], Book],
    write: Callable[[Book], list[Json]],
) -> Schema:
    """
    Return the schema of the entries alone that stand in a book of the schema *whole*.

    *read* takes the list, its JSON path and where notes go; *write* returns the list.
    """
    return replace(
        whole,
        detect=detect,
        read=lambda raw, where, notes: Content(read(raw, where, notes)),
        # There is no specification that could be kept to.
        write=lambda content, _strict: write(content.needed_book),
        entries_at=_entries_at,
    )


def _entries_at(raw: Json) -> tuple[Place, ...]:
    return ((),) if isinstance(raw, list) else ()
