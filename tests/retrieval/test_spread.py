"""
Similarities in standard deviations.
"""

from __future__ import annotations

import numpy as np
import pytest

from lorebook.retrieval.background import SENTENCES, sentences_for
from lorebook.retrieval.spread import Spread


def test_mean_and_covariance_tell_what_all_rows_would() -> None:
    random = np.random.default_rng(7)
    rows = random.normal(size=(50, 8)).astype(np.float32)
    question = random.normal(size=8).astype(np.float32)
    similarities = rows @ question
    expected = (similarities - similarities.mean()) / similarities.std()
    assert Spread.of(rows).standardise(question, similarities) == pytest.approx(expected, rel=1e-3, abs=1e-3)


def test_equal_rows_are_no_division_by_zero() -> None:
    rows = np.ones((3, 4), dtype=np.float32)
    assert np.isfinite(Spread.of(rows).standardise(rows[0], rows @ rows[0])).all()


def test_every_language_has_a_background() -> None:
    assert sentences_for("zh") == sentences_for("zh-Hant") == SENTENCES["zh"]
    assert len(sentences_for("de")) == sum(map(len, SENTENCES.values()))
