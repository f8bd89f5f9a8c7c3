"""Texts in one spelling, and where their characters come from."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lorebook.matching.keystyle import LOREBOOK
from lorebook.matching.spelling import origins

# Marks may compose with letters far before them: only the fold of the whole text knows.
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Mn", "Mc", "Me"))) | st.text(
    alphabet=" \n\t-_/·・,1000aIıİß通常召喚카드🔥👍🏽\u200d\ufe0f\u3000"
)


@given(TEXTS, st.booleans())
@example(" 1,000 /  ＬＰ-\n通 常", False)
@example("İ\u200b❤️\u200d🔥", False)
@example("  ", True)
def test_every_compared_character_knows_its_place(text: str, keep_case: bool) -> None:  # noqa: FBT001 (drawn)
    compared = LOREBOOK.comparable(text, case_sensitive=keep_case)
    places = LOREBOOK.places(text, case_sensitive=keep_case)
    assert places is not None
    assert len(places) == len(compared) + 1
    assert list(places) == sorted(places)
    assert places[-1] <= len(text)


@given(TEXTS)
@example("a- b")
@example("1 / 2,000-x_y")
def test_one_spelling_is_its_own(text: str) -> None:
    once = LOREBOOK.comparable(text, case_sensitive=False)
    assert LOREBOOK.comparable(once, case_sensitive=False) == once


@given(TEXTS)
def test_a_key_is_found_in_its_own_text(text: str) -> None:
    needle = LOREBOOK.needle(text, case_sensitive=False)
    assert needle in LOREBOOK.comparable(text, case_sensitive=False)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("通常召喚", "通 常\n召唤"),
        ("1,000,000", "1000000"),
        ("ATK / DEF", "atk/def"),
        ("face-down", "Face\u00a0 Down"),
        ("Straße", "STRASSE"),
        ("👍🏽", "👍"),
        ("❤️", "❤"),
        ("哈利·波特", "哈利波特"),
    ],
)
def test_what_players_take_to_be_the_same(a: str, b: str) -> None:
    assert LOREBOOK.comparable(a, case_sensitive=False) == LOREBOOK.comparable(b, case_sensitive=False)


@pytest.mark.parametrize(
    ("a", "b"),
    [("12345,678", "12345678"), ("1,23", "123"), ("-1", "1"), ("👩\u200d🚀", "👩🚀"), ("ano", "año"), ("a b", "ab")],
)
def test_what_differs(a: str, b: str) -> None:
    assert LOREBOOK.comparable(a, case_sensitive=False) != LOREBOOK.comparable(b, case_sensitive=False)


def test_where_case_matters_only_case_does() -> None:
    assert LOREBOOK.comparable("ＧＹ 召喚", case_sensitive=True) == "GY召唤"
    assert LOREBOOK.comparable("gy", case_sensitive=True) != LOREBOOK.comparable("GY", case_sensitive=True)


@given(TEXTS)
def test_lower_case_alone_knows_its_places_too(text: str) -> None:
    places = origins(text, keep_case=False, spells=False, joins=False)
    assert len(places) == len(text.lower()) + 1


@given(st.text(alphabet="카드마법 를이가"))
def test_decomposed_hangul_knows_its_places(text: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    places = LOREBOOK.places(decomposed, case_sensitive=False)
    assert places is not None
    assert len(places) == len(LOREBOOK.comparable(decomposed, case_sensitive=False)) + 1
