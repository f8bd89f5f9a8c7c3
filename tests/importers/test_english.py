"""
Forms of English words, and how common they are.
"""

from __future__ import annotations

import pytest

from lorebook.importers.english import ARTICLES, BEFORE_VERBS, DETERMINERS, GRAMMAR, NUMBERS, STOP, base, singular
from lorebook.importers.vocabulary import UNSEEN, rank

# Each line: a word, and its forms.
NOUNS = """
tie ties
die dies
zombie zombies
cookie cookies
ability abilities
key keys
leaf leaves
wolf wolves
knife knives
man men
mouse mice
box boxes
axe axes
cache caches
witch witches
quiz quizzes
waltz waltzes
prize prizes
phase phases
house houses
bus buses
bonus bonuses
lens lenses
rise rises
hero heroes
shoe shoes
status status
boss bosses
series series
dice dice
"""
VERBS = """
draw draws drawing drew drawn
win wins winning won
bid bids bidding
steep steeps steeped steeping
tie ties tied
discard discarded discarding
shuffle shuffles shuffled shuffling
choose chose chosen choosing
trim trimmed trimming
roll rolls rolled rolling
pass passes passed passing
pay pays paid paying
lose lost losing
scavenge scavenged scavenging
renege reneged reneging
declare declared declaring
concede conceded conceding
pass passed passing
tax taxed taxing
"""


def forms(table: str) -> list[tuple[str, str]]:
    words = [line.split() for line in table.strip().splitlines()]
    return [(form, first) for first, *others in words for form in (first, *others)]


@pytest.mark.parametrize(("form", "single"), forms(NOUNS))
def test_nouns_are_led_back_to_their_singular(form: str, single: str) -> None:
    assert singular(form) == base(form) == single


@pytest.mark.parametrize(("form", "verb"), forms(VERBS))
def test_verbs_are_led_back_to_their_infinitive(form: str, verb: str) -> None:
    assert base(form) == verb


@pytest.mark.parametrize("word", ["king", "string", "spring", "red", "bed", "grimoire", "boss"])
def test_what_only_looks_like_a_form_stays(word: str) -> None:
    assert base(word) == word


def test_the_lists_hold_what_they_say() -> None:
    assert NUMBERS | ARTICLES < DETERMINERS < GRAMMAR < STOP
    assert BEFORE_VERBS < GRAMMAR
    assert {"five", "ninth", "twice", "hundred"} <= NUMBERS
    assert not {"card", "turn", "draw", "trick", "summon"} & STOP


def test_common_words_rank_before_rare_ones() -> None:
    assert rank("the") < rank("turn") < rank("trick") < rank("discard") < rank("kraken") == UNSEEN
