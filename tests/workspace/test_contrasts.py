"""
Which words of two statements are taken for a difference, and which are not.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.workspace.contrasts import contrasts

DIFFERENT = {
    "words and digits": ("The hand limit is six cards.", "Hand limit: 7 cards.", "numbers differ: 6 / 7"),
    "a unit that only one names": ("The hand limit is seven.", "The hand limit is six cards.", "numbers differ: 7 / 6"),
    "large numbers": ("Life Points start at 8,000.", "You start with 4000 Life Points.", "numbers differ: 8000 / 4000"),
    "two numbers each": (
        "Whoever holds 7 or more cards discards until 6 remain.",
        "Whoever holds eight or more cards discards until seven remain.",
        "numbers differ: 6, 7 / 7, 8",
    ),
    "how often": ("A pawn may attack once each turn.", "A pawn may attack twice each turn.", "how often: once / twice"),
    "how often, many": ("Shuffle the deck three times.", "Shuffle the deck once.", "how often: 3 times / once"),
    "permission": (
        "The first player may attack in the first turn.",
        "The first player may not attack in the first turn.",
        "may / may not",
    ),
    "permission, at once": (
        "A card that came into play this turn may not rob until your next turn.",
        "A card that came into play this turn may rob at once.",
        "may not / may",
    ),
    "nobody may": ("The first player can attack.", "No player may attack first.", "may / may not"),
    "duty": ("You may draw a card in the Draw Phase.", "You must draw a card in the Draw Phase.", "may / must"),
    "Chinese digits and numerals": ("手牌上限是6张。", "手牌上限为七张。", "numbers differ: 6 / 7"),
    "Chinese permission": ("先攻第一回合可以攻击。", "先攻第一回合不能攻击。", "may / may not"),
    "Chinese, other things": ("手上最多四盏灯。", "手上最多五盏灯。", "numbers differ: 4 / 5"),
    "Chinese how often": ("每回合可以攻击一次。", "每回合可以攻击两次。", "how often: once / twice"),
    "the sentence among others": (
        "Play goes clockwise. The hand limit is six cards. Ties are drawn.",
        "A tie is a draw. The hand limit is nine cards.",
        "numbers differ: 6 / 9",
    ),
}

SAME = {
    "nothing said": ("", "The hand limit is six cards."),
    "the same in other signs": ("The hand limit is six cards.", "Hand limit: 6 cards."),
    "only one gives a number": ("The hand limit is six cards.", "There is a hand limit."),
    "another subject": ("The hand limit is six cards.", "A dragon has seven heads and no manners."),
    "other things counted": ("The deck holds 40 cards.", "The deck holds 3 copies."),
    "the name of a phase": ("In Main Phase 1 you may summon.", "In Main Phase 2 you may summon."),
    "an order": ("On the 1st turn you draw.", "On the 2nd turn you draw."),
    "a pronoun": ("The one who starts draws two cards.", "One of the players who starts draws two cards."),
    "at once is not how often": ("The robber draws at once.", "The robber draws twice."),
    "once allowed is not twice forbidden": (
        "A player may summon once each turn.",
        "A player may not summon twice each turn.",
    ),
    "once allowed is no second time forbidden": (
        "A player may perform one Normal Summon each turn.",
        "A player may not perform a second Normal Summon each turn.",
    ),
    "Chinese, once allowed is no second time forbidden": ("每个回合可以进行1次召唤。", "每个回合不能进行第二次召唤。"),
    "allowed and forbidden by one sentence": (
        "You may attack, but you may not summon.",
        "You may attack and may summon.",
    ),
    "Chinese, a name": ("主要阶段1可以召唤。", "主要阶段2可以召唤。"),
    "Chinese, the same": ("手牌上限是6张。", "手卡上限（手牌上限）为六张。"),
}


@pytest.mark.parametrize(("one", "other", "said"), DIFFERENT.values(), ids=DIFFERENT)
def test_differences_are_named(one: str, other: str, said: str) -> None:
    assert str(contrasts(one, other)[0]) == said


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_what_is_no_sign(one: str, other: str) -> None:
    assert contrasts(one, other) == []


def test_numbers_that_both_rules_give_somewhere_are_no_sign() -> None:
    one, other = "A monster of Level 5 needs a Tribute.", "A monster of Level 7 needs a Tribute."
    assert str(contrasts(one, other)[0]) == "numbers differ: 5 / 7"
    assert contrasts(one, other, around=("Level 7 needs two.", "Level 5 needs one.")) == []


PIECES = [text for pair in (*DIFFERENT.values(), *SAME.values()) for text in pair[:2]]
statement = st.lists(st.sampled_from(PIECES), max_size=4).map(" ".join)


@given(statement, statement)
def test_the_other_way_round_it_is_the_same(one: str, other: str) -> None:
    there, back = contrasts(one, other), contrasts(other, one)
    assert {each.mirrored() for each in there} == set(back)


@given(statement)
def test_a_statement_does_not_differ_from_itself(text: str) -> None:
    assert contrasts(text, text) == []
