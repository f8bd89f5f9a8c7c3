"""
Chinese quotation marks that lost their partner or stand on the wrong side of a line break.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN, _CLOSE = "“", "”"
_CLAUSE_END = "，。；：！？、“”"
_TRAILING = re.compile(r"“\s*$")


@dataclass(frozen=True)
class Mended:
    """
    Paragraphs with their marks in pairs, and what was done, by place in the list of paragraphs.
    """

    texts: tuple[str, ...]
    changes: tuple[tuple[tuple[int, ...], str], ...]


def mend(texts: list[str]) -> Mended:
    """
    Return *texts* with every quotation mark paired.
    """
    mended = list(texts)
    changes: list[tuple[tuple[int, ...], str]] = []
    for at, text in enumerate(mended):
        if _surplus(text) > 0 and _TRAILING.search(text):
            mended[at] = _TRAILING.sub("", text).rstrip()
            following = mended[at + 1] if at + 1 < len(mended) else ""
            if _first_orphan_close(following) is not None:
                mended[at + 1] = _OPEN + following
                changes.append(((at, at + 1), "an opening quotation mark moved to the paragraph that it belongs to"))
            else:
                changes.append(((at,), "an opening quotation mark that opens nothing was taken out"))
        paired = _pair(mended[at])
        if paired != mended[at]:
            mended[at] = paired
            changes.append(((at,), "a quotation mark without a partner was paired"))
    return Mended(tuple(mended), tuple(changes))


def _surplus(text: str) -> int:
    return text.count(_OPEN) - text.count(_CLOSE)


def _first_orphan_close(text: str) -> int | None:
    depth = 0
    for at, mark in enumerate(text):
        depth += (mark == _OPEN) - (mark == _CLOSE)
        if depth < 0:
            return at
    return None


def _pair(text: str) -> str:
    while (orphan := _first_orphan_close(text)) is not None:
        start = _clause_start(text, orphan)
        text = f"{text[:start]}{_OPEN}{text[start:]}"
    while (orphan := _last_orphan_open(text)) is not None:
        end = _clause_end(text, orphan + 1)
        text = f"{text[:end]}{_CLOSE}{text[end:]}"
    return text


def _clause_start(text: str, close: int) -> int:
    """Return where the clause that ends at the mark *close* begins; its own full stop is part of it."""
    inside = text[:close].rstrip("，。；：！？、")
    return max(inside.rfind(mark) for mark in _CLAUSE_END) + 1


def _last_orphan_open(text: str) -> int | None:
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == _CLOSE) - (text[at] == _OPEN)
        if depth < 0:
            return at
    return None


def _clause_end(text: str, start: int) -> int:
    found = [at for mark in _CLAUSE_END if (at := text.find(mark, start)) >= 0]
    return min(found, default=len(text))
