"""
What Markdown is enriched with by the programs that render it, as CommonMark that says the same on the same lines.

Notes in boxes (`!!! note`, `::: tip`, `> [!NOTE]`) keep their title and text; marks that place something else there, a
table of contents or a style, are taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from lorebook.importers.questions import is_answer

_FENCE = re.compile(r"\s{0,3}(?P<mark>`{3,}|~{3,})")
_MARK = re.compile(
    r"\s*(?:\[\[?_?toc_?\]?\]|\$\{toc\}|\{:[^{}]*\}|\{\{[<%].*[>%]\}\}|\{%.*%\}|\\(?:newpage|pagebreak|tableofcontents))\s*",
    re.IGNORECASE,
)
_BOX = re.compile(r"\s{0,3}:{3,}\s*(?P<kind>[\w-]*|\{[^{}]*\})\s*(?P<title>[^:]*?):*\s*")
_NOTE = re.compile(r"(?:!{3}|\?{3}\+?)\s+(?P<kind>[\w-]+)(?:\s+[\w-]+)*(?:\s+[\"“](?P<title>.*)[\"”])?\s*")
_ALERT = re.compile(r"(?P<mark>\s{0,3}(?:>\s?)+)\[!(?P<kind>\w+)\][+-]?\s*(?P<title>.*)")
_LETTERED = re.compile(r"\s{0,12}(?:[a-z]|[ivx]{2,4})[.)]\s+\S")
_INDENT = re.compile(r"(?:\t| {4})")
# Boxes that a reader sees with a name; others only place what is in them.
_NAMED = frozenset(
    "note tip info important warning caution danger attention hint example question abstract summary success failure "
    "bug quote error".split()
)


def as_commonmark(lines: Sequence[str]) -> list[str]:
    """
    Return *lines*, as many, with the marks of dialects replaced.
    """
    return list(_replaced(list(_broken(lines))))


def _broken(lines: Sequence[str]) -> Iterator[str]:
    """Yield *lines*; a line of text above an answer or a lettered item ends there, as its writer sees it."""
    for line, after in zip_longest(lines, lines[1:], fillvalue=""):
        ends = _LETTERED.match(after) is not None or is_answer(after.strip(" \t*_>"))
        yield f"{line}  " if ends and line.strip() and not line.endswith("  ") else line


def _replaced(lines: Sequence[str]) -> Iterator[str]:
    fence, inside = "", False
    for line in lines:
        fenced = _FENCE.match(line)
        if fence or fenced:
            mark = fenced["mark"] if fenced else ""
            fence = mark if not fence else "" if mark.startswith(fence) else fence
            yield _INDENT.sub("", line, count=1) if inside else line
            continue
        if inside and line.strip() and not _INDENT.match(line):
            inside = False
        if note := _NOTE.fullmatch(line):
            inside = True
            yield _titled(note["kind"], note["title"] or "")
        elif _MARK.fullmatch(line):
            yield ""
        elif box := _BOX.fullmatch(line):
            yield _titled(box["kind"], box["title"])
        elif alert := _ALERT.fullmatch(line):
            yield f"{alert['mark']}{_titled(alert['kind'], alert['title'])}"
        else:
            yield _INDENT.sub("", line, count=1) if inside else line


def _titled(kind: str, title: str) -> str:
    """Return the title of a box, its kind where it has none, as a line of its own."""
    said = title.strip() or (kind if kind.lower() in _NAMED else "")
    # As examples are marked elsewhere.
    said = f"{said}:" if said.lower() == "example" else said
    return f"**{said}**  " if said else ""
