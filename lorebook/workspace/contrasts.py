"""
Signs that two statements about the same thing say something else: plain ones, each of which can be shown.

Sentences are paired by the words that they share, numbers and permissions left aside. In a pair, numbers of
the same things are held against each other (six cards, seven cards), how often something is done (once,
twice), and what is allowed (may, may not, must). No sign is a number that only one of them gives (it may
just say more), nor numbers that each statement gives somewhere, nor a number under opposite permissions:
who may do it once may not do it twice, nor a second time. Works in English and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from lorebook.folding import fold
from lorebook.records import Frozen, Rule
from lorebook.retrieval.words import stem, terms
from lorebook.rulenumbers import DIGITS, value_of
from lorebook.workspace.rewording import differing_words, shortened

# Sentences are about the same thing when they share so much of their words (Dice), and are the nearest of each other.
_SAME_POINT = 0.4
# What may be done under one condition may not under another, so the sentences must be nearly the same.
_SAME_ACT = 0.7
# A text is held against many others: so many are kept taken apart.
_REMEMBERED = 1000

_TIMES = frozenset({stem("times"), "次"})
_SENTENCE_END = re.compile(r"(?<=[.!?;])[\"')\]”’]*\s+|(?<=[。！？；])|\n+")
_ENGLISH = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    )
}
_OFTEN = {"once": 1, "twice": 2, "thrice": 3}
# `at once` says when, not how often.
_OFTEN_WORDS = rf"(?<!at )(?:{'|'.join(_OFTEN)})"
# `one of them`, `the one who`, `no one`: a pronoun, not a number.
_PRONOUN = re.compile(r"\b(?:no|this|that|the|each|another|any) one\b|\bone (?:of|who|that|another|or the other)\b")
# `Main Phase 1` and `2: Quick Effects` are names, `the 1st turn` an order.
_NAMES = re.compile(r"\d+\s*[:：]|\bphase \d+\b|阶段\s*\d+|\b\d+(?:st|nd|rd|th)\b|第\s*[\d" + DIGITS + r"]+")
_MEASURES = "张只个次回点条名种块枚位倍级星阶轮步格区项组套件颗盏座艘支片根粒份堆副对层行列人天杯头匹"
_NUMBER = re.compile(
    rf"(?P<digits>\d[\d,]*)|(?P<word>\b(?:{'|'.join(_ENGLISH)}|{_OFTEN_WORDS})\b)|(?P<han>[{DIGITS}]+)(?=[{_MEASURES}])"
)
_UNIT = re.compile(rf"\s*(?:(?:or|more|fewer|less)\s+)*(?:(?P<measure>[{_MEASURES}])|(?P<noun>[a-z]+))?")
_LEVEL = re.compile(r"\b(level|rank|speed|link)s? $")

# What may follow a number without being counted.
_NO_THINGS = frozenset("are is be remain remains left at in of on per to until and from for a an the if when".split())

_FORBIDS = re.compile(
    r"\b(?:may|can|could|must)(?: never| not|n't)\b|\bcannot\b|\bnever\b"
    r"|\b(?:nobody|no one|no player) (?:may|can)\b|\bprohibited\b|\bforbidden\b|不能|不可以?|不得|不允许|禁止|无法|不准"
)
_ALLOWS = re.compile(r"\b(?:may|can|allowed)\b|可以|允许|能够?|可(?!能)")
_DEMANDS = re.compile(r"\bmust\b|\b(?:has|have) to\b|必须|必需|一定要")
_MODAL = re.compile(f"{_FORBIDS.pattern}|{_ALLOWS.pattern}|{_DEMANDS.pattern}")


class ContrastKind(StrEnum):
    """
    What differs.
    """

    NUMBERS = "numbers"
    OFTEN = "how_often"
    PERMISSION = "permission"
    WORDS = "words"
    """Nearly the same text; whether it means the same is for a reader to say."""


_SAYS = {
    ContrastKind.NUMBERS: "numbers differ: ",
    ContrastKind.OFTEN: "how often: ",
    ContrastKind.WORDS: "worded differently: ",
}


class Contrast(Frozen):
    """
    What one statement says where the other says something else, and the sentences that say it.
    """

    kind: ContrastKind
    one: str
    other: str
    one_sentence: str
    other_sentence: str

    def mirrored(self) -> Contrast:
        """
        Return the same, the other way round.
        """
        return Contrast(
            kind=self.kind,
            one=self.other,
            other=self.one,
            one_sentence=self.other_sentence,
            other_sentence=self.one_sentence,
        )

    def __str__(self) -> str:
        if self.kind is ContrastKind.WORDS:
            return f"{_SAYS[self.kind]}{shortened(self.one)} / {shortened(self.other)}"
        return f"{_SAYS.get(self.kind, '')}{self.one} / {self.other}"


class _Count(NamedTuple):
    """
    A number, and the word for what is counted; none where nothing follows.
    """

    value: int
    unit: str


class _Sentence(NamedTuple):
    text: str
    folded: str
    words: frozenset[str]


class _Pair(NamedTuple):
    one: _Sentence
    other: _Sentence
    shared: float


def contrasts(one: str, other: str, *, around: tuple[str, str] = ("", "")) -> list[Contrast]:
    """
    Return where the statements *one* and *other* differ, the plainest first.

    *around* is what stands around either, where its numbers may be given too.
    """
    known = [_values(text) | _values(whole) for text, whole in zip((one, other), around, strict=True)]
    mine, theirs = _sentences(one), _sentences(other)
    common = {sentence.folded for sentence in mine} & {sentence.folded for sentence in theirs}
    # What both say word for word cannot be what they differ in.
    pairs = _paired(*([each for each in side if each.folded not in common] for side in (mine, theirs)))
    found = [contrast for pair in pairs for contrast in _of_pair(pair, *known)]
    return sorted(found, key=lambda contrast: (len(contrast.one) + len(contrast.other), str(contrast.kind)))


def rewording(one: str, other: str) -> Contrast:
    """
    Return in which words the texts *one* and *other*, which are not the same, differ.
    """
    mine, theirs = differing_words(one, other)
    return Contrast(kind=ContrastKind.WORDS, one=mine, other=theirs, one_sentence=one, other_sentence=other)


def surroundings(rule: Rule, language: str) -> str:
    """
    Return what stands around a statement of *rule*: all that the rule says in *language*.
    """
    wording = rule.wording(language)
    return "\n".join((wording.title, wording.text, *wording.examples))


@lru_cache(maxsize=_REMEMBERED)
def _values(text: str) -> frozenset[int]:
    return frozenset(count.value for count in _counts(fold(text)))


@lru_cache(maxsize=_REMEMBERED)
def _sentences(text: str) -> tuple[_Sentence, ...]:
    parts = (part.strip() for part in _SENTENCE_END.split(text))
    made = ((part, fold(part)) for part in parts if part)
    return tuple(_Sentence(part, folded, _words(folded)) for part, folded in made)


def _words(folded: str) -> frozenset[str]:
    return frozenset(terms(_MODAL.sub(" ", _NUMBER.sub(" ", folded))))


def _paired(ones: list[_Sentence], others: list[_Sentence]) -> Iterator[_Pair]:
    """
    Yield the sentences that are nearest of each other and near enough, the nearest first.
    """
    pairs = [_Pair(one, other, _dice(one.words, other.words)) for one in ones for other in others]
    for pair in sorted(pairs, key=lambda pair: -pair.shared):
        rivals = (each.shared for each in pairs if (each.one is pair.one) != (each.other is pair.other))
        if pair.shared >= _SAME_POINT and pair.shared >= max(rivals, default=0.0):
            yield pair


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def _of_pair(pair: _Pair, known: frozenset[int], known_there: frozenset[int]) -> Iterator[Contrast]:
    allowed = _permission(pair.one.folded), _permission(pair.other.folded)
    opposed = ("may not" in allowed) and allowed[0] != allowed[1]
    found = list(_of_counts(pair, known, known_there))
    if not opposed:
        yield from found
    is_other = set(allowed) in ({"may", "may not"}, {"may", "must"})
    if is_other and pair.shared >= _SAME_ACT and _numbers(pair.one) == _numbers(pair.other):
        yield _contrast(ContrastKind.PERMISSION, *allowed, pair)


def _numbers(sentence: _Sentence) -> list[int]:
    """
    All numbers in *sentence*, those of names and orders too: a second attack is another act than one attack.
    """
    values = map(_value, _NUMBER.finditer(sentence.folded))
    return sorted(value for value in values if value is not None)


def _of_counts(pair: _Pair, known: frozenset[int], known_there: frozenset[int]) -> Iterator[Contrast]:
    one, other = ([*_counts(sentence.folded)] for sentence in (pair.one, pair.other))
    for kind in (ContrastKind.OFTEN, ContrastKind.NUMBERS):
        often = kind is ContrastKind.OFTEN
        mine, theirs = ([each for each in counts if (each.unit in _TIMES) is often] for counts in (one, other))
        left, right = _unmatched(mine, theirs), _unmatched(theirs, mine)
        if left and right and not (known_there.issuperset(left) and known.issuperset(right)):
            say = _times if often else str
            yield _contrast(kind, ", ".join(map(say, left)), ", ".join(map(say, right)), pair)


def _contrast(kind: ContrastKind, one: str, other: str, pair: _Pair) -> Contrast:
    return Contrast(kind=kind, one=one, other=other, one_sentence=pair.one.text, other_sentence=pair.other.text)


def _counts(folded: str) -> Iterator[_Count]:
    plain = _NAMES.sub(" ", _PRONOUN.sub(" ", folded))
    for match in _NUMBER.finditer(plain):
        value = _value(match)
        if value is not None:
            yield _Count(value, _unit(match, plain))


def _value(match: re.Match[str]) -> int | None:
    if match["digits"]:
        return int(match["digits"].replace(",", ""))
    return value_of(match["han"]) if match["han"] else (_ENGLISH | _OFTEN)[match["word"]]


def _unit(match: re.Match[str], plain: str) -> str:
    if match["word"] in _OFTEN:
        return stem("times")
    if level := _LEVEL.search(plain[: match.start()]):
        return level[1]
    after = _UNIT.match(plain, match.end())
    noun = "" if after is None or after["noun"] in _NO_THINGS else stem(after["noun"] or "")
    return (after["measure"] or noun) if after else ""


def _unmatched(mine: list[_Count], theirs: list[_Count]) -> list[int]:
    """
    The numbers of *mine* that *theirs* lack although they count the same things.
    """
    missed = [count for count in mine if not _holds(theirs, count)]
    rivals = [count for count in theirs if not _holds(mine, count)]
    return sorted({count.value for count in missed if _alike(rivals, count)})


def _holds(counts: Iterable[_Count], wanted: _Count) -> bool:
    return any(count.value == wanted.value for count in _alike(counts, wanted))


def _alike(counts: Iterable[_Count], wanted: _Count) -> list[_Count]:
    """
    Those of *counts* that count the same things: by the same word, where there are such, else perhaps.
    """
    held = [count for count in counts if _same_things(count.unit, wanted.unit)]
    return [count for count in held if count.unit == wanted.unit] or held


def _same_things(one: str, other: str) -> bool:
    return one == other or not one or not other or (one.isascii() != other.isascii())


def _times(value: int) -> str:
    return {1: "once", 2: "twice"}.get(value, f"{value} times")


def _permission(folded: str) -> str:
    """
    What the sentence says of an act, in one word; empty where it says nothing, or several things.
    """
    left = _FORBIDS.sub(" ", folded)
    said = [
        name
        for name, found in (
            ("may not", left != folded),
            ("may", _ALLOWS.search(left)),
            ("must", _DEMANDS.search(left)),
        )
        if found
    ]
    return said[0] if len(said) == 1 else ""
