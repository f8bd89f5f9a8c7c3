"""
The fusion: every kind of evidence for every rule, summed.

A rule's evidence of each kind is that of its best passages (see `rolling`). Similarities are counted in
standard deviations of their language (see `spread`); a wording in the query's own language counts more than a
translation of it, and a rule that has only the other language is judged by that alone. A passage that is not
allowed is not there. The glossary's evidence counts as far as a ruleset is written in its words (see
`familiarity`). Of a scene, what its sentences say one by one counts beside what it says as a whole: in a told
story one sentence is the ruling's and the others are colour.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lorebook.errors import RetrievalError
from lorebook.retrieval.keys import KeyHit
from lorebook.retrieval.question import Question
from lorebook.retrieval.rolling import NOWHERE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lorebook.retrieval.embedders import Embedder, Vectors
    from lorebook.retrieval.recipe import Recipe
    from lorebook.retrieval.stores import Store
    from lorebook.retrieval.tables import Tables

    Scores = NDArray[np.float32]
    Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Meaning:
    """
    Of one language: how far each row's similarity stands out, and the similarities that were read.
    """

    deviations: Scores
    similarities: dict[int, float]


class Legs(NamedTuple):
    """
    What each leg finds for one text: *dense* has a number for each rule, the other arrays one for each passage.
    """

    meanings: dict[str, Meaning]
    dense: Scores
    words: Scores
    synonyms: Scores
    concepts: Scores


@dataclass(frozen=True)
class Fused:
    """
    All evidence. *dense*, *lexical*, *total* and *trust* (in the glossary) have a number for each rule, *allowed* and
    *by_row* (all evidence but meaning) one for each passage.
    """

    allowed: Rows
    by_row: Scores
    dense: Scores
    lexical: Scores
    total: Scores
    trust: Scores
    keys: dict[int, list[KeyHit]]
    meanings: dict[str, Meaning]


class Fusion:
    """
    Gathers evidence from the legs of one index.
    """

    def __init__(self, tables: Tables, store: Store, embedder: Embedder, recipe: Recipe) -> None:
        self._tables = tables
        self._store = store
        self._embedder = embedder
        self._recipe = recipe
        self._roll = tables.roll_up
        self._trust = tables.trust(recipe.fusion.familiar)

    def fuse(self, question: Question, allowed: Rows, rulesets: Collection[str] | None) -> Fused:
        """
        Weigh all evidence for *question* in the *allowed* rows, which are those of *rulesets* or fewer.
        """
        whole = self._legs(question, allowed, rulesets)
        parts = [self._legs(part, allowed, rulesets) for part in question.parts]
        keys = self._tables.keys.find(question.text)
        total = self._mixed(whole, parts) + self._recipe.fusion.keys * self._shares(keys)
        return Fused(
            allowed=allowed,
            by_row=self._by_row(whole),
            dense=whole.dense,
            lexical=self._roll.counts(whole.words),
            total=total,
            trust=self._trust[self._tables.starts],
            keys=keys,
            meanings=whole.meanings,
        )

    def _legs(self, question: Question, allowed: Rows, rulesets: Collection[str] | None) -> Legs:
        tables = self._tables
        meanings = self._meanings(question, allowed, rulesets)
        return Legs(
            meanings,
            self._dense(question, meanings),
            allowed * tables.lexical.scores(question.words),
            allowed * self._trust * tables.lexical.scores(question.synonyms),
            allowed * self._trust * tables.concepts.scores(question.concepts),
        )

    def _mixed(self, whole: Legs, parts: list[Legs]) -> Scores:
        if not parts:
            return self._sum(whole)
        mean = np.mean([self._sum(legs) for legs in parts], axis=0)
        return _blend(self._sum(whole), mean, self._recipe.fusion.parts)

    def _sum(self, legs: Legs) -> Scores:
        counts = sum(weight * self._roll.counts(rows) for weight, rows in self._counted(legs))
        return np.asarray(legs.dense + counts, dtype=np.float32)

    def _by_row(self, legs: Legs) -> Scores:
        return np.asarray(sum(weight * rows for weight, rows in self._counted(legs)), dtype=np.float32)

    def _counted(self, legs: Legs) -> tuple[tuple[float, Scores], ...]:
        """
        The legs in which terms are counted, each with its weight.
        """
        weights = self._recipe.fusion
        return (
            (weights.lexical, legs.words),
            (weights.synonyms, legs.synonyms),
            (weights.concepts, legs.concepts),
        )

    def _shares(self, keys: dict[int, list[KeyHit]]) -> Scores:
        shares = np.zeros(len(self._tables.starts), dtype=np.float32)
        for rule, hits in keys.items():
            shares[rule] = max(hit.share for hit in hits)
        return shares

    def _dense(self, question: Question, meanings: dict[str, Meaning]) -> Scores:
        best = {language: self._roll.nearness(meaning.deviations) for language, meaning in meanings.items()}
        nowhere = np.full(len(self._tables.starts), NOWHERE)
        own = best.pop(question.language, nowhere)
        other = np.maximum.reduce([nowhere, *best.values()])
        mixed = _blend(own, other, self._recipe.fusion.other_language)
        return np.where(own == NOWHERE, other, np.where(other == NOWHERE, own, mixed)).astype(np.float32)

    def _meanings(self, question: Question, allowed: Rows, rulesets: Collection[str] | None) -> dict[str, Meaning]:
        languages = sorted({str(language) for language in np.unique(self._tables.languages[allowed])})
        asked = question.embedded(languages)
        terms = dict(zip(asked, self._embedder.embed_queries([*asked.values()]), strict=True))
        own = terms.pop("")
        meanings = {}
        for language in languages:
            rows = allowed & (self._tables.languages == language)
            deviations, similarities = self._nearest(own, language, rows, rulesets)
            if language in terms:
                # Terms stand for the query only as far as it consists of them, and the rules too.
                part = self._trust * min(self._recipe.fusion.terms, question.covered)
                deviations = _blend(deviations, self._nearest(terms[language], language, rows, rulesets)[0], part)
            meanings[language] = Meaning(deviations, similarities)
        return meanings

    def _nearest(
        self, vector: Vectors, language: str, rows: Rows, rulesets: Collection[str] | None
    ) -> tuple[Scores, dict[int, float]]:
        """
        How far the similarities of *rows* to *vector* stand out, and those that the store names.

        The others are taken to be as far as the farthest of these.
        """
        found = self._store.nearest(vector, limit=self._recipe.neighbours, language=language, rulesets=rulesets)
        row_of = self._tables.row_of
        near = {row_of[name]: similarity for name, similarity in found if name in row_of}
        if not near:
            raise RetrievalError("the vector store has lost passages", hint="`lorebook index` mends it")
        values = np.full(len(rows), min(near.values()), dtype=np.float32)
        values[list(near)] = list(near.values())
        deviations = self._tables.spreads[language].standardise(vector, values)
        return np.where(rows, deviations, NOWHERE), near


def _blend(one: Scores, other: NDArray[Any], share: float | Scores) -> Scores:
    """
    Return *one* with *other* as a *share* of it (one for all, or each its own).

    What is NOWHERE in either stays so, for 0 times infinity is nothing.
    """
    with np.errstate(invalid="ignore"):
        mixed = (1 - share) * one + share * other
    return np.where((one == NOWHERE) | (other == NOWHERE), NOWHERE, mixed).astype(np.float32)
