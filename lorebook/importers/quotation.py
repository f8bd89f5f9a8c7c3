"""
Chinese quotation marks that lost their partner or stand on the wrong side of a line break.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

_OPEN, _CLOSE = "“", "”"
_STOPS = "，。；：！？、"
_CLAUSE_ENDS = _STOPS + _OPEN + _CLOSE
_MARK = re.compile(f"[{_OPEN}{_CLOSE}]")
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
    orphans, _ = _orphans(text)
    return orphans[0] if orphans else None


def _orphans(text: str) -> tuple[list[int], list[int]]:
    """Return where closing marks without an opening one stand, and opening marks without a closing one."""
    opened: list[int] = []
    closing: list[int] = []
    for found in _MARK.finditer(text):
        if found.group() == _OPEN:
            opened.append(found.start())
        elif opened:
            opened.pop()
        else:
            closing.append(found.start())
    return closing, opened


def _pair(text: str) -> str:
    closing, _ = _orphans(text)
    text = _insert(text, _OPEN, [_clause_start(text, at) for at in closing])
    _, opened = _orphans(text)
    return _insert(text, _CLOSE, [_clause_end(text, at + 1) for at in opened])


def _insert(text: str, mark: str, places: list[int]) -> str:
    bounds = [0, *places, len(text)]
    return mark.join(text[start:end] for start, end in pairwise(bounds))


def _clause_start(text: str, close: int) -> int:
    """Return where the clause that ends at the mark *close* begins; its own full stop is part of it."""
    at = close
    while at and text[at - 1] in _STOPS:
        at -= 1
    while at and text[at - 1] not in _CLAUSE_ENDS:
        at -= 1
    return at


def _clause_end(text: str, start: int) -> int:
    at = start
    while at < len(text) and text[at] not in _CLAUSE_ENDS:
        at += 1
    return at
