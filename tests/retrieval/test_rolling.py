"""
From passages to rules: own passages and what is asked are weighed apart.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.retrieval.rolling import NOWHERE, RollUp

# Two rules: the first with two passages and three questions, the second with one passage.
ROLL = RollUp(np.asarray([0, 5]), np.asarray([False, False, True, True, True, False]))


@pytest.mark.parametrize(
    ("rows", "nearness"),
    [
        pytest.param([1, 2, 0, 0, 0, 3], [2, 3], id="own passages"),
        pytest.param([1, 2, 9, 0, 0, 3], [4.5, 3], id="one near question is halved by the next"),
        pytest.param([1, 2, 5, 4, 0, 3], [4.5, 3], id="two near questions"),
        pytest.param([1, 2, 4, 4, 0, 3], [4, 3], id="two questions equally near"),
        pytest.param([1, 2, -np.inf, 4, -np.inf, 3], [4, 3], id="one question is looked at"),
        pytest.param([-np.inf] * 5 + [3], [-np.inf, 3], id="a rule that is not looked at"),
    ],
)
def test_a_rule_is_as_near_as_its_passage_or_two_of_its_questions(rows: list[float], nearness: list[float]) -> None:
    assert ROLL.nearness(np.asarray(rows, dtype=np.float32)).tolist() == nearness


@pytest.mark.parametrize(
    ("rows", "counts"),
    [
        pytest.param([4, 2, 0, 0, 0, 3], [2, 3], id="words that only the rule has count half"),
        pytest.param(
            [0, 0, 6, 2, 0, 3], [2, 3], id="words that are only asked count half, in the mean of the best two"
        ),
        pytest.param([0, 0, 6, 6, 0, 0], [3, 0], id="two that count the same are two"),
        pytest.param([4, 0, 6, 0, 0, 0], [3.5, 0], id="both"),
    ],
)
def test_words_count_by_halves_where_something_is_asked(rows: list[float], counts: list[float]) -> None:
    assert ROLL.counts(np.asarray(rows, dtype=np.float32)).tolist() == counts


def test_of_one_question_the_words_count_as_they_are() -> None:
    one = RollUp(np.asarray([0]), np.asarray([False, True]))
    assert one.counts(np.asarray([2, 6], dtype=np.float32)).tolist() == [4]


@given(st.lists(st.floats(-9, 9, width=32), min_size=1, max_size=8), st.data())
def test_without_questions_the_best_passage_counts(values: list[float], data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(values)))
    starts = [0, cut] if cut < len(values) else [0]
    roll = RollUp(np.asarray(starts), np.zeros(len(values), dtype=np.bool_))
    rows = np.asarray(values, dtype=np.float32)
    best = [max(part) for part in (values[:cut], values[cut:]) if part]
    assert roll.nearness(rows).tolist() == best
    assert roll.counts(rows).tolist() == best


def test_nowhere_is_below_everything() -> None:
    assert np.float32(-1e30) > NOWHERE
