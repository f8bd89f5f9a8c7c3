"""
Laws of the keys that are proposed, whatever the document.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.folding import fold
from lorebook.importers.chinese import is_chinese
from lorebook.importers.draft import Draft
from lorebook.importers.english import GRAMMAR, NUMBERS, base
from lorebook.importers.keywords import Keywords
from tests.importers.seeds import KINDS, seed

WORDS = (
    "the a your you to of and each card turn player trick trump pantry kettle kraken whistle bosun's steeped draw "
    "draws drawn five ninth twice highest follow suit hourglass Monk Laughing . , 手牌 上限 海怪 打出 把 的 。 ，"
).split()
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(" ".join)
DRAFTS = st.lists(st.tuples(TEXTS.map(lambda text: text[:60]), TEXTS, st.booleans()), min_size=1, max_size=8)
_WORD = re.compile(r"[a-z]+")

RULES = [
    Draft("Setup", "Shuffle the deck and deal six cards each. This is the starting hand. Turn one card up.", (1,)),
    Draft("Ties", "In a tie, the player with the bosun's whistle wins the trick. Five cards cannot tie.", (2,)),
    Draft("The Tray", "Your Tray holds five cards. Whoever empties the Tray draws a card from the Pantry.", (3,)),
    Draft("The Laughing Monk", "Discard the Laughing Monk to take a card from the Pantry on your turn.", (4,)),
    Draft("Turn", "On your turn draw a card, then play a card. The turn passes to the left.", (5,)),
    Draft("Trick suit", "The suit of the first card is the trick suit. A player must play a card of that suit.", (6,)),
    Draft("Losing a turn", "A player who plays out of turn loses the next turn and draws a card.", (7,)),
    Draft("Bitter leaves", "A card left for a turn is bitter. It goes to the compost heap. The heap is open.", (8,)),
    Draft("Compost", "The compost heap lies beside the deck. You may look through it on your turn.", (9,)),
]


def proposed() -> dict[str, list[str]]:
    keywords = Keywords(RULES)
    return {draft.title: [key.lower() for key in keywords.of(draft)] for draft in RULES}


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Setup", {"setup", "starting hand"}),
        ("Ties", {"ties", "tie", "bosun's whistle"}),
        ("The Tray", {"tray", "pantry"}),
        ("The Laughing Monk", {"laughing monk"}),
        ("Trick suit", {"trick suit"}),
        ("Losing a turn", {"losing a turn", "lose a turn"}),
        ("Bitter leaves", {"bitter leaves", "bitter leaf", "compost heap"}),
    ],
)
def test_terms_of_several_words_names_and_rare_nouns_are_keys(title: str, wanted: set[str]) -> None:
    assert wanted <= set(proposed()[title])


def test_what_every_rule_says_is_no_key() -> None:
    every = {key for keys in proposed().values() for key in keys}
    assert not every & {"turn", "card", "cards", "player", "draw", "play", "five", "six", "ty", "you"}


def test_every_rule_has_a_key() -> None:
    assert all(proposed().values())


@given(DRAFTS)
def test_keys_stand_in_their_rule_and_say_something(told: list[tuple[str, str, bool]]) -> None:
    drafts = [
        Draft(title, text, (at,), ("Heading of all",), named=named) for at, (title, text, named) in enumerate(told, 1)
    ]
    keywords = Keywords(drafts)
    for draft in drafts:
        for key in keywords.of(draft):
            assert_is_key(key, f"{draft.title}\n{draft.section[-1]}\n{draft.text}")


@pytest.mark.parametrize("number", [number for number in KINDS if number != "000"])
def test_keys_of_the_source_documents_stand_in_their_rules(number: str) -> None:
    for rule in seed(number).ruleset.rules:
        told = rule.wording()
        text = "\n".join([told.title, *told.section, told.text, *told.examples])
        for key in told.keys:
            if number != "004":  # its misspelt words have the right ones as keys too
                assert_is_key(key, text)


def assert_is_key(key: str, text: str) -> None:
    """Assert that *key* says something, and that every word of it stands in *text* in some form."""
    assert len(key) > 1
    if is_chinese(key):
        assert fold(key) in fold(text)
        return
    words = _WORD.findall(key.lower())
    assert not all(word in GRAMMAR for word in words)
    assert len(words) > 1 or not set(words) & NUMBERS
    assert set(map(base, words)) <= {base(word) for word in _WORD.findall(text.lower())}
