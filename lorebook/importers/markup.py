"""
BBCode as a run of pieces: text outside lists, items, and lines that are nothing but tags.

Forum lists are rarely well formed: items stand outside a list, lists close twice, an item's text goes on
below it. Nothing of that is an error here; a piece only knows how deep it stands and whether an item began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lorebook.importers.document import Document, TextLine

_NAMES = (
    "list|ul|ol|b|i|u|s|quote|code|url|img|size|color|center|left|right|justify|indent|font|sub|sup|spoiler|collapse"
    "|box|note|table|tbody|tr|td|th|hr|h[1-6]|highlight|anchor|email|attachment"
)
# Where nothing closes tags, each would look for its end as far as the line goes.
_VALUE = r"[^\]\n]{0,2000}+"
TAG = re.compile(rf"\[(?:(?P<end>/)?(?P<name>{_NAMES})(?:=(?P<value>{_VALUE}))?|(?P<item>/?\*|/?li))\]", re.IGNORECASE)
_LISTS, _CELLS, _ROWS = ("list", "ul", "ol"), ("td", "th"), ("tr", "table", "tbody")
_LABELLED = ("spoiler", "collapse", "quote", "box", "note")
_LABEL = re.compile(r"[\"']?(?P<label>[^\"';\[]{1,80})")
_BOLD = re.compile(
    r"(?:\[(?:b|u|i|size|color|font|center|h[1-6])(?:=[^\]]*)?\]\s*)+(?P<text>[^\[\]]{1,80}?)\s*"
    r"(?:\[/(?:b|u|i|size|color|font|center|h[1-6])\]\s*)+[:：]?",
    re.IGNORECASE,
)
_STRONG = re.compile(r"\[(?:b|size|h[1-6])[=\]]", re.IGNORECASE)


@dataclass(frozen=True)
class Piece:
    """
    A line, or the part of it that one list item takes.
    """

    line: TextLine
    text: str
    """The words without tags; empty for an empty item and for a line of tags only."""
    depth: int = 0
    """How many lists are open around it."""
    is_item: bool = False
    opens_list: bool = False
    """Whether a list opens behind the text."""
    block: int = 0
    """The run of lines that it stands in; blank lines part runs."""
    is_bold: bool = False
    """Whether the whole line is set as a heading is: bold or large."""


def pieces(document: Document) -> list[Piece]:
    """
    Return the pieces of *document*; every line that is not blank gives at least one.
    """
    found: list[Piece] = []
    depth = 0
    for number, block in enumerate(document.blocks):
        for line in block:
            of_line = list(_of_line(line, depth, number))
            depth = max(0, depth + sum(_change(tag) for tag in TAG.finditer(line.text)))
            spoken = [piece for piece in of_line if piece.text or piece.is_item]
            if len(spoken) == 1 and _BOLD.fullmatch(line.text) and _STRONG.search(line.text):
                spoken = [replace(spoken[0], is_bold=True)]
            found += spoken or [Piece(line, "", depth, False, any(piece.opens_list for piece in of_line), number)]
    return found


def _change(tag: re.Match[str]) -> int:
    if (tag["name"] or "").lower() not in _LISTS:
        return 0
    return -1 if tag["end"] else 1


def _of_line(line: TextLine, depth: int, block: int) -> Iterator[Piece]:
    text, is_item, begun = "", False, 0
    for tag in TAG.finditer(line.text):
        text += line.text[begun : tag.start()]
        begun = tag.end()
        change, name = _change(tag), (tag["name"] or "").lower()
        if change or tag["item"] or name in _ROWS:
            yield Piece(line, text.strip(), max(depth, int(is_item)), is_item, change > 0, block)
            text, is_item = "", bool(tag["item"]) and not tag["item"].startswith("/")
        elif name in _CELLS and not tag["end"] and text.strip():
            text += " | "
        elif name in _LABELLED and tag["value"] and (label := _LABEL.match(tag["value"])):
            text += f"{label['label'].strip()}: "
        depth = max(0, depth + change)
    yield Piece(line, (text + line.text[begun:]).strip(), max(depth, int(is_item)), is_item, False, block)
