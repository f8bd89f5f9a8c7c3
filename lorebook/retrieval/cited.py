"""
What a question cites: the numbers in it that are those of rules, and not of cards, points or turns.

A number in several parts is a citation wherever it stands, unless it counts something (`1.5 times`); a single one only
where it is written as one, since `2 cards` cites nothing and `Number 39` is a monster.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from lorebook.rulenumbers import (
    BEHIND_BRACKETS,
    DIGITS,
    HAN_CHAIN,
    HAN_WORDS,
    IN_BRACKETS,
    NUMERAL,
    Number,
    read_number,
)
from lorebook.scripts import UNSPACED

MOST = 20
"""The citations of one question that are read."""

_NO_WORD = rf"(?![^\W{UNSPACED}])"
_ALONE = rf"(?<![^\W{UNSPACED}])(?<!\d[.,])"
_COUNTED = "张張枚个個次回轮輪只隻名位倍颗顆份种種分秒天"
_NOT_COUNTED = rf"(?!\s?[{_COUNTED}]|点(?:[伤生攻])|點)"
# What may follow a Chinese numeral without making a word of it: `规则一的`, but neither `规则一样` nor `规则十分`.
_AFTER_HAN = rf"(?=[^{UNSPACED}]|\Z|[的怎如是说說中里裡吗嗎呢和与與及或讲講什可能条條])"

_TAIL = rf"(?:[.]?{IN_BRACKETS}|\.[a-z]{{1,5}}(?![a-z])|\.\d{{1,5}})"
_LATIN = rf"\d{{1,5}}{_TAIL}{{0,8}}(?:[a-z]|(?<=\))\d{{1,3}})?{_NO_WORD}"
_HYPHENED = rf"\d{{1,3}}(?:[-‐–]\d{{1,3}}){{%s,7}}[a-z]?(?![\d‐–-]|\.\d){_NO_WORD}"
_LETTERED = r"[a-z]{1,4}(?:\.[a-z]{1,5}){1,8}"
_HAN_NESTED = rf"[{DIGITS}]{{1,5}}(?:[.、]?{IN_BRACKETS}|[.、]\s?\d{{1,3}}(?!\d)){{1,8}}{BEHIND_BRACKETS}?"
_CAPITALS = rf"(?-i:[A-Z]|[IVXLC]{{2,7}}){_TAIL}{{0,8}}"
_OUTER = r"(?:rules?|articles?|chapters?|sections?|appendix|part)\s{1,3}"
# `Article I says` cites, and so does `in article I.`, but `the article I mean` does not.
_LETTERS = (
    rf"{_OUTER}(?:{_CAPITALS}(?=\s?(?:[,;:.?!]|\Z))|[ivxlc]{{2,7}}{_TAIL}{{0,8}}{_NO_WORD})"
    rf"|(?-i:(?=[RACSP])){_OUTER}{_CAPITALS}{_NO_WORD}"
)
# `Article III, Section 2`, in full.
_CHAINED = (
    rf"{_OUTER}(?:[ivxlc]{{1,7}}|[a-z]|\d{{1,3}}){_TAIL}{{0,3}}"
    rf"(?:,?\s{{1,3}}(?:sections?|articles?|paragraphs?|clauses?)\s{{1,3}}(?:\d{{1,3}}[a-z]?|[ivxlc]{{1,7}}){_TAIL}{{0,3}}{_NO_WORD}){{1,3}}"
)

_CALLED = (
    r"(?:rules?|laws?|sections?|articles?|chapters?|paragraphs?|clauses?|cr|§{1,2}|#)"
    r"\s{0,3}(?:(?:number|no\.?|#)\s{0,3})?"
)
_AND = r"(?:\s{0,2}(?:,|and|or|&|,\s?and|,\s?or)\s{0,2})"
_CITED = re.compile(
    rf"(?P<several>(?<!\w)(?:rules|sections|articles|chapters|paragraphs|§§)\s{{0,3}}{_LATIN}(?:{_AND}{_LATIN}){{1,9}})"
    rf"|(?P<chained>(?<!\w){_CHAINED})"
    rf"|(?P<called>(?<!\w){_CALLED}(?:{_HYPHENED % 1}|{_LATIN}{_NOT_COUNTED}|{_LETTERED}{_NO_WORD}))"
    rf"|(?P<outer>(?<!\w)(?:{_LETTERS}))"
    rf"|(?:(?:规则|規則)(?:编号|編號)?|条文|條文)\s{{0,3}}"
    rf"(?P<han_called>{_HYPHENED % 1}|{_HAN_NESTED}{_NOT_COUNTED}|{_LATIN}{_NOT_COUNTED}|{_LETTERED}{_NO_WORD}"
    rf"|[{DIGITS}]{{1,8}}{_AFTER_HAN})"
    rf"|(?P<chain>{HAN_CHAIN})"
    rf"|(?<![{DIGITS}第\d])(?P<nested>{_HAN_NESTED}){_NOT_COUNTED}"
    rf"|{_ALONE}(?<!\d[-‐–])(?P<hyphened>{_HYPHENED % 2})"
    rf"|{_ALONE}(?P<bare>{_LATIN})"
    rf"|{_ALONE}(?P<lettered>[A-Z](?:\.[A-Za-z]{{1,5}}){{1,8}}){_NO_WORD}",
    re.IGNORECASE,
)
# A single number is cited where the whole question asks what stands there: `200?`, `what does 200 say?`, `200讲什么`.
_ASKS = (
    r"(?:what(?:\sis|['’]s)\s|(?:explain|quote|read|look\sup|show(?:\sme)?|tell\sme(?:\sabout)?)\s"
    r"|什么是\s?|[看查](?:看|一下|查)?\s?)"
)
_SAYS = (
    r"(?:是什么|是啥|怎么说|说(?:的是|了)?(?:什么|啥)|[讲写](?:的是|了)?(?:什么|啥)|规定了?什么|的内容(?:是什么)?|呢)"
)
_DOES = r"what\s(?:does|do)\s(?:the\s)?(?:number\s)?"
_WHOLE = re.compile(
    rf"(?:(?:part|items?|numbers?|no\.?|nos\.)\s{{0,3}}(?P<weak>{_LATIN})"
    rf"|(?P<inner>{IN_BRACKETS}|第\s?{NUMERAL}\s?[款项項])"
    rf"|{_ASKS}?(?P<asked>\d{{3}})(?:\s?{_SAYS})?"
    rf"|{_DOES}(?P<said>\d{{1,4}}[a-z]?)\s(?:say|mean|state|cover|rule)s?"
    rf"|(?P<marked>\d{{1,4}}(?=[.、])|[{DIGITS}]{{1,5}}(?=、)|\d{{1,3}}[-‐–]\d{{1,3}}|{NUMERAL}\s?[{HAN_WORDS}]))"
    r"[\s.、?!。？！]*",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"\d+\.\d+")
_BEFORE = re.compile(
    r"(?:(?<!\d)[-+]|[×*=<>≤≥$€£¥~≈]\s?|[乘除加减減以约約版]\s?"
    r"|\b(?:lp|atk|def|hp|than|version|ver\.?|v\.|times|equals?|costs?|worth|at (?:least|most))\s?"
    r"|\b(?:multipl|divid|increas|decreas|reduc|rais|lower|scal)\w*(?:\s\w+){0,3}\sby\s?)\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s?(?:[%‰×*+=<>$€£¥倍万萬千百张張枚个個点點次回秒分小天元版折成米]|-fold|"
    r"(?:times?|fold|percent|per cent|points?|damage|lp|atk|def|hp|life|cards?|copies|tokens?|counters?|stars?|levels?"
    r"|turns?|rounds?|coins?|gold|mana|dice|players?|monsters?|creatures?|spells?|seconds?|secs?|minutes?|mins?|hours?"
    r"|days?|weeks?|months?|years?|million|thousand|k|m|cm|mm|inch(?:es)?|x)\b)",
    re.IGNORECASE,
)
_NEAR = 60


def cited_in(question: str) -> Iterator[Number]:
    """
    Yield the numbers that *question* cites; one that is said to be inner is only the end of a rule's number.
    """
    plain = unicodedata.normalize("NFKC", question).strip()
    whole = _WHOLE.fullmatch(plain)
    if whole:
        yield from filter(None, [read_number(whole[whole.lastgroup or 0])])
        return
    for count, match in enumerate(_CITED.finditer(plain)):
        if count == MOST:
            return
        if match["several"]:
            yield from _each(match["several"])
        elif number := _meant(plain, match):
            yield number


def _each(several: str) -> Iterator[Number]:
    """Yield each number of a list, called as the first is: `sections 2 and 3`."""
    numbers = list(re.finditer(rf"(?<!\w){_LATIN}", several, re.IGNORECASE))
    word = several[: numbers[0].start()]
    yield from filter(None, (read_number(f"{word}{number[0]}") for number in numbers))


def _meant(text: str, match: re.Match[str]) -> Number | None:
    """Return the number that *match* is, unless it counts something or stands in an article that is not named."""
    kind = match.lastgroup or ""
    number = read_number(match[kind])
    if number is None or (kind == "chain" and number.is_inner):
        return None
    if kind not in ("bare", "lettered"):
        return number
    return number if len(number.parts) > 1 and not _counts(text, match.start(kind), match.end(kind)) else None


def _counts(text: str, start: int, end: int) -> bool:
    """Tell whether the decimal from *start* to *end* is an amount: `1.5 times`, `LP 0.5`."""
    if not _DECIMAL.fullmatch(text, start, end):
        return False
    return bool(_BEFORE.search(text[max(0, start - _NEAR) : start]) or _AFTER.match(text, end))
