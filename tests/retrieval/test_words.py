"""
The terms that the lexical leg compares.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.retrieval.words import spoken, stem, telling, terms, units

CASES = [
    # text, terms of a query, terms that only a passage has
    ("Normal Summons", ["normal", "summon"], []),
    ("summoning, summoned, summons", ["summon", "summon", "summon"], []),
    ("the players' decks", ["player", "deck"], []),
    ("ATK/DEF 1800", ["atk", "def", "1800"], []),
    ("手牌上限", ["手牌", "牌上", "上限"], ["手", "牌", "上", "限"]),
    ("气", ["气"], []),
    ("XYZ怪兽", ["xyz", "怪兽"], ["怪", "兽"]),
    ("後攻", ["后攻"], ["后", "攻"]),
    ("ＬＰ", ["lp"], []),
    ("what is it?", [], []),
]


@pytest.mark.parametrize(("text", "query", "extra"), CASES)
def test_terms_of_queries_and_passages(text: str, query: list[str], extra: list[str]) -> None:
    assert terms(text, query=True) == query
    assert sorted(terms(text)) == sorted([*query, *extra])


@pytest.mark.parametrize(
    ("forms", "base"),
    [
        (("destroy", "destroyed", "destroying", "destroys"), "destroy"),
        (("equip", "equipped", "equipping", "equips"), "equip"),
        (("ability", "abilities"), "ability"),
        (("card", "cards", "card's"), "card"),
        (("change", "changes", "changed", "changing"), "chang"),
        (("pass", "passes", "passed"), "pass"),
        (("ring",), "ring"),
        (("bus",), "bus"),
        (("red",), "red"),
    ],
)
def test_forms_of_one_word_share_a_stem(forms: tuple[str, ...], base: str) -> None:
    assert {stem(form) for form in forms} == {base}


@given(st.text())
def test_a_query_asks_only_for_what_a_passage_with_its_words_has(text: str) -> None:
    assert set(terms(text, query=True)) <= set(terms(text))


def test_units_keep_every_word_and_character() -> None:
    assert units("Set a card 盖放") == ("set", "a", "card", "盖", "放")


@pytest.mark.parametrize(
    ("text", "found", "words"),
    [
        ("手牌上限是多少", {"手牌", "牌上", "上限"}, ["手牌上限"]),
        ("手牌上限是多少", {"手牌", "上限"}, ["手牌", "上限"]),
        ("Destroyed monsters", {"destroy"}, ["destroyed"]),
        ("draw, draw, draw", {"draw"}, ["draw"]),
    ],
)
def test_found_terms_are_told_in_the_words_of_the_query(text: str, found: set[str], words: list[str]) -> None:
    assert spoken(text, found) == words


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("熟客能抢吗", ["熟客", "抢"]),
        ("利息多少？", ["利息"]),
        ("下雨了会怎样", ["下雨"]),
        ("一回合可以通常召唤几次", ["一回", "回合", "通常", "常召", "召唤"]),
        ("What happens if I ram another boat?", ["ram", "another", "boat"]),
        ("How does boarding work?", ["board"]),
        ("怎么办", ["怎么", "么办"]),
        ("How does it work?", ["work"]),
        ("", []),
    ],
)
def test_what_a_question_is_asked_with_tells_nothing(question: str, told: list[str]) -> None:
    assert telling(question) == told


@given(st.text(st.sampled_from("what happens if 熟客能抢吗多少 a ram?")) | st.text())
def test_a_passage_with_the_words_of_a_question_has_all_that_tell(text: str) -> None:
    assert set(telling(text)) <= set(terms(text))
    assert bool(telling(text)) == bool(terms(text, query=True))
