"""The benchmark measures the right thing: what our engine answers in it is what the real engine answered."""

from __future__ import annotations

import time

import pytest

from tests.benchmarks.activation_cases import FOLDER, Case, cases
from tests.benchmarks.activation_growth import chat, exponents, grown_book
from tests.benchmarks.activation_ours import Ours
from tests.benchmarks.activation_timing import no_longer_than

CASES = cases() if FOLDER.is_dir() else []


@pytest.mark.parametrize("case", [case for case in CASES if "n10000" not in case.id], ids=lambda case: case.id)
def test_our_answer_is_the_real_engines(case: Case) -> None:
    assert Ours(case)() == case.expected


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if "n10000" in case.id], ids=lambda case: case.id)
def test_our_answer_is_the_real_engines_for_ten_thousand_entries(case: Case) -> None:
    assert Ours(case)() == case.expected


def test_growth_is_told_as_a_power() -> None:
    assert exponents([1, 10, 1000], [2, 20, 2_000_000]) == pytest.approx([1.0, 2.5])


@pytest.mark.skipif(not CASES, reason="the benchmark's books are not here")
def test_grown_books_have_no_word_twice_and_chats_name_them() -> None:
    book, words = grown_book(300)
    assert len(set(words)) == len(words) == 900
    assert len(book["entries"]) == 300
    messages = chat(words, 4)
    assert len(messages) == 4
    assert sum(any(word in message for word in words) for message in messages) == 4


def test_what_takes_too_long_is_stopped() -> None:
    with pytest.raises(TimeoutError), no_longer_than(0.05):
        time.sleep(5)
