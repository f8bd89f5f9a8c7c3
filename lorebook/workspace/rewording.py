"""
Texts that are nearly the same, and the words in which they differ: the plainest sign of what a new edition changed.

Texts are compared word by word, Chinese and Japanese ones character by character, signs of punctuation too; case,
width and white space are no difference. It does not matter which text is named first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from lorebook.folding import fold, fold_aligned
from lorebook.scripts import UNSPACED

_WORD = rf"[^\W{UNSPACED}]+"
_TOKEN = re.compile(rf"[{UNSPACED}]|{_WORD}(?:['’-]{_WORD})*|\S")
_UNSPACED = re.compile(f"[{UNSPACED}]")
# So many words that both texts have between two changes are shown with them.
_BRIDGED = 1
# Characters of a change that are shown in a heading.
_SHOWN = 48
# A text is held against several others.
_REMEMBERED = 1000


class _Token(NamedTuple):
    word: str
    start: int
    end: int


class _Spot(NamedTuple):
    """
    Where the texts differ: tokens *start* to *end* of one, *there* to *end_there* of the other.
    """

    start: int
    end: int
    there: int
    end_there: int


@lru_cache(maxsize=_REMEMBERED)
def words(text: str) -> tuple[str, ...]:
    """
    Return what *text* is compared by: texts of which it is equal are the same, word for word.
    """
    return tuple(_TOKEN.findall(fold(text)))


def likeness(one: str, other: str) -> float:
    """
    Return the share of the words of *one* and *other* that stand in both in the same order, from 0 to 1.
    """
    left, right = sorted((words(one), words(other)))
    return _matcher(left, right).ratio()


def common_words(one: str, other: str) -> int:
    """
    Return how many words *one* and *other* have in common, in whatever order.
    """
    return sum((Counter(words(one)) & Counter(words(other))).values())


def differing_words(one: str, other: str) -> tuple[str, str]:
    """
    Return the words of *one* that *other* has not, and the reverse, places apart joined by `…`.

    Where only one of them has words, those beside them are given for both.
    """
    if words(one) > words(other):
        return differing_words(other, one)[::-1]
    left, right = _tokens(one), _tokens(other)
    spots = [*_spots(left, right)]
    # Signs of punctuation are shown where nothing else differs.
    spots = [
        spot for spot in spots if _has_words(left[spot.start : spot.end], right[spot.there : spot.end_there])
    ] or spots
    return (
        " … ".join(_cut(one, left[spot.start : spot.end]) for spot in spots),
        " … ".join(_cut(other, right[spot.there : spot.end_there]) for spot in spots),
    )


def shortened(text: str) -> str:
    """
    Return *text*, of more than about eight English words its beginning only.
    """
    if len(text) <= _SHOWN:
        return text
    end = max((token.end for token in _tokens(text) if token.end <= _SHOWN), default=_SHOWN)
    return f"{text[:end].rstrip()} …"


def _cut(text: str, tokens: tuple[_Token, ...]) -> str:
    return " ".join(text[tokens[0].start : tokens[-1].end].split()) if tokens else "—"


def _tokens(text: str) -> tuple[_Token, ...]:
    folded, places = fold_aligned(text)
    spans = ((match.group(), *match.span()) for match in _TOKEN.finditer(folded))
    if places is None:
        return tuple(_Token(*span) for span in spans)
    return tuple(_Token(word, places[start], _end(places, end)) for word, start, end in spans)


def _end(places: list[int], end: int) -> int:
    """
    Return the place in the text after the character that the folded one before *end* comes from.
    """
    last = places[end - 1]
    return next((place for place in places[end:] if place != last), places[-1])


def _matcher(left: tuple[str, ...], right: tuple[str, ...]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, left, right, autojunk=False)


def _spots(left: tuple[_Token, ...], right: tuple[_Token, ...]) -> Iterator[_Spot]:
    """
    Yield where the texts differ, in order; what is close together is one.
    """
    matcher = _matcher(tuple(token.word for token in left), tuple(token.word for token in right))
    open_spot: _Spot | None = None
    for tag, *places in matcher.get_opcodes():
        if tag == "equal":
            continue
        spot = _widened(_Spot(*places), left, right)
        if open_spot and spot.start - open_spot.end <= _BRIDGED:
            end, end_there = max(open_spot.end, spot.end), max(open_spot.end_there, spot.end_there)
            open_spot = open_spot._replace(end=end, end_there=end_there)
            continue
        if open_spot:
            yield open_spot
        open_spot = spot
    if open_spot:
        yield open_spot


def _widened(spot: _Spot, left: tuple[_Token, ...], right: tuple[_Token, ...]) -> _Spot:
    """
    Return *spot* with what stands beside it, a word or two characters, where one of the texts has nothing there.
    """
    start, end, there, end_there = spot
    if start < end and there < end_there:
        return spot
    before = min(_beside(left[start - 1 : start]), start, there)
    after = min(_beside(left[end : end + 1]), len(left) - end, len(right) - end_there)
    return _Spot(start - before, end + after, there - before, end_there + after)


def _has_words(*sides: tuple[_Token, ...]) -> bool:
    return any(token.word.isalnum() or len(token.word) > 1 for side in sides for token in side)


def _beside(tokens: tuple[_Token, ...]) -> int:
    return 2 if any(_UNSPACED.fullmatch(token.word) for token in tokens) else 1
