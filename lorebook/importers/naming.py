"""
Names for rules: a title where the document gives none, and a slug that a file can be called.
"""

from __future__ import annotations

import re
import unicodedata

from lorebook.scripts import HAN

_MOST_CHARACTERS = 60
# File systems allow 255 bytes; this leaves room for `.yaml` and the ending of a file that is being written.
_MOST_BYTES = 200
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
# Signs that alone tell two titles apart: `ATK > DEF`, `ATK < DEF`.
_SPOKEN = str.maketrans({">": " over ", "<": " under ", "=": " equals ", "%": " percent "})
_WORDS = re.compile(r"[^\W_]+")
# A quotation is never cut; a first clause too short to say anything takes the next one in.
_FIRST_HAN_CLAUSE = re.compile(r"(?:“[^“”\n]*”|[^，。；：！？\n“”])+(?:[，：](?:“[^“”\n]*”|[^，。；：！？\n“”])+)?")
_FIRST_SENTENCE = re.compile(r".+?(?=[.!?;:](?:\s|$)|\n|$)")
_HAN_TITLE = 24
_TELLING = 7
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
        return self.take_slug(slug(title))

    def take_slug(self, base: str) -> str:
        """
        Return the slug *base*, with a number behind it where it was given out before.
        """
        candidate = base
        while candidate in self._taken:
            self._last[base] = self._last.get(base, 1) + 1
            candidate = f"{base}-{self._last[base]}"
        self._taken.add(candidate)
        return candidate


def number_slug(number: str) -> str:
    """
    Return the *number* of a rule as a slug that keeps its points: `702.19b`, `3.2-a`, `第三条`.
    """
    plain = unicodedata.normalize("NFKC", number).lower()
    dotted = ".".join("-".join(_WORDS.findall(part)) for part in plain.split("."))
    return slug_of_words(re.sub(r"\.{2,}", ".", dotted).strip("."))


def slug(title: str) -> str:
    """
    Return *title* as lower-case words of any script, joined by hyphens and short enough for a file name.
    """
    # Lower case can undo the composition (and composition the case) of a few letters: settle both.
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", title).lower()).lower()
    spoken = _APOSTROPHE.sub("", plain).translate(_SPOKEN)
    return slug_of_words("-".join(_WORDS.findall(spoken)))


def slug_of_words(words: str) -> str:
    """
    Return *words*, lower-case and joined by hyphens, cut to what a file may be called.
    """
    short = _cut(words, _MOST_CHARACTERS)
    while len(short.encode()) > _MOST_BYTES:
        short = short[:-1]
    return short.strip("-.") or "rule"


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
        clauses = _FIRST_HAN_CLAUSE.search(text)
        clause = clauses.group() if clauses else text
        first = re.split("[，：]", clause, maxsplit=1)[0]
        whole = first if len(first) >= _TELLING else clause
        return _close_quotes(_shorten(whole, _HAN_TITLE, by_word=False))
    sentence = _FIRST_SENTENCE.match(text)
    return _shorten(sentence.group() if sentence else text, _TITLE, by_word=True)


def _close_quotes(title: str) -> str:
    orphan = title.rfind("“")
    return title[:orphan] + title[orphan + 1 :] if title.count("“") > title.count("”") else title


def _shorten(text: str, most: int, *, by_word: bool) -> str:
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line[:most].rpartition(" ")[0] if by_word else ""
    return f"{(cut or line[:most]).rstrip(' ,;:，；：')}…"
