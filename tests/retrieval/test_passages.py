"""
How rules are cut.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.records import Rule, Wording
from lorebook.retrieval.passages import PassageKind, columns, cut_text, passages_of
from lorebook.retrieval.recipe import Cutting
from tests.retrieval.worlds import CHESS, GO, ruleset

SENTENCE = "A card that is sent away goes to the discard pile."

CASES = [
    # text, pieces, when pieces are of 20 to 60 columns
    ("one paragraph, long enough", ["one paragraph, long enough"]),
    (
        "a first paragraph of its own\n\na second paragraph of its own",
        ["a first paragraph of its own", "a second paragraph of its own"],
    ),
    ("Short:\nwhat follows belongs to it", ["Short:\nwhat follows belongs to it"]),
    ("what comes before it is long\nThe end.", ["what comes before it is long\nThe end."]),
    (f"{SENTENCE} {SENTENCE}", [SENTENCE, SENTENCE]),
    (
        "结束阶段的最后检查手牌。超过六张的玩家要弃牌。剩下六张为止。然后换下一个人。",
        ["结束阶段的最后检查手牌。超过六张的玩家要弃牌。", "剩下六张为止。然后换下一个人。"],
    ),
    ("one " * 30, [("one " * 30).strip()]),
]


@pytest.mark.parametrize(("text", "pieces"), CASES)
def test_cases(text: str, pieces: list[str]) -> None:
    assert cut_text(text, longest=60, shortest=20) == pieces


TEXTS = st.text(alphabet=st.sampled_from("ab .!?;\n\"')。！怪兽”"), max_size=400)


@given(TEXTS, st.integers(10, 80), st.integers(1, 40))
def test_no_character_but_white_space_is_lost(text: str, longest: int, shortest: int) -> None:
    pieces = cut_text(text, longest=longest, shortest=shortest)
    assert "".join("".join(pieces).split()) == "".join(text.split())


@given(TEXTS, st.integers(1, 40))
def test_no_piece_but_an_only_one_is_too_short(text: str, shortest: int) -> None:
    pieces = cut_text(text, longest=60, shortest=shortest)
    assert len(pieces) <= 1 or all(columns(piece) >= shortest for piece in pieces)


def test_every_wording_and_example_gives_passages_that_name_their_rule() -> None:
    wording = Wording(
        title="Ko", section=("Basics",), text="No position twice.", examples=("Black takes.",), keys=("ko",)
    )
    cut = list(
        passages_of(ruleset("go", Rule(id="go/ko", order=0, original="en", wordings={"en": wording})), Cutting())
    )
    assert [(each.kind, each.text) for each in cut] == [
        (PassageKind.TEXT, "No position twice."),
        (PassageKind.EXAMPLE, "Black takes."),
    ]
    assert {(each.rule, each.ruleset, each.context) for each in cut} == {("go/ko", "go", "Go > Basics > Ko")}


def test_both_languages_are_cut_and_the_original_comes_first() -> None:
    assert [each.language for each in passages_of(GO, Cutting())] == ["en", "zh", "en", "zh"]


def test_a_title_that_begins_the_text_is_not_embedded_twice() -> None:
    wording = Wording(title="A stone without a free…", text="A stone without a free neighbour is taken off.")
    rules = ruleset("go", Rule(id="go/liberty", order=0, original="en", wordings={"en": wording}))
    assert [each.embedded(keys=8) for each in passages_of(rules, Cutting())] == [wording.text]


def test_ids_follow_content() -> None:
    (before, *_), (after, *_) = (list(passages_of(CHESS, Cutting(keys=keys))) for keys in (0, 8))
    assert before.id != after.id
    assert before.id.rpartition("@")[0] == after.id.rpartition("@")[0]
