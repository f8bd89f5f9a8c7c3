"""
Keys proposed from a whole document.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.importers import import_document
from lorebook.importers.draft import Draft
from lorebook.importers.keywords import MOST_KEYS, Keywords

DRAFTS = [
    Draft("Face-down card", "A face-down card has no name. Turn the card face up to name it.", (1,)),
    Draft("The kraken eats ships", "The kraken eats two ships; whoever feeds the kraken keeps one.", (2,), named=False),
    Draft("Hand limit", "At the end of your turn, discard down to the hand limit of four cards.", (3,)),
    Draft("Hand limits again", "Hand limits of 7 apply when the Storm Warning is out.", (4,)),
    Draft("Of all", "All of it is what it is.", (5,), named=False),
    Draft("手牌上限", "回合结束时，手牌上限为四张，多余的手牌放入墓地。", (6,)),
    Draft("把海怪放入墓地", "把海怪放入墓地。海怪在墓地时，渔船不能出海。", (7,), named=False),
]


class Known:
    """A language of two terms."""

    def terms(self, text: str) -> Sequence[str]:
        return [term for term in ("discard", "storm") if term in text.lower()]

    def simplified(self, text: str) -> str:
        return text.replace("張", "张")


def keys(place: int) -> list[str]:
    return [key.lower() for key in Keywords(DRAFTS, Known()).of(DRAFTS[place])]


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        (0, {"face-down card", "face down card"}),
        (1, {"kraken"}),
        (2, {"hand limit", "discard"}),
        (3, {"storm warning", "storm"}),
        (5, {"手牌上限"}),
        (6, {"海怪"}),
    ],
)
def test_a_rule_is_found_by_what_it_is_about(place: int, wanted: set[str]) -> None:
    assert wanted <= set(keys(place))


def test_words_of_grammar_are_no_keys() -> None:
    assert keys(4) == []
    assert not {"at", "of", "the", "7", "four"} & {key for place in range(len(DRAFTS)) for key in keys(place)}


def test_a_common_word_is_no_key_as_a_form_of_a_rarer_one() -> None:
    drafts = [
        Draft("Dusk", "Pass the marker to the left. The left is clockwise.", (1,), named=False),
        Draft("Rain", "It pours.", (2,)),
    ]
    found = Keywords(drafts).of(drafts[0])
    assert "left" not in found
    assert "clockwise" in found


def test_traditional_keys_are_given_in_simplified_too() -> None:
    draft = Draft("四張牌", "四張牌。", (1,))
    assert Keywords([draft], Known()).of(draft)[:2] == ("四張牌", "四张牌")


@pytest.mark.parametrize("said", ["“不倒翁”", "「不倒翁」", "『不倒翁』", "《不倒翁》"])
def test_what_stands_in_any_quotation_marks_is_a_key(said: str) -> None:
    draft = Draft("打出", f"打出{said}。", (1,), named=False)
    assert "不倒翁" in Keywords([draft]).of(draft)


@pytest.mark.parametrize(("rules", "is_key"), [(3, True), (4, False)])
def test_a_heading_over_many_rules_is_no_key(rules: int, is_key: bool) -> None:  # noqa: FBT001 (a column of the table)
    words = ["珊瑚礁", "红树林", "蚯蚓", "风暴"][:rules]
    drafts = [Draft(word, f"看见{word}。", (at,), ("出海",), named=False) for at, word in enumerate(words, 1)]
    keywords = Keywords(drafts)
    for word, draft in zip(words, drafts, strict=True):
        assert keywords.of(draft) == ((word, "出海") if is_key else (word,))


def test_a_rule_without_words_of_its_own_takes_those_that_it_shares() -> None:
    drafts = [Draft("风暴", "风暴。", (at,), named=False) for at in range(6)] + [Draft("可以", "可以。", (7,))] * 8
    keywords = Keywords(drafts)
    assert keywords.of(drafts[0]) == ("风暴",)
    assert keywords.of(drafts[-1]) == ("可以",)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=30), st.text(max_size=120)), min_size=1, max_size=6))
def test_keys_stay_few_and_each_is_once(texts: list[tuple[str, str]]) -> None:
    drafts = [Draft(title, text, (at + 1,)) for at, (title, text) in enumerate(texts)]
    keywords = Keywords(drafts, Known())
    for draft in drafts:
        found = keywords.of(draft)
        assert len(found) == len({key.casefold() for key in found}) <= 2 * MOST_KEYS
        assert len({Known().simplified(key).casefold() for key in found}) <= MOST_KEYS
        assert all(any(letter.isalpha() for letter in key) for key in found)


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("# Nets\n\nSee “Boats”.\n\n# Boats\n\nA sail.", "a/boats"),
        ("# 渔网\n\n参见“渔船”。\n\n# 渔船\n\n有帆。", "a/渔船"),
        ("# 1.1 Nets\n\nSee section 1.2.\n\n# 1.2 Boats\n\nA sail.", "a/1.2"),
        ("# 1.1 渔网\n\n见规则 1.2。\n\n# 1.2 渔船\n\n有帆。", "a/1.2"),
        ("# Nets\n\n[on](#the-boats) we go.\n\n# The Boats!\n\nA sail.", "a/the-boats"),
    ],
)
def test_references_of_every_form_lead_to_rules(text: str, linked: str) -> None:
    rules = import_document(text.encode(), file_name="a.md", ruleset="a").ruleset.rules
    assert rules[0].see_also == (linked,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# 1\n\n2 3.\n\n# Nets\n\nHeavy.", "1 rule has no key, so no chat activates it: a/1"),
        (
            "\n\n".join(f"# {n}\n\n{n} {n}." for n in range(1, 6)),
            "5 rules have no key, so no chat activates them: a/1, a/2, a/3 and 2 more",
        ),
        ("# Nets\n\nHeavy.", None),
    ],
    ids=["one", "many", "none"],
)
def test_the_report_says_once_which_rules_have_no_key(text: str, said: str | None) -> None:
    report = import_document(text.encode(), file_name="a.md", ruleset="a").report
    assert [notice.what for notice in report.notices if "no key" in notice.what] == ([said] if said else [])


@pytest.mark.parametrize(("state", "told"), [("Always on", 0), ("Enabled", 1)])
def test_a_rule_that_is_always_on_needs_no_key(state: str, told: int) -> None:
    text = f"1. #1Winds\n\nKeys:\n\n{state} · After character · Order 20 · 100%\n\nThe wind turns.\n\nShowing 1 of 1"
    report = import_document(text.encode(), file_name="a.txt", ruleset="a", kind="listing").report
    assert len([notice for notice in report.notices if "no key" in notice.what]) == told
