"""
References from one rule to another: links to anchors, numbers and quoted titles become `see_also`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lorebook.importers.draft import Draft
from lorebook.rulenumbers import DIGITS, parts_of
from lorebook.scripts import UNSPACED

MOST_LINKS = 20
"""Rules that one rule refers to at most; more are a table of contents."""

_NUMBER = (
    rf"(?:\d{{1,4}}(?:\.\d{{1,4}}){{0,8}}[a-z]?(?:\((?:[a-z]{{1,3}}|\d{{1,3}})\)){{0,3}}(?![^\W{UNSPACED}])"
    r"|[A-Z](?:\.[A-Za-z]{1,5}){1,6}(?!\w))"
)
_HAN_NUMBER = rf"第\s?(?:\d{{1,4}}|[{DIGITS}]{{1,8}})\s?[章节節条條款项項]"
_AND = r"(?:\s{0,2}(?:,|and|or|&|,\s?and|,\s?or|、|和|与|及|或)\s{0,2})"
_CALLED = re.compile(
    rf"(?<!\w)(?:[Rr]ules?|[Ss]ections?|[Aa]rticles?|§{{1,2}})\s{{0,2}}(?P<called>{_NUMBER}(?:{_AND}(?:rules?\s)?{_NUMBER}){{0,9}})"
    rf"|(?<!\w)[Ss]ee\s(?:also\s)?(?P<seen>{_NUMBER}(?:{_AND}{_NUMBER}){{0,9}})"
    rf"|(?:规则|規則|条文|條文|[参參]?[见見照阅閱])\s?(?P<han>(?:{_NUMBER}|{_HAN_NUMBER})(?:{_AND}(?:{_NUMBER}|{_HAN_NUMBER})){{0,9}})"
    rf"|(?:规则|規則)(?P<numeral>[{DIGITS}]{{1,8}})(?![{UNSPACED}])"
    rf"|(?<![{UNSPACED}])(?P<article>{_HAN_NUMBER})(?=的?[规規]定)"
    r"|(?:[参參][见見阅閱照]|[详詳][见見]|另[见見]|[请請]?[见見])\s?[“「『《](?P<title>[^”」』》\n]{1,60})[”」』》]"
    r"|(?<!\w)[Ss]ee\s(?:also\s)?(?:the\s)?[“\"](?P<quoted>[^”\"\n]{1,80})[”\"]"
)  # fmt: skip
_ONE = re.compile(rf"{_NUMBER}|{_HAN_NUMBER}|[{DIGITS}]{{1,8}}")


class Missed(NamedTuple):
    """
    A reference to nothing in the document, and the draft that makes it.
    """

    draft: Draft
    said: str


class References:
    """
    Finds which drafts a draft refers to.
    """

    def __init__(self, drafts: Sequence[Draft]) -> None:
        """
        Learn the numbers, titles and anchors of *drafts*; of several with one name the first is meant.
        """
        self._numbers: dict[tuple[str, ...], int] = {}
        self._anchors: dict[str, int] = {}
        self._titles: dict[str, int] = {}
        self._spelt: list[tuple[str, ...]] = []
        below: dict[tuple[str, ...], int] = {}
        for place, draft in enumerate(drafts):
            parts = parts_of(draft.number) if draft.number else ()
            self._spelt.append(parts)
            if parts:
                self._numbers.setdefault(parts, place)
            for end in range(1, len(parts)):
                below.setdefault(parts[:end], place)
            for head in draft.heads:
                below.setdefault(parts_of(head), place)
            for anchor in draft.anchors:
                self._anchors.setdefault(_anchor(anchor), place)
            for title in (draft.title, *draft.section[-1:]) if draft.named else draft.section[-1:]:
                self._titles.setdefault(_plain(title), place)
        self._numbers = {**below, **self._numbers}

    def of(self, place: int, draft: Draft, missed: list[Missed]) -> list[int]:
        """
        Return the places of what *draft*, itself at *place*, refers to; what is not there is added to *missed*.
        """
        found: dict[int, None] = {}
        for said, target in self._told(draft):
            if target is None:
                missed.append(Missed(draft, said))
            elif target != place:
                found.setdefault(target)
        return list(found)[:MOST_LINKS]

    def _told(self, draft: Draft) -> Iterator[tuple[str, int | None]]:
        for link in draft.links:
            yield f"#{link}", self._anchors.get(_anchor(link))
        for text in (draft.text, *draft.examples):
            for match in _CALLED.finditer(text) if self._numbers or self._titles else ():
                if match.lastgroup in ("title", "quoted"):
                    title = match[match.lastgroup]
                    yield f"“{title}”", self._titles.get(_plain(title))
                else:
                    yield from self._numbered(match[match.lastgroup or 0])

    def _numbered(self, text: str) -> Iterator[tuple[str, int | None]]:
        # Where nothing is numbered, a number is one of another document.
        for number in _ONE.findall(text) if self._numbers else ():
            yield number, self._numbers.get(parts_of(number))


def _anchor(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()


def _plain(title: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", title).casefold()))


def links_of(drafts: Sequence[Draft]) -> tuple[list[list[int]], list[Missed]]:
    """
    Return for each of *drafts* the places of those that it refers to, and the references to nothing.
    """
    known, missed = References(drafts), list[Missed]()
    return [known.of(place, draft, missed) for place, draft in enumerate(drafts)], missed


def lines_of(missed: Iterable[Missed]) -> dict[str, list[int]]:
    """
    Return the first line of each draft that says it, by what is missed.
    """
    told: dict[str, list[int]] = {}
    for draft, said in missed:
        told.setdefault(said, []).append(min(draft.lines))
    return told
