"""
Plain keys, found together in one pass over a text (Aho-Corasick).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lorebook.matching import terms
from lorebook.matching.keystyle import KeyStyle

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

MARK = "\x01"
"""Begins every block of the scan text; so no key of a message ever meets the message before it."""

_SURROGATE = re.compile("[\ud800-\udfff]")

# What a needle is: a key without boundaries, one with them, a term that may hide shorter ones, one that begins and
# ends without boundaries of words.
_FREE, _BOUNDED, _TERM, _UNSPACED_ENDS = 1, 2, 4, 8
# By all the flags of a needle, of which the first two decide: the keys that it is, without boundaries (False) or with
# them (True).
_KINDS = ((), (False,), (True,), (False, True)) * 4
_NONE_STANDING = terms.Standing(())
# Before it there are only letters of scripts with spaces.
_FIRST_UNSPACED = "\u2e80"


class Place(NamedTuple):
    """
    Where a key first stands: the block's number and the characters before it.
    """

    block: int
    start: int


class Automaton:
    """
    Keys of one kind of case. A key is a needle, with or without boundaries around it.
    """

    def __init__(self, style: KeyStyle, *, case_sensitive: bool) -> None:
        self._style = style
        self.case_sensitive = case_sensitive
        self._needles: dict[str, int] = {}
        self._kinds = bytearray()
        # The numbers of variants, needles of their own, and the number of the key that each stands for.
        self._variants: dict[int, int] = {}
        self.has_terms = False
        """Whether a key counts only outside of longer terms."""
        self._built: AhoCorasick | None = None

    def number(self, needle: str, *, bounded: bool) -> int:
        """
        Return the number of a key; it differs from all those of the other kind of case.
        """
        at = self._at(needle, _BOUNDED if bounded else _FREE)
        number = self._number(at, bounded)
        if self._style.longest_terms and not self._kinds[at] & _TERM and terms.is_term(needle):
            self._at(needle, _term(needle))
        self.has_terms |= bounded and bool(self._kinds[at] & _TERM)
        for variant in self._style.variants(needle, bounded=bounded):
            self._variants[self._number(self._at(variant, _BOUNDED if bounded else _FREE), bounded)] = number
        return number

    def _at(self, needle: str, kind: int) -> int:
        at = self._needles.setdefault(needle, len(self._needles))
        if at == len(self._kinds):
            self._kinds.append(0)
        self._kinds[at] |= kind
        return at

    def _number(self, at: int, bounded: bool) -> int:  # noqa: FBT001 (called for each match)
        return 4 * at + 2 * self.case_sensitive + bounded

    def build(self, further: Iterable[str]) -> None:
        """
        Make ready to search; *further* terms hide keys that they hold or cross, too.
        """
        for term in further if self.has_terms else ():
            needle = self._style.needle(term, case_sensitive=self.case_sensitive)
            if terms.is_term(needle):
                self._at(needle, _term(needle))
        if self._needles:
            from ahocorasick_rs import AhoCorasick  # noqa: PLC0415 (a compiled library)

            self._built = AhoCorasick(self._needles, store_patterns=False)

    def find(self, blocks: Sequence[str]) -> dict[int, Place]:
        """
        Return the first place in *blocks* of every key that stands there.
        """
        if self._built is None:
            return {}
        text, starts = _joined([self._style.comparable(block, case_sensitive=self.case_sensitive) for block in blocks])
        matches = _matches(self._built, text)
        standing = self._standing(text, matches) if self.has_terms else _NONE_STANDING
        found: dict[int, Place] = {}
        # Matches come in the order of their ends, those of one key therefore in the order of their beginnings.
        for pattern, start, end in matches:
            kind = self._kinds[pattern]
            for bounded in _KINDS[kind]:
                number = self._number(pattern, bounded)
                if number in found or (bounded and kind & _TERM and standing.hides(start, end)):
                    continue
                if not bounded or self._style.is_bounded(text, start, end):
                    block = bisect_right(starts, start) - 1
                    found[number] = Place(block, start - starts[block])
        return self._with_variants(found) if self._variants else found

    def _standing(self, text: str, matches: Iterable[tuple[int, int, int]]) -> terms.Standing:
        kinds, is_bounded = self._kinds, self._style.is_bounded
        return terms.Standing(
            (start, end)
            for pattern, start, end in matches
            if kinds[pattern] & _TERM and (kinds[pattern] & _UNSPACED_ENDS or is_bounded(text, start, end))
        )

    def _with_variants(self, found: dict[int, Place]) -> dict[int, Place]:
        for variant in found.keys() & self._variants.keys():
            number, place = self._variants[variant], found[variant]
            found[number] = min(found.get(number, place), place)
        return found


def _term(needle: str) -> int:
    return _TERM | (_UNSPACED_ENDS if min(needle[0], needle[-1]) >= _FIRST_UNSPACED else 0)


def _joined(blocks: Sequence[str]) -> tuple[str, list[int]]:
    """
    Return *blocks* as one text, mark and line break between them, and where each begins.
    """
    starts, at = [], 0
    for block in blocks:
        starts.append(at)
        at += len(block) + 2
    return f"\n{MARK}".join(blocks), starts


def _matches(automaton: AhoCorasick, text: str) -> list[tuple[int, int, int]]:
    """
    Return every match in *text*: the needle's place in the list, where it begins, where it ends.
    """
    try:
        return automaton.find_matches_as_indexes(text, overlapping=True)
    except UnicodeEncodeError:
        # The library refuses surrogates without a partner; no needle has any.
        return automaton.find_matches_as_indexes(_SURROGATE.sub("\ufffd", text), overlapping=True)
