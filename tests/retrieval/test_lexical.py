"""
BM25 against its formula, written out.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.retrieval.lexical import FEWEST, Bm25, Document

K1, B = 1.2, 0.75
BAGS = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=8), min_size=1, max_size=8)


def index(bags: list[list[str]], groups: str = "") -> Bm25:
    documents = [
        Document(Counter(bag), len(bag), group) for bag, group in zip(bags, groups or "x" * len(bags), strict=True)
    ]
    return Bm25.build(documents, k1=K1, b=B)


def expected(bags: list[list[str]], query: dict[str, float]) -> list[float]:
    mean = sum(map(len, bags)) / len(bags)
    scores = []
    for bag in bags:
        score = 0.0
        for term, weight in query.items():
            having = sum(term in other for other in bags)
            idf = math.log(1 + (max(len(bags), FEWEST) - having + 0.5) / (having + 0.5)) if having else 0
            times = bag.count(term)
            score += weight * idf * times * (K1 + 1) / (times + K1 * (1 - B + B * len(bag) / mean))
        scores.append(score)
    return scores


@given(BAGS, st.dictionaries(st.sampled_from("abcdez"), st.floats(0, 3), max_size=4))
def test_scores_follow_the_formula(bags: list[list[str]], query: dict[str, float]) -> None:
    assert index(bags).scores(query) == pytest.approx(expected(bags, query), rel=1e-4, abs=1e-5)


@given(BAGS)
def test_an_index_survives_its_arrays(bags: list[list[str]]) -> None:
    built = index(bags)
    read = Bm25.from_arrays(built.arrays())
    assert np.array_equal(read.scores({"a": 1, "d": 2}), built.scores({"a": 1, "d": 2}))
    assert read.terms_of(0, "abcdez") == built.terms_of(0, "abcdez")


def test_lengths_are_compared_within_a_group() -> None:
    bags = [["a", "b"], ["a", "b", "b", "b"], ["a"] + ["c"] * 19, ["a"] + ["c"] * 39]
    scores = index(bags, "eezz").scores({"a": 1})
    assert scores[0] == pytest.approx(scores[2])
    assert scores[1] == pytest.approx(scores[3])


def test_terms_of_a_row_come_rarest_first() -> None:
    assert index([["a", "b"], ["a"], ["a", "c"]]).terms_of(0, ["a", "b", "c", "z"]) == ["b", "a"]


def test_an_empty_index_answers_nothing() -> None:
    built = Bm25.build([], k1=K1, b=B)
    assert built.scores({"a": 1}).shape == (0,)
    assert Bm25.from_arrays(built.arrays()).size == 0
