"""
What the edges show of lorebook and card files: read, converted, exported.
"""

from __future__ import annotations

from pydantic import Field

from lorebook.formats.format import LossKind
from lorebook.records import Frozen


class LossView(Frozen):
    """
    Something of a book that an exported file cannot hold.
    """

    entry: int | None = Field(description="The entry's uid; null for the book as a whole.")
    field: str
    why: str
    kind: LossKind = Field(
        description="`lost`, `changed` to something near, or `unread`: written, but other readers may pass over it."
    )


class FormatView(Frozen):
    """
    A lorebook or card format.
    """

    name: str
    title: str
    suffix: str
    character: bool = Field(description="Whether there is a character in it.")
    writes: bool
    read_only: str | None = Field(description="Why it is only read.")
    ready_made: str | None = Field(description="Who wants the shipped rules as such files; `exports/` has them.")


class NoteView(Frozen):
    """
    Something that was noticed while a file was read.
    """

    where: str = Field(description="A JSON path, or a place in the container; empty for the file.")
    what: str


class PayloadView(Frozen):
    """
    A part of a file that says what the book and the card are; the first of several counts.
    """

    part: str = Field(description="Empty where the file is nothing else.")
    reason: str


class InspectView(Frozen):
    """
    What a lorebook or card file is and has in it.
    """

    path: str
    format: str
    title: str
    reason: str = Field(description="What gave the format away.")
    size: int = Field(description="Bytes.")
    character: str | None = Field(description="The card's name; null for a book without a card.")
    creator: str | None
    version: str | None
    book: str | None = Field(description="The book's name; null for a character without a book.")
    entries: int
    enabled: int
    constant: int
    keys: int = Field(description="Keys and secondary keys of all entries.")
    tokens: int = Field(description="Of all entries' contents, as o200k_base counts them.")
    assets: int = Field(description="Files that the card brings along, its picture among them.")
    origin: str | None = Field(description="The format of the original that a conversion tucked in.")
    payloads: tuple[PayloadView, ...]
    notes: tuple[NoteView, ...]


class FileFailure(Frozen):
    """
    A file that could not be read or converted.
    """

    path: str
    error: str


class ConversionView(Frozen):
    """
    A file that was converted.
    """

    source: str
    source_format: str
    path: str
    format: str
    sha256: str
    size: int = Field(description="Bytes.")
    notes: tuple[NoteView, ...] = ()
    losses: tuple[LossView, ...] = ()
    origin: str = Field(
        description="Of the original: `kept`, the way back restores it; `restored`, the file is the original again, "
        "with what was changed since; or not kept: there is `no room` in the format, it is `too large` or was "
        "`left out`."
    )


class ExportView(Frozen):
    """
    An exported file, without its bytes.
    """

    path: str
    ruleset: str
    format: str
    language: str
    sha256: str
    size: int = Field(description="Bytes.")
    losses: tuple[LossView, ...] = ()


class StaleFile(Frozen):
    """
    A generated file that is not what it would be if made now.
    """

    path: str
    why: str
