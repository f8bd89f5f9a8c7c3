"""
HTML cut into tags and text, each with the line it stands on.

Everything is read once from left to right: a tag, comment or quotation that never closes takes the rest of the file, as
in browsers, and no input takes longer than its length.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

# Text between these is no text for a reader.
_RAW = ("script", "style", "template", "noscript", "textarea", "title", "iframe", "svg", "math", "select", "object")
_NAME = re.compile(r"/?[A-Za-z][^\s/>]*+")
_ATTRIBUTE = re.compile(r"""[\s/]*+([^\s=>/][^\s=>/]*+)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|(?!["'])[^\s>]*+))?+""")


@dataclass(frozen=True, slots=True)
class Piece:
    """
    A tag (its *name*, with a slash before it when it closes) or, without a name, text.
    """

    start: int
    end: int
    name: str = ""
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)


class Places:
    """
    From places in a text to numbers of lines.
    """

    def __init__(self, lines: tuple[str, ...]) -> None:
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def line(self, place: int) -> int:
        """
        Return the number of the line on which *place* is.
        """
        return min(bisect_right(self._starts, place), len(self._starts) - 1)


def pieces(text: str) -> Iterator[Piece]:
    """
    Yield the tags and texts of *text*; what scripts, styles and the like hold is left out, a title is text.
    """
    at = 0
    while at < len(text):
        start = _next_mark(text, at)
        if start > at:
            yield Piece(at, start, text=html.unescape(text[at:start]))
        if start == len(text):
            return
        if text.startswith("<!--", start):
            at = _after(text, "-->", start + 4)
        elif text[start + 1] in "!?":
            at = _after(text, ">", start)
        else:
            tag = _tag(text, start)
            at = tag.end
            yield tag
            if tag.name in _RAW:
                yield from _raw(text, tag)
                at = _closing(text, tag)


def _raw(text: str, tag: Piece) -> Iterator[Piece]:
    if tag.name == "title":
        end = _closing(text, tag)
        yield Piece(tag.end, end, text=html.unescape(text[tag.end : end]))


def _closing(text: str, tag: Piece) -> int:
    found = re.compile(rf"</{tag.name}(?=[\s/>])", re.IGNORECASE).search(text, tag.end)
    return found.start() if found else len(text)


def _next_mark(text: str, at: int) -> int:
    """Return where the next `<` stands that opens something; another is a sign for "less"."""
    while True:
        at = text.find("<", at)
        if at < 0:
            return len(text)
        if at + 1 < len(text) and (text[at + 1] in "!?" or _NAME.match(text, at + 1)):
            return at
        at += 1


def _after(text: str, mark: str, at: int) -> int:
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)


def _tag(text: str, start: int) -> Piece:
    named = _NAME.match(text, start + 1)
    at = named.end() if named else start + 1
    attributes: dict[str, str] = {}
    while at < len(text) and (found := _ATTRIBUTE.match(text, at)) and found.end() > at:
        value = (found[2] or "").strip("\"'")
        attributes.setdefault(found[1].lower(), html.unescape(value))
        at = found.end()
        if at < len(text) and text[at] == "=":
            # A quotation that never closes.
            at = len(text)
    name = text[start + 1 : named.end()].lower() if named else ""
    return Piece(start, _after(text, ">", at), name, "", attributes)
