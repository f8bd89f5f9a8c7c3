"""
Names for rules: a title where the document gives none, and a slug that a file can be called.
"""

from __future__ import annotations

import re
import unicodedata

from lorebook.importers.document import HAN

_MOST_CHARACTERS = 60
# File systems allow 255 bytes; this leaves room for `.yaml` and the ending of a file that is being written.
_MOST_BYTES = 200
_WORDS = re.compile(r"[^\W_]+")
_FIRST_HAN_CLAUSE = re.compile(r"[^，。；：！？\n]+")
_FIRST_SENTENCE = re.compile(r".+?(?=[.!?;:](?:\s|$)|\n|$)")
_HAN_TITLE = 24
_TITLE = 60


class Slugs:
    """
    Gives slugs out, no two of them equal: a second `summary` is `summary-2`.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}

    def take(self, title: str) -> str:
        """
        Return a slug for *title* that was not given out before.
        """
        base = slug(title)
        candidate = base
        while candidate in self._taken:
            self._last[base] = self._last.get(base, 1) + 1
            candidate = f"{base}-{self._last[base]}"
        self._taken.add(candidate)
        return candidate


def slug(title: str) -> str:
    """
    Return *title* as lower-case words of any script, joined by hyphens and short enough for a file name.
    """
    # Lower case can undo the composition (and composition the case) of a few letters: settle both.
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", title).lower()).lower()
    words = "-".join(_WORDS.findall(plain))
    short = _cut(words, _MOST_CHARACTERS)
    while len(short.encode()) > _MOST_BYTES:
        short = short[:-1]
    return short.strip("-") or "rule"


def _cut(words: str, most: int) -> str:
    if len(words) <= most:
        return words
    whole = words[: most + 1].rpartition("-")[0]
    return whole if len(whole) > most // 2 else words[:most]


def title_from(text: str) -> str:
    """
    Return the beginning of *text* as a title: a clause in Chinese, else as much of a sentence as is short.
    """
    if re.match(f"[“”「『（(]*[{HAN}○\\d]", text):
        clause = _FIRST_HAN_CLAUSE.search(text)
        return _shorten(clause.group() if clause else text, _HAN_TITLE, by_word=False)
    sentence = _FIRST_SENTENCE.match(text)
    return _shorten(sentence.group() if sentence else text, _TITLE, by_word=True)


def _shorten(text: str, most: int, *, by_word: bool) -> str:
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line[:most].rpartition(" ")[0] if by_word else ""
    return f"{(cut or line[:most]).rstrip(' ,;:，；：')}…"
