"""
What writing a book gives: the bytes, and what the target could not hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from lorebook.book import Book
from lorebook.formats.card import Card


@dataclass(frozen=True)
class Loss:
    """
    Something of a book that a format has no place for.

    Where lorebook itself reads it back all the same (from `extensions`), other readers of the format still ignore it.
    """

    entry: int | None
    """The uid of the entry; None for what the book as a whole loses."""
    field: str
    why: str

    def __str__(self) -> str:
        place = "book" if self.entry is None else f"entry {self.entry}"
        return f"{place}: {self.field}: {self.why}"


@dataclass(frozen=True)
class Export:
    """
    A written file and everything that is not in it.
    """

    data: bytes
    losses: tuple[Loss, ...] = ()


class Writer(Protocol):
    """
    Writes a book as a file; formats that are no cards use only a part of *card*, or nothing.
    """

    def __call__(self, book: Book, *, card: Card) -> Export:
        """
        Raise FormatError when a number of *book* is none that JSON has, or *card*'s cover is no picture.
        """
        ...


@dataclass(frozen=True)
class Format:
    """
    One kind of file: how to know it, read it and write it.
    """

    name: str
    """What the command line and the service call it."""
    title: str
    suffix: str
    """The ending of such a file's name, with its dot."""
    detect: Callable[[bytes], str | None]
    """Says why a file is of this format, or None when it is not."""
    read: Callable[[bytes], Book]
    """Raises FormatError, naming the entry and the field that cannot be read."""
    write: Writer
