"""
Markdown, as CommonMark reads it, with tables and front matter.

Headings make the section path. Lists, tables, quotations and code stay whole; emphasis and links lose their marks, and
what a link points to is remembered. What wikis and AsciiDoc mark is read as the Markdown that says the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from lorebook.importers import wikimarks
from lorebook.importers.dialects import as_commonmark
from lorebook.importers.document import Document
from lorebook.importers.draft import Action, Detection, Reading
from lorebook.importers.elements import Element
from lorebook.importers.front_matter import MOST_FRONT_LINES, note_front, read_front
from lorebook.importers.inline import Inline, ids_in, read_inline, split_id
from lorebook.importers.markers import STRONG, Marker, Rank, marker_of
from lorebook.importers.rows import Rows, starts_at
from lorebook.importers.sections import Sections, is_numbered

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARKED = 2
_DRAWN = "a line that only draws"
_HEADING = re.compile(r"#{1,6}\s+\S")
_UNDERLINE = re.compile(r"=+|-{2,}")
_MARK = re.compile(r"#{1,6}\s+\S|```|~~~|[-*+]\s+\S.*\]\(|.*\]\([^)]{1,2000}+\)|\|?.*\|.*\||.*\*\*\S.*\*\*")
_DEFINES = re.compile(r":[ \t]+(?=\S)")
_FENCE = re.compile(r"-{3}")
_WORDS = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_SURE = ("md", "markdown", "mdown", "mkd")


class MarkdownImporter:
    """
    Reads Markdown.
    """

    kind = "markdown"
    needs = "Markdown: it has no heading, link, list or table marked as Markdown marks them"

    def detect(self, document: Document) -> Detection | None:
        """
        Return how many lines Markdown marks, or None without any.
        """
        lines = document.spoken
        headings = sum(1 for line in lines if _HEADING.match(line.text))
        underlined = sum(
            1
            for above, line in pairwise(lines)
            if line.number == above.number + 1 and len(line.text) > 2 and _UNDERLINE.fullmatch(line.text)  # noqa: PLR2004
        )
        marked = sum(1 for line in lines if _MARK.match(line.text))
        headings += underlined
        if wikimarks.is_marked(document.lines):
            count = wikimarks.headings_in(document.lines)
            return Detection(self.kind, f"{count} headings behind equals signs", 0.87)
        if not headings and not marked:
            return None
        reason = f"{headings} Markdown heading{'' if headings == 1 else 's'}"
        if document.suffix in _SURE:
            return Detection(self.kind, reason, 0.96)
        if headings >= _MARKED:
            return Detection(self.kind, reason, 0.86)
        return Detection(self.kind, reason, 0.3 if headings else 0.03)

    def read(self, document: Document) -> Reading:
        """
        Read headings and blocks.
        """
        reading = Reading()
        lines = list(document.lines)
        front = _front(lines, reading, document.name)
        lines[:front] = [""] * front
        reader = _Reader(reading, document)
        if wikimarks.is_marked(lines):
            lines = wikimarks.as_commonmark(lines)
        elements = list(reader.elements("\n".join(as_commonmark(lines))))
        numbered = is_numbered(element.text for element in elements)
        Sections(reading, elements, numbered=numbered).read()
        reading.put_rest_aside(document, "marks without words")
        if reading.title is None:
            reading.title = _only_title(elements)
        return reading


def _front(lines: Sequence[str], reading: Reading, where: str) -> int:
    """Read front matter between two lines of `---`; return how many lines it takes."""
    if not lines or not _FENCE.fullmatch(lines[0].rstrip()):
        return 0
    ends = (at for at in range(1, min(len(lines), MOST_FRONT_LINES)) if re.fullmatch(r"---|\.\.\.", lines[at].rstrip()))
    end = next(ends, None)
    if end is None or not read_front("\n".join(lines[1:end]), reading, where=where):
        return 0
    note_front(reading, [at + 1 for at in range(end + 1) if lines[at].strip()])
    return end + 1


def _only_title(elements: Sequence[Element]) -> str | None:
    """Return the heading of the first level, where the document has one of them and begins with it."""
    first = [element for element in elements if element.level == 1]
    return first[0].text if len(first) == 1 and elements[0] is first[0] else None


class _Reader:
    """Turns the tokens of markdown-it into elements."""

    def __init__(self, reading: Reading, document: Document) -> None:
        from markdown_it import MarkdownIt  # noqa: PLC0415 (every command would wait for it)

        self._reading = reading
        self._document = document
        self._parser = MarkdownIt("commonmark").enable("table")
        self._environment: dict[str, Any] = {}
        self._drawn: list[int] = []
        self._pictured, self._tabled = False, False

    def elements(self, text: str) -> Iterator[Element]:
        """Yield the elements of *text*, and say which lines say nothing."""
        # Inline marks are read block by block, so that the tokens of a large document are never there all at once.
        self._parser.core.ruler.enableOnly(["normalize", "block"])
        tokens = self._parser.parse(text, self._environment)
        at = 0
        while at < len(tokens):
            end = _end_of(tokens, at)
            self._pictured = self._tabled = False
            yield from self._block(tokens[at : end + 1])
            self._note_changed(self._lines(tokens[at]))
            at = end + 1
        self._reading.put_aside(self._drawn, _DRAWN)
        if self._drawn:
            self._reading.note(Action.DROPPED, self._drawn, _DRAWN)

    def _note_changed(self, lines: tuple[int, ...]) -> None:
        """Tell of the block on *lines* what in it is said otherwise than by taking marks away."""
        if self._pictured:
            shown = [line for line in lines if "![" in self._document.lines[line - 1]]
            self._reading.note(Action.DROPPED, shown or lines, "pictures; the words that stand for them are kept")
        if self._tabled:
            barred = [line for line in lines if "|" in self._document.lines[line - 1]]
            self._reading.note(Action.KEPT, barred, "tables, a line for each row with | between its cells")

    def _block(self, tokens: Sequence[Token]) -> Iterator[Element]:
        first = tokens[0]
        lines = self._lines(first)
        if first.type == "hr":
            self._drawn += lines
        elif first.type == "html_block":
            yield from self._html(first, lines)
        elif first.type == "heading_open":
            said = self._inline(tokens[1].content)
            title, names = split_id(said.text)
            if title.strip():
                title = " ".join(title.split())
                yield Element(title, lines, int(first.tag[1]), False, (*names, *said.anchors), tuple(said.links))
            else:
                self._drawn += lines
        elif first.type in ("bullet_list_open", "ordered_list_open"):
            yield from self._list(tokens)
        elif first.type == "paragraph_open":
            yield from self._paragraph(tokens[1])
        else:
            yield from self._text(tokens, lines)

    def _paragraph(self, token: Token) -> Iterator[Element]:
        """Yield a paragraph; its lines whose numbers run on are pieces of their own."""
        rows, (first, last) = token.content.split("\n"), token.map or (0, 0)
        if first + 1 < last and len(rows) == last - first and _DEFINES.match(rows[1]):
            yield self._definition(rows, self._spoken(first, last))
            return
        runs = _run([marker_of(self._inline(row).text) for row in rows]) if 1 < len(rows) == last - first else []
        for start, end in pairwise([0, *runs, last - first]):
            said = self._inline("\n".join(rows[start:end]))
            if said.text.strip():
                lines, anchors, links = self._spoken(first + start, first + end), tuple(said.anchors), tuple(said.links)
                yield Element(said.text, lines, tight=start > 0, anchors=anchors, links=links)

    def _definition(self, rows: Sequence[str], lines: tuple[int, ...]) -> Element:
        """Return a term and what it means, as many dialects mark it: `: ` before a meaning."""
        ends = ["  \n" if _DEFINES.match(row) else "\n" for row in rows[1:]]
        text = "".join(f"{end}{_DEFINES.sub('', row, count=1)}" for end, row in zip(["", *ends], rows, strict=True))
        said = self._inline(text)
        term = self._inline(rows[0]).text
        return Element(said.text, lines, anchors=tuple(said.anchors), links=tuple(said.links), term=term)

    def _text(self, tokens: Sequence[Token], lines: tuple[int, ...]) -> Iterator[Element]:
        said = self._said(tokens)
        if said.text.strip():
            is_text = tokens[0].type == "blockquote_open"
            yield Element(said.text, lines, 0, False, tuple(said.anchors), tuple(said.links), numbered=is_text)

    def _list(self, tokens: Sequence[Token]) -> Iterator[Element]:
        """Yield the items of the outermost list, each whole with the lists in it."""
        at, count = 1, starts_at(tokens[0])
        while at < len(tokens) - 1:
            end = _end_of(tokens, at)
            item = tokens[at : end + 1]
            mark = f"{count}." if tokens[0].type == "ordered_list_open" else "-"
            said = self._said(item[1:-1])
            lines = self._lines(item[0])
            if said.text.strip():
                text = said.text if mark == "-" and marker_of(said.text) else f"{mark} {said.text}"
                yield Element(text, lines, 0, True, tuple(said.anchors), tuple(said.links))
            at, count = end + 1, count + 1

    def _said(self, tokens: Sequence[Token]) -> Inline:
        """Return what blocks inside one element say, a line or more each."""
        found, rows = Inline(), Rows()
        for before, token in zip([None, *tokens], tokens, strict=False):
            rows.see(token)
            self._tabled = self._tabled or token.type == "table_open"
            if token.type == "inline":
                said = self._inline(token.content)
                found.links += said.links
                found.anchors += said.anchors
                rows.add(said.text, in_cell=before is not None and before.type in ("th_open", "td_open"))
            elif token.type in ("fence", "code_block"):
                rows.add(token.content.rstrip("\n"))
            elif token.type == "html_block":
                found.anchors += ids_in(token.content)
                rows.add(" ".join(_WORDS.sub(" ", token.content).split()))
        found.text = rows.text
        return found

    def _html(self, token: Token, lines: tuple[int, ...]) -> Iterator[Element]:
        text = "\n".join(said for line in _WORDS.sub("", token.content).split("\n") if (said := " ".join(line.split())))
        anchors = tuple(ids_in(token.content))
        if text or anchors:
            yield Element(text, lines, anchors=anchors)

    def _inline(self, text: str) -> Inline:
        children: list[Token] = []
        self._parser.inline.parse(text, self._parser, self._environment, children)
        said = read_inline(children)
        self._pictured = self._pictured or said.is_pictured
        return said

    def _lines(self, token: Token) -> tuple[int, ...]:
        return self._spoken(*(token.map or (0, 0)))

    def _spoken(self, first: int, last: int) -> tuple[int, ...]:
        return tuple(n + 1 for n in range(first, last) if self._document.lines[n].strip())


def _run(markers: Sequence[Marker | None]) -> list[int]:
    """
    Return the places of *markers* that run on: each is the next of its kind, or the first inside the one before.

    Where every line has a number that lists do not have, all are.
    """
    if all(marker and marker.rest and marker.rank in STRONG for marker in markers):
        return [*range(1, len(markers))]
    said = [(at, marker, (marker.rank, len(marker.parts))) for at, marker in enumerate(markers) if marker]
    values = {(kind, marker.value) for _, marker, kind in said}
    last: dict[tuple[Rank, int], int] = {}
    places: list[int] = []
    above: Marker | None = None
    for at, marker, kind in said:
        if above is None:
            runs = at == 0 or (kind, marker.value + 1) in values
        else:
            inside = marker.value == 1 and kind > (above.rank, len(above.parts))
            runs = (inside or marker.value == last.get(kind, 0) + 1 > 1) and not _goes_on(marker, above)
        if runs and marker.rest:
            places.append(at)
            last[kind], above = marker.value, marker
    return [at for at in places if at]


def _goes_on(marker: Marker, above: Marker) -> bool:
    """Tell whether a sentence goes on with the number, as no rule *above* it begins: `2.2 and on`."""
    return marker.rest[:1].islower() and not above.rest[:1].islower()


def _end_of(tokens: Sequence[Token], at: int) -> int:
    """Return the place of the token that closes the one at *at*."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += tokens[place].nesting
        if depth <= 0:
            return place
    return len(tokens) - 1
