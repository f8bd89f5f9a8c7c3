"""
HTML: a page with headings, paragraphs, lists and tables, well formed or not.

What a page says around its text (scripts, styles, navigation) is left out; a table's row is one line, its cells parted
by bars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lorebook.importers.counting import counted
from lorebook.importers.document import Document
from lorebook.importers.draft import Action, Detection, Reading
from lorebook.importers.elements import Element, join_lines
from lorebook.importers.front_matter import language_from, plain_fact
from lorebook.importers.html_tokens import Piece, Places, pieces
from lorebook.importers.inline import target_of
from lorebook.importers.markers import marker_of
from lorebook.importers.sections import Sections, is_numbered

_START = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(
    r"</?(?:html|head|title|meta|p|div|h[1-6]|li|ul|ol|table|tr|td|br|section|article|body|span|a|dl|dt|dd)\b[^<>]{0,500}>",
    re.IGNORECASE,
)
_FEW = 4
_HEADING = re.compile(r"h([1-6])")
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form header hgroup hr html legend li main menu nav ol p pre section summary table tbody tfoot thead tr "
    "ul".split()
)
_LISTS, _CELLS = ("ul", "ol", "menu", "dir"), ("td", "th")
_LEFT_OUT = frozenset({"nav"})
_NAMES = {"author": "authority", "description": "description", "version": "edition", "rights": "licence",
          "dcterms.rights": "licence", "license": "licence", "licence": "licence"}  # fmt: skip
_DEEPEST = 20


class HtmlImporter:
    """
    Reads HTML.
    """

    kind = "html"
    needs = "HTML: there is no tag such as <p> or <h1> in it"

    def detect(self, document: Document) -> Detection | None:
        """
        Return how many tags there are, or None without any.
        """
        text = "\n".join(document.lines)
        tags = sum(1 for _ in _TAG.finditer(text))
        if not tags:
            return None
        whole = _START.match(text) is not None
        many = tags >= _FEW and tags >= len(document.blocks) and text.lstrip().startswith("<")
        return Detection(self.kind, f"{tags} HTML tags", 0.97 if whole else 0.9 if many else 0.03)

    def read(self, document: Document) -> Reading:
        """
        Read headings and blocks.
        """
        reading = Reading()
        elements = list(_Reader(reading, document).elements())
        numbered = is_numbered(element.text for element in elements)
        Sections(reading, elements, numbered=numbered).read()
        reading.put_rest_aside(document, "tags without words")
        first = [element.text for element in elements if element.level == 1]
        reading.title = reading.title or (first[0] if len(first) == 1 else None)
        return reading


@dataclass
class _Listed:
    """A list that is open: how it is counted, if it is, and its next number."""

    style: str
    count: int

    def next(self, item: Piece) -> str:
        """Return the mark of the *item* that begins."""
        if not self.style:
            return "- "
        count = _number(item.attributes.get("value"), self.count)
        self.count = count + 1
        return f"{counted(count, self.style)}. "


class _Reader:
    """Turns tags and texts into elements."""

    def __init__(self, reading: Reading, document: Document) -> None:
        self._reading = reading
        self._text = "\n".join(document.lines)
        self._places = Places(document.lines)
        self._said: list[tuple[str, Piece]] = []
        self._anchors: list[str] = []
        self._links: list[str] = []
        self._level = 0
        self._defines = False
        self._term = ""
        self._lists: list[_Listed] = []
        self._mark = ""
        self._tight = False
        self._cells = 0
        self._pre = 0
        self._out: list[str] = []
        self._dropped: list[int] = []

    def elements(self) -> Iterator[Element]:
        """Yield the elements of the page."""
        before = ""
        for piece in pieces(self._text):
            if before == "title" and not piece.name:
                self._reading.title = self._reading.title or " ".join(piece.text.split()) or None
                self._reading.put_aside(sorted(self._lines([piece])), "the page's title", " ".join(piece.text.split()))
            elif piece.name:
                yield from self._tag(piece)
            elif self._out:
                self._dropped += [n for n in self._lines([piece]) if piece.text.strip()]
            else:
                self._said.append((piece.text, piece))
            before = piece.name
        yield from self._flush()
        if self._dropped:
            self._reading.put_aside(self._dropped, "the page's navigation")
            self._reading.note(Action.DROPPED, self._dropped, "the page's navigation")

    def _tag(self, piece: Piece) -> Iterator[Element]:
        name, closes = piece.name.removeprefix("/"), piece.name.startswith("/")
        if name in _LEFT_OUT and not closes:
            self._out.append(name)
        elif closes and self._out and name == self._out[-1]:
            self._out.pop()
        if self._out:
            return
        if name in ("html", "meta"):
            self._facts(name, piece)
        if name in _BLOCKS or _HEADING.fullmatch(name):
            yield from self._flush()
            self._open(name, piece, closes=closes)
        elif name in _CELLS and not closes:
            self._said.append((" | " if self._cells else "", piece))
            self._cells += 1
        elif name == "br":
            self._said.append(("\n" if self._pre else "\0", piece))
        elif name == "img" and piece.attributes.get("alt"):
            self._said.append((piece.attributes["alt"], piece))
        self._point(name, piece)

    def _open(self, name: str, piece: Piece, *, closes: bool) -> None:
        if heading := _HEADING.fullmatch(name):
            self._level = 0 if closes else int(heading[1])
        elif name in _LISTS:
            self._list(name, piece, closes=closes)
        elif name == "li" and not closes and self._lists:
            self._mark = self._lists[-1].next(piece)
        elif name == "pre":
            self._pre = 0 if closes else 1
        elif name in ("dl", "dt", "dd"):
            self._defines = name == "dt" and not closes
            self._term = "" if name == "dl" else self._term
        elif name == "tr":
            self._cells = 0
        self._tight = name in ("tr", "dd", "li") and not closes

    def _list(self, name: str, piece: Piece, *, closes: bool) -> None:
        if closes:
            self._lists = self._lists[:-1]
        elif len(self._lists) < _DEEPEST:
            style = piece.attributes.get("type", "1") if name == "ol" else ""
            self._lists.append(_Listed(style, _number(piece.attributes.get("start"), 1)))

    def _point(self, name: str, piece: Piece) -> None:
        if piece.name.startswith("/"):
            return
        self._anchors += [piece.attributes["id"]] if piece.attributes.get("id") else []
        if name == "a":
            self._anchors += [piece.attributes["name"]] if piece.attributes.get("name") else []
            if target := target_of(piece.attributes.get("href", "")):
                self._links.append(target)

    def _facts(self, name: str, piece: Piece) -> None:
        facts = self._reading.facts
        if name == "html" and (language := language_from(piece.attributes.get("lang", ""))):
            facts.setdefault("language", language)
        known = _NAMES.get(piece.attributes.get("name", "").lower())
        content = plain_fact(piece.attributes.get("content", ""))
        if name == "meta" and known and content:
            facts.setdefault(known, content)

    def _flush(self) -> Iterator[Element]:
        said = "".join(text for text, _ in self._said)
        text = said.replace("\0", "\n").strip("\n") if self._pre else _plain(said)
        if text.strip(" |\n"):
            lines = tuple(sorted(self._lines([piece for text, piece in self._said if text.strip()])))
            indent = "  " * max(0, len(self._lists) - 1)
            own_number = marker_of(text.lstrip()) is not None
            marked = f"{indent}{self._mark}{text.rstrip()}" if self._mark and not own_number else text
            title = " ".join(text.split()) if self._level else marked
            self._term = title if self._defines else self._term
            tight = self._tight or bool(self._mark)
            anchors, links = tuple(self._anchors), tuple(self._links)
            yield Element(
                title,
                lines,
                self._level,
                tight,
                anchors,
                links,
                numbered=not self._pre and (own_number or not self._mark),
                term=self._term,
            )
            self._anchors, self._links, self._mark, self._tight = [], [], "", False
        self._said = []

    def _lines(self, found: list[Piece]) -> set[int]:
        numbers: set[int] = set()
        for piece in found:
            first, last = self._places.line(piece.start), self._places.line(max(piece.start, piece.end - 1))
            inside = self._text[piece.start : piece.end].split("\n") if last > first else [""]
            spoken = [first + at for at, line in enumerate(inside) if line.strip()] if last > first else [first]
            numbers.update(spoken)
        return numbers


def _number(value: str | None, otherwise: int) -> int:
    return int(value) if value and re.fullmatch(r"[0-9]{1,6}", value) else otherwise


def _plain(said: str) -> str:
    """Return text as a browser shows it: white space is one space, and none between Chinese characters."""
    rows = (
        join_lines([part for line in row.split("\n") if (part := " ".join(line.split()))]) for row in said.split("\0")
    )
    return "\n".join(row for row in rows if row)
