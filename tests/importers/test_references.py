"""
References inside a document: what they lead to, and what is no reference.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.importers.draft import Draft
from lorebook.importers.references import MOST_LINKS, Titles, links_of

CHAPTERS = {
    "第一章": ["第一条", "第二条", "第二条（一）", "第二条（二）"],
    "第二章": ["第二章第一条", "第二章第二条", "第三条", "第四条第2款"],
}
ENGLISH = [
    "702.19a",
    "702.19b",
    "702.19b(i)",
    "702.19b(ii)",
    "1-2-3",
    "Article I(a)",
    "Article IV(b)",
    "3",
    "4-2",
    "4.3",
]


def draft(text: str, title: str = "", number: str | None = None, section: tuple[str, ...] = ()) -> Draft:
    return Draft(title or text, text, (1,), section, number=number, named=bool(title))


def targets(drafts: list[Draft], saying: Draft) -> tuple[list[int], list[str]]:
    """
    What the draft *saying*, the last of all, refers to, and what it refers to that is not there.
    """
    links, missed = links_of([*drafts, saying])
    return links[-1], [said for _, said in missed]


def in_chapters(text: str, number: str, section: str) -> tuple[list[str], list[str]]:
    numbered = [(each, chapter) for chapter, numbers in CHAPTERS.items() for each in numbers]
    drafts = [draft("规定。", number=each, section=(f"{chapter} 内容",)) for each, chapter in numbered]
    found, missed = targets(drafts, draft(text, number=number, section=(section,)))
    return [numbered[at][0] for at in found], missed


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("参见第一条。", ["第二章第一条"]),
        ("见第一章第一条。", ["第一条"]),
        ("見第1章第2條。", ["第二条"]),
        ("参见第三条和第一条。", ["第三条", "第二章第一条"]),
        ("按照第三条的规定。", ["第三条"]),
        ("依第三条进行。", ["第三条"]),
        ("第三条、第一条的规定不适用。", ["第三条", "第二章第一条"]),
        ("见第一章第二条（二）。", ["第二条（二）"]),
        ("第四条第二款另有说明。", ["第四条第2款"]),
        ("第四條(2)另有說明。", ["第四条第2款"]),
        ("见第二章。", ["第二章第一条"]),
        ("见第二款。", ["第四条第2款"]),
        ("见（2）。", ["第四条第2款"]),
        ("见（七）。", []),
        ("第三条命还在，按2次计，依次进行。", []),
        ("两条都可见。", []),
    ],
)
def test_chinese_numbers_are_those_of_the_own_chapter_first(text: str, found: list[str]) -> None:
    known, missed = in_chapters(text, "第四条第3款", "第二章 内容")
    assert (known, missed) == (found, [])


@pytest.mark.parametrize(
    ("text", "found", "missed"),
    [
        ("参见一、2。", ["一.2"], []),
        ("（参见规则8.0.1，“卡组”）", ["8.0.1"], []),
        ("详见条文8.0.1和8.0.2a。", ["8.0.1", "8.0.2a"], []),
        ("见二．3和一、2。", ["二.3", "一.2"], []),
        ("No other deck [8.0.1].", ["8.0.1"], []),
        ("No other deck [8.0.1, 8.0.2a].", ["8.0.1", "8.0.2a"], []),
        ("See (8.0.1).", ["8.0.1"], []),
        ("Of [1.2.3], nothing is known.", [], []),
        ("See rule 101.1.a. Deck Size.", ["101.1.a"], []),
        ("See rule 101.1.b.1.", ["101.1.b.1"], []),
        ("See rule 101.1.c.", [], ["101.1.c"]),
        ("As Article III, Section 2 says.", ["Article III.Section 2"], []),
        ("As Section 2 says.", ["Article IV.Section 2"], []),
        ("As section 9 says.", [], ["9"]),
        ("见第三条第二款。", ["第三条"], []),
        ("见第五条（一）2。", ["第五条（一）.2"], []),
    ],
)
def test_a_reference_is_read_to_its_end(text: str, found: list[str], missed: list[str]) -> None:
    numbers = ["一.2", "二.3", "8.0.1", "8.0.2a", "101.1", "101.1.a", "101.1.b.1", "Article III.Section 1",
               "Article III.Section 2", "Article IV.Section 2", "第三条", "第五条（一）", "第五条（一）.2"]  # fmt: skip
    saying = draft(text, number="Article IV.Section 1")
    places, said = targets([draft("A rule.", number=number) for number in numbers], saying)
    assert ([numbers[place] for place in places], said) == (found, missed)


def test_an_article_above_is_no_chapter() -> None:
    section = ("第一章 内容", "第二条 手牌")
    numbered = [draft("规定。", number=each) for each in CHAPTERS["第一章"]]
    said = draft("见第一条。", number="第二条（三）", section=section)
    assert targets(numbered, said) == ([0], [])


def test_a_number_that_no_rule_has_is_missed() -> None:
    assert in_chapters("见第九条。", "第五条", "第二章 内容") == ([], ["第九条"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See 702.19a.", ["702.19a"]),
        ("See rules 702.19a and 1-2-3.", ["702.19a", "1-2-3"]),
        ("As rule 702.19b(i) says.", ["702.19b(i)"]),
        ("See (i), then (ii).", ["702.19b(i)"]),
        ("Paragraph (ii) is first.", ["702.19b(ii)"]),
        ("Subparagraph (ii) is first, subsection (i) second.", ["702.19b(ii)", "702.19b(i)"]),
        ("See #3 and rule no. 702.19a.", ["3", "702.19a"]),
        ("The #3 deck wins.", []),
        ("Article IV(b) is first.", ["Article IV(b)"]),
        ("Article 4(b) is first.", ["Article IV(b)"]),
        ("Article I holds.", ["Article I(a)"]),
        ("Rule 702.19 holds.", ["702.19a"]),
        ("See 3.", ["3"]),
        ("See rules 3-702.", ["3"]),
        ("See 4-2.", ["4-2"]),
        ("See rules 1-2.", ["1-2-3"]),
        ("Part A holds; draw 3 cards, 1.5 times.", []),
    ],
)
def test_english_numbers(text: str, found: list[str]) -> None:
    drafts = [draft("It is so.", number=each) for each in ENGLISH]
    known, missed = targets(drafts, draft(text, number="702.19b(iii)"))
    assert ([ENGLISH[at] for at in known], missed) == (found, [])


TITLES = [
    "手牌上限与弃牌",
    "抽卡",
    "抽卡阶段",
    "连锁的处理",
    "连锁的发动",
    "Hand limit and discards",
    "3. Drawing",
    "Chains",
    "Chain links",
    "The other’s turn",
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("参见“手牌上限”。", ["手牌上限与弃牌"]),
        ("參見「手牌上限」。", ["手牌上限与弃牌"]),
        ("见《手牌上限》。", ["手牌上限与弃牌"]),
        ('另见"手牌上限与弃牌"。', ["手牌上限与弃牌"]),
        ("请见【抽卡】。", ["抽卡"]),
        ("参见“手牌上限”、“抽卡”和《抽卡阶段》。", ["手牌上限与弃牌", "抽卡", "抽卡阶段"]),
        ("详见手牌上限。", ["手牌上限与弃牌"]),
        ("（详见手牌上限一节）", ["手牌上限与弃牌"]),
        ("详见抽卡和手牌上限。", ["抽卡", "手牌上限与弃牌"]),
        ("参见抽卡阶段的规定，然后弃牌。", ["抽卡阶段"]),
        ("参见“抽卡”，另见“抽卡阶”。", ["抽卡", "抽卡阶段"]),
        ("详见连锁。详见下文。", []),
        ("可见手牌上限很重要。", []),
        ('See "Hand limit".', ["Hand limit and discards"]),
        ("See also “hand limit,” please.", ["Hand limit and discards"]),
        ("See the ‘Drawing’ rules, and see 'Chains'.", ["3. Drawing", "Chains"]),
        ('See "Chains", "Hand limit" and "Drawing".', ["Chains", "Hand limit and discards", "3. Drawing"]),
        ("See “The other’s turn”.", ["The other’s turn"]),
        ("(see Chains)", ["Chains"]),
        ("(See also drawing)", ["3. Drawing"]),
        ("(see below) I see Chains everywhere.", []),
        ("(see Hand)", []),
    ],
)
def test_titles(text: str, found: list[str]) -> None:
    drafts = [draft("It is so.", title=each) for each in TITLES]
    known, missed = targets(drafts, draft(text))
    assert ([TITLES[at] for at in known], missed) == (found, [])


@pytest.mark.parametrize("said", ["连锁", "Chai", "手", "Hand lim", "潜水"])
def test_a_title_that_is_none_or_several_is_missed(said: str) -> None:
    drafts = [draft("It is so.", title=each) for each in TITLES]
    assert targets(drafts, draft(f"参见“{said}”。")) == ([], [f"“{said}”"])


def test_numbers_in_a_document_without_any_are_those_of_another() -> None:
    assert targets([draft("It is so.", title="Nets")], draft("See rule 3.2 and 第三条的规定。")) == ([], [])


words = st.text("抽卡手牌ab", min_size=2, max_size=4)


@given(st.lists(words, min_size=1, max_size=8, unique=True), words)
def test_a_title_is_found_by_its_beginning_if_no_other_begins_so(titles: list[str], said: str) -> None:
    found = Titles([draft("规定。", title=each) for each in titles]).find(said)
    assert (titles.index(said) if said in titles else None) in (found, None)
    if found is not None:
        assert titles[found].startswith(said)
        assert said in titles or sum(title.startswith(said) and title[len(said)] in "抽卡手牌" for title in titles) <= 1


def test_a_beginning_of_very_many_titles_is_looked_up_as_fast_as_any() -> None:
    drafts = [draft("See \"Cards\" and see 'Cards'.", title=f"Cards{each}") for each in range(12_000)]
    links, missed = links_of(drafts)
    assert not any(links)
    assert [said for _, said in missed] == ["“Cards”"] * 24_000


@given(
    st.lists(
        st.sampled_from(["见第一条，", "参见（二）。", "see 3, ", "详见手牌上限。", "rule 9.9 ", "x"]), max_size=60
    )
)
def test_links_lead_to_other_rules_and_are_few(said: list[str]) -> None:
    drafts = [draft("规定。", number=each) for each in ("第一条", "第一条（二）", "3")]
    links, _ = links_of([*drafts, draft("".join(said), title="手牌上限", number="第一条（三）")])
    assert set(links[-1]) <= {0, 1, 2}
    assert len(links[-1]) == len(set(links[-1])) <= MOST_LINKS


@pytest.mark.parametrize(
    "text", ["第一条（一）" * 3000, "见" * 9000, "see " * 4000, "第" * 9000, "详见抽和" * 3000, "(a)" * 4000]
)
def test_the_longest_rule_is_read_at_once(text: str) -> None:
    began = time.perf_counter()
    links_of([draft("It is so.", title="抽卡", number="第一条"), draft(text, number="第二条")])
    assert time.perf_counter() - began < 1
