"""
The fusion: every kind of evidence for every rule, summed.

A rule's evidence of each kind is that of its best passage. Similarities are counted in standard deviations
of their language (see `spread`); a wording in the query's own language counts more than a translation of
it, and a rule that has only the other language is judged by that alone. A passage that is not allowed is
not there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lorebook.errors import RetrievalError
from lorebook.retrieval.keys import KeyHit
from lorebook.retrieval.question import Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lorebook.retrieval.embedders import Embedder, Vectors
    from lorebook.retrieval.recipe import Recipe
    from lorebook.retrieval.stores import Store
    from lorebook.retrieval.tables import Tables

    Scores = NDArray[np.float32]
    Rows = NDArray[np.bool_]

NOWHERE = np.float32(-np.inf)


@dataclass(frozen=True)
class Meaning:
    """
    Of one language: how far each row's similarity stands out, and the similarities that were read.
    """

    deviations: Scores
    similarities: dict[int, float]


@dataclass(frozen=True)
class Fused:
    """
    All evidence: *dense*, *lexical* and *total* a rule each, *by_row* (all but meaning) a passage each.
    """

    allowed: Rows
    by_row: Scores
    dense: Scores
    lexical: Scores
    total: Scores
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

    def fuse(self, question: Question, allowed: Rows, rulesets: Collection[str] | None) -> Fused:
        """
        Weigh all evidence for *question* in the *allowed* rows, which are those of *rulesets* or fewer.
        """
        tables, weights = self._tables, self._recipe.fusion
        words = allowed * tables.lexical.scores(question.words)
        synonyms = allowed * tables.lexical.scores(question.synonyms)
        concepts = allowed * tables.concepts.scores(question.concepts)
        meanings = self._meanings(question, allowed, rulesets)
        keys = tables.keys.find(question.text)
        dense, lexical = self._dense(question, meanings), self._best(words)
        total = (
            dense
            + weights.lexical * lexical
            + weights.synonyms * self._best(synonyms)
            + weights.concepts * self._best(concepts)
            + weights.keys * self._shares(keys)
        )
        by_row = weights.lexical * words + weights.synonyms * synonyms + weights.concepts * concepts
        return Fused(allowed, by_row, dense, lexical, total, keys, meanings)

    def _best(self, rows: Scores) -> Scores:
        """
        The best of each rule's passages.
        """
        return np.maximum.reduceat(rows, self._tables.starts)

    def _shares(self, keys: dict[int, list[KeyHit]]) -> Scores:
        shares = np.zeros(len(self._tables.starts), dtype=np.float32)
        for rule, hits in keys.items():
            shares[rule] = max(hit.share for hit in hits)
        return shares

    def _dense(self, question: Question, meanings: dict[str, Meaning]) -> Scores:
        best = {language: self._best(meaning.deviations) for language, meaning in meanings.items()}
        nowhere = np.full(len(self._tables.starts), NOWHERE)
        own = best.pop(question.language, nowhere)
        other = np.maximum.reduce([nowhere, *best.values()])
        part = self._recipe.fusion.other_language
        with np.errstate(invalid="ignore"):  # 0 times minus infinity, where there is one side only
            mixed = (1 - part) * own + part * other
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
                # Terms stand for the query only as far as it consists of them.
                part = np.float32(min(self._recipe.fusion.terms, question.covered))
                deviations = (1 - part) * deviations + part * self._nearest(terms[language], language, rows, rulesets)[
                    0
                ]
            meanings[language] = Meaning(deviations, similarities)
        return meanings

    def _nearest(
        self, vector: Vectors, language: str, rows: NDArray[np.bool_], rulesets: Collection[str] | None
    ) -> tuple[Scores, dict[int, float]]:
        """
        Rows that the store does not name are taken to be as far as the farthest that it does.
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
