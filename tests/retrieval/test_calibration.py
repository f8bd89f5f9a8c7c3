"""
The score: a likelihood between 0 and 1 that grows with every sign, and falls along a list.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.retrieval.calibration import LOOKED_AT, Signs, falling, score
from lorebook.retrieval.recipe import Calibration, Recipe
from tests.retrieval.calibrate import Asked, fit, write

RECIPE = Path(__file__).parents[2] / "index" / "recipe.toml"
SHIPPED = Recipe.load(RECIPE).calibration

_shares = st.floats(0, 1)
_signs = st.builds(Signs, st.floats(-50, 50), _shares, _shares, st.floats(0, 8), st.sampled_from([0.0, 1.0]))


@given(_signs)
def test_a_score_is_a_likelihood(signs: Signs) -> None:
    assert 0 <= score(signs, SHIPPED) <= 1


@pytest.mark.parametrize("sign", ["total", "words", "concepts"])
@given(signs=_signs)
def test_more_of_a_sign_is_never_less_sure(signs: Signs, sign: str) -> None:
    more = signs._replace(**{sign: getattr(signs, sign) + 1})
    assert score(more, SHIPPED) >= score(signs, SHIPPED)


@given(st.lists(_shares, max_size=12))
def test_scores_fall_and_do_not_depend_on_the_length_of_the_list(scores: list[float]) -> None:
    result = falling(scores)
    assert result == sorted(result, reverse=True)
    assert result[:1] == [max(scores[:LOOKED_AT])] if scores else result == []
    for length in range(LOOKED_AT, len(scores)):
        assert falling(scores[:length]) == result[:length]


def test_an_extreme_recipe_overflows_nothing() -> None:
    signs = Signs(1e30, 1.0, 1.0, 1.0, 1.0)
    assert score(signs, Calibration(total=1e30)) == 1
    assert score(signs, Calibration(total=-1e30)) == pytest.approx(0)


def test_a_fit_finds_the_sign_that_tells() -> None:
    draw = np.random.default_rng(0)
    asked = []
    for number in range(200):
        signs = draw.normal(size=(LOOKED_AT, len(Signs._fields)))
        asked.append(Asked("w", number % 5, answerable=True, signs=signs, answers=signs[:, 1] > 0))
    slopes = fit(asked)[1:]
    assert slopes[1] > 5 * np.abs(np.delete(slopes, 1)).max()


def test_coefficients_are_written_and_the_comments_stay(tmp_path: Path) -> None:
    copy = tmp_path / "recipe.toml"
    copy.write_text(RECIPE.read_text("utf-8"), "utf-8")
    write(np.arange(1.0, len(Signs._fields) + 2), copy)
    again = Recipe.load(copy).calibration
    assert (again.bias, again.total, again.asked) == (1, 2, len(Signs._fields) + 1)
    kept = [line for line in RECIPE.read_text("utf-8").splitlines() if line.startswith("#")]
    assert [line for line in copy.read_text("utf-8").splitlines() if line.startswith("#")] == kept
