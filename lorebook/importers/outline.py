"""
A rulebook in outline form: headings numbered in several styles that restart, and headings without a number.

The tree is recovered from the numbers (`numbering`), and from where text stands: an unnumbered heading
belongs under the numbered one it follows, and holds the numbered headings that follow it at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from math import ceil

from lorebook.importers import numbering
from lorebook.importers.document import Document, TextLine
from lorebook.importers.draft import Action, Detection, Draft, Reading
from lorebook.importers.naming import title_from
from lorebook.importers.numbering import Marker, Style
from lorebook.importers.wrapping import Wrapping

_SHORT = 64
_SENTENCE = re.compile(r".*[.!?;,…]['\")\]]?", re.DOTALL)
_LABEL = re.compile(r"\(\s*([^()\s][^()]{0,59})\)")
_FUSED = re.compile(r"(?P<title>[^.!?:]{1,60}):\s+(?P<text>\S.*)")
_RUN_IN = re.compile(r"(?P<term>[A-Z][\w'’/&-]*(?: [\w'’/&-]+){0,4}) [-–—] (?P<text>\S.*)")
_EXAMPLE = re.compile(r"(?:Example|For example)\s*\d*\s*:\s*(?P<text>\S.*)", re.IGNORECASE)
# A rule is a few paragraphs that one heading holds together; a paragraph is never split.
_MOST_TOGETHER = 1000
_MOST_PARAGRAPHS = 4


@dataclass(frozen=True)
class _Heading:
    line: TextLine
    title: str
    style: Style
    value: int = 0
    marker: str = ""
    text: str = ""
    """What follows the heading on its own line."""


class OutlineImporter:
    """
    Reads an outline; every heading's text becomes one rule or a few.
    """

    kind = "outline"
    needs = "an outline: it has no numbered headings"

    def detect(self, document: Document) -> Detection | None:
        """
        Return how many numbered headings there are and in how many styles.
        """
        markers = [marker for line in document.spoken if (marker := _marker(line))]
        if not markers:
            return None
        styles = {reading.style for marker in markers for reading in numbering.readings(marker)[:1]}
        share = len(markers) / len(document.spoken)
        reason = f"{len(markers)} numbered headings in {len(styles)} styles"
        several = len(markers) >= 3 and len(styles) >= 2 and share > 0.03  # noqa: PLR2004 (fewer are a list in a text)
        return Detection(self.kind, reason, 0.8 if several and not Wrapping.of(document).is_wrapped else 0.05)

    def read(self, document: Document) -> Reading:
        """
        Read the tree of headings and the text under each.
        """
        wrapping = Wrapping.of(document)
        reader = _Reader(wrapping)
        lines = document.spoken
        for line, after in zip_longest(lines, lines[1:]):
            heading = _heading(line, after, tree=reader.tree, wrapping=wrapping)
            if heading:
                reader.open(heading)
            else:
                reader.add(line, line.text)
        return reader.close()


def _goes_on(wrapping: Wrapping, line: TextLine, after: TextLine) -> bool:
    """Tell whether the sentence of *line* goes on in the line *after* it."""
    small = after.text[0].islower() and numbering.split(after.text) is None
    return small and wrapping.goes_on(line, after)


def _marker(line: TextLine) -> str | None:
    parts = numbering.split(line.text)
    return parts[0] if parts and _is_title(parts[1]) else None


def _is_title(text: str) -> bool:
    fused = _FUSED.fullmatch(text)
    short = len(text) <= _SHORT and not _SENTENCE.fullmatch(text)
    return short or (fused is not None and _SENTENCE.fullmatch(text) is not None)


def _heading(line: TextLine, after: TextLine | None, *, tree: Tree, wrapping: Wrapping) -> _Heading | None:
    parts = numbering.split(line.text)
    broken = after is not None and _goes_on(wrapping, line, after)
    if parts and _is_title(parts[1]) and (marker := tree.choose(parts[0])):
        title, text = (title_from(parts[1]), parts[1]) if broken else _title_and_text(parts[1])
        return _Heading(line, title, marker.style, marker.value, parts[0], text)
    if after is None or broken:
        return None
    if label := _LABEL.fullmatch(line.text):
        return _Heading(line, label[1].strip(), Style.LABEL)
    bare = len(line.text) <= _SHORT and line.text[0].isupper() and not _SENTENCE.fullmatch(line.text)
    return _Heading(line, line.text.rstrip(": "), Style.BARE) if bare and not _RUN_IN.fullmatch(line.text) else None


def _title_and_text(text: str) -> tuple[str, str]:
    fused = _FUSED.fullmatch(text)
    if fused and _SENTENCE.fullmatch(text):
        return fused["title"].strip(), fused["text"]
    return text.rstrip(": ") or text, ""


class Tree:
    """
    The headings that are open, outermost first.
    """

    def __init__(self) -> None:
        self.open: list[_Heading] = []
        self._last: dict[Style, int] = {}

    def choose(self, marker: str) -> Marker | None:
        """
        Return the likeliest reading of *marker* here: one that goes on, repeats, or starts a list.
        """
        found = numbering.readings(marker)
        for fits in (self._goes_on, self._went_on, self._repeats, _starts, self._skips):
            if likely := next((reading for reading in found if fits(reading)), None):
                return likely
        return None

    @property
    def number(self) -> str | None:
        """
        The full number of the innermost heading, such as `C.I.a`, or None where it has none.
        """
        if not self.open or not self.open[-1].marker:
            return None
        return ".".join(heading.marker for heading in self.open if heading.marker)

    def place(self, heading: _Heading, *, bare_holds: bool) -> None:
        """
        Open *heading* at its level; *bare_holds* says that an unnumbered heading just before it holds it.
        """
        styles = [opened.style for opened in self.open]
        if heading.style in styles:
            del self.open[styles.index(heading.style) :]
        elif not bare_holds and heading.style is not Style.BARE:
            while self.open and self.open[-1].style in (Style.BARE, Style.LABEL):
                self.open.pop()
        self.open.append(heading)
        self._last[heading.style] = heading.value

    def _goes_on(self, reading: Marker) -> bool:
        return any(opened.style is reading.style and reading.value == opened.value + 1 for opened in self.open)

    def _went_on(self, reading: Marker) -> bool:
        return reading.value > 1 and self._last.get(reading.style) == reading.value - 1

    def _repeats(self, reading: Marker) -> bool:
        return any(opened.style is reading.style and reading.value == opened.value for opened in self.open)

    def _skips(self, reading: Marker) -> bool:
        return any(opened.style is reading.style and reading.value > opened.value for opened in self.open)


def _starts(reading: Marker) -> bool:
    return reading.value == 1


@dataclass
class _Paragraph:
    text: str
    lines: list[int]
    examples: list[str] = field(default_factory=list)


class _Reader:
    """Gathers the paragraphs under each heading into drafts."""

    def __init__(self, wrapping: Wrapping) -> None:
        self.tree = Tree()
        self._wrapping = wrapping
        self._reading = Reading()
        self._fresh: _Heading | None = None
        self._title: str | None = None
        self._paragraphs: list[_Paragraph] = []
        self._kept: list[TextLine] = []

    def open(self, heading: _Heading) -> None:
        self._flush()
        self.tree.place(heading, bare_holds=self._fresh is not None)
        if self._fresh:
            self._keep(self._fresh)
        self._fresh = heading
        if heading.text:
            self.add(heading.line, heading.text)

    def add(self, line: TextLine, text: str) -> None:
        example = _EXAMPLE.fullmatch(text)
        run_in = _RUN_IN.fullmatch(text)
        before = self._paragraphs[-1] if self._paragraphs else None
        if before and not before.examples and _goes_on(self._wrapping, TextLine(before.lines[-1], before.text), line):
            before.text += f" {text}"
            before.lines.append(line.number)
        elif example and self._paragraphs:
            self._paragraphs[-1].examples.append(example["text"])
            self._paragraphs[-1].lines.append(line.number)
        elif run_in:
            self._flush()
            self._title = run_in["term"]
            self._take(line, run_in["text"])
        else:
            if not self.tree.open or self._title:
                self._flush()
            self._take(line, text)

    def close(self) -> Reading:
        self._flush()
        if self._fresh:
            self._keep(self._fresh)
        if self._kept:
            numbers = [line.number for line in self._kept]
            self._reading.note(Action.KEPT, numbers, "headings, as the sections of the rules below them")
        return self._reading

    def _take(self, line: TextLine, text: str) -> None:
        heading = [self._fresh.line.number] if self._fresh else []
        self._paragraphs.append(_Paragraph(text, [*heading, line.number]))
        self._fresh = None

    def _flush(self) -> None:
        path = tuple(heading.title for heading in self.tree.open)
        for group in _grouped(self._paragraphs):
            text = "\n\n".join(paragraph.text for paragraph in group)
            run_in = self._title
            self._reading.drafts.append(
                Draft(
                    title=run_in or (path[-1] if path else title_from(text)),
                    text=text,
                    lines=tuple(number for paragraph in group for number in paragraph.lines),
                    section=path if run_in else path[:-1],
                    examples=tuple(example for paragraph in group for example in paragraph.examples),
                    number=None if run_in else self.tree.number,
                    named=bool(run_in or path),
                )
            )
        self._paragraphs, self._title = [], None

    def _keep(self, heading: _Heading) -> None:
        self._reading.set_aside([heading.line], "heading")
        self._kept.append(heading.line)
        self._fresh = None


def _grouped(paragraphs: list[_Paragraph]) -> list[list[_Paragraph]]:
    """Part what stands under one heading into as few rules as stay readable, all about equally long."""
    size = sum(len(paragraph.text) for paragraph in paragraphs)
    parts = max(ceil(size / _MOST_TOGETHER), ceil(len(paragraphs) / _MOST_PARAGRAPHS))
    bounds = [len(paragraphs) * part // parts for part in range(parts + 1)] if parts else [0]
    return [paragraphs[start:end] for start, end in pairwise(bounds) if end > start]
