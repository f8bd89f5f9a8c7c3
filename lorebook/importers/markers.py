"""
The numbers that numbered rules begin with: `702.19b`, `1-2-3`, `3.`, `(a)`, `§ 3`, `第三条`, `一、`, `（二）`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum

from lorebook.rulenumbers import DIGITS, parts_of
from lorebook.scripts import UNSPACED

_LONGEST_TITLE, _LONGEST_LEADER = 80, 200
_UNFINISHED = re.compile(r".*(?:[.!?;,。！？；，、…:：][”\"')）]?)", re.DOTALL)
# A sentence that something follows; not the point of `Red vs. Blue`.
_SENTENCE = re.compile(r".*(?:[。；]|[a-z]{4,}[.!?] [A-Z]).", re.DOTALL)
# Few words, all but the smallest with capitals, and a full stop.
_CAPITALS = re.compile(r"[A-Z][\w'’-]*(?: (?:[A-Z][\w'’-]*|and|or|of|the|for|in|to|a|an|with|by|on|from)){0,8}\.")
_LEADER = re.compile(r"\s*\.(?:\s?\.){2,}\s*\d*\s*$|\s*…{2,}\s*\d*\s*$")
_GAP = rf"(?=\s|[{UNSPACED}“「『《（(]|$)"


class Rank(IntEnum):
    """
    How far inside a number stands: a number closes those of its own rank and of ranks further inside.
    """

    PART = 1
    CHAPTER = 2
    SECTION = 3
    ARTICLE = 4
    HAN = 5
    HAN_BRACKET = 6
    DOT = 7
    HUNDRED = 8
    DECIMAL = 9
    CLAUSE = 10
    ITEM = 11
    BRACKET = 12
    HALF_BRACKET = 13
    LETTER = 14
    ROMAN = 15


_WORDS = {
    "编": Rank.PART, "編": Rank.PART, "部": Rank.PART, "篇": Rank.PART, "part": Rank.PART,
    "章": Rank.CHAPTER, "chapter": Rank.CHAPTER, "appendix": Rank.CHAPTER,
    "节": Rank.SECTION, "節": Rank.SECTION, "section": Rank.SECTION,
    "条": Rank.ARTICLE, "條": Rank.ARTICLE, "article": Rank.ARTICLE, "rule": Rank.ARTICLE, "§": Rank.ARTICLE,
    "law": Rank.ARTICLE, "annex": Rank.CHAPTER,
    "款": Rank.CLAUSE, "项": Rank.ITEM, "項": Rank.ITEM,
}  # fmt: skip
_HAN_WORD = rf"(?P<number>第\s?(?:\d{{1,4}}|[{DIGITS}]{{1,8}})\s?(?P<word>[编編部篇章节節条條款项項]))[：:、.]?(?=\D|$)"
_WORD = (
    r"(?P<number>(?P<word>[Pp]art|[Cc]hapter|[Ss]ection|[Aa]rticle|[Rr]ule|[Ll]aw|[Aa]ppendix|[Aa]nnex|LAW|[PCSAR][A-Z]{3,7})\s"
    r"(?:\d{1,4}(?:\.\d{1,4}){0,8}[a-z]?|[IVXLC]{1,7}|[A-Z](?=[.:\s]|$)))(?:[.:]|\s?[-–—])?(?=\s|$)"
)
_LETTERED = r"\d{1,4}(?:\.\d{1,4}){0,12}\.[A-Za-z](?:\.\d{1,3}\.[A-Za-z]){0,3}(?:\.\d{1,3})?"
_DOTTED = r"\d{1,4}(?:\.\d{1,4}){%s}[a-z]?"
_OF_WORDS = (
    (None, re.compile(_HAN_WORD)),
    (None, re.compile(_WORD)),
    (None, re.compile(r"(?P<number>(?P<word>§)§?\s?\d{1,4}(?:[.-]\d{1,4}){0,8}[a-z]?)[.:]?(?=\s|$)")),
    (Rank.DOT, re.compile(r"(?P<number>#\d{1,4})[.:)]?(?=\s)")),
)
_OF_DIGITS = (
    (Rank.DECIMAL, re.compile(rf"(?P<number>{_LETTERED})(?:[.:)]|(?<=\d)){_GAP}")),
    (Rank.DECIMAL, re.compile(r"(?P<number>\d{1,4}(?:\.\d{1,4}){1,8}\.[a-z])(?=\s)")),
    (Rank.DECIMAL, re.compile(rf"(?P<number>{_DOTTED % '1,12'})[.:)、．：]?{_GAP}")),
    (Rank.DECIMAL, re.compile(rf"(?P<number>\d{{1,3}}(?:-\d{{1,3}}){{2,7}}[a-z]?)[.:)、]?{_GAP}")),
    # Of two numbers with a hyphen, most are a range or a result.
    (
        Rank.DECIMAL,
        re.compile(rf"(?P<number>\d{{1,3}}-\d{{1,3}})(?:\.(?=\s)|、|(?=\s[{UNSPACED}])(?!\s[张張枚个個次回点點分]))"),
    ),
    (Rank.DOT, re.compile(r"(?P<number>\d{1,4}[a-z]?)(?:\.(?=\s|[^\W\d]|$)|[、．])")),
    (Rank.HALF_BRACKET, re.compile(rf"(?P<number>\d{{1,2}}[)）])(?=\s|[{UNSPACED}])")),
)
_OF_BRACKETS = (
    (Rank.DECIMAL, re.compile(rf"[（(](?P<number>{_DOTTED % '1,8'})[）)]{_GAP}")),
    (Rank.HUNDRED, re.compile(r"[（(](?P<number>[1-9]\d{2})[）)](?=\s+[A-Z])")),
    (Rank.HAN_BRACKET, re.compile(rf"(?P<number>[（(][{DIGITS}]{{1,5}}[）)])")),
    (Rank.BRACKET, re.compile(r"(?P<number>[（(]\d{1,2}[）)])")),
    (Rank.LETTER, re.compile(r"(?P<number>\([a-z]{1,2}\))(?=\s)")),
)
_OF_NUMERALS = ((Rank.HAN, re.compile(rf"(?P<number>[{DIGITS}]{{1,5}})[、．.]")),)
# What a full-width number has other than its brackets; its point is one of the number only between two digits.
_WIDE = str.maketrans({chr(ord(sign) + 0xFEE0): sign for sign in "0123456789-"})
_WIDE_POINT = re.compile(r"(?<=[０-９])．(?=[０-９])")
_MAY_BE_WIDE = re.compile(r"[０-９第§（(]")
_ONE_SIGN = re.compile("[\u2474-\u249b\u3220-\u3229]")
_ROMAN = re.compile(r"\((?:x{0,3})(?:ix|iv|v?i{0,3})\)")
STRONG = frozenset({Rank.PART, Rank.CHAPTER, Rank.ARTICLE, Rank.HAN, Rank.HAN_BRACKET, Rank.HUNDRED, Rank.DECIMAL})
"""Ranks of numbers that hardly stand at the beginning of a line by accident."""
BRACKETED = frozenset({Rank.BRACKET, Rank.HALF_BRACKET, Rank.LETTER, Rank.ROMAN})
"""Ranks of numbers that begin no heading."""
_HUNDRED = 100


@dataclass(frozen=True, slots=True)
class Marker:
    """
    A number at the beginning of a text, and what follows it.
    """

    rank: Rank
    number: str
    parts: tuple[str, ...]
    rest: str

    @property
    def is_title(self) -> bool:
        """
        Whether what follows is short and no sentence; `Source Code.` is none.
        """
        return is_title(self.rest) or _CAPITALS.fullmatch(self.rest) is not None

    @property
    def value(self) -> int:
        """
        The value of the last part: a number's own, a letter's place; else 0.
        """
        last = self.parts[-1]
        if last.isdecimal():
            return int(last)
        return ord(last) - ord("a") + 1 if len(last) == 1 and "a" <= last <= "z" else 0


def is_title(text: str) -> bool:
    """
    Tell whether *text* is as short as a heading, ends as none but headings do, and holds no whole sentence.
    """
    if not 0 < len(text) <= _LONGEST_TITLE or "\n" in text:
        return False
    return not _UNFINISHED.fullmatch(text) and not _SENTENCE.match(text)


def has_leader(text: str) -> bool:
    """
    Tell whether *text* is a line of a table of contents: dots lead to a page.
    """
    return _leader(text) is not None


def without_leader(text: str) -> str:
    """
    Return *text* without the dots and the page that end a line of a table of contents.
    """
    found = _leader(text)
    return text[: found.start()] if found else text


def _leader(text: str) -> re.Match[str] | None:
    if ".." not in text and ". ." not in text and "……" not in text:
        return None
    return _LEADER.search(text, max(0, len(text) - _LONGEST_LEADER))


def marker_of(text: str) -> Marker | None:
    """
    Return the number that *text* begins with, or None.
    """
    plain = _narrow(text)
    for rank, form in _forms(plain[:1]):
        found = form.match(plain)
        parts = parts_of(found["number"]) if found else ()
        if found and parts:
            number = _opened(" ".join(found["number"].split()))
            own = rank or _WORDS.get(found["word"].lower())
            return Marker(_settled(own, number, parts), number, parts, _rest(text, plain, found.end())) if own else None
    return None


def _forms(first: str) -> tuple[tuple[Rank | None, re.Pattern[str]], ...]:
    """Return the forms of numbers that may begin with the sign *first*."""
    if first.isdecimal():
        return _OF_DIGITS
    if first in "(（":
        return _OF_BRACKETS if first else ()
    if first in DIGITS:
        return _OF_NUMERALS
    return _OF_WORDS if first in "第§#PCSARLpcsarl" else ()


def _opened(number: str) -> str:
    """Return *number* with both its brackets, where it is written with the second one only: `1）`."""
    bracket = {")": "(", "）": "（"}.get(number[-1], "")
    return number if number[0] in "(（" else bracket + number


def _narrow(text: str) -> str:
    """Return *text* with its digits as ASCII has them, and with `⑴` and `⒈` in the signs that they are made of."""
    if _ONE_SIGN.match(text):
        return unicodedata.normalize("NFKC", text[0]) + text[1:]
    if not _MAY_BE_WIDE.match(text):
        return text
    return _WIDE_POINT.sub(".", text[:_LONGEST_TITLE]).translate(_WIDE) + text[_LONGEST_TITLE:]


def _rest(text: str, plain: str, end: int) -> str:
    """Return what follows the number that ends at *end* in *plain*, as *text* has it."""
    return text[end + len(text) - len(plain) :].strip()


def _settled(rank: Rank, number: str, parts: tuple[str, ...]) -> Rank:
    if rank is Rank.DOT and int(re.sub(r"\D", "", parts[0]) or 0) >= _HUNDRED:
        return Rank.HUNDRED
    return Rank.ROMAN if rank is Rank.LETTER and _ROMAN.fullmatch(number) and number != "()" else rank
