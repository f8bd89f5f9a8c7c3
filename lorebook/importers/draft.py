"""
What an importer hands back: drafts of rules, the lines it set aside, and what it did on the way.

An importer says what the document says; ids, order and the manifest are added when drafts are assembled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from lorebook.importers.document import Document, TextLine, spans
from lorebook.records import EntrySettings, Frozen, Line, LineSpan
from lorebook.ruleset import Ruleset, SetAside


class Action(StrEnum):
    """
    What became of some lines of the document.
    """

    MADE = "made"
    MERGED = "merged"
    DROPPED = "dropped"
    MENDED = "mended"
    MISSING = "missing"
    KEPT = "kept"


class Notice(Frozen):
    """
    One thing a reader should know about the import, with the lines it is about.
    """

    action: Action
    lines: tuple[LineSpan, ...] = ()
    what: Line


class ImportReport(Frozen):
    """
    What an import did: how many rules it made, and everything it merged, dropped, mended or missed.
    """

    kind: Line
    reason: Line
    counts: dict[str, int]
    notices: tuple[Notice, ...] = ()


class Imported(NamedTuple):
    """
    A document turned into rules.
    """

    ruleset: Ruleset
    report: ImportReport


@dataclass(frozen=True)
class Detection:
    """
    Why a document may be of a kind, and how surely, from 0 to 1.
    """

    kind: str
    reason: str
    score: float


@dataclass(frozen=True)
class Draft:
    """
    A rule before it has an id.
    """

    title: str
    text: str
    lines: tuple[int, ...]
    """The numbers of the lines that it restates, its own heading's among them."""
    section: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    number: str | None = None
    keys: tuple[str, ...] | None = None
    """The document's own keys; None lets them be proposed from the text."""
    named: bool = True
    """Whether the document names the rule so; a title taken from its first words is no key."""
    again: tuple[tuple[int, ...], ...] = ()
    """The lines of each place where the same passage is printed again."""
    more_keys: tuple[str, ...] = ()
    """Keys beside the proposed ones, such as a word's correct spelling."""
    settings: EntrySettings = field(default_factory=EntrySettings)


@dataclass
class Reading:
    """
    What has been read of a document so far.
    """

    title: str | None = None
    drafts: list[Draft] = field(default_factory=list)
    aside: list[SetAside] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def note(self, action: Action, numbers: Sequence[int], what: str) -> None:
        """
        Add a notice about the lines *numbers*.
        """
        self.notices.append(Notice(action=action, lines=spans(list(numbers)), what=what))

    def set_aside(self, lines: Sequence[TextLine], why: str) -> None:
        """
        Keep *lines* out of the rules, their text with them for provenance.
        """
        if lines:
            text = "\n".join(line.text for line in lines)
            self.aside.append(SetAside(lines=spans([line.number for line in lines]), why=why, text=text))

    def drop(self, lines: Sequence[TextLine], why: str) -> None:
        """
        Set *lines* aside as nothing a reader of the rules would miss, and say so.
        """
        if lines:
            self.set_aside(lines, why)
            self.note(Action.DROPPED, [line.number for line in lines], why)


class Importer(Protocol):
    """
    A reader of one kind of document.
    """

    kind: str
    needs: str
    """What a document of the kind holds, for the sentence that refuses another."""

    def detect(self, document: Document) -> Detection | None:
        """
        Return why *document* is of this kind, or None when nothing speaks for it.
        """
        ...

    def read(self, document: Document) -> Reading:
        """
        Read *document*; every line that is not blank ends in a draft or is set aside.
        """
        ...
