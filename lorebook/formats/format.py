"""
What a format is: a container, the JSON in it, and how that JSON says what a book and a card are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from lorebook.book import Book
from lorebook.errors import FormatError
from lorebook.formats.card import Card
from lorebook.formats.containers.container import Container, Data, Segments, streamed
from lorebook.formats.notes import Notes

Json: TypeAlias = Any
"""A value of JSON, numbers spelt in an unusual way as `exactjson` has them."""

Place: TypeAlias = tuple[str | int, ...]
"""Keys and indexes that lead to a value in JSON, from the outside in."""


@dataclass(frozen=True)
class Content:
    """
    What a file says: a book, a card, or a card with a book in it.
    """

    book: Book | None = None
    card: Card | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    """The bytes of the card's assets that the file brings along, by URI; each is read when it is asked for."""

    @property
    def needed_book(self) -> Book:
        """
        The book, for a file that is nothing else.

        Raises FormatError where there is none.
        """
        if self.book is None:
            raise FormatError("there is no lorebook in it", hint="a character without a book stays a character")
        return self.book

    @property
    def needed_card(self) -> Card:
        """
        The card; one with only the book's name where there is none.
        """
        return self.card or Card(name=self.book.name if self.book else "")


class LossKind(StrEnum):
    """
    How bad a loss is.
    """

    LOST = "lost"
    """The file does not say it."""
    CHANGED = "changed"
    """The file says something near to it."""
    UNREAD = "unread"
    """The file says it, and it comes back, but readers of the format other than ours may pass over it."""


@dataclass(frozen=True)
class Loss:
    """
    Something of a book or card that a file does not hold as it was.
    """

    entry: int | None
    """The uid of the entry; None for the book and the card as a whole."""
    field: str
    """`keys`, `position`, `extensions.group`; a card's begin with `card.`."""
    why: str
    kind: LossKind = LossKind.LOST

    def __str__(self) -> str:
        place = "book" if self.entry is None else f"entry {self.entry}"
        return f"{place}: {self.field}: {self.why}"


class Origin(StrEnum):
    """
    What becomes of the original of a file that is converted.
    """

    KEPT = "kept"
    """It is tucked in: converting the file back restores it."""
    RESTORED = "restored"
    """The file is the original itself, with what was changed since."""
    NO_ROOM = "no room"
    """The format keeps nothing that it does not know."""
    TOO_LARGE = "too large"
    LEFT_OUT = "left out"
    """It was not wanted."""


@dataclass(frozen=True)
class Export:
    """
    A written file and everything that is not in it.
    """

    segments: Segments
    losses: tuple[Loss, ...] = ()
    origin: Origin | None = None
    """Whether the way back restores the original; None for a file that was not converted from another."""

    @cached_property
    def data(self) -> bytes:
        """
        The whole file.
        """
        return b"".join(streamed(self.segments))


def _no_remarks(_content: Content) -> Iterable[Loss]:
    return ()


def _nothing_left(_raw: Json) -> Iterable[Loss]:
    return ()


def _as_it_is(_before: Content, after: Content) -> Content:
    return after


@dataclass(frozen=True)
class Schema:
    """
    How a JSON value says what a book and a card are.
    """

    detect: Callable[[Json], str | None]
    """Says why a value is of this schema, or None when it is not."""
    read: Callable[[Json, str, Notes], Content]
    """
    Reads a value found at a JSON path. An entry of the book comes from each item that `entries_at` leads to and
    `is_entry` accepts, in that order. Raises FormatError where there is nothing to read.
    """
    write: Callable[[Content, bool], Json]
    """Returns a content as such a value; the second argument asks for nothing beyond the specification."""
    entries_at: Callable[[Json], tuple[Place, ...]]
    """Returns where the lists or objects of entries are in a value; none where it has no book."""
    is_entry: Callable[[Json], bool] = lambda item: isinstance(item, dict)
    """Tells an entry from what else stands among the entries."""
    why: Mapping[str, str] = field(default_factory=dict)
    """Why the schema does not hold a field of `Loss`, by the field or by what it begins with up to a dot."""
    remarks: Callable[[Content], Iterable[Loss]] = _no_remarks
    """Names what is written where other readers pass over it (`LossKind.UNREAD`)."""
    left: Callable[[Json], Iterable[Loss]] = _nothing_left
    """Names what a value says that is part of no book and no card, such as a story: it goes into no other file."""
    pinned: Callable[[Content, Content], Content] = _as_it_is
    """
    Returns the second content with the ids and the parts that the first one has in its file, where a new file would
    call them by what is different now.
    """


@dataclass(frozen=True)
class Slot:
    """
    A part of a container that has JSON in it.
    """

    part: str
    """The part's name; with * and ? a pattern for those of several parts."""
    schemas: tuple[Schema, ...]
    """What the JSON may be, tried in this order."""
    base64: bool = False
    """Whether a new part is packed in base64; one that is there stays packed as it is."""
    plain_too: bool = False
    """Whether one that is not packed is as good, because some versions of the program write it so."""
    inside: Container | None = None
    """The container that the part is itself, whose part `inner` has the JSON."""
    inner: str = ""
    yaml: bool = False
    """Whether the part is YAML instead, which is only read."""
    follows: bool = False
    """Whether the part repeats the entries of the first one for another reader: it takes no more than changes there."""
    together: bool = False
    """Whether all parts that the pattern names are one value: an object with the JSON of each under its name."""
    more: tuple[str, ...] = ()
    """Patterns of further parts of that value."""
    astray: bool = False
    """Whether the part is where it does not belong: it counts where there is one such, and none where it belongs."""


@dataclass(frozen=True)
class Format:
    """
    One kind of file.
    """

    name: str
    """What the command line and the service call it."""
    title: str
    suffix: str
    """The ending of such a file's name, with its dot."""
    container: Container
    slots: tuple[Slot, ...]
    """Where a content may be; the first that is there counts, and all are kept in step."""
    written: Mapping[str, Schema] = field(default_factory=dict)
    """The parts of a new file, by the name of their slot; none where the format is only read."""
    read_only: str = ""
    """Why it is only read."""
    app: str = ""
    """The name in `extensions` under which the schemas keep what only the format's own program knows."""
    is_listed: bool = False
    """Whether entries have no order but that of their list."""
    is_card: bool = False
    """Whether there is a character in it."""
    shows_picture: bool = False
    """Whether a viewer of pictures shows the character."""
    recodes_picture: bool = False
    """Whether it does so in another kind of picture than PNG, for which the pixels are read."""
    ready_made: str = ""
    """Who wants our rulesets as such files, ready-made; empty where another format serves them as well."""
    pack: Callable[[Content], tuple[Content, Mapping[str, bytes]]] | None = None
    """Moves the files of a card's assets into parts: returns the content with their new URIs, and the parts."""
    assets: Callable[[Content, Mapping[str, bytes], Data], Mapping[str, bytes]] | None = None
    """Returns the files of a card's assets by URI, given the parts of a file and the file."""

    @property
    def writes(self) -> bool:
        """
        Whether a new file can be written.
        """
        return bool(self.written)
