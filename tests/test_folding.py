"""
Texts that readers take to be the same fold to one form.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lorebook.folding import fold, fold_aligned


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Graveyard", "graveyard"),
        ("ＧＹ　１２３", "gy 123"),
        ("ﾓﾝｽﾀｰ", "モンスター"),
        ("對手從墓地特殊召喚怪獸", "对手从墓地特殊召唤怪兽"),
        ("裏側守備表示", "里侧守备表示"),
        ("裡側守備表示", "里侧守备表示"),
        ("覆蓋著的", "覆盖着的"),
        ("opponent’s “hand”", 'opponent\'s "hand"'),
        ("「超量」", '"超量"'),
        ("Level 5–6", "level 5-6"),
        ("STRASSE Straße", "strasse strasse"),
        ("face\u00addown\u200b", "facedown"),
    ],
)
def test_spellings_of_one_text_fold_to_one_form(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
@example("\u0345\u1f80")
@example("薴")
@example("´ﾟ\u200bÅ")
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text)
    assert fold(once) == once


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Mn", "Mc", "Me"))))
@example("㍿ ﬁrst\u200b 從İ")
def test_every_folded_character_knows_its_place(text: str) -> None:
    folded, places = fold_aligned(text)
    if places is None:
        assert len(folded) == len(text)
    else:
        assert len(places) == len(folded) + 1
        assert places == sorted(places)
        assert places[-1] == len(text)


@pytest.mark.parametrize("text", ["Normal Summon", "從墓地特殊召喚", "ＧＹ and ㍿ “x”", "cafe\u0301"])
def test_aligned_folding_says_the_same_as_folding(text: str) -> None:
    assert fold_aligned(text)[0] == fold(text)


def test_places_point_into_the_text_as_it_was() -> None:
    text = "x\u200b㍿y"
    folded, places = fold_aligned(text)
    assert folded == "x株式会社y"
    assert places == [0, 2, 2, 2, 2, 3, 4]
