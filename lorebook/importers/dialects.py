"""
What Markdown is enriched with by the programs that render it, as CommonMark that says the same on the same lines.

Notes in boxes (`!!! note`, `::: tip`, `> [!NOTE]`) keep their title and text; marks that place something else there, a
table of contents or a style, are taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_FENCE = re.compile(r"\s{0,3}(?P<mark>`{3,}|~{3,})")
_MARK = re.compile(
    r"\s*(?:\[\[?_?toc_?\]?\]|\$\{toc\}|\{:[^{}]*\}|\{\{[<%].*[>%]\}\}|\{%.*%\}|\\(?:newpage|pagebreak|tableofcontents))\s*",
    re.IGNORECASE,
)
_BOX = re.compile(r"\s{0,3}:{3,}\s*(?P<kind>[\w-]*|\{[^{}]*\})\s*(?P<title>[^:]*?):*\s*")
_NOTE = re.compile(r"(?:!{3}|\?{3}\+?)\s+(?P<kind>[\w-]+)(?:\s+[\w-]+)*(?:\s+[\"“](?P<title>.*)[\"”])?\s*")
_ALERT = re.compile(r"(?P<mark>\s{0,3}(?:>\s?)+)\[!(?P<kind>\w+)\][+-]?\s*(?P<title>.*)")
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
    return list(_replaced(lines))


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
