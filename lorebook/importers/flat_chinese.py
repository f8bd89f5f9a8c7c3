"""
A Chinese rulebook copied flat: paragraphs in reading order, of whose headings only a few are left.

Headings are recovered two ways. A short line without a full stop is one; and a paragraph that defines a
term (`…称为通常召唤。`, `…为永续效果。`) opens that term's topic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lorebook.importers.document import Document, TextLine
from lorebook.importers.draft import Action, Detection, Draft, Reading
from lorebook.importers.naming import title_from
from lorebook.importers.questions import is_answer, question_in
from lorebook.importers.quotation import mend
from lorebook.scripts import HAN

_LEFTOVER = re.compile(r"undefined|null|NaN|\[object Object\]")
_HEADING = re.compile(rf"[{HAN}A-Za-z0-9·・/（）()～~]{{1,16}}")
_EXAMPLE = re.compile(r"(?:例|例如|示例)\d*[：:]\s*")
_INNER_EXAMPLE = re.compile(r"(?<=[。！？”」])\s*(?=例\d*[：:])")
_NAMED = re.compile(rf"(?:称为|称作|称之为|叫做|叫作)[“「]?(?P<term>[{HAN}·]{{2,10}})[”」]?。")
# `…的怪兽为仪式怪兽。`: the noun that is defined, a bare copula, the term. `作为`, `而是`, `为止` are no copula.
_IS = re.compile(
    rf"的[{HAN}]{{1,6}}(?<![作变成因认以改视而就也不])[为是][“「]?(?P<term>(?![否指由在以了止对])[{HAN}·]{{2,10}})(?<!的)[”」]?。"
)
_QUOTED_STOP = re.compile(r"。(?=”)")
_ANNOUNCES = re.compile(r"(?:以下|如下)[^，。]{0,12}[。：]?$")
_LISTS = re.compile(r"[·•\-①-⑳（(\d]")
_CONNECTS = re.compile(r"(?:但是|但|另外|此外|这个场合|此时|因此|所以|也存在|存在像|作为例外|那么|例外)")
_MOST_TOGETHER = 150
_MOST_PARAGRAPHS = 3


@dataclass(frozen=True)
class _Paragraph:
    line: TextLine
    text: str


class FlatChineseImporter:
    """
    Reads a flat Chinese rulebook, one paragraph a line.
    """

    kind = "flat-chinese"
    needs = "a Chinese text: hardly a letter in it is a Han character"

    def detect(self, document: Document) -> Detection | None:
        """
        Return the share of Han characters, or None where it is small.
        """
        if document.language != "zh":
            return None
        reason = f"{document.han_share:.0%} of the letters are Han characters, one paragraph a line"
        return Detection(self.kind, reason, 0.7)

    def read(self, document: Document) -> Reading:
        """
        Read paragraphs under the headings that can be recovered.
        """
        reader = _Reader()
        leftovers = [line for line in document.spoken if _LEFTOVER.fullmatch(line.text)]
        reader.reading.drop(leftovers, "what a script left in place of text")
        for paragraph in _mended(document, reader.reading):
            reader.add(paragraph)
        return reader.close()


def _mended(document: Document, reading: Reading) -> list[_Paragraph]:
    lines = [line for line in document.spoken if not _LEFTOVER.fullmatch(line.text)]
    mended = mend([line.text for line in lines])
    for places, what in mended.changes:
        reading.note(Action.MENDED, [lines[at].number for at in places], what)
    return [_Paragraph(line, text) for line, text in zip(lines, mended.texts, strict=True)]


def defined_term(text: str) -> str | None:
    """
    Return the term that the paragraph *text* defines, or None.
    """
    plain = _QUOTED_STOP.sub("", text)
    named = _NAMED.search(plain)
    if named:
        return named["term"]
    first = re.match(r"[^。]*。", plain)
    found = _IS.search(first.group()) if first else None
    return found["term"] if found else None


def _with_examples(text: str) -> list[str]:
    """Return the ruling in *text* and the examples that follow it in the same paragraph."""
    rule, *rest = _INNER_EXAMPLE.split(text)
    return [rule, *rest] if rule and all(map(_is_example, rest)) else [text]


def _is_example(text: str) -> bool:
    found = _EXAMPLE.match(text)
    return found is not None and found.end() < len(text)


class _Reader:
    """Gathers paragraphs into drafts, topic by topic."""

    def __init__(self) -> None:
        self.reading = Reading()
        self._topic: str | None = None
        self._known: set[str] = set()
        self._heading: TextLine | None = None
        self._headings: list[TextLine] = []
        self._draft: Draft | None = None
        self._asked = False
        """Whether the draft is a question with its answer."""
        self._examples: list[str] = []
        self._example_lines: dict[int, None] = {}
        self._announced: _Paragraph | None = None

    def add(self, paragraph: _Paragraph) -> None:
        self._check_announced(paragraph)
        text = paragraph.text
        if _HEADING.fullmatch(text):
            self._open_heading(paragraph)
            return
        if self._draft and _is_example(text):
            self._exemplify(paragraph.line, text)
            return
        if asked := question_in(text):
            self._ask(paragraph.line, text, asked)
            return
        rule, *examples = _with_examples(text)
        self._add_rule(paragraph.line, rule)
        for example in examples:
            self._exemplify(paragraph.line, example)
        if _ANNOUNCES.search(rule):
            self._announced = paragraph

    def close(self) -> Reading:
        self._check_announced(None)
        self._flush()
        if self._heading:
            self._headings.append(self._heading)
        if self._headings:
            self.reading.set_aside(self._headings, "heading")
            numbers = [line.number for line in self._headings]
            self.reading.note(Action.KEPT, numbers, "headings without text of their own")
        return self.reading

    def _ask(self, line: TextLine, text: str, asked: str) -> None:
        self._flush()
        self._headings += [self._heading] if self._heading else []
        self._heading, self._asked = None, True
        self._draft = Draft(asked, text, (line.number,), named=False)

    def _open_heading(self, paragraph: _Paragraph) -> None:
        self._flush()
        if self._heading:
            self._headings.append(self._heading)
        self._heading, self._topic = paragraph.line, paragraph.text
        self._known.add(paragraph.text)

    def _add_rule(self, line: TextLine, text: str) -> None:
        term = defined_term(text)
        if self._draft and is_answer(text):
            self._go_on(self._draft, line, text)
        elif term and term not in self._known:
            self._flush()
            above = self._topic if self._heading and self._topic != term else None
            self._topic = term
            self._known.add(term)
            self._start(line, text, title=term, section=(above,) if above else ())
        elif self._heading:
            self._start(line, text, title=self._topic)
        elif self._draft is None or self._examples or not self._on_topic(text) or not _fits(self._draft, text):
            self._start(line, text, title=None)
        else:
            self._go_on(self._draft, line, text)

    def _go_on(self, draft: Draft, line: TextLine, text: str) -> None:
        self._draft = replace(draft, text=f"{draft.text}\n\n{text}", lines=(*draft.lines, line.number))

    def _start(self, line: TextLine, text: str, *, title: str | None, section: tuple[str, ...] = ()) -> None:
        self._flush()
        heading = [self._heading.number] if self._heading else []
        self._heading = None
        lines = (*heading, line.number)
        self._draft = Draft(title or title_from(text), text, lines, section, named=title is not None)

    def _on_topic(self, text: str) -> bool:
        """Return whether *text* goes on about the topic: it says what distinguishes it, or takes up what was said."""
        if self._topic is None:
            return False
        # A Chinese term distinguishes itself by its beginning: 诱发效果, 永续效果.
        return self._topic[:2] in text or _CONNECTS.match(text) is not None

    def _exemplify(self, line: TextLine, text: str) -> None:
        if self._draft:
            self._examples.append(_EXAMPLE.sub("", text, count=1))
            self._example_lines[line.number] = None

    def _flush(self) -> None:
        if self._draft:
            on_topic = self._asked or self._on_topic(self._draft.text)
            belongs = self._topic and self._draft.title != self._topic and on_topic
            section = self._draft.section or ((self._topic,) if self._topic and belongs else ())
            lines = tuple(dict.fromkeys([*self._draft.lines, *self._example_lines]))
            self.reading.drafts.append(
                replace(self._draft, section=section, examples=tuple(self._examples), lines=lines)
            )
        self._draft, self._asked = None, False
        self._examples, self._example_lines = [], {}

    def _check_announced(self, following: _Paragraph | None) -> None:
        """Say when a paragraph announces a list and no list follows."""
        announced, self._announced = self._announced, None
        if announced and not (following and _LISTS.match(following.text)):
            what = f"what “{announced.text[-24:]}” announces does not follow"
            self.reading.note(Action.MISSING, [announced.line.number], what)


def _fits(draft: Draft, text: str) -> bool:
    paragraphs = draft.text.count("\n\n") + 1
    short = len(draft.text) + len(text) <= _MOST_TOGETHER
    return paragraphs < _MOST_PARAGRAPHS and short
