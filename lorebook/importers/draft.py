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
    kept: bytes
    """What is kept of the document beside its rules."""


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
    by_number: bool = False
    """Whether its number, where it has one, names it."""
    heads: tuple[str, ...] = ()
    """The numbers of the headings under which it is the first rule."""
    anchors: tuple[str, ...] = ()
    """The names by which links in the document point to it."""
    links: tuple[str, ...] = ()
    """The names that links in it point to."""


@dataclass
class Reading:
    """
    What has been read of a document so far.
    """

    title: str | None = None
    facts: dict[str, str] = field(default_factory=dict)
    """What the document says of itself: its edition, licence, authority, game, description or language."""
    drafts: list[Draft] = field(default_factory=list)
    aside: list[SetAside] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def note(self, action: Action, numbers: Sequence[int], what: str) -> None:
        """
        Add a notice about the lines *numbers*, in one line whatever it quotes.
        """
        self.notices.append(Notice(action=action, lines=spans(list(numbers)), what=" ".join(what.splitlines())))

    def set_aside(self, lines: Sequence[TextLine], why: str) -> None:
        """
        Keep *lines* out of the rules, their text with them for provenance.
        """
        if lines:
            text = "\n".join(line.text for line in lines)
            self.aside.append(SetAside(lines=spans([line.number for line in lines]), why=why, text=text))

    def put_aside(self, numbers: Sequence[int], why: str, text: str = "") -> None:
        """
        Keep the lines *numbers* out of the rules; *text* is what a reader sees of them.
        """
        if numbers:
            self.aside.append(SetAside(lines=spans(list(numbers)), why=why, text=text))

    def put_rest_aside(self, document: Document, why: str) -> None:
        """
        Set the lines aside that no draft restates and nothing has set aside, for a format whose marks say nothing.
        """
        told = bytearray(len(document.lines) + 1)
        for draft in self.drafts:
            for number in draft.lines:
                told[number] = 1
        for item in self.aside:
            for span in item.lines:
                told[span.first : span.last + 1] = b"\1" * (span.last + 1 - span.first)
        rest = [number for number, line in enumerate(document.lines, 1) if not told[number] and line.strip()]
        if rest:
            self.put_aside(rest, why)
            self.note(Action.DROPPED, rest, why)

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
