"""
A PDF: its lines joined to paragraphs again, its headings told by their size or by their numbers.

Words parted at the end of a line are joined, and what every page repeats at its head or foot is dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lorebook.importers.document import Document, TextLine
from lorebook.importers.draft import Action, Detection, Reading
from lorebook.importers.elements import Element, join_lines
from lorebook.importers.markers import has_leader, is_title, marker_of
from lorebook.importers.numbered import begins
from lorebook.importers.pages import Line, Pages
from lorebook.importers.sections import Sections, is_numbered

_PAGE = re.compile(r"\[page \d+\]")
_NUMBER = re.compile(r"[\divxlc]{1,6}|(?:page|seite|第)?\s*\d{1,5}\s*(?:/|of|页|頁)?\s*\d{0,5}", re.IGNORECASE)
_PARTED = re.compile(r"([A-Za-z]+)-$")
_DIGITS = re.compile(r"\d+")
_LARGER = 1.12
_PARAGRAPH = 1.6
_MOST_SIZES = 5
_EDGE = 2
_LONGEST = 100


class PdfImporter:
    """
    Reads the text of a PDF.
    """

    kind = "pdf"
    needs = "a PDF"

    def detect(self, document: Document) -> Detection | None:
        """
        Return how many pages there are, or None for another file.
        """
        if document.pages is None:
            return None
        count = document.pages.count
        return Detection(self.kind, f"a PDF of {count} page{'' if count == 1 else 's'}", 1.0)

    def read(self, document: Document) -> Reading:
        """
        Read paragraphs under headings.
        """
        reading = Reading()
        pages = document.pages or Pages({})
        lines = _body(document, reading)
        levels = _levels(lines, pages)
        elements = list(_Joiner(lines, pages, levels, reading).elements())
        numbered = is_numbered(element.text for element in elements)
        if numbered:
            # The number says more of a rule's place than the size of its letters.
            elements = [_by_number(element) for element in elements]
        Sections(reading, elements, numbered=numbered).read()
        reading.title = pages.title or _largest(elements)
        return reading


def _by_number(element: Element) -> Element:
    if not element.level or not marker_of(element.text):
        return element
    return Element(element.text, element.lines, numbered=True)


def _largest(elements: Sequence[Element]) -> str | None:
    first = [element.text for element in elements if element.level == 1]
    return first[0] if len(first) == 1 else None


def _body(document: Document, reading: Reading) -> list[TextLine]:
    """Return the lines that are text; those that name pages, and what pages repeat at their edges, are set aside."""
    pages: list[list[TextLine]] = []
    names: list[TextLine] = []
    for line in document.spoken:
        if _PAGE.fullmatch(line.text):
            names.append(line)
            pages.append([])
        elif pages:
            pages[-1].append(line)
    reading.put_aside([line.number for line in names], "the beginnings of pages")
    edges = [line for page in pages for line in {id(x): x for x in _edges(page)}.values()]
    times = Counter(_DIGITS.sub("#", line.text) for line in edges)
    often = max(3, len(pages) // 3)
    ends = {line.number for page in pages for line in (*page[:1], *page[-1:])}
    repeated = {
        line.number
        for line in edges
        if times[_DIGITS.sub("#", line.text)] >= often or (line.number in ends and _NUMBER.fullmatch(line.text))
    }
    dropped = [line for page in pages for line in page if line.number in repeated]
    reading.drop(dropped, "what pages repeat at their head or foot")
    return [line for page in pages for line in page if line.number not in repeated]


def _edges(page: Sequence[TextLine]) -> Sequence[TextLine]:
    """Return the lines of *page* that may be its head or foot."""
    depth = _EDGE if len(page) > 2 * _EDGE else 1
    return [*page[:depth], *page[-depth:]]


def _levels(lines: Sequence[TextLine], pages: Pages) -> dict[tuple[float, bool], int]:
    """Return the level of each way to set a heading: larger than most text, or bold where that is not."""
    letters: Counter[tuple[float, bool]] = Counter()
    for line in lines:
        setting = pages.lines.get(line.number, Line(0.0))
        letters[setting.size, setting.bold] += len(line.text)
    if not letters:
        return {}
    body_size, body_bold = max(letters, key=lambda setting: letters[setting])
    larger = sorted({size for size, _ in letters if size >= body_size * _LARGER}, reverse=True)
    rank = {size: min(at, _MOST_SIZES - 1) + 1 for at, size in enumerate(larger)}
    levels = {(size, bold): rank[size] for size, bold in letters if size in rank}
    if not body_bold:
        levels |= {
            (size, True): min(len(larger), _MOST_SIZES) + 1 for size, bold in letters if bold and size == body_size
        }
    return levels


class _Joiner:
    """Joins lines to headings and paragraphs."""

    def __init__(
        self, lines: Sequence[TextLine], pages: Pages, levels: dict[tuple[float, bool], int], reading: Reading
    ) -> None:
        self._lines = lines
        self._pages = pages
        self._levels = levels
        self._reading = reading
        self._mended: list[int] = []
        self._widest = max((len(line.text) for line in lines), default=0)
        # `face-` and `down` are `face-down` where the document writes that elsewhere.
        self._hyphened = {word.lower() for line in lines for word in re.findall(r"\w+-\w+", line.text)}

    def elements(self) -> Iterator[Element]:
        """Yield headings and paragraphs."""
        run: list[TextLine] = []
        for line in self._lines:
            if run and self._parts(run[-1], line):
                yield self._joined(run)
                run = []
            run.append(line)
        if run:
            yield self._joined(run)
        if self._mended:
            self._reading.note(Action.MENDED, self._mended, "words parted at the end of a line are joined")

    def _level(self, line: TextLine) -> int:
        setting = self._pages.lines.get(line.number, Line(0.0))
        level = self._levels.get((setting.size, setting.bold), 0)
        return level if level and len(line.text) <= _LONGEST else 0

    def _parts(self, before: TextLine, line: TextLine) -> bool:
        """Tell whether a new element begins with *line*."""
        above, level = self._level(before), self._level(line)
        if above or level:
            return above != level or marker_of(line.text) is not None
        gap = self._pages.lines.get(line.number, Line(0.0)).above
        if gap > _PARAGRAPH or begins(line.text, before.text) or has_leader(before.text):
            return True
        ended = re.search(r"[.!?:。！？：][”\"')）]?$", before.text) is not None
        return ended and len(before.text) < self._widest * 0.75

    def _joined(self, run: Sequence[TextLine]) -> Element:
        text, level = [run[0].text], self._level(run[0])
        for line in run[1:]:
            parted = _PARTED.search(text[-1])
            word = re.match(r"[a-z]+", line.text)
            if parted and word:
                kept = f"{parted[1]}-{word.group()}".lower() in self._hyphened
                text[-1] = f"{text[-1] if kept else text[-1][:-1]}{line.text}"
                self._mended.append(line.number)
            else:
                text.append(line.text)
        joined = join_lines(text)
        title = level if level and (is_title(joined) or len(joined) <= _LONGEST) else 0
        return Element(joined, tuple(line.number for line in run), level=title)
