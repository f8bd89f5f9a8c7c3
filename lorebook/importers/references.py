"""
References from one rule to another: links to anchors, numbers and titles become `see_also`.

A number is looked for in the rule's own article or chapter first: `第二款` says nothing without one.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lorebook.importers.draft import Draft
from lorebook.importers.markers import marker_of
from lorebook.rulenumbers import (
    BEHIND_BRACKETS,
    DIGITS,
    HAN_CHAIN,
    IN_BRACKETS,
    NUMERAL,
    Number,
    NumberIndex,
    read_number,
)
from lorebook.scripts import UNSPACED

MOST_LINKS = 20
"""Rules that one rule refers to at most; more are a table of contents."""

_NUMBER = (
    r"(?:\d{1,3}(?:-\d{1,3}){1,7}(?![\d-]|\.\d)"
    rf"|\d{{1,4}}(?:\.\d{{1,4}}){{0,8}}(?:[a-z]|(?:\.[a-z](?:\.\d{{1,3}})?(?!\w)){{1,3}})?"
    rf"(?:\((?:[a-z]{{1,3}}|\d{{1,3}})\)){{0,3}}(?![^\W{UNSPACED}])"
    r"|[A-Z](?:\.[A-Za-z]{1,5}){1,6}(?!\w))"
)
_DOTTED = r"\d{1,4}(?:\.\d{1,4}){1,8}[a-z]?"
_NESTED = rf"(?:[{DIGITS}]{{1,5}}(?:[.、]?{IN_BRACKETS}|[.、．]\s?\d{{1,3}}(?!\d)){{1,4}}{BEHIND_BRACKETS}?)"
_INSIDE = rf"(?:{IN_BRACKETS}{BEHIND_BRACKETS}?)"
_HAN = rf"(?:{_NUMBER}|{HAN_CHAIN}|{_NESTED}|{_INSIDE})"
_AND = r"(?:\s{0,2}(?:,|and|or|&|,\s?and|,\s?or|、|和|与|及|或)\s{0,2}(?:rules?\s)?)"
_NUMBERS, _HANS, _CHAINS = (rf"{one}(?:{_AND}{one}){{0,9}}" for one in (_NUMBER, _HAN, HAN_CHAIN))
_IN_ARTICLE = rf"(?:\s?第?\s?{NUMERAL}\s?[款项項]|\s?第?\s?{IN_BRACKETS}\s?[款项項]?)"
_QUOTED = (
    r"(?:[“\"][^”\"\n]{1,80}[”\"]|「[^」\n]{1,80}」|『[^』\n]{1,80}』|《[^》\n]{1,80}》|〈[^〉\n]{1,80}〉|【[^】\n]{1,80}】"
    r"|‘[^’\n]{1,80}’(?!\w)|'[^'\n]{1,80}'(?!\w))"
)
_SEE = r"(?<!\w)[Ss]ee\s(?:also\s)?"
_SEE_HAN = r"(?:[参參详詳另请請]?[见見]|[参參][阅閱照])"
_CALLED = re.compile(
    # What a reference may begin with, so that most of a text is passed by fast.
    r"(?=[RSACPILrsacpil\[§规規条條见見参參详詳另请請照阅閱依按据據适適本第])(?:"
    r"(?<!\w)(?P<word>[Rr]ules?|[Ll]aws?|[Ss]ections?|[Aa]rticles?|[Cc]hapters?|§{1,2})"
    rf"\s{{0,2}}(?:#|[Nn]o\.?\s)?(?P<called>{_NUMBERS})"
    rf"|\[(?P<bracketed>{_DOTTED}(?:[,;]\s?{_DOTTED}){{0,9}})\]"
    r"|(?<!\w)(?P<outer>(?:Article|Chapter|Section|Appendix|Part)\s"
    r"(?:[IVXLC]{1,7}|[A-Z])(?:\([a-z]{1,3}\)){0,3}(?!\w)"
    r"(?:,?\s(?:Section|Article|Clause)\s(?:\d{1,3}[a-z]?|[IVXLC]{1,7})(?:\([a-z]{1,3}\)){0,3}(?!\w)){0,2})"
    rf"|(?:{_SEE}|(?<!\w)(?:[Ss]ub)?(?:[Pp]aragraph|[Ss]ection|[Cc]lause|[Ii]tem)\s)(?P<inner>\((?:[a-z]{{1,3}}|\d{{1,3}})\))"
    rf"|{_SEE}#?\(?(?P<seen>{_NUMBERS})"
    rf"|(?:{_SEE_HAN}\s?(?:规则|規則|条文|條文)?|规则|規則|条文|條文|[照阅閱])\s?(?P<han>{_HANS})"
    rf"|(?:[依按据據]|适用|適用|本[条條])\s?(?P<chain>{_CHAINS})"
    rf"|(?:规则|規則)(?P<numeral>[{DIGITS}]{{1,8}})(?![{UNSPACED}])"
    rf"|(?P<article>{_CHAINS})(?=的?[规規]定)"
    rf"|(?P<full>第\s?{NUMERAL}\s?[条條]{_IN_ARTICLE}{{1,4}})"
    rf"|(?:{_SEE_HAN}\s?|{_SEE}(?:the\s)?)(?P<titles>{_QUOTED}(?:{_AND}?{_QUOTED}){{0,9}})"
    rf"|(?<=\(){_SEE}(?P<named>[^\W\d_][^()\n\d,;.“\"]{{2,60}})(?=\))"
    rf"|(?:[参參详詳另][见見])(?P<plain>[{UNSPACED}A-Za-z0-9]{{2,30}})"
    r")"
)
_ONE = re.compile(rf"{HAN_CHAIN}|{_NESTED}|{_NUMBER}|{_INSIDE}|[{DIGITS}]{{1,8}}")
_HEADING = re.compile(HAN_CHAIN)
_WORDED = frozenset({"outer", "inner"})
# What looks like a reference and may be something else, such as a version: nothing is missed where it leads nowhere.
_UNSURE = frozenset({"outer", "inner", "bracketed"})
# What may stand behind a title that no quotation marks close.
_AFTER_TITLE = re.compile(r"(?:的[规規]定|一[节節章条條]|部分|的?[规規][则則])$")
_WORD_END = re.compile(rf"(?<=[{UNSPACED}])|(?![^\W{UNSPACED}])")
_ALSO = re.compile(r"[和与與及或]")
_SHORTEST = 2


class Missed(NamedTuple):
    """
    A reference to nothing in the document, and the draft that makes it.
    """

    draft: Draft
    said: str


class Titles:
    """
    The titles of a document, and the rules that they lead to.
    """

    def __init__(self, drafts: Sequence[Draft]) -> None:
        """
        Learn the titles of *drafts* and of the headings above them; of several with one name the first is meant.
        """
        self._places: dict[str, int] = {}
        self._learnt: set[str] = set()
        for place, draft in enumerate(drafts):
            self._learn(place, (draft.title, *draft.section[-1:]) if draft.named else draft.section[-1:])
        for place, draft in enumerate(drafts):
            self._learn(place, draft.section)
        self._sorted = sorted((_whole_words(name), place) for name, place in self._places.items())

    def _learn(self, place: int, titles: Iterable[str]) -> None:
        for title in titles:
            if title in self._learnt:
                continue
            self._learnt.add(title)
            marker = marker_of(title)
            for name in (title, marker.rest if marker else ""):
                if plain := _plain(name):
                    self._places.setdefault(plain, place)

    def find(self, said: str) -> int | None:
        """
        Return the place of the rule whose title *said* is, or of the only one whose title begins with it.
        """
        plain = _plain(said)
        if plain in self._places or len(plain) < _SHORTEST:
            return self._places.get(plain)
        begun = _whole_words(plain)
        at = bisect_left(self._sorted, (begun,))
        longer = [place for name, place in self._sorted[at : at + 2] if name.startswith(begun)]
        return longer[0] if len(longer) == 1 else None

    def loosely(self, said: str, *, whole: bool) -> list[int]:
        """
        Return the places of the rules whose titles *said*, which no quotation marks close, names; or the title that it
        is as a *whole*.
        """
        if whole:
            return [self._places[plain] for plain in [_plain(said)] if plain in self._places]
        one = self.find(_AFTER_TITLE.sub("", said))
        found = [one] if one is not None else [self.find(_AFTER_TITLE.sub("", part)) for part in _ALSO.split(said)]
        return [place for place in found if place is not None]


class References:
    """
    Finds which drafts a draft refers to.
    """

    def __init__(self, drafts: Sequence[Draft]) -> None:
        """
        Learn the numbers, titles and anchors of *drafts*; of several with one name the first is meant.
        """
        self._numbers = NumberIndex()
        self._own = [read_number(draft.number) if draft.number else None for draft in drafts]
        self._sections = [draft.section for draft in drafts]
        self._anchors: dict[str, int] = {}
        self._titles = Titles(drafts)
        for place, draft in enumerate(drafts):
            if own := self._own[place]:
                self._numbers.add(own, place)
            for head in filter(None, map(read_number, draft.heads)):
                self._numbers.add_heading(head, place)
            for anchor in draft.anchors:
                self._anchors.setdefault(_anchor(anchor), place)
        self._is_numbered = any(self._own) or any(draft.heads for draft in drafts)

    def of(self, place: int, draft: Draft, missed: list[Missed]) -> list[int]:
        """
        Return the places of what *draft*, itself at *place*, refers to; what is not there is added to *missed*.
        """
        found: dict[int, None] = {}
        for said, target in self._told(draft, place):
            if target is None:
                missed.append(Missed(draft, said))
            elif target != place:
                found.setdefault(target)
        return list(found)[:MOST_LINKS]

    def _told(self, draft: Draft, place: int) -> Iterator[tuple[str, int | None]]:
        for link in draft.links:
            yield f"#{link}", self._anchors.get(_anchor(link))
        for text in (draft.text, *draft.examples):
            for match in _CALLED.finditer(text):
                yield from self._said(match, place)

    def _said(self, match: re.Match[str], place: int) -> Iterator[tuple[str, int | None]]:
        kind = match.lastgroup or ""
        said = match[kind]
        if kind == "titles":
            titles = [quoted[1:-1] for quoted in re.findall(_QUOTED, said)]
            yield from ((f"“{title}”", self._titles.find(title)) for title in titles)
        elif kind in ("plain", "named"):
            yield from ((said, at) for at in self._titles.loosely(said, whole=kind == "named"))
        elif self._is_numbered:
            # Where nothing is numbered, a number is one of another document.
            numbers = [said] if kind in _WORDED else _ONE.findall(said)
            yield from self._numbered(match["word"] or "", numbers, place, sure=kind not in _UNSURE)

    def _numbered(
        self, word: str, numbers: Sequence[str], place: int, *, sure: bool
    ) -> Iterator[tuple[str, int | None]]:
        """Yield what *numbers* lead to; what leads nowhere only if it is *sure* to be one of this document."""
        for spelt in numbers:
            number = read_number(f"{word} {spelt}")
            found = self._find(number, place) if number else []
            if found or (number and sure and not number.is_inner):
                yield spelt, next(iter(found), None)

    def _find(self, number: Number, place: int) -> list[int]:
        own = self._own[place]
        inside = [own] if number.is_inner and own else [*_around(number, own), *self._divisions(place)]
        near = (self._numbers.exactly(name) for outer in inside for name in number.inside(outer))
        return next(filter(None, near), None) or ([] if number.is_inner else self._numbers.find(number))

    def _divisions(self, place: int) -> list[Number]:
        """Return the numbers of the chapters that the rule at *place* stands in, the innermost first."""
        heads = filter(None, map(_HEADING.match, reversed(self._sections[place])))
        return [number for head in heads if (number := read_number(head[0])) and number.is_division]


def _around(number: Number, own: Number | None) -> Iterator[Number]:
    """Yield what the rule with the number *own* stands in and *number*, of the same kind as a part of it, stands in."""
    if own and number.kinds[0] in own.kinds[1:] and all(own.kinds[: own.kinds.index(number.kinds[0])]):
        yield own.before(own.kinds.index(number.kinds[0]))


def _anchor(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()


def _plain(title: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", title).casefold()))


def _whole_words(plain: str) -> str:
    """Return *plain* with a mark wherever a word may end, so that names which begin with whole words begin alike."""
    return _WORD_END.sub("_", plain)


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
