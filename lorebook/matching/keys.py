"""
Does a key match a text, and where?

A plain key is compared after folding (width, case, Traditional and Simplified). With whole words on, a
letter at the key's edge must not continue a word; Chinese, Japanese and Korean are written without spaces,
so their characters never do. White space and hyphens inside a key match any run of them, line breaks too:
people type `face-down`, `face down` and `facedown` wraps over lines. A key `/pattern/flags` is a JavaScript
regular expression, run on the text as it is by a real ECMAScript engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from lorebook.matching import ecmascript
from lorebook.retrieval.folding import fold, fold_aligned
from lorebook.scripts import HANGUL, UNSPACED

# Letters and digits of scripts in which a letter continues the word before it.
_JOINED = rf"[^\W{UNSPACED}{HANGUL}]"
_STARTS_JOINED = re.compile(_JOINED)
_GAP = re.compile(r"[\s\-\u2010-\u2015]+")


class Found(NamedTuple):
    """
    Where a key matched: characters *start* to *end* (excluded) of the text.
    """

    start: int
    end: int


class Folded:
    """
    A text as keys see it, with the way back to the characters it was made from.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded, self._places = fold_aligned(text)

    def original(self, start: int, end: int) -> Found:
        """
        Return the part of the original text whose folding holds characters *start* to *end*.
        """
        if self._places is None:
            return Found(start, end)
        # A match may end within what one character became (a ligature); then all of that character matched.
        while end < len(self._places) - 1 and self._places[end] == self._places[end - 1]:
            end += 1
        return Found(self._places[start], self._places[end])


Matcher: TypeAlias = Callable[[Folded], Found | None]


@lru_cache(maxsize=65536)
def compile_key(key: str, *, case_sensitive: bool, whole_words: bool) -> Matcher:
    """
    Return the function that finds *key* in a text; an empty key finds nothing.
    """
    key = key.strip()
    if expression := ecmascript.parse_key(key):
        return _regex_matcher(expression)
    pattern = _plain_pattern(key if case_sensitive else fold(key), whole_words=whole_words)
    if pattern is None:
        return lambda _text: None
    compiled = re.compile(pattern)
    if case_sensitive:
        return lambda text: Found(*hit.span()) if (hit := compiled.search(text.text)) else None
    return lambda text: text.original(*hit.span()) if (hit := compiled.search(text.folded)) else None


def _plain_pattern(key: str, *, whole_words: bool) -> str | None:
    words = [word for word in _GAP.split(key) if word]
    if not words:
        return None
    pattern = r"[\s\-\u2010-\u2015]+".join(map(re.escape, words))
    if whole_words and _STARTS_JOINED.match(words[0]):
        pattern = rf"(?<!{_JOINED}){pattern}"
    if whole_words and _STARTS_JOINED.match(words[-1][-1]):
        pattern = rf"{pattern}(?!{_JOINED})"
    return pattern


def _regex_matcher(expression: ecmascript.Expression) -> Matcher:
    def find(text: Folded) -> Found | None:
        (span,) = ecmascript.search(text.text, [expression])
        return _in_characters(text.text, *span) if span else None

    return find


def _in_characters(text: str, start: int, end: int) -> Found:
    """
    Turn places in UTF-16 code units, as JavaScript counts, into places in characters.
    """
    if len(text) * 2 == len(units := text.encode("utf-16-le", "surrogatepass")):
        return Found(start, end)
    return Found(*(len(units[: 2 * place].decode("utf-16-le", "surrogatepass")) for place in (start, end)))
