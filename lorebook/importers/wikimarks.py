"""
What MediaWiki and AsciiDoc mark with signs of their own, as CommonMark that says the same on the same lines.

Both have headings behind equals signs; MediaWiki closes them. A table becomes lines with bars between cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_HEADING = re.compile(r"(?P<marks>={1,6})(?P<gap>[ \t]*)(?P<title>[^=\s].*?)[ \t]*(?P<end>={1,6})?[ \t]*")
_CLOSED = re.compile(r"(?P<marks>={1,6})[^=].*?(?P=marks)[ \t]*")
_OF_MARKDOWN = re.compile(r"#{1,6}\s+\S")
_FEW = 2

_EMPHASIS = re.compile(r"'{2,5}")
_SECTION_LINK = re.compile(r"\[\[#([^\]|]+)(?:\|([^\]]*))?\]\]")
_CATEGORY = re.compile(r"\[\[(?:category|分类|分類)\s*:[^\]]*\]\]", re.IGNORECASE)
_LINK = re.compile(r"\[\[(?:[^\]|]*\|)*([^\]|]*)\]\]")
_OUTSIDE = re.compile(r"\[(?:https?:)?//\S+\s+([^\]]+)\]")
_REFERENCE = re.compile(r"<ref[^<>/]*/>|<ref[^<>]*>(.*?)</ref>")
_WIKI_LIST = re.compile(r"(?P<marks>[*#:;]+)\s*(?P<text>.*)")
_TABLE_EDGE = re.compile(r"\{\|.*|\|\}\s*")
_CELLS = re.compile(r"\s*(?:\|\||!!)\s*")
_STYLE = re.compile(r"^\s*(?:[\w-]+\s*=\s*(?:\"[^\"]*\"|\w+)\s*)+\|(?!\|)\s*")

_ASCII_LIST = re.compile(r"\s*(?P<marks>\*{1,5}|\.{1,5}|-)\s+(?P<text>\S.*)")
_ASCII_FENCE = re.compile(r"(?:-{4,}|\.{4,}|\+{4,})\s*")
_ASCII_EDGE = re.compile(r"(?:={4,}|\*{4,}|_{4,}|--|\|={3,}|\+)\s*|//.*|:[\w-]+!?:.*|\[[^\[\]]*\]\s*")
_ASCII_ANCHOR = re.compile(r"\[\[([\w-]+)(?:,[^\]]*)?\]\]\s*|\[#([\w-]+)[^\]]*\]\s*")
_BLOCK_TITLE = re.compile(r"\.(?P<title>[^.\s].*)")
_TERM = re.compile(r"(?P<term>\S.*?)::\s+(?P<text>\S.*)")
_CROSS = re.compile(r"<<#?([\w-]+)(?:,\s*([^>]*))?>>")
_NO_ANCHOR = re.compile(r"[^\w-]")
_MACRO = re.compile(r"(?:link|xref|footnote|https?):[^\s\[]*\[([^\]]*)\]")


def headings_in(lines: Sequence[str]) -> int:
    """
    Return how many of *lines* are headings behind equals signs.
    """
    return sum(1 for line in lines if _is_heading(line))


def is_marked(lines: Sequence[str]) -> bool:
    """
    Tell whether *lines* are marked as wikis or AsciiDoc mark them, and not as Markdown does.
    """
    headings = [line for line in lines if _is_heading(line)]
    closed = sum(1 for line in headings if _CLOSED.fullmatch(line))
    return closed >= _FEW or (len(headings) >= _FEW and not any(_OF_MARKDOWN.match(line) for line in lines))


def as_commonmark(lines: Sequence[str]) -> list[str]:
    """
    Return *lines*, as many, with their marks replaced.
    """
    closed = sum(1 for line in lines if _CLOSED.fullmatch(line))
    return list(_of_wiki(lines) if 2 * closed >= headings_in(lines) else _of_asciidoc(lines))


def _is_heading(line: str) -> bool:
    found = _HEADING.fullmatch(line)
    return found is not None and (bool(found["gap"]) or found["end"] == found["marks"])


def _heading(line: str) -> str | None:
    found = _HEADING.fullmatch(line) if _is_heading(line) else None
    return f"{'#' * len(found['marks'])} {found['title']}" if found else None


def _of_wiki(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if (heading := _heading(line)) is not None:
            yield _plain_wiki(heading)
        elif _TABLE_EDGE.fullmatch(line):
            yield ""
        elif line.startswith("|-"):
            yield "<wbr>"
        elif line.startswith(("|", "!")):
            cells = (_STYLE.sub("", cell) for cell in _CELLS.split(line.lstrip("|!+").strip()))
            yield f"{_plain_wiki(' | '.join(cells))}  "
        elif listed := _WIKI_LIST.fullmatch(line):
            yield _wiki_item(listed["marks"], _plain_wiki(listed["text"]))
        else:
            yield _plain_wiki(line)


def _wiki_item(marks: str, text: str) -> str:
    if marks == ";":
        return f"{text}  "
    if marks == ":":
        return f": {text}"
    # An inner list is set in as far as the text of the outer one.
    indent = sum(3 if mark == "#" else 2 for mark in marks[:-1])
    return f"{' ' * indent}{'1.' if marks[-1] == '#' else '-'} {text}"


def _plain_wiki(line: str) -> str:
    line = _CATEGORY.sub("", line)
    line = _SECTION_LINK.sub(lambda found: _linked(found[2] or found[1], found[1]), line)
    line = _REFERENCE.sub(lambda found: f" ({found[1]})" if found[1] else "", _LINK.sub(r"\1", line))
    return _EMPHASIS.sub(lambda found: {2: "*", 3: "**"}.get(len(found[0]), "***"), _OUTSIDE.sub(r"\1", line))


def _of_asciidoc(lines: Sequence[str]) -> Iterator[str]:
    fenced = False
    for line in lines:
        if _ASCII_FENCE.fullmatch(line):
            fenced = not fenced
            yield "```"
        elif fenced:
            yield line
        elif (heading := _heading(line)) is not None:
            yield heading
        elif anchor := _ASCII_ANCHOR.fullmatch(line):
            yield f'<a id="{anchor[1] or anchor[2]}"></a>'
        elif _ASCII_EDGE.fullmatch(line):
            yield ""
        else:
            yield _asciidoc_text(line)


def _asciidoc_text(line: str) -> str:
    line = _CROSS.sub(lambda found: _linked(found[2] or found[1], found[1]), _MACRO.sub(r"\1", line))
    if listed := _ASCII_LIST.fullmatch(line):
        depth = len(listed["marks"]) - 1
        return f"{'   ' * depth}{'1.' if listed['marks'][0] == '.' else '-'} {listed['text']}"
    if title := _BLOCK_TITLE.fullmatch(line):
        return f"**{title['title']}**  "
    if term := _TERM.fullmatch(line):
        return f"{term['term']}: {term['text']}  "
    if line.startswith("|"):
        return f"{' | '.join(cell.strip() for cell in line.strip('|').split('|'))}  "
    return line


def _linked(text: str, name: str) -> str:
    anchor = _NO_ANCHOR.sub("", name.strip().lower().replace(" ", "-"))
    return f"[{text.strip()}](#{anchor})"
