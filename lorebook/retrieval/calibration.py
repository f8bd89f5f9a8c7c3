"""
From evidence to a score: how likely it is that a rule answers the question.

The fused sum ranks the rules of one question, but says little across questions: near words are found for everything.
What tells an answer from a neighbour is how much of the question the rule covers, so the score is a logistic
function of the sum and of the shares of the question's words and concepts that the rule has, rare ones counting more.
The coefficients are fitted on judged questions: `python -m tests.retrieval.calibrate`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lorebook.retrieval.fusion import Fused
    from lorebook.retrieval.lexical import Bm25
    from lorebook.retrieval.question import Question
    from lorebook.retrieval.recipe import Calibration
    from lorebook.retrieval.tables import Tables

LOOKED_AT = 5
"""Of the best rules, those whose scores decide whether the question has an answer."""

# Of the rules that the coefficients are fitted on, each is asked for so often or not at all.
_MANY_ASKED = 10
# exp overflows a little above.
_STEEPEST = 700.0


class Signs(NamedTuple):
    """
    What tells whether a rule answers a question; the names are those of the recipe's coefficients.
    """

    total: float
    """The fused sum of all evidence."""
    words: float
    """The share of the question's telling words that the rule has, 0 to 1, each word counted by its rarity; of a scene,
    the share of the best sentence's: the others are colour."""
    concepts: float
    """The same share of the concepts that the question names. The share of its words stands in where it names none, and
    to the extent that the ruleset is not written in the glossary's words: the glossary may not know the game."""
    length: float
    """The logarithm of one more than the number of different words in the question."""
    asked: float
    """From 0 to 1, where the rule says ten times or more what is asked when it is meant: such rules resemble any
    question more."""


def signs(question: Question, fused: Fused, rule: int, tables: Tables) -> Signs:
    """
    Return the signs that rule number *rule* answers *question*.
    """
    rows = tables.allowed_rows_of(rule, fused.allowed)
    texts: tuple[Question, ...] = (question, *question.parts)
    words = [_share(text.telling, tables.lexical, rows) for text in texts]
    trust = float(fused.trust[rule])
    return Signs(
        total=float(fused.total[rule]),
        words=max(words),
        concepts=max(_concepts(text, tables, rows, trust, said) for text, said in zip(texts, words, strict=True)),
        length=math.log1p(len(question.words)),
        asked=min(1.0, tables.roll_up.times[rule] / _MANY_ASKED),
    )


def score(found: Signs, calibration: Calibration) -> float:
    """
    Return how likely it is that the rule with the signs *found* answers, 0 to 1.
    """
    weighed = calibration.bias + sum(getattr(calibration, name) * value for name, value in found._asdict().items())
    return 1 / (1 + math.exp(min(_STEEPEST, -weighed)))


def falling(scores: Sequence[float]) -> list[float]:
    """
    Return *scores*, given best rule first, changed so that none is higher than the one before it.

    Of the first LOOKED_AT each is lifted to the highest behind it among them. All further ones are lowered to the one
    before them, so that the scores of a list do not depend on how long it is.
    """
    if not scores:
        return []
    head, rest = scores[:LOOKED_AT], scores[LOOKED_AT:]
    lifted = [max(head[place:]) for place in range(len(head))]
    return [*lifted[:-1], *accumulate(rest, min, initial=lifted[-1])]


def _concepts(text: Question, tables: Tables, rows: Sequence[int], trust: float, said: float) -> float:
    """
    The share of the concepts, and that of the words, *said*, in its place as far as the glossary is not to be trusted.
    """
    if not text.concepts:
        return said
    return trust * _share(text.concepts, tables.concepts, rows) + (1 - trust) * said


def _share(wanted: Mapping[str, float], counted: Bm25, rows: Iterable[int]) -> float:
    weights = {term: weight * counted.rarity(term) for term, weight in wanted.items()}
    whole = sum(weights.values())
    held = {term for row in rows for term in counted.terms_of(row, wanted)}
    # In the question's order: that of a set is another in every process, and so would be the last digits of the sum.
    return sum(weight for term, weight in weights.items() if term in held) / whole if whole else 0.0
