"""
Questions that cite the number of a rule.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.retrieval.citations import CitationIndex
from lorebook.rulenumbers import parts_of, value_of

NUMBERS = ["702.19b", "702.19c", "3.2", "2", "第三条", "C.I.a", "1.2(a)", "2", None, "702", "第四章第一条", "12"]
INDEX = CitationIndex.build(NUMBERS)


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("what does 702.19b say?", [0]),
        ("702.19B", [0]),
        ("see (702.19b).", [0]),
        ("规则702.19b说什么", [0]),
        ("702.19", [0, 1]),
        ("rule 702", [9]),
        ("702 points of damage", []),
        ("规则3.2", [2]),
        ("rule 3.2", [2]),
        ("是３．２吗", [2]),
        ("13.2 or 3.21 or 0.3.2", []),
        ("rule 2", [3, 7]),
        ("Rules 2 and 702.19c", [3, 7, 1]),
        ("第2条", [3, 7]),
        ("第二条怎么说", [3, 7]),
        ("2.", [3, 7]),
        ("#2", [3, 7]),
        ("§ 2", [3, 7]),
        ("2", []),
        ("may I draw 2 cards?", []),
        ("I draw 2. Then what?", []),
        ("two cards", []),
        ("抽两张卡，第二回合", []),
        ("第三条", [4]),
        ("第3条", [4]),
        ("規則三", [4]),
        ("第十二条", [11]),
        ("第四章第一条", [10]),
        ("第四章", [10]),
        ("C.I.a", [5]),
        ("rule c.i.a", [5]),
        ("rule C.I", [5]),
        ("e.g. a card", []),
        ("1.2a", [6]),
        ("1.2(a)", [6]),
        ("1.2.a", [6]),
        ("rule 99", []),
        ("", []),
    ],
)
def test_numbers_cited_in_a_question(question: str, places: list[int]) -> None:
    assert list(INDEX.find(question)) == places


def test_a_number_is_told_as_its_document_writes_it() -> None:
    assert INDEX.find("第3条 and 702.19B") == {4: "第三条", 0: "702.19b"}


@pytest.mark.parametrize(
    ("numeral", "value"),
    [("一", 1), ("十", 10), ("十二", 12), ("二十", 20), ("二十三", 23), ("一百零五", 105), ("两千", 2000), ("二〇", 20),
     ("三百二十一", 321), ("", None), ("条", None), ("十a", None)],
)  # fmt: skip
def test_chinese_numerals(numeral: str, value: int | None) -> None:
    assert value_of(numeral) == value


@given(st.lists(st.integers(1, 9999), min_size=2, max_size=5), st.sampled_from(["", "a", "b"]))
def test_a_dotted_number_is_found_wherever_it_stands(parts: list[int], letter: str) -> None:
    number = ".".join(map(str, parts)) + letter
    index = CitationIndex.build([None, number])
    assert index.find(f"what about {number}, then?") == {1: number}
    assert parts_of(number) == (*map(str, parts), *filter(None, [letter]))


@pytest.mark.parametrize(
    "text", ["1." * 5000, "(a)" * 3000, "第" * 10_000, "第一章" * 3000, "rule " * 2000, "A.a" * 3000]
)
def test_the_longest_question_is_read_at_once(text: str) -> None:
    began = time.perf_counter()
    INDEX.find(text[:10_000])
    assert time.perf_counter() - began < 0.5
