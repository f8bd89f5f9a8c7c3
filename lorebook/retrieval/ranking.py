"""
From evidence to hits: filtered before ranking, cut where a rule no longer seems to answer, and explained.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lorebook.retrieval.calibration import LOOKED_AT, Signs, falling, score, signs
from lorebook.retrieval.fusion import Fused, Fusion
from lorebook.retrieval.hits import Evidence, Hit
from lorebook.retrieval.keys import KeyHit, joined
from lorebook.retrieval.passages import PassageKind
from lorebook.retrieval.question import Question
from lorebook.retrieval.rolling import NOWHERE
from lorebook.retrieval.words import spoken, units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lorebook.retrieval.embedders import Embedder
    from lorebook.retrieval.fusion import Scores
    from lorebook.retrieval.recipe import Recipe
    from lorebook.retrieval.stores import Store
    from lorebook.retrieval.tables import Tables


class Ranker:
    """
    Ranks the rules of one index.
    """

    def __init__(self, tables: Tables, store: Store, embedder: Embedder, recipe: Recipe) -> None:
        """
        Rank by what these hold; *store* may hold other rows too.
        """
        self._tables = tables
        self._calibration = recipe.calibration
        self._fusion = Fusion(tables, store, embedder, recipe)

    def rank(
        self, question: Question, *, rulesets: Collection[str] | None, languages: Collection[str] | None, limit: int
    ) -> list[Hit]:
        """
        Return at most *limit* rules with passages in *rulesets* and *languages*, best first; None allows all.
        """
        hits = self.nearest(question, rulesets=rulesets, languages=languages, limit=limit)
        return hits if hits and hits[0].score >= self._calibration.first else []

    def nearest(
        self, question: Question, *, rulesets: Collection[str] | None, languages: Collection[str] | None, limit: int
    ) -> list[Hit]:
        """
        Return the same, though even the best may be too weak for an answer; none that is weak altogether.
        """
        allowed = self._allowed(rulesets, languages)
        if not allowed.any():
            return []
        fused = self._fusion.fuse(question, allowed, rulesets)
        total = fused.total.copy()
        cited = self._tables.citations.find(question.text, lambda rule: bool(total[rule] > NOWHERE))
        # Cited rules are first, in the order in which they are cited.
        total[[*cited]] = NOWHERE
        looked_at = max(limit, LOOKED_AT)
        order = [*cited, *_best(total, looked_at)][:looked_at]
        scored = zip(order[:limit], self._scores(question, fused, order, cited), strict=False)
        strong = [(rule, each) for rule, each in scored if each >= self._calibration.others]
        return [self._hit(question, fused, rule, each, cited.get(rule)) for rule, each in strong]

    def signs(self, question: Question, *, rulesets: Collection[str], limit: int) -> list[tuple[str, Signs]]:
        """
        Return at most *limit* rules of *rulesets*, best first, whether they answer or not, and the signs of it.
        """
        fused = self._fusion.fuse(question, self._allowed(rulesets, None), rulesets)
        order = _best(fused.total, limit)
        return [(self._tables.rules[rule], signs(question, fused, rule, self._tables)) for rule in order]

    def _scores(self, question: Question, fused: Fused, order: Sequence[int], cited: Container[int]) -> list[float]:
        """
        The scores of the rules in *order*; one that is cited is meant.
        """
        found = (signs(question, fused, rule, self._tables) for rule in order)
        each = [
            1.0 if rule in cited else score(sign, self._calibration) for rule, sign in zip(order, found, strict=True)
        ]
        return falling(each)

    def _allowed(self, rulesets: Collection[str] | None, languages: Collection[str] | None) -> NDArray[np.bool_]:
        allowed = np.ones(len(self._tables.passages), dtype=np.bool_)
        for column, wanted in ((self._tables.rulesets, rulesets), (self._tables.languages, languages)):
            if wanted is not None:
                allowed &= np.isin(column, sorted(wanted))
        return allowed

    def _hit(self, question: Question, fused: Fused, rule: int, score: float, cited: str | None) -> Hit:
        row = self._best_row(question, fused, rule)
        passage = self._tables.passages[row]
        return Hit(
            rule=passage.rule,
            ruleset=passage.ruleset,
            language=passage.language,
            text=passage.text,
            score=score,
            evidence=self._evidence(question, fused, rule, cited),
        )

    def _best_row(self, question: Question, fused: Fused, rule: int) -> int:
        """
        The passage with most evidence, of those in the query's language where the rule has it.
        """
        passages = self._tables.passages
        allowed = self._tables.allowed_rows_of(rule, fused.allowed)
        shown = [row for row in allowed if passages[row].kind is not PassageKind.ASKED]
        own = [row for row in shown if passages[row].language == question.language]

        def evidence_of(row: int) -> float:
            return float(fused.by_row[row] + fused.meanings[passages[row].language].deviations[row])

        return max(own or shown, key=evidence_of)

    def _evidence(self, question: Question, fused: Fused, rule: int, cited: str | None) -> Evidence:
        rows = self._tables.allowed_rows_of(rule, fused.allowed)
        words = {term for row in rows for term in self._tables.lexical.terms_of(row, question.words)}
        concepts = {term for row in rows for term in self._tables.concepts.terms_of(row, question.concepts)}
        found = [meaning.similarities for meaning in fused.meanings.values()]
        near = [similarities[row] for similarities in found for row in rows if row in similarities]
        return Evidence(
            number=cited,
            keys=self._surfaces(rule, fused.keys.get(rule, [])),
            concepts=tuple(sorted(concepts, key=lambda term: (-self._tables.concepts.idf(term), term))),
            words=tuple(spoken(question.text, words)),
            lexical=float(fused.lexical[rule]),
            lexical_rank=_rank(fused.lexical, rule) if fused.lexical[rule] > 0 else None,
            similarity=round(max(near), 6) if near else None,
            dense_rank=_rank(fused.dense, rule) if near else None,
        )

    def _surfaces(self, rule: int, hits: list[KeyHit]) -> tuple[str, ...]:
        """
        The keys as the rule spells them.
        """
        found = {hit.key for hit in hits}
        passages = [self._tables.passages[row] for row in self._tables.rows_of(rule)] if found else []
        spelt = dict.fromkeys(key for passage in passages for key in (passage.title, *passage.keys))
        return tuple(key for key in spelt if joined(units(key)) in found)


def _rank(values: NDArray[np.float32], rule: int) -> int:
    return int((values > values[rule]).sum()) + 1


def _best(total: Scores, limit: int) -> list[int]:
    return [int(rule) for rule in np.argsort(-total, kind="stable")[:limit] if total[rule] > NOWHERE]
