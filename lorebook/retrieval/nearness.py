"""
Passages of an index held against each other: which of two rulesets speak of the same thing.

Nearness is counted in standard deviations above the mean similarity to sentences about nothing in particular
(see `background`), so that it means the same for a ruleset of five rules and of five hundred, and of both
directions the mean is taken, so that it does not matter which ruleset is named first. Only what is shown is
compared, in a language that both have, else in the first of each rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from lorebook.errors import RetrievalError
from lorebook.retrieval import manifest as manifests
from lorebook.retrieval.background import sentences_for
from lorebook.retrieval.passages import Passage, PassageKind, text_key
from lorebook.retrieval.space import Space
from lorebook.retrieval.tables import Tables
from lorebook.retrieval.vectors import FOLDER, Vault

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lorebook.retrieval.embedders import Vectors
    from lorebook.retrieval.ingredients import Places

_LEAST = 1e-4
# Rows compared with all others at once: of 10,000 others, 40 MB.
_AT_ONCE = 1024
_HINT = "`lorebook index` mends it"


class Near(NamedTuple):
    """
    Two passages and how far they stand out as near, in standard deviations; *mutual*: each is the other's nearest.
    """

    one: Passage
    other: Passage
    nearness: float
    mutual: bool = False


@dataclass(frozen=True)
class Nearness:
    """
    The passages of an index that are shown, and the vectors.
    """

    passages: Sequence[Passage]
    vault: Vault
    _shelves: dict[tuple[str, str], _Shelf] = field(default_factory=dict, init=False, compare=False)

    @classmethod
    def open(cls, places: Places) -> Self:
        """
        Read the complete index in *places*; no model is loaded.

        Raises RetrievalError when there is none, or a vector is lost.
        """
        manifest = manifests.complete(places.store)
        tables = Tables.load(places.store / manifest.tables)
        held = cls.of(tables.passages, open_vault(places))
        if held is None:
            raise RetrievalError("vectors of the index are lost", where=str(places.store), hint=_HINT)
        return held

    @classmethod
    def of(cls, passages: Iterable[Passage], vault: Vault) -> Self | None:
        """
        Return the *passages* that are shown with their vectors in *vault*, None where one of these is not there.
        """
        shown = [passage for passage in passages if passage.kind is not PassageKind.ASKED]
        idle = [key for language in {passage.language for passage in shown} for key in _background(language)]
        return None if vault.missing([*(passage.key for passage in shown), *idle]) else cls(shown, vault)

    def of_rule(self, rule: str, language: str | None) -> list[Passage]:
        """
        Return the passages of *rule* in *language*, or in its first language where it has not that one.
        """
        return _spoken((passage for passage in self.passages if passage.rule == rule), language)

    def between(self, one: str, other: str, language: str | None = None) -> list[Near]:
        """
        Return for each passage of ruleset *one* and of *other* its nearest of the other ruleset, each pair once.
        """
        sides = [[passage for passage in self.passages if passage.ruleset == name] for name in (one, other)]
        if not all(sides):
            return []
        common = common_language(sides[0], sides[1], language)
        left, right = (_spoken(side, common) for side in sides)
        found = _best_of(self._side(left), self._side(right))
        both = found.there.keys() & found.back.keys()
        values = found.there | found.back
        return [Near(left[i], right[j], values[i, j], mutual=(i, j) in both) for i, j in sorted(values)]

    def nearest(self, ones: Sequence[Passage], others: Sequence[Passage]) -> list[Near]:
        """
        Return all pairs of *ones* and *others*, the nearest first.
        """
        values = _values(self._side(ones), self._side(others))
        order = sorted(np.ndindex(values.shape), key=lambda at: (-values[at], at))
        return [Near(ones[i], others[j], float(values[i, j])) for i, j in order]

    def between_two(self, one: tuple[str, str], other: tuple[str, str], language: str) -> Near | None:
        """
        Return how the passages *one* and *other* (a rule and its text) stand among those of their rulesets.

        It is what `between` says of them: None where neither is the nearest of the other, or one is not known.
        """
        left, right = (self._shelf(rule.partition("/")[0], language) for rule, _ in (one, other))
        here, there = left.places.get(one), right.places.get(other)
        if here is None or there is None:
            return None
        forth = _values(left.side.part(here, 1), right.side)[0]
        back = _values(left.side, right.side.part(there, 1))[:, 0]
        is_nearest = int(forth.argmax()) == there, int(back.argmax()) == here
        passages = left.passages[here], right.passages[there]
        return Near(*passages, float(forth[there]), mutual=all(is_nearest)) if any(is_nearest) else None

    def _shelf(self, ruleset: str, language: str) -> _Shelf:
        if (ruleset, language) not in self._shelves:
            passages = _spoken((passage for passage in self.passages if passage.ruleset == ruleset), language)
            places = {(passage.rule, passage.text): at for at, passage in enumerate(passages)}
            self._shelves[ruleset, language] = _Shelf(passages, self._side(passages), places)
        return self._shelves[ruleset, language]

    def _side(self, passages: Sequence[Passage]) -> _Side:
        rows = self.vault.rows([passage.key for passage in passages])
        idle = [rows @ self.vault.rows(_background(language)).T for language in self.languages]
        return _Side(
            rows,
            np.asarray([self.languages.index(passage.language) for passage in passages]),
            np.stack([each.mean(axis=1) for each in idle], axis=1),
            np.maximum(np.stack([each.std(axis=1) for each in idle], axis=1), _LEAST),
        )

    @cached_property
    def languages(self) -> list[str]:
        """
        The languages of the passages.
        """
        return sorted({passage.language for passage in self.passages})


class _Side(NamedTuple):
    """
    Vectors, the numbers of their languages, and how each stands to what says nothing in every language.
    """

    rows: Vectors
    languages: NDArray[np.int64]
    means: Vectors
    deviations: Vectors

    def part(self, start: int, count: int) -> _Side:
        """
        Return *count* rows from *start*.
        """
        at = slice(start, start + count)
        return _Side(self.rows[at], self.languages[at], self.means[at], self.deviations[at])


class _Shelf(NamedTuple):
    """
    The passages of a ruleset in a language, and where each stands among them.
    """

    passages: list[Passage]
    side: _Side
    places: dict[tuple[str, str], int]


class _Best(NamedTuple):
    """
    The nearest of each row of one side, and of the other, by the places of both.
    """

    there: dict[tuple[int, int], float]
    back: dict[tuple[int, int], float]


def _best_of(one: _Side, other: _Side) -> _Best:
    there: dict[tuple[int, int], float] = {}
    back: dict[int, tuple[int, float]] = {}
    for start in range(0, len(one.rows), _AT_ONCE):
        values = _values(one.part(start, _AT_ONCE), other)
        for at, to in enumerate(values.argmax(axis=1)):
            there[start + at, int(to)] = float(values[at, to])
        for to, at in enumerate(values.argmax(axis=0)):
            if to not in back or float(values[at, to]) > back[to][1]:
                back[to] = (start + int(at), float(values[at, to]))
    return _Best(there, {(at, to): value for to, (at, value) in back.items()})


def _values(one: _Side, other: _Side) -> Vectors:
    similarities = one.rows @ other.rows.T
    there = (similarities - one.means[:, other.languages]) / one.deviations[:, other.languages]
    back = (similarities - other.means[:, one.languages].T) / other.deviations[:, one.languages].T
    # Rounded, so that the order of the operands cannot decide which of two is nearest.
    return np.asarray(np.round((there + back) / 2, 4), dtype=np.float32)


def open_vault(places: Places) -> Vault:
    """
    Return the vectors of the index in *places*, by the keys of its passages.

    Raises RetrievalError when there is no index.
    """
    return Vault(Space.titled(manifests.complete(places.store).space), [places.store / FOLDER, *places.vectors])


def _background(language: str) -> list[str]:
    return [text_key(sentence) for sentence in sentences_for(language)]


def common_language(ones: Iterable[Passage], others: Iterable[Passage], wanted: str | None) -> str | None:
    """
    Return the language to compare in: *wanted* where both have it, else the first of those that both have.
    """
    both = {passage.language for passage in ones} & {passage.language for passage in others}
    return wanted if wanted in both else min(both, default=None)


def _spoken(passages: Iterable[Passage], language: str | None) -> list[Passage]:
    """
    Each rule's passages in *language*, in the rule's first where it has not that one.
    """
    held = list(passages)
    first: dict[str, str] = {}
    for passage in held:
        if passage.rule not in first or passage.language == language:
            first[passage.rule] = passage.language
    return [passage for passage in held if passage.language == first[passage.rule]]
