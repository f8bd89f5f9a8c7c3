"""Where words end, where the table of keys does not say it; and in time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.matching.keystyle import LOREBOOK
from lorebook.matching.wordends import is_bounded, plural_end, plurals


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("ability", ("abilities",)),
        ("wolf", ("wolves",)),
        ("knife", ("knives",)),
        ("thief", ("thieves",)),
        ("chief", ()),
        ("safe", ()),
        ("day", ()),
        ("my", ()),
        ("fire ability", ("fire abilities",)),
        ("能力y", ()),
    ],
)
def test_plurals_that_begin_otherwise(word: str, expected: tuple[str, ...]) -> None:
    assert plurals(word) == expected


@given(st.text(alphabet="ab '.5é怪카\ufdd0👍", min_size=1), st.data())
def test_a_word_that_goes_on_is_not_bounded_on_either_side(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    runs_in = start > 0 and text[start - 1] in "ab5é" and text[start] in "ab5é"
    runs_on = end < len(text) and text[end] in "ab5é" and text[end - 1] in "ab5é"
    assert not ((runs_in or runs_on) and is_bounded(text, start, end, plurals=False))


@given(st.text(alphabet="dragon sxeES'怪é", min_size=1), st.data())
def test_plurals_only_add_to_what_is_bounded(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    alone, counted = (is_bounded(text, start, end, plurals=plurals) for plurals in (False, True))
    assert counted or not alone
    assert alone or not counted or text[end:][:1] in ("s", "e", "S", "E")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [" \n" * 5_000_000, "a- " * 3_000_000, "-_" * 5_000_000, "1," * 5_000_000, "é/ ·" * 2_000_000, "怪 " * 2_000_000],
)
def test_ten_million_characters_are_compared_in_seconds(text: str) -> None:
    start = time.process_time()
    LOREBOOK.comparable(text, case_sensitive=False)
    LOREBOOK.needle(text, case_sensitive=False)
    assert time.process_time() - start < 30


@pytest.mark.slow
def test_a_million_characters_have_ends_at_once() -> None:
    start = time.process_time()
    for key in ("a" * 1_000_000 + "y", "a" * 1_000_000 + "!", "é" * 1_000_000):
        plurals(key)
        plural_end(f"{key}s", 0, len(key))
        is_bounded(f"{key}s", 0, len(key), plurals=True)
    flags = "🇧🇬" * 100_000
    assert all(is_bounded(flags, at, at + 2, plurals=True) for at in range(0, len(flags), 2))
    assert time.process_time() - start < 10
