"""
The fusion: every kind of evidence for every rule, summed into one score.

A rule's evidence of each kind is that of its best passage. Similarities are counted in standard deviations
of their language (see `spread`); a wording in the query's own language counts more than a translation of
it, and a rule that has only the other language is judged by that alone. Filters come before ranking: a
passage outside them is not there.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lorebook.errors import RetrievalError
from lorebook.retrieval.hits import Evidence, Hit
from lorebook.retrieval.keys import KeyHit, joined
from lorebook.retrieval.question import Question
from lorebook.retrieval.words import spoken, units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lorebook.retrieval.embedders import Embedder, Vectors
    from lorebook.retrieval.recipe import Calibration, Recipe
    from lorebook.retrieval.stores import Store
    from lorebook.retrieval.tables import Tables

    Scores = NDArray[np.float32]

_NOWHERE = np.float32(-np.inf)


@dataclass(frozen=True)
class _Meaning:
    """
    Of one language: what stands out of its similarities a row, and the similarities that were read.
    """

    deviations: Scores
    similarities: dict[int, float]


@dataclass(frozen=True)
class _Evidence:
    """
    All evidence, a row or a rule each.
    """

    allowed: NDArray[np.bool_]
    words: Scores
    by_row: Scores
    dense: Scores
    lexical: Scores
    total: Scores
    keys: dict[int, list[KeyHit]]
    meanings: dict[str, _Meaning]


class Ranker:
    """
    Ranks the rules of one index.
    """

    def __init__(self, tables: Tables, store: Store, embedder: Embedder, recipe: Recipe) -> None:
        """
        Rank by what these hold; *store* may hold other rows too.
        """
        self._tables = tables
        self._store = store
        self._embedder = embedder
        self._recipe = recipe

    def rank(
        self, question: Question, *, rulesets: Collection[str] | None, languages: Collection[str] | None, limit: int
    ) -> list[Hit]:
        """
        Return at most *limit* rules with passages in *rulesets* and *languages*, best first; None allows all.
        """
        allowed = self._allowed(rulesets, languages)
        if not allowed.any():
            return []
        evidence = self._gather(question, allowed, rulesets)
        order = np.argsort(-evidence.total, kind="stable")[:limit]
        found = [int(rule) for rule in order if evidence.total[rule] > _NOWHERE]
        scored = _cut(
            [(rule, _score(float(evidence.total[rule]), self._recipe.calibration)) for rule in found],
            self._recipe.calibration,
        )
        return [self._hit(question, evidence, rule, score) for rule, score in scored]

    def close(self) -> None:
        """
        Let go of the store.
        """
        self._store.close()

    def _allowed(self, rulesets: Collection[str] | None, languages: Collection[str] | None) -> NDArray[np.bool_]:
        allowed = np.ones(len(self._tables.passages), dtype=np.bool_)
        for column, wanted in ((self._tables.rulesets, rulesets), (self._tables.languages, languages)):
            if wanted is not None:
                allowed &= np.isin(column, sorted(wanted))
        return allowed

    def _gather(self, question: Question, allowed: NDArray[np.bool_], rulesets: Collection[str] | None) -> _Evidence:
        tables, weights = self._tables, self._recipe.fusion
        words = allowed * tables.lexical.scores(question.words)
        synonyms = allowed * tables.lexical.scores(question.synonyms)
        concepts = allowed * tables.concepts.scores(question.concepts)
        meanings = self._meanings(question, allowed, rulesets)
        keys = tables.keys.find(question.text)
        shares = np.zeros(len(tables.starts), dtype=np.float32)
        for rule, hits in keys.items():
            shares[rule] = max(hit.share for hit in hits)
        dense, lexical = self._dense(question, meanings), self._best(words)
        total = (
            dense
            + weights.lexical * lexical
            + weights.synonyms * self._best(synonyms)
            + weights.concepts * self._best(concepts)
            + weights.keys * shares
        )
        by_row = weights.lexical * words + weights.synonyms * synonyms + weights.concepts * concepts
        return _Evidence(allowed, words, by_row, dense, lexical, total, keys, meanings)

    def _best(self, rows: Scores) -> Scores:
        """
        The best of each rule's passages.
        """
        return np.maximum.reduceat(rows, self._tables.starts)

    def _dense(self, question: Question, meanings: dict[str, _Meaning]) -> Scores:
        best = {language: self._best(meaning.deviations) for language, meaning in meanings.items()}
        nowhere = np.full(len(self._tables.starts), _NOWHERE)
        own = best.pop(question.language, nowhere)
        other = np.maximum.reduce([nowhere, *best.values()])
        part = self._recipe.fusion.other_language
        with np.errstate(invalid="ignore"):  # 0 times minus infinity, where there is one side only
            mixed = (1 - part) * own + part * other
        return np.where(own == _NOWHERE, other, np.where(other == _NOWHERE, own, mixed)).astype(np.float32)

    def _meanings(
        self, question: Question, allowed: NDArray[np.bool_], rulesets: Collection[str] | None
    ) -> dict[str, _Meaning]:
        languages = sorted({str(language) for language in np.unique(self._tables.languages[allowed])})
        asked = {language: question.terms[language] for language in languages if language in question.terms}
        own, *others = self._embedder.embed_queries([question.text, *asked.values()])
        terms = dict(zip(asked, others, strict=True))
        return {
            language: self._meaning(
                language, allowed & (self._tables.languages == language), rulesets, own, terms.get(language)
            )
            for language in languages
        }

    def _meaning(
        self,
        language: str,
        rows: NDArray[np.bool_],
        rulesets: Collection[str] | None,
        own: Vectors,
        terms: Vectors | None,
    ) -> _Meaning:
        deviations, similarities = self._nearest(own, language, rows, rulesets)
        if terms is not None:
            part = np.float32(self._recipe.fusion.terms)
            deviations = (1 - part) * deviations + part * self._nearest(terms, language, rows, rulesets)[0]
        return _Meaning(deviations, similarities)

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
        return np.where(rows, deviations, _NOWHERE), near

    def _hit(self, question: Question, evidence: _Evidence, rule: int, score: float) -> Hit:
        row = self._best_row(question, evidence, rule)
        passage = self._tables.passages[row]
        return Hit(
            rule=passage.rule,
            ruleset=passage.ruleset,
            language=passage.language,
            text=passage.text,
            score=score,
            evidence=self._evidence(question, evidence, rule),
        )

    def _best_row(self, question: Question, evidence: _Evidence, rule: int) -> int:
        """
        The passage with most evidence, of those in the query's language where the rule has it.
        """
        rows = [row for row in self._tables.rows_of(rule) if evidence.allowed[row]]
        own = [row for row in rows if self._tables.passages[row].language == question.language]

        def evidence_of(row: int) -> float:
            meaning = evidence.meanings[self._tables.passages[row].language]
            return float(evidence.by_row[row] + meaning.deviations[row])

        return max(own or rows, key=evidence_of)

    def _evidence(self, question: Question, evidence: _Evidence, rule: int) -> Evidence:
        rows = [row for row in self._tables.rows_of(rule) if evidence.allowed[row]]
        words = {term for row in rows for term in self._tables.lexical.terms_of(row, question.words)}
        concepts = {term for row in rows for term in self._tables.concepts.terms_of(row, question.concepts)}
        near = [
            near[row] for row in rows for near in (m.similarities for m in evidence.meanings.values()) if row in near
        ]
        return Evidence(
            keys=self._surfaces(rule, evidence.keys.get(rule, [])),
            concepts=tuple(sorted(concepts, key=lambda term: (-self._tables.concepts.idf(term), term))),
            words=tuple(spoken(question.text, words)),
            lexical=float(evidence.lexical[rule]),
            lexical_rank=_rank(evidence.lexical, rule) if evidence.lexical[rule] > 0 else None,
            similarity=round(max(near), 6) if near else None,
            dense_rank=_rank(evidence.dense, rule) if near else None,
        )

    def _surfaces(self, rule: int, hits: list[KeyHit]) -> tuple[str, ...]:
        """
        The keys as the rule spells them.
        """
        found = {hit.key for hit in hits}
        passages = [self._tables.passages[row] for row in self._tables.rows_of(rule)] if found else []
        spelt = dict.fromkeys(key for passage in passages for key in (passage.title, *passage.keys))
        return tuple(key for key in spelt if joined(units(key)) in found)


def _rank(values: Scores, rule: int) -> int:
    return int((values > values[rule]).sum()) + 1


def _score(total: float, calibration: Calibration) -> float:
    return 1 / (1 + math.exp(-(total - calibration.midpoint) / calibration.width))


def _cut(scored: list[tuple[int, float]], calibration: Calibration) -> list[tuple[int, float]]:
    """
    Nothing, when even the best is too weak; else what is not weak altogether.
    """
    if not scored or scored[0][1] < calibration.first:
        return []
    return [(rule, score) for rule, score in scored if score >= calibration.others]
