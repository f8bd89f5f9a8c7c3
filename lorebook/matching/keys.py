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
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from lorebook.retrieval.folding import fold

# Letters and digits of scripts that put spaces between words. The excluded ranges are kana, CJK ideographs
# with their extensions, and Hangul (whose particles join the word).
_JOINED = r"[^\W\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
_STARTS_JOINED = re.compile(_JOINED)
_GAP = re.compile(r"[\s\-\u2010-\u2015]+")
_REGEX_KEY = re.compile(r"/(?P<pattern>.+)/(?P<flags>[gimsuy]*)", re.DOTALL)
_UNESCAPED_SLASH = re.compile(r"(?<!\\)/")


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
        pieces = [_fold_character(character) for character in text]
        self.folded = "".join(pieces)
        self._ends = list(accumulate(map(len, pieces)))

    def original(self, start: int, end: int) -> Found:
        """
        Return the part of the original text whose folding holds characters *start* to *end*.
        """
        return Found(self._index(start), self._index(end - 1) + 1)

    def _index(self, position: int) -> int:
        return bisect_right(self._ends, position)


Matcher: TypeAlias = Callable[[Folded], Found | None]


@lru_cache(maxsize=65536)
def compile_key(key: str, *, case_sensitive: bool, whole_words: bool) -> Matcher:
    """
    Return the function that finds *key* in a text; an empty key finds nothing.
    """
    key = key.strip()
    if regex := parse_regex(key):
        return _regex_matcher(*regex)
    pattern = _plain_pattern(key if case_sensitive else fold(key), whole_words=whole_words)
    if pattern is None:
        return lambda _text: None
    compiled = re.compile(pattern)
    if case_sensitive:
        return lambda text: Found(*hit.span()) if (hit := compiled.search(text.text)) else None
    return lambda text: text.original(*hit.span()) if (hit := compiled.search(text.folded)) else None


def parse_regex(key: str) -> tuple[str, str] | None:
    """
    Return pattern and flags of a key `/pattern/flags`, or None for a plain key.

    A slash within the pattern must be escaped, as in JavaScript source; otherwise the key is plain.
    """
    found = _REGEX_KEY.fullmatch(key)
    if not found or _UNESCAPED_SLASH.search(found["pattern"]) or len(set(found["flags"])) < len(found["flags"]):
        return None
    import regress  # noqa: PLC0415 (few books have such keys)

    try:
        regress.Regex(found["pattern"], found["flags"].replace("g", "").replace("y", ""))
    except regress.RegressError:
        return None
    return found["pattern"], found["flags"]


@lru_cache(maxsize=65536)
def _fold_character(character: str) -> str:
    return fold(character)


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


def _regex_matcher(pattern: str, flags: str) -> Matcher:
    import regress  # noqa: PLC0415

    # `g` and `y` steer where the next search starts; a single search from the start needs neither.
    compiled = regress.Regex(pattern, flags.replace("g", "").replace("y", ""))

    def find(text: Folded) -> Found | None:
        hit = compiled.find(text.text)
        return _in_characters(text.text.encode(), hit.range()) if hit else None

    return find


def _in_characters(utf8: bytes, span: slice) -> Found:
    """
    Turn a span of bytes, as the engine counts, into one of characters.
    """
    return Found(len(utf8[: span.start].decode()), len(utf8[: span.stop].decode()))
