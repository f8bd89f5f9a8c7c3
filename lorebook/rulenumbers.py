"""
The numbers of rules, in whatever way a document or a question writes them: `702.19b`, `C.I.a`, `第三条`, `二（一）`.

Two spellings are one number when their parts are the same: `第3条` is `第三条`, and `1.2(a)` is `1.2a`. What a
part is called tells numbers apart where both say it: `第二章` is not `第二条`, but either may be meant by `2.`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

DIGITS = "〇零一二三四五六七八九十百千两"
"""The characters of Chinese numerals, for use inside a character class."""
HAN_WORDS = "编編部篇章节節条條款项項"
"""What Chinese calls the parts of a number, for use inside a character class."""
NUMERAL = rf"(?:\d{{1,5}}|[{DIGITS}]{{1,8}})"
"""A pattern: a numeral of either kind."""
IN_BRACKETS = rf"(?:[(（]\s?(?:{NUMERAL}|[A-Za-z]{{1,5}})\s?[)）])"
"""A pattern: a part in brackets."""
BEHIND_BRACKETS = rf"(?:(?<=[)）])(?:\d{{1,3}}(?![\d.]|\s?[张張枚个個次回点點分])|\s?第\s?{NUMERAL}\s?[{HAN_WORDS}]))"
"""A pattern: the last part behind one in brackets, `（二）3` or `（二）第3条`."""
HAN_CHAIN = (
    rf"(?:第\s?{NUMERAL}\s?[{HAN_WORDS}]"
    rf"(?:\s?第?\s?{NUMERAL}\s?[{HAN_WORDS}]|\s?第?\s?{IN_BRACKETS}(?:\s?[{HAN_WORDS}])?"
    rf"|\.{NUMERAL}(?![\d.])){{0,8}}{BEHIND_BRACKETS}?)"
)
"""A pattern: `第四条`, and `第一章第四条第二款（一）`."""

_VALUES = dict(zip("〇零一二三四五六七八九", [0, *range(10)], strict=True)) | {"两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_PART = re.compile(
    rf"(?P<mark>[(-]?)\s?(?:(?P<called>article|section|chapter|part|paragraph|clause)\s+(?=\w))?(?P<part>[{DIGITS}]+|\d+|[^\W\d_{DIGITS}{HAN_WORDS}第则則规規]+)\s?\)?\s?"
    rf"(?P<kind>[{HAN_WORDS}]?)"
)
_CALLED = re.compile(
    r"(?<!\w)(?P<kind>rule|law|article|section|chapter|part|appendix|paragraph|clause|cr|§{1,2}|#)s?\s*(?:(?:number|no\b\.?|#)\s*)?(?=[\dA-Z])",
    re.IGNORECASE,
)
_KINDS = {
    "编": "part", "編": "part", "部": "part", "篇": "part", "章": "chapter", "节": "section", "節": "section",
    "条": "article", "條": "article", "款": "clause", "项": "item", "項": "item",
    "article": "article", "law": "article", "section": "section", "chapter": "chapter", "part": "part",
    "appendix": "appendix",
}  # fmt: skip
ROMAN = re.compile(r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
"""A Roman numeral in lower case."""
_LETTERS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_DECIMAL = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,5}){0,7}[a-z]?")
_RUN = re.compile(r"[0-9]+|[a-z]")
# What an outline's part may have of letters: `iii`, `xvii`, `b`; a longer run is a word.
_LONGEST = 8
_DIVISIONS = frozenset({"part", "chapter", "section"})
_INNER = frozenset({"clause", "item"})


class Number(NamedTuple):
    """
    A number that has been read: its parts, outermost first, numerals as digits.

    *kinds* is what each part is called (`chapter`, `article`, `clause` …), *marks* the bracket or hyphen before it;
    both are empty where there is none.
    """

    parts: tuple[str, ...]
    kinds: tuple[str, ...]
    marks: tuple[str, ...]

    def agrees(self, other: Number) -> bool:
        """
        Tell whether no part that both have is called something else by *other*; `3-5` may be more than one number.
        """
        if self.is_range and other.marks[1:2] != self.marks[1:]:
            return False
        return all(not own or not its or own == its for own, its in zip(self.kinds, other.kinds, strict=False))

    def unlike(self, other: Number) -> int:
        """
        Return in how many places *other* is written otherwise.
        """
        pairs = chain(zip(self.kinds, other.kinds, strict=False), zip(self.marks, other.marks, strict=False))
        return sum(own != its for own, its in pairs)

    @property
    def is_range(self) -> bool:
        """
        Whether it may be the first and the last of several numbers: `3-5`.
        """
        return self.marks[1:] == ("-",)

    @property
    def is_inner(self) -> bool:
        """
        Whether it only says where something stands in an article: `（二）`, `第二款`.
        """
        return self.kinds[0] in _INNER or (not self.kinds[0] and self.marks[0] == "(")

    @property
    def is_division(self) -> bool:
        """
        Whether it is that of a chapter, section or part.
        """
        return _DIVISIONS.issuperset(self.kinds)

    def others(self) -> Iterator[Number]:
        """
        Yield what else the number may be called: `Article 4` for `Article IV`, and the same without the divisions
        that it begins with, since articles are often counted through all chapters.
        """
        if self.kinds[0] and ROMAN.fullmatch(self.parts[0]):
            yield self._replace(parts=(str(roman(self.parts[0])), *self.parts[1:]))
        for start in range(1, len(self.parts)):
            if self.kinds[start - 1] not in _DIVISIONS:
                return
            yield self.after(start)

    def inside(self, outer: Number) -> Iterator[Number]:
        """
        Yield what the number may be in full where it is said inside of *outer*, the innermost first.
        """
        for end in range(len(outer.parts), 0, -1):
            head = outer.before(end)
            yield Number(head.parts + self.parts, head.kinds + self.kinds, head.marks + self.marks)

    def before(self, end: int) -> Number:
        """
        Return the first *end* parts of the number.
        """
        return Number(self.parts[:end], self.kinds[:end], self.marks[:end])

    def after(self, start: int) -> Number:
        """
        Return the number without its first *start* parts.
        """
        return Number(self.parts[start:], self.kinds[start:], self.marks[start:])


class NumberIndex:
    """
    From numbers to the places of the rules that have them.
    """

    def __init__(self) -> None:
        self._owners: defaultdict[tuple[str, ...], list[tuple[Number, int]]] = defaultdict(list)
        self._below: defaultdict[tuple[str, ...], list[tuple[Number, int]]] = defaultdict(list)
        self._inside: defaultdict[tuple[str, ...], list[tuple[Number, int]]] = defaultdict(list)
        """Numbers without what they stand in, where that and they are called something: `Section 1` of an article."""

    def add(self, number: Number, place: int) -> None:
        """
        Let *number* be that of the rule at *place*.
        """
        self._owners[number.parts].append((number, place))
        for name in number.others() if number.kinds[0] else ():
            if len(name.parts) == len(number.parts):
                self._owners[name.parts].append((name, place))
        for end in range(1, len(number.parts)):
            self._below[number.parts[:end]].append((number, place))
            if all(number.kinds[: end + 1]):
                inner = number.after(end)
                for last in range(len(inner.parts), 0, -1):
                    self._inside[inner.parts[:last]].append((inner, place))

    def add_heading(self, number: Number, place: int) -> None:
        """
        Let *number* be that of a heading above the rule at *place*.
        """
        self._below[number.parts].append((number, place))

    def exactly(self, cited: Number) -> list[int]:
        """
        Return the places of the rules that have all of the number *cited*, from the same kind of division on.
        """
        alike = _alike(cited, self._owners.get(cited.parts, ()))
        return [place for own, place in alike if own.kinds[0] == cited.kinds[0]]

    def find(self, cited: Number) -> list[int]:
        """
        Return the places of the rules that *cited* means, the one that is spelt most like it first.

        Where no rule has the number, those below it are meant: `702.19` is `702.19a` and on. A clause that has no
        number in the document, as a paragraph of an article has none, is looked for in what it stands in.
        """
        readings = (
            (_unsaid(name, known, len(cited.parts) - len(name.parts)), below, [place for _, place in known])
            for name in (cited, *cited.others())
            for below, numbers in enumerate((self._owners, self._below))
            if (known := _alike(name, numbers.get(name.parts, ())))
        )
        found = list(dict.fromkeys(min(readings, key=lambda reading: reading[:2], default=(0, 0, []))[2]))
        if not found and cited.kinds[0]:
            found = list(dict.fromkeys(place for _, place in _alike(cited, self._inside.get(cited.parts, ()))))
        if found or len(cited.parts) == 1:
            return found
        if cited.is_range:
            return [*self.find(cited.before(1)), *self.find(cited.after(1))]
        return self.find(cited.before(len(cited.parts) - 1)) if cited.kinds[-1] in _INNER else []


def _alike(cited: Number, known: Iterable[tuple[Number, int]]) -> list[tuple[Number, int]]:
    """Return those of *known* that *cited* may mean, the one that is spelt most like it first."""
    return sorted((each for each in known if cited.agrees(each[0])), key=lambda each: cited.unlike(each[0]))


def _unsaid(cited: Number, known: Iterable[tuple[Number, int]], left_out: int) -> int:
    """Return how much of what *cited* calls its parts none of *known* says, with the parts that are *left_out*."""
    return left_out + min(
        sum(bool(said) and not its for said, its in zip(cited.kinds, own.kinds, strict=False)) for own, _ in known
    )


def read_number(text: str) -> Number | None:
    """
    Return the number that *text* is, or None for what holds no number.
    """
    if _DECIMAL.fullmatch(text):
        return _decimal(text)
    plain = unicodedata.normalize("NFKC", text)
    called = _CALLED.search(plain)
    plain = f"{plain[: called.start()]}{plain[called.end() :]}" if called else plain
    found = [match.groupdict() for match in _PART.finditer(plain.lower())]
    if not found or any(len(part["part"]) > _LONGEST for part in found):
        return None
    kinds = [_KINDS.get(part["kind"] or part["called"] or "", "") for part in found]
    kinds[0] = kinds[0] or (_KINDS.get(called["kind"].lower(), "") if called else "")
    parts, marks = (_plain(part["part"]) for part in found), (part["mark"] for part in found)
    return Number(tuple(parts), tuple(kinds), tuple(marks))


def _decimal(text: str) -> Number:
    """Read most of the numbers that there are, faster."""
    parts = tuple(part.lstrip("0") or "0" for part in _RUN.findall(text))
    none = ("",) * len(parts)
    return Number(parts, none, none)


def parts_of(number: str) -> tuple[str, ...]:
    """
    Return the parts of *number*, outermost first: `("702", "19", "b")`; none for what holds no number.
    """
    found = read_number(number)
    return found.parts if found else ()


def _plain(part: str) -> str:
    if part.isdecimal():
        return part.lstrip("0") or "0"
    value = value_of(part)
    return part if value is None else str(value)


def value_of(numeral: str) -> int | None:
    """
    Return the value of a Chinese numeral below ten thousand, or None for what is none; `二〇` is read digit by digit.
    """
    if not numeral or any(sign not in _VALUES and sign not in _UNITS for sign in numeral):
        return None
    if not any(sign in _UNITS for sign in numeral):
        return int("".join(str(_VALUES[sign]) for sign in numeral))
    total, digit = 0, 0
    for sign in numeral:
        if sign in _UNITS:
            total += (digit or 1) * _UNITS[sign]
            digit = 0
        else:
            digit = _VALUES[sign]
    return total + digit


def roman(numeral: str) -> int:
    """
    Return the value of a lower-case Roman numeral.
    """
    values = [_LETTERS[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
