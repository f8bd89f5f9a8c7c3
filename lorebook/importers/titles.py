"""
Keys from the title of a rule: what a chat would say of it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from lorebook.importers.chinese import words_of
from lorebook.importers.english import GRAMMAR, STOP, base, singular
from lorebook.scripts import HAN

LONGEST = 40
"""A longer title is a sentence, which no chat says."""

_MOST_WORDS, _MOST_FORMED, _MOST_JOINED, _MOST_FORMS = 5, 3, 2, 2
_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\S)", re.IGNORECASE)
# `Steeped: a tea-house card game`, `Fusion – how it works`, `Relics (optional)`.
_PARTS = re.compile(r":\s+|\s+[-–—]\s+|\s*[()]\s*")
_JOINT = re.compile(r"\s*(?:,|/|&|\band\b|\bor\b)\s*", re.IGNORECASE)
# A longer one is said by nobody in passing.
_LONGEST_CHINESE, _LONGEST_JOINED = 14, 6
_CHINESE_PARTS = re.compile("[：；（）]")
_CHINESE_JOINTS = frozenset("与與和及或、·/&")
_QUOTATION = re.compile("[“”「」『』《》]")
_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_SMALL = re.compile(r"[a-z]{3,30}")


class Written:
    """
    The English words that a document writes, by what they are forms of.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for word, times in Counter(word for text in texts for word in _SMALL.findall(text.lower())).items():
            self._forms[base(word)][word] += times

    def others(self, word: str) -> list[str]:
        """
        Return the other forms of *word* that the document writes, the commonest first.
        """
        return [form for form, _ in self._forms[base(word)].most_common() if form != word]


def keys_of(title: str, written: Written) -> Iterator[str]:
    """
    Yield the keys that *title* gives, surest first, with the other forms of them that the document has *written*.

    Nothing for a title that was cut off, or says more than a chat would.
    """
    if _HAN.search(title):
        yield from _chinese(title)
        return
    for part in filter(None, _PARTS.split(title)):
        short = without_article(part).rstrip(" .!?")
        words = _WORD.findall(short)
        if words and len(words) <= _MOST_WORDS and len(short) <= LONGEST:
            yield short
            yield from _forms(short, words, written)
        yield from _joined(short)


def without_article(key: str) -> str:
    """
    Return *key* without the article that it begins with.
    """
    return _ARTICLE.sub("", key)


def _chinese(title: str) -> Iterator[str]:
    """Yield *title* where it is short and no sentence, and the parts of `攻击力·守备力`, `抽牌与弃牌`."""
    if title.endswith("…") or _QUOTATION.search(title):
        return
    for part in filter(None, _CHINESE_PARTS.split(title)):
        if len(part) <= _LONGEST_CHINESE:
            yield part
        terms = "".join(" " if word in _CHINESE_JOINTS else word for word in words_of(part)).split()
        if len(terms) > 1 and all(1 < len(term) <= _LONGEST_JOINED for term in terms):
            yield from terms


def _joined(short: str) -> Iterator[str]:
    """Yield the parts of `Ties and draws`; none of them where one is long or says nothing alone."""
    parts = _JOINT.split(short)
    if len(parts) > 1 and all(_stands_alone(part) for part in parts):
        yield from parts


def _stands_alone(part: str) -> bool:
    words = part.lower().split()
    return 0 < len(words) <= _MOST_JOINED and not any(word in STOP for word in words)


def _forms(title: str, words: list[str], written: Written) -> Iterator[str]:
    """Yield *title* as its words may be said otherwise: `wreck roll`, `play a trick`, `scavenged`, `face down card`."""
    first, last = words[0].lower(), words[-1].lower()
    if (
        len(words) <= _MOST_FORMED
        and title.endswith(words[-1])
        and last not in GRAMMAR
        and (single := singular(last)) != last
    ):
        yield title[: len(title) - len(last)] + _like(words[-1], single)
    if len(words) == 1 and title == words[0]:
        yield from (_like(title, form) for form in written.others(last)[:_MOST_FORMS])
    elif first.endswith("ing") and (verb := base(first)) != first and words[1:2] and words[1].lower() in GRAMMAR:
        yield title.replace(words[0], _like(words[0], verb), 1)
    if "-" in title:
        yield title.replace("-", " ")


def _like(word: str, form: str) -> str:
    """Return *form* with a capital where *word* has one; *word* itself where they differ in capitals only."""
    if word.lower() == form:
        return word
    return form.upper() if word.isupper() and len(word) > 1 else form.capitalize() if word[:1].isupper() else form
