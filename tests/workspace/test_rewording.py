"""
In which words two texts differ: a case table, and laws of any two texts.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.workspace.contrasts import rewording
from lorebook.workspace.rewording import common_words, differing_words, likeness, shortened, words

CASES = {
    "a word": ("The robber draws first.", "The guard draws first.", "robber", "guard"),
    "words that only one has": (
        "One card is arrested. The robber chooses which.",
        "One card is arrested. The player to the left of the robber chooses which.",
        "The robber",
        "The player to the left of the robber",
    ),
    "several words": ("In a tie nobody does.", "In a tie the active player does.", "nobody", "the active player"),
    "two places": (
        "The robber taps two cards and then draws at Dusk.",
        "The guard taps two cards and then draws at Dawn.",
        "robber … Dusk",
        "guard … Dawn",
    ),
    "a word apart is one place": ("A red and small ship.", "A blue and large ship.", "red and small", "blue and large"),
    "the first word": ("Both players draw.", "No players draw.", "Both", "No"),
    "one more at the end": ("Draw a card", "Draw a card twice", "card", "card twice"),
    "a word with an apostrophe": ("The player's turn.", "The players’ turn.", "player's", "players’"),
    "punctuation": ("Rob and guard.", "Rob, and guard.", "Rob and", "Rob, and"),
    "punctuation beside words": ("Rob one; then draw two.", "Rob one, then draw four.", "two", "four"),
    "a line break in the words": ("The old\nrobber wins.", "The guard wins.", "old robber", "guard"),
    "nothing on one side": ("", "Draw a card.", "—", "Draw a card."),
    "Chinese": ("名望相同时，守方获胜。", "名望相同时，攻方获胜。", "守", "攻"),
    "Chinese words": ("铜钱不得私下赠送。", "铜钱可以私下赠送。", "不得", "可以"),
    "a character that only one has": ("旁观者可以押注。", "旁观者不可以押注。", "观者可以", "观者不可以"),
    "Chinese with numbers": ("手牌上限是 10 张。", "手牌上限是 12 张。", "10", "12"),
}
SAME = {
    "case": ("Draw a Card.", "draw a card."),
    "white space": ("Draw  a\ncard.", "Draw a card."),
    "dots": ("And so on…", "And so on..."),
    "width": ("手牌上限是６张，", "手牌上限是6张,"),
    "quotes": ("A “ship” sinks.", 'A "ship" sinks.'),
}


@pytest.mark.parametrize(("one", "other", "mine", "theirs"), CASES.values(), ids=CASES)
def test_the_words_that_differ(one: str, other: str, mine: str, theirs: str) -> None:
    assert differing_words(one, other) == (mine, theirs)
    assert str(rewording(one, other)) == f"worded differently: {mine} / {theirs}"


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_what_is_the_same_word_for_word(one: str, other: str) -> None:
    assert words(one) == words(other)
    assert likeness(one, other) == 1


def test_long_changes_are_cut_between_words() -> None:
    long = "a captain who was bribed at dawn may be bribed again at dusk by the same player"
    assert shortened(long) == "a captain who was bribed at dawn may be bribed …"
    assert shortened("守" * 100) == "守" * 48 + " …"
    assert shortened("a captain") == "a captain"


text = st.lists(
    st.sampled_from(
        [
            "may",
            "not",
            "May",
            "rob",
            "a ship",
            ".",
            ",",
            "守",
            "方",
            "获胜",
            "，",
            "6",
            "６",
            "…",
            "①",
            "\n",
            "player's",
        ]
    ),
    max_size=12,
).flatmap(lambda parts: st.sampled_from([" ".join(parts), "".join(parts)]))


@given(text, text)
def test_the_other_way_round_it_is_the_same(one: str, other: str) -> None:
    assert differing_words(one, other) == differing_words(other, one)[::-1]
    assert likeness(one, other) == likeness(other, one)


@given(text, text)
def test_there_are_words_where_and_only_where_the_texts_differ(one: str, other: str) -> None:
    mine, theirs = differing_words(one, other)
    assert (mine, theirs) == ("", "") or words(mine) != words(theirs)
    assert ((mine, theirs) == ("", "")) == (words(one) == words(other))


@given(text, text)
def test_the_words_that_are_shown_stand_in_the_texts(one: str, other: str) -> None:
    for whole, shown in zip((one, other), differing_words(one, other), strict=True):
        for part in shown.split(" … "):
            assert part in ("", "—") or part in " ".join(whole.split())


@given(text, text)
def test_no_more_words_stand_in_one_order_than_in_any(one: str, other: str) -> None:
    sizes = len(words(one)) + len(words(other))
    assert likeness(one, other) * sizes <= 2 * common_words(one, other) + 1e-9
    assert common_words(one, one) == len(words(one))
