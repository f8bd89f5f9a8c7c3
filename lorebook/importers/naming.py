"""
Names for rules: a title where the document gives none, and a slug that a file can be called.
"""

from __future__ import annotations

import re
import unicodedata

from lorebook.importers.chinese import whole_words
from lorebook.scripts import HAN

_MOST_CHARACTERS = 60
# File systems allow 255 bytes; this leaves room for `.yaml` and the ending of a file that is being written.
_MOST_BYTES = 200
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
# Signs that alone tell two titles apart: `ATK > DEF`, `ATK < DEF`.
_SPOKEN = str.maketrans({">": " over ", "<": " under ", "=": " equals ", "%": " percent "})
_WORDS = re.compile(r"[^\W_]+")
_HAN_LETTER = re.compile(f"[{HAN}]")
# The clauses of the first sentence; a quotation is never cut.
_HAN_CLAUSE = re.compile(r"[，：]?(?:“[^“”\n]*”|[^，：。；！？\n“”])+")
# Not a number, to which the text refers.
_BRACKETED = re.compile(r"（[^（）\n]{3,}）|\([^()\n]{3,}\)")
# A clause that only says when: what holds then is the rule.
_WHEN = re.compile(r"(?:[时時后後前]|场合|場合|的话|的話|情况下|情況下|期间|期間)$")
# A clause that wants what it leads on to: `一个回合依次分为：`.
_LEADS_ON = re.compile(r"(?:[为為]|包括|如下)$")
_FIRST_SENTENCE = re.compile(r".+?(?=[.!?;:](?:\s|$)|\n|$)")
# A Chinese character is as wide as two letters.
_TITLE, _HAN_TITLE = 60, 30
_TELLING = 7


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

    Signs that the text begins with are left out where nothing else would be in the title.
    """
    title, word = _beginning(text), _WORDS.search(text)
    return title if not word or _WORDS.search(title) else _beginning(text[word.start() :])


def _beginning(text: str) -> str:
    if _HAN_LETTER.match(next(filter(str.isalpha, text), "")):
        return _han_title(text)
    sentence = _FIRST_SENTENCE.match(text)
    return _shorten(sentence.group() if sentence else text)


def _han_title(text: str) -> str:
    """Return the first clause, with the next ones while they fit and it says too little, only when or leads on."""
    plain = _BRACKETED.sub("", text)
    title, end = "", 0
    while clause := _HAN_CLAUSE.match(plain, end):
        longer = title + clause.group()
        is_open = _WHEN.search(title) or _LEADS_ON.search(title)
        if len(title) >= _TELLING and (not is_open or len(longer) > _HAN_TITLE):
            break
        title, end = longer, clause.end()
    line = " ".join((title or text).split())
    if len(line) <= _HAN_TITLE:
        return line
    return f"{_before_quote(whole_words(line, _HAN_TITLE) or line[:_HAN_TITLE])}…"


def _before_quote(cut: str) -> str:
    """Return *cut* without a quotation that it breaks off; without its mark alone, where that is most of it."""
    if cut.count("“") <= cut.count("”"):
        return cut
    at = cut.rfind("“")
    return cut[:at] if at > len(cut) // 2 else cut[:at] + cut[at + 1 :]


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= _TITLE:
        return line
    cut = line[:_TITLE].rpartition(" ")[0]
    return f"{(cut or line[:_TITLE]).rstrip(' ,;:，；：')}…"
