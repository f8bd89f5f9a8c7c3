"""
How much a word tells one rule of a document from the others, and whether words in a row are a term there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from sys import intern
from typing import NamedTuple

from lorebook.importers import chinese
from lorebook.importers.candidates import Candidate
from lorebook.importers.english import STOP, base, singular
from lorebook.importers.vocabulary import UNSEEN, rank

FEW = 3
"""So many rules may share a key in any document; in a long one, a tenth of them."""

COMMON = 4_000
"""Words of a lower rank in the vocabulary are in texts of every subject: `turn`, `card`, `higher`."""

_TOGETHER = 1.5
# Ranks above which a word may be a key that is no noun, and that stands in the document once.
_TELLING, _TELLING_ONCE, _TELLING_NOUN_ONCE = 25_000, 35_000, 8_000
# How often a term must stand beside its rarer half, and beside what comes before a verb that ends it.
_OF_ITS_PARTS, _OF_ITS_SUBJECT = 0.25, 0.8
# So often English words stand as a noun does, and are one whatever the last of them is elsewhere: `wreck roll`.
_SURE = 2
# What is not seen as a noun counts less.
_NO_NOUN = 0.6


class Found(NamedTuple):
    """
    The candidates of one rule in order: their compared forms, and how each is written.
    """

    forms: tuple[str, ...]
    written: tuple[str, ...]


class Rarity:
    """
    Counts the candidates of one document and weighs them.
    """

    def __init__(self) -> None:
        self._rules: Counter[str] = Counter()
        self._times: Counter[str] = Counter()
        self._before: dict[str, str | None] = {}
        self._after: dict[str, str | None] = {}
        self._use: Counter[str] = Counter()
        self._names: Counter[str] = Counter()
        self._shapes: tuple[dict[str, float], ...] = ({}, {}, {})
        self._count = 0

    def count(self, candidates: Iterable[Candidate]) -> Found:
        """
        Count the *candidates* of one rule and return what can be weighed when all rules are counted.
        """
        forms: list[str] = []
        written: list[str] = []
        for candidate in candidates:
            form, spelt, several, _, _, use, is_name = candidate
            # One string for each word, not one for each place where it stands.
            forms.append(intern(form))
            written.append(intern(spelt))
            if several:
                self._see_beside(candidate)
            if use:
                self._use[form] += use
            if is_name:
                self._names[form] += 1
        self._times.update(forms)
        self._rules.update(set(forms))
        self._count += 1
        return Found(tuple(forms), tuple(written))

    def _see_beside(self, found: Candidate) -> None:
        """Note what stands beside *found*; None, that it ends here, where other words do elsewhere."""
        if self._before.setdefault(found.form, found.before) != found.before:
            self._before[found.form] = None
        if self._after.setdefault(found.form, found.after) != found.after:
            self._after[found.form] = None

    def weight(self, form: str, times: int, *, once: bool = False, shared: bool = False) -> float:
        """
        Return the usual product of how often *form* stands here, *times*, and how seldom elsewhere.

        Zero for no key: for what is there by chance, which an English word may be that stands in the document once, but
        with *once*; for what too many rules have, or texts of every subject, but with *shared*, which allows both.
        """
        rules = self._rules[form]
        if rules > FEW and rules > self._count // (2 if shared else 10):
            return 0.0
        shapes = self._shapes[2 if shared else once]
        shape = shapes.get(form)
        if shape is None:
            shape = shapes[form] = self._shape(form, once=once or shared, shared=shared)
        return shape and (1 + math.log(times)) * math.log(1 + self._count / rules) * shape

    def having(self, form: str) -> int:
        """
        Return how many rules have *form*; all, where every text has it.
        """
        return self._count if form in STOP else self._rules[form]

    def _shape(self, form: str, *, once: bool, shared: bool) -> float:
        if chinese.is_chinese(form):
            return self._han_shape(form, shared=shared)
        return self._phrase(form, once=once) if " " in form else self._word(form, once=once, shared=shared)

    def _phrase(self, form: str, *, once: bool) -> float:
        """Return what words of English in a row count: a noun, or what returns and may be one."""
        uses, words = self._use[form], form.split()
        if uses < _SURE and (self._use[base(words[-1])] < 0 or any(map(_is_plural, words[:-1]))):
            return 0.0
        if not uses and not once and (self._times[form] == 1 or not self._belongs(form, words)):
            return 0.0
        return _TOGETHER * (0.5 + max(map(rarity, words))) * (1.0 if uses else _NO_NOUN)

    def _belongs(self, form: str, words: Sequence[str]) -> bool:
        """Return whether the rarer one of two words often stands beside the other."""
        return self._times[form] >= _OF_ITS_PARTS * min(self._times[base(word)] for word in words)

    def _word(self, form: str, *, once: bool, shared: bool) -> float:
        """Return what a word of English counts by itself: names, then nouns, more than others."""
        if 2 * self._names[form] >= self._times[form]:
            return 0.5 + rarity(form)
        is_noun = self._use[form] > 0
        if self._times[form] == 1 and not once:
            least = _TELLING_NOUN_ONCE if is_noun else _TELLING_ONCE
        else:
            least = COMMON if is_noun else _TELLING
        if not shared and (rank(form) < least or (form.endswith("ly") and not is_noun)):
            return 0.0
        return (0.25 + rarity(form)) * (1.0 if is_noun else _NO_NOUN)

    def _han_shape(self, form: str, *, shared: bool) -> float:
        if form not in self._before:
            kind = chinese.kind(form)
            is_key = kind is chinese.Kind.KEY or (shared and kind is chinese.Kind.PART and len(form) > 1)
            return chinese.weight(form) if is_key else 0.0
        ends = self._before[form] is None and self._after[form] is None
        return _TOGETHER if ends and self._times[form] > 1 and self._coheres(form) else 0.0

    def _coheres(self, form: str) -> bool:
        """Return whether the words of *form* are a term: no statement, nor terms that happen to stand together."""
        words = chinese.words_of(form)
        times = self._times[form]
        if chinese.opens_statement(words[0]):
            return False
        if chinese.ends_statement(words[-1]) and times < _OF_ITS_SUBJECT * self._times[form[: -len(words[-1])]]:
            return False
        cuts = [sum(map(len, words[:at])) for at in range(1, len(words))]
        return all(times >= _OF_ITS_PARTS * min(self._times[form[:cut]], self._times[form[cut:]]) for cut in cuts)


def _is_plural(word: str) -> bool:
    return word.isalpha() and singular(word) != word


@lru_cache(maxsize=50_000)
def rarity(word: str) -> float:
    """
    Return how rare a word of English is, from 0 for one of which all texts are full to 1 for one that few have.
    """
    return max(0.0, math.log(rank(word) / COMMON) / math.log(UNSEEN / COMMON))
