"""
Words of a text, and a trie of many-worded forms over them.

A word is a run of Latin letters and digits, or one character of a script written without spaces.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lorebook.folding import fold_aligned
from lorebook.scripts import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(rf"[{UNSPACED}]|&|[^\W_{UNSPACED}]+(?:'[^\W_{UNSPACED}]+)*")
_IDEOGRAPH = re.compile(rf"[{UNSPACED}]")
# What may stand between two words of one form: no full stop, comma or blank line.
_SOFT = re.compile(r"[ \t'/·・-]{0,3}|[ \t]*\r?\n[ \t]*")
_SOFT_UNSPACED = re.compile(r" ?[·・/-]? ?")
_ALWAYS_SOFT = ("", " ")
_SHORTEST_PLURAL = 3
_SHORTEST_IES = 5
# Shorter ones are other words: `S/T` is not `st`.
_SHORTEST_JOINED = 6


class Token(NamedTuple):
    """
    A word in its compared form, with its place in the original text; *joined*: it may continue the word before it.
    """

    word: str
    start: int
    end: int
    joined: bool


class Term(NamedTuple):
    """
    A form of a concept; *spellings* are the only ones accepted where case matters.
    """

    concept: str
    form: str
    spellings: tuple[str, ...] = ()


class Found(NamedTuple):
    """
    A form in a text: its concepts, the number of its first word and of the first word after it.
    """

    concepts: tuple[str, ...]
    start: int
    stop: int


def tokenize(text: str) -> list[Token]:
    """
    Return the words of *text*.
    """
    folded, places = fold_aligned(text)
    tokens: list[Token] = []
    previous = 0
    for match in _WORD.finditer(folded):
        start, end = match.span()
        gap = folded[previous:start]
        joined = bool(tokens) and (gap in _ALWAYS_SOFT or _may_join(gap, tokens[-1].word, match.group()))
        at, to = (start, end) if places is None else (places[start], _end(places, end))
        tokens.append(Token(_compared(match.group()), at, to, joined))
        previous = end
    return tokens


@lru_cache(maxsize=20_000)
def key(form: str) -> tuple[str, ...]:
    """
    Return the words that *form* is compared by: forms with one key are one form.
    """
    return tuple(token.word for token in tokenize(form))


def _end(places: list[int], end: int) -> int:
    """
    The place in the original text after the character that folded character *end* - 1 comes from.
    """
    last = places[end - 1]
    return next((place for place in places[end:] if place != last), places[-1])


def _may_join(gap: str, before: str, after: str) -> bool:
    unspaced = _IDEOGRAPH.fullmatch(before) and _IDEOGRAPH.fullmatch(after)
    return bool((_SOFT_UNSPACED if unspaced else _SOFT).fullmatch(gap))


@lru_cache(maxsize=20_000)
def _compared(word: str) -> str:
    """
    The word without apostrophes and the s of plural and possessive; crude, but the same for both sides.
    """
    if word == "&":
        return "and"
    word = word.replace("'", "")
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) >= _SHORTEST_IES:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes")) else word[:-1]


@dataclass(slots=True)
class _Node:
    next: dict[str, _Node] = field(default_factory=dict)
    terms: list[Term] = field(default_factory=list)
    concepts: tuple[str, ...] = ()
    """Those of all its terms, where none of them minds how it is spelt."""


class Trie:
    """
    Forms by their words.
    """

    def __init__(self) -> None:
        self._root = _Node()

    def add(self, term: Term) -> None:
        """
        Add *term*; one of several Latin words is also found written as one word.
        """
        words = key(term.form)
        self._insert(words, term)
        joined = "".join(words)
        if len(words) > 1 and len(joined) >= _SHORTEST_JOINED and not _IDEOGRAPH.search(joined):
            self._insert((joined,), term)

    def _insert(self, words: tuple[str, ...], term: Term) -> None:
        node = self._root
        for word in words:
            node = node.next.setdefault(word, _Node())
        node.terms.append(term)
        free = not any(known.spellings for known in node.terms)
        node.concepts = tuple(dict.fromkeys(known.concept for known in node.terms)) if free else ()

    def found_at(self, tokens: list[Token], place: int, text: str) -> list[Found]:
        """
        Return the forms that start with word number *place* of *text*, the shortest first.
        """
        node = self._root
        found: list[Found] = []
        for at in range(place, len(tokens)):
            token = tokens[at]
            step = node.next.get(token.word) if at == place or token.joined else None
            if step is None:
                break
            node = step
            if node.terms and (concepts := _accepted(node, text[tokens[place].start : token.end])):
                found.append(Found(concepts, place, at + 1))
        return found

    def cover(self, tokens: list[Token], text: str) -> list[Found]:
        """
        Return the forms that together cover the most words of *text*, as few and as long as they can be.

        Taking the longest form from the left would read `这张卡通常召唤` as a cartoon; Chinese needs the look ahead.
        """
        # For the words from each place on: how many are covered, by how few forms (negative), and the first choice.
        best: list[tuple[int, int, Found | None]] = [(0, 0, None)] * (len(tokens) + 1)
        for place in range(len(tokens) - 1, -1, -1):
            covered, fewness, _ = best[place + 1]
            if tokens[place].word not in self._root.next:
                best[place] = (covered, fewness, None)
                continue
            choice: tuple[int, int, Found | None] = (covered, fewness, None)
            for found in self.found_at(tokens, place, text):
                covered, fewness, _ = best[found.stop]
                option = (covered + found.stop - place, fewness - 1)
                if option >= choice[:2]:
                    choice = (*option, found)
            best[place] = choice
        return list(_chosen(best))


def _chosen(best: list[tuple[int, int, Found | None]]) -> Iterator[Found]:
    place = 0
    while place < len(best):
        found = best[place][2]
        place = found.stop if found else place + 1
        if found:
            yield found


def _accepted(node: _Node, surface: str) -> tuple[str, ...]:
    if node.concepts:
        return node.concepts
    return _spelt_so(node.terms, surface)


def _spelt_so(terms: list[Term], surface: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(t.concept for t in terms if not t.spellings or _spelt(surface, t.spellings)))


def _spelt(surface: str, spellings: tuple[str, ...]) -> bool:
    letters = _letters(surface)
    return any(letters in (_letters(spelling), _letters(spelling) + "s") for spelling in spellings)


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isalnum())
