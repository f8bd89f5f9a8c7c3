"""
Two editions of one book held against each other: what has changed is told, all of it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lorebook.retrieval.background import sentences_for
from lorebook.retrieval.nearness import Nearness
from lorebook.retrieval.passages import passages_of, text_key
from lorebook.retrieval.recipe import Cutting
from lorebook.retrieval.space import Space
from lorebook.retrieval.vectors import Vault
from lorebook.ruleset import Ruleset
from lorebook.workspace.comparing import compare
from lorebook.workspace.disagreements import Disagreements
from lorebook.workspace.editions import twins
from lorebook.workspace.rewording import words
from lorebook.workspace.views import Comparison, Verdict
from tests.retrieval.worlds import HashedWords, rule, ruleset

ENGLISH = "The a player robber crew ship may not must draws discards six seven cards once twice at Dusk Dawn".split()
CHINESE = [*"玩家船员手牌铜钱可以不得必须能摸弃六七张回合时守攻方获胜"]


def edition(name: str, texts: Sequence[str], language: str = "en") -> Ruleset:
    """A ruleset of *texts*, each titled by its first words as an import titles a listing."""
    made = [f"{text[:12].strip()}\n{text}" for text in texts]
    sides = [("", text) if language == "zh" else (text, "") for text in made]
    rules = [rule(f"{name}/{at}", *side, order=at) for at, side in enumerate(sides)]
    return ruleset(name, *rules)


def compared(one: Ruleset, other: Ruleset) -> Comparison:
    """Their comparison by a model that knows words but no meaning."""
    passages = [passage for each in (one, other) for passage in passages_of(each, Cutting())]
    texts = {passage.key: passage.text for passage in passages}
    texts |= {text_key(idle): idle for passage in passages for idle in sentences_for(passage.language)}
    model = HashedWords()
    vault = Vault(Space(model.name, model.dimension))
    vault.add([*texts], model.embed_passages([*texts.values()]))
    nearness = Nearness.of(passages, vault)
    assert nearness
    return compare(one, other, nearness, disagreements=Disagreements(()))


def told(found: Comparison) -> list[tuple[str, str]]:
    return [(pair.one.rule, pair.other.rule) for pair in found.pairs if pair.verdict is not Verdict.SAME]


@st.composite
def changes(draw: st.DrawFn, vocabulary: list[str], between: str, end: str) -> tuple[list[str], list[str], int]:
    """A book of rules, some of them perhaps the same, the book with a word of one rule changed, and which rule."""
    word = st.sampled_from(vocabulary)
    book = draw(st.lists(st.lists(word, min_size=4, max_size=12), min_size=1, max_size=8))
    at = draw(st.integers(0, len(book) - 1))
    place = draw(st.integers(0, len(book[at]) - 1))
    new = [*book[at]]
    new[place] = draw(word)
    assume(words(new[place]) != words(book[at][place]))
    before = [between.join(each) + end for each in book]
    return before, [*before[:at], between.join(new) + end, *before[at + 1 :]], at


english = changes(ENGLISH, " ", ".").map(lambda made: ("en", *made))
chinese = changes(CHINESE, "", "。").map(lambda made: ("zh", *made))


@given(st.one_of(english, chinese))
def test_one_word_of_one_rule_is_told_and_nothing_else(change: tuple[str, list[str], list[str], int]) -> None:
    language, before, after, at = change
    found = compared(edition("first", before, language), edition("second", after, language))
    assert told(found) == [(f"first/{at}", f"second/{at}")]
    assert found.counts["same"] == len(before) - 1
    pair = next(pair for pair in found.pairs if pair.verdict is not Verdict.SAME)
    assert pair.verdict in (Verdict.DIFFERENT, Verdict.REWORDED)
    assert (pair.one.text, pair.other.text) == (before[at], after[at])
    assert pair.contrasts[-1].kind == "words"
    assert (found.only_one, found.only_other) == ((), ())


@given(st.one_of(english, chinese))
def test_of_one_book_twice_nothing_is_told(change: tuple[str, list[str], list[str], int]) -> None:
    language, book, *_ = change
    found = compared(edition("first", book, language), edition("second", book, language))
    assert told(found) == []
    assert found.counts["same"] == len(book)


@given(st.one_of(english, chinese), st.randoms())
def test_nor_when_its_rules_have_other_names_and_another_order(
    change: tuple[str, list[str], list[str], int], random: Random
) -> None:
    language, book, *_ = change
    found = compared(edition("first", book, language), edition("second", random.sample(book, len(book)), language))
    assert told(found) == []
    assert found.counts["same"] == len(book)


@given(st.one_of(english, chinese))
def test_the_other_way_round_it_is_the_same(change: tuple[str, list[str], list[str], int]) -> None:
    language, before, after, _ = change
    one, other = edition("first", before, language), edition("second", after, language)
    there, back = compared(one, other), compared(other, one)
    assert [pair[::-1] for pair in told(back)] == told(there)
    seen = ({(pair.one.rule, pair.other.rule, pair.verdict) for pair in there.pairs},
            {(pair.other.rule, pair.one.rule, pair.verdict) for pair in back.pairs})  # fmt: skip
    assert seen[0] == seen[1]


CHANGES = {
    "may not, may": (
        "A crew card that came into play this turn may not rob until your next turn. It may guard at once.",
        "A crew card that came into play this turn may rob and guard at once.",
        Verdict.DIFFERENT,
        "may not / may",
    ),
    "who": (
        "If it fails, one of the tapped cards is arrested. The robber chooses which.",
        "If it fails, one of the tapped cards is arrested. The player to the left of the robber chooses which.",
        Verdict.REWORDED,
        "worded differently: The robber / The player to the left of the robber",
    ),
    "nobody": (
        "The player with the higher strength takes it. In a tie nobody does.",
        "The player with the higher strength takes it. In a tie the active player does.",
        Verdict.REWORDED,
        "worded differently: nobody / the active player",
    ),
    "Chinese, may": (
        "铜钱不得私下赠送，但可以用来交换手牌。",
        "铜钱可以私下赠送，但可以用来交换手牌。",
        Verdict.REWORDED,
        "worded differently: 不得 / 可以",
    ),
    "Chinese, most is gone": (
        "旁观者可以押注一枚铜钱，猜中者从银库得两枚。",
        "旁观者不可以押注。",
        Verdict.REWORDED,
        "worded differently: 观者可以押注一枚铜钱，猜中者从银库得两枚。 / 观者不可以押注。",
    ),
    "Chinese, who": (
        "名望相同时，守方获胜。",
        "名望相同时，攻方获胜。",
        Verdict.REWORDED,
        "worded differently: 守 / 攻",
    ),
    "a number": (
        "The hand limit is seven cards. It is checked only at Dusk.",
        "The hand limit is six cards. It is checked only at Dusk.",
        Verdict.DIFFERENT,
        "numbers differ: 7 / 6",
    ),
    "a paragraph more": (
        "The hand limit is seven cards.",
        "The hand limit is seven cards.\nIt is checked only at Dusk, and stashed cards do not count towards it.",
        Verdict.REWORDED,
        "worded differently: — / It is checked only at Dusk, and stashed cards do …",
    ),
    "two paragraphs, the plainer first": (
        "Ships sink at Dawn.\nThe hand limit is seven cards.",
        "Ships sink at Dusk.\nThe hand limit is six cards.",
        Verdict.DIFFERENT,
        "numbers differ: 7 / 6 (and 1 more)",
    ),
}


@pytest.mark.parametrize(("before", "after", "verdict", "label"), CHANGES.values(), ids=CHANGES)
def test_what_an_edition_changed(before: str, after: str, verdict: Verdict, label: str) -> None:
    language = "en" if before.isascii() else "zh"
    found = compared(edition("first", [before], language), edition("second", [after], language))
    assert [(pair.verdict, pair.label) for pair in found.pairs] == [(verdict, label)]
    assert found.pairs[0].link == "lorebook link first/0 second/0"


def test_a_title_alone_may_have_changed() -> None:
    one = ruleset("first", rule("first/hand", "Hand limit\nThe hand limit is six cards."))
    other = ruleset("second", rule("second/hand", "Limit\nThe hand limit is six cards."))
    (pair,) = compared(one, other).pairs
    assert (pair.label, pair.one.text) == ("worded differently: Hand limit / Limit", "Hand limit")


def test_rules_are_told_in_the_order_of_the_first_book() -> None:
    before = [f"In round {name} the robber draws first." for name in ("amber", "birch", "cedar", "dahlia", "elm")]
    one = edition("first", before)
    after = [
        rule(f"second/{at}", f"Draw\n{text.replace('robber', 'guard')}", order=9 - at) for at, text in enumerate(before)
    ]
    found = compared(one, ruleset("second", *after))
    assert [pair.one.rule for pair in found.pairs] == [held.id for held in one.rules]


def test_of_rules_that_were_renumbered_the_likest_belong_together() -> None:
    """Rules made to one pattern: that of the same number says something else now."""
    before = ["A lookout has a strength of two.", "A captain has a strength of nine.", "Crew is paid at Dusk."]
    after = [
        "A deckhand has a strength of one.",
        "A lookout has a strength of two.",
        "A captain has a strength of ten.",
    ]
    one, other = edition("first", before), edition("second", after)
    near = [("first/1", "second/2")]
    assert twins(one, other, near, "en").pairs.keys() == {("first/0", "second/1"), ("first/1", "second/2")}


def test_books_that_share_a_few_rules_are_no_editions() -> None:
    shared = "The youngest player begins."
    one = edition("first", [shared, "Ships sink at Dawn.", "A tie is a draw."])
    other = edition("second", [shared, "Every stone has four liberties.", "Pawns are promoted."])
    assert not twins(one, other, (), "en").are_editions
    assert twins(one, edition("third", [shared, "Pawns are promoted."]), (), "en").are_editions
