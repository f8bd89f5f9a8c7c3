"""
How much a word tells one rule of a document from the others, and whether words in a row are a term there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from sys import intern
from typing import NamedTuple

from lorebook.importers import chinese
from lorebook.importers.candidates import Candidate

FEW = 3
"""So many rules may share a key in any document; in a long one, a tenth of them."""

_TOGETHER = 1.5
# How often a term must stand beside its rarer half, and beside what comes before a verb that ends it.
_OF_ITS_PARTS, _OF_ITS_SUBJECT = 0.25, 0.8


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
        self._count = 0

    def count(self, candidates: Iterable[Candidate]) -> Found:
        """
        Count the *candidates* of one rule and return what can be weighed when all rules are counted.
        """
        forms: list[str] = []
        written: list[str] = []
        for candidate in candidates:
            # One string for each word, not one for each place where it stands.
            forms.append(intern(candidate.form))
            written.append(intern(candidate.written))
            if candidate.several:
                self._see_beside(candidate)
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

    def weight(self, form: str, times: int, *, once: bool, shared: bool = False) -> float:
        """
        Return the usual product of how often *form* stands here, *times*, and how seldom elsewhere.

        Zero for no key: for what too many rules have, but with *shared*, and for what is there by chance, which an
        English word may be that stands in the document once, but with *once*.
        """
        rules = self._rules[form]
        if rules > max(FEW, self._count // (2 if shared else 10)):
            return 0.0
        shape = self._han_shape(form) if chinese.is_chinese(form) else self._shape(form, times, once=once)
        return (1 + math.log(times)) * math.log(1 + self._count / rules) * shape

    def _shape(self, form: str, times: int, *, once: bool) -> float:
        several = " " in form
        chance = self._times[form] == 1 or (several and self._rules[form] == times == 1 and self._count > FEW)
        return 0.0 if chance and not once else _TOGETHER if several else 1.0

    def _han_shape(self, form: str) -> float:
        if form not in self._before:
            return chinese.weight(form) if chinese.kind(form) is chinese.Kind.KEY else 0.0
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
