"""
Any other text: paragraphs under headings, as Markdown marks them or as a short line of its own shows them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lorebook.importers.document import Document, TextLine
from lorebook.importers.draft import Action, Detection, Draft, Reading
from lorebook.importers.naming import title_from
from lorebook.importers.questions import is_answer, question_in
from lorebook.importers.wrapping import Wrapping, ends, is_long

_MARKDOWN = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.*?)\s*#*")
_UNDERLINE = re.compile(r"=+|-{2,}")
_RULE = re.compile(r"(?:[-*_=~#]\s*){3,}")
_SHORT = 60
_UNFINISHED = re.compile(r".*[.!?;,。！？；，、…]|[-*•>|].*|\d+[.)].*", re.DOTALL)
# A whole sentence, or what points elsewhere: no heading, however short.
_SAYS = re.compile(r".*[a-z]{2,}[.!?] [A-Z]|[Ss][Ee][Ee] [Aa][Ll][Ss][Oo]\b")
_BARE_LEVEL = 7
_MARKED = 2
# Paragraphs under one heading are one rule while they are short together; a paragraph is never split.
_MOST_TOGETHER = 700


@dataclass(frozen=True)
class _Heading:
    level: int
    title: str
    lines: tuple[TextLine, ...]


class PlainImporter:
    """
    Reads any text, claiming no more about it than paragraphs and headings.
    """

    kind = "plain"
    needs = "a text"

    def detect(self, document: Document) -> Detection | None:
        """
        Return that it is text: the last resort.
        """
        marked = sum(1 for line in document.spoken if _MARKDOWN.fullmatch(line.text))
        if marked >= _MARKED:
            return Detection(self.kind, f"{marked} Markdown headings", 0.85)
        return Detection(self.kind, f"{len(document.blocks)} paragraphs of plain text", 0.1)

    def read(self, document: Document) -> Reading:
        """
        Read paragraphs under headings.
        """
        wrapping = Wrapping.of(document)
        reader = _Reader(wrapping)
        parts = [part for block in document.blocks for part in _headings_and_text(block, wrapping)]
        if len(parts) > 2 and isinstance(parts[0], _Heading) and isinstance(parts[1], _Heading):  # noqa: PLR2004 (text)
            reader.name(parts[0].title)
        for at, part in enumerate(parts):
            bare = isinstance(part, _Heading) and part.level >= _BARE_LEVEL
            if isinstance(part, _Heading) and (at + 1 < len(parts) or not bare):
                reader.open(part)
            elif isinstance(part, _Heading):
                reader.add(part.lines)
            else:
                reader.add(part)
        return reader.close()


def _headings_and_text(block: tuple[TextLine, ...], wrapping: Wrapping) -> list[_Heading | tuple[TextLine, ...]]:
    """Part a block into the headings in it and the runs of text between them."""
    if len(block) == 1 and _is_short_line(block[0].text) and not _heading_at(block):
        return [_Heading(_BARE_LEVEL, block[0].text.rstrip(":：") or block[0].text, block)]
    parts: list[_Heading | tuple[TextLine, ...]] = []
    text: list[TextLine] = []
    at = 0
    if heading := _on_top(block, wrapping):
        parts, at = [heading], 1
    while at < len(block):
        heading = _heading_at(block[at : at + 2])
        if heading is None:
            text.append(block[at])
            at += 1
            continue
        parts += [*_paragraphs(text, wrapping), heading]
        text, at = [], at + len(heading.lines)
    return [*parts, *_paragraphs(text, wrapping)]


def _on_top(block: tuple[TextLine, ...], wrapping: Wrapping) -> _Heading | None:
    """Return the short first line of *block* as a heading, where what is below is set further in, or is a paragraph."""
    first, *others = block
    if not others or not _is_short_line(first.text) or _heading_at(block[:2]):
        return None
    inside = wrapping.indent(first)
    if all(wrapping.indent(line) > inside + 1 for line in others):
        return _Heading(_BARE_LEVEL + bool(inside), first.text, (first,))
    above = len(others[0].text) > _SHORT and not wrapping.goes_on(first, others[0])
    return _Heading(_BARE_LEVEL, first.text, (first,)) if above and ends(others[-1].text) else None


def _paragraphs(lines: list[TextLine], wrapping: Wrapping) -> list[tuple[TextLine, ...]]:
    """Part *lines* where one is a paragraph by itself, too long to be wrapped."""
    runs: list[list[TextLine]] = []
    for line in lines:
        if runs and not (is_long(runs[-1][-1].text) and wrapping.parts(runs[-1][-1], line)):
            runs[-1].append(line)
        else:
            runs.append([line])
    return [tuple(run) for run in runs]


def _heading_at(lines: Sequence[TextLine]) -> _Heading | None:
    """Return the Markdown heading that the first lines are, if they are one."""
    first = lines[0]
    marked = _MARKDOWN.fullmatch(first.text)
    if marked and marked["title"]:
        return _Heading(len(marked["marks"]), marked["title"], (first,))
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1].text) and not _RULE.fullmatch(first.text):
        return _Heading(1 if lines[1].text[0] == "=" else 2, first.text, tuple(lines))
    return None


def _is_short_line(text: str) -> bool:
    return (
        len(text) <= _SHORT and not _SAYS.match(text) and not _UNFINISHED.fullmatch(text) and not _RULE.fullmatch(text)
    )


class _Reader:
    """Gathers text under the headings that are open."""

    def __init__(self, wrapping: Wrapping) -> None:
        self._wrapping = wrapping
        self._reading = Reading()
        self._open: list[_Heading] = []
        self._untold: _Heading | None = None
        """The innermost heading while no rule has been read under it."""
        self._kept: list[int] = []
        self._text: list[tuple[TextLine, ...]] = []
        self._asked: str | None = None
        """The question that the text answers."""

    def name(self, title: str) -> None:
        self._reading.title = title

    def open(self, heading: _Heading) -> None:
        self._flush()
        self._keep_untold()
        while self._open and self._open[-1].level >= heading.level:
            self._open.pop()
        self._open.append(heading)
        self._untold = heading

    def add(self, text: tuple[TextLine, ...]) -> None:
        if all(_RULE.fullmatch(line.text) for line in text):
            self._reading.drop(text, "a line that only draws")
            return
        asked = question_in(text[0].text)
        most = sum(len(line.text) for run in [*self._text, text] for line in run) > _MOST_TOGETHER
        if asked or most or not (self._open or (self._asked and is_answer(text[0].text))):
            self._flush()
        self._asked = asked or self._asked
        self._text.append(text)

    def close(self) -> Reading:
        self._flush()
        self._keep_untold()
        if self._kept:
            self._reading.note(Action.KEPT, self._kept, "headings, as the sections of the rules below them")
        return self._reading

    def _keep_untold(self) -> None:
        if self._untold:
            self._reading.set_aside(self._untold.lines, "heading")
            self._kept += [line.number for line in self._untold.lines]
        self._untold = None

    def _flush(self) -> None:
        if not self._text:
            return
        if self._asked:
            self._keep_untold()
        lines = [*(self._untold.lines if self._untold else ()), *(line for run in self._text for line in run)]
        text = "\n\n".join(map(self._wrapping.joined, self._text))
        self._reading.drafts.append(
            Draft(
                title=self._asked or (self._open[-1].title if self._open else title_from(text)),
                text=text,
                lines=tuple(line.number for line in lines),
                section=tuple(heading.title for heading in (self._open if self._asked else self._open[:-1])),
                named=bool(self._open) and not self._asked,
            )
        )
        self._text, self._untold, self._asked = [], None, None
