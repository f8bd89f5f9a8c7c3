"""
Questions that cite a rule, by its number or by its id.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.retrieval.citations import CitationIndex
from lorebook.rulenumbers import parts_of, read_number, value_of

NUMBERS = ["702.19b", "702.19c", "3.2", "2", "第三条", "C.I.a", "1.2(a)", "2", None, "702", "第四章第一条", "12"]
INDEX = CitationIndex(NUMBERS)


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
        ("3.2-702.19b", [2, 0]),
        ("702.19b/3.2", [0, 2]),
        ("mending - 3.2", [2]),
        ("rule 2", [3, 7]),
        ("Rules 2 and 702.19c", [3, 7, 1]),
        ("rules 2-12", [3, 7, 11]),
        ("rules 12, 702 and 3.2", [11, 9, 2]),
        ("sections 2 and 702.19c", [3, 7, 1]),
        ("rule 2 and 12 cards", [3, 7]),
        ("第2条", [3, 7]),
        ("第二条怎么说", [3, 7]),
        ("2.", [3, 7]),
        ("2、", [3, 7]),
        ("rule no. 2", [3, 7]),
        ("Rule #2?", [3, 7]),
        ("#2", [3, 7]),
        ("§ 2", [3, 7]),
        ("2", []),
        ("may I draw 2 cards?", []),
        ("I draw 2. Then what?", []),
        ("2. May I draw?", []),
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


@pytest.mark.parametrize("sign", ["§", "#", "§ ", " "])
def test_a_very_long_run_of_what_announces_a_number_is_read_as_fast_as_one(sign: str) -> None:
    run = sign * 50_000
    assert read_number(run) is None
    assert read_number(f"{run}5.2") == read_number("5.2")


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
    index = CitationIndex([None, number])
    assert index.find(f"what about {number}, then?") == {1: number}
    assert parts_of(number) == (*map(str, parts), *filter(None, [letter]))


NESTED = CitationIndex(
    [
        *(
            "二（一）",
            "二（二）",
            "第四条",
            "第四条（一）",
            "第四条（二）",
            "第二章（一）",
            "第二章（二）",
            "第5條第2款",
        ),
        *(
            "一（三）.1",
            "Article IV",
            "Article IV(b)",
            "Rule VI",
            "Section A",
            "Article I",
            "§ 12.3",
            "12-3-1",
            "1.5",
            "2000",
            "39",
            "3",
            "2",
            "10",
            "一",
        ),
    ],
    sections=[["第六章 战斗", "第一节 攻击"]],
)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("二（一）", "二（一）"),
        ("二(一)", "二（一）"),
        ("2（1）", "二（一）"),
        ("2(1)", "二（一）"),
        ("２（１）怎么说", "二（一）"),
        ("二、（二）", "二（二）"),
        ("规则二（二）是什么", "二（二）"),
        ("請看二（二）的規定", "二（二）"),
        ("第四条", "第四条"),
        ("第四条（二）", "第四条（二）"),
        ("第四條(2)", "第四条（二）"),
        ("第4條第2款", "第四条（二）"),
        ("第 4 条 第 2 项是什么意思", "第四条（二）"),
        ("第五条第二款", "第5條第2款"),
        ("第五条（二）", "第5條第2款"),
        ("第二章（二）", "第二章（二）"),
        ("第2章(1)", "第二章（一）"),
        ("第六章", "二（一）"),
        ("第七章第四条（一）", "第四条（一）"),
        ("第五章第四条", "第四条"),
        ("（三）.1", None),
        ("一（三）.1", "一（三）.1"),
        ("一(三)1", "一（三）.1"),
        ("1(3).1", "一（三）.1"),
        ("Article IV", "Article IV"),
        ("article iv(b)", "Article IV(b)"),
        ("is that in article IV?", "Article IV"),
        ("what does Article IV say?", "Article IV"),
        ("what does article IV say?", "Article IV"),
        ("Rule VI", "Rule VI"),
        ("what does rule vi say?", "Rule VI"),
        ("Section A applies", "Section A"),
        ("in section A.", "Section A"),
        ("what of Article 4(b)?", "Article IV(b)"),
        ("Art of war, part iv", None),
        ("§12.3", "§ 12.3"),
        ("section 12.3", "§ 12.3"),
        ("12.3", "§ 12.3"),
        ("12-3-1", "12-3-1"),
        ("and rule 12-3-1.", "12-3-1"),
        ("12-3-1怎么说", "12-3-1"),
        ("12-3-1-4", None),
        ("3-12-3-1", None),
        ("1.5", "1.5"),
        ("what does 1.5 say?", "1.5"),
        ("is this covered by 1.5?", "1.5"),
        ("rule 1.5 times out", "1.5"),
        ("（二）", "二（二）"),
        ("(1)", "二（一）"),
        ("第二款", "第5條第2款"),
        ("number 39", "39"),
        ("规则三怎么说", "3"),
        ("规则编号39", "39"),
        ("一、", "一"),
    ],
)
def test_the_rule_that_is_cited_comes_first(question: str, number: str | None) -> None:
    assert next(iter(NESTED.find(question).values()), None) == number


@pytest.mark.parametrize(
    "question",
    [
        "can I draw 2 cards",
        "can I draw 2 cards?",
        "my LP is 2000",
        "LP 2000",
        "LP2000",
        "生命值2000",
        "3 cards",
        "抽3张卡",
        "1.5 times",
        "1.5x damage",
        "is it 1.5 cards?",
        "multiplied by 1.5",
        "damage is reduced by 1.5",
        "more than 1.5",
        "攻击力变成1.5倍",
        "乘以1.5",
        "$1.5",
        "1.5%",
        "-1.5 then",
        "ATK -1.5",
        "x = 1.5",
        "Number 39: Utopia",
        "I summon Number 39 now",
        "part 2 of the effect",
        "I have items 2 and 3",
        "抽二（2）张卡",
        "选择两项",
        "两条连锁",
        "三条命",
        "第二项效果",
        "第二回合",
        "第3张卡",
        "规则十分复杂",
        "规则一样吗",
        "规则2张卡",
        "一（一）",
        "a 2-1 win",
        "the rule I mean",
        "the article I mean",
        "in which section a card is",
        "（二）张",
    ],
)
def test_what_only_counts_cites_nothing(question: str) -> None:
    assert NESTED.find(question) == {}


COUNTED = CitationIndex(
    ["一", "一.3", "二.3", "200", "5a", "Article III.Section 7", "Article III.Section 2(a)", "第三条", "第六条（一）.2",
     "Law 11.1", "§ 1-101"]
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("二、3", "二.3"),
        ("二、3 怎么说", "二.3"),
        ("规则二、3是什么", "二.3"),
        ("２．３", "二.3"),
        ("一．3", "一.3"),
        ("200", "200"),
        ("200?", "200"),
        ("what is 200?", "200"),
        ("what does 200 say?", "200"),
        ("explain 200", "200"),
        ("200是什么", "200"),
        ("查一下200", "200"),
        ("what does 5a say?", "5a"),
        ("Article III, Section 2", "Article III.Section 2(a)"),
        ("what does article iii section 2(a) say?", "Article III.Section 2(a)"),
        ("section 7", "Article III.Section 7"),
        ("section 2(a)", "Article III.Section 2(a)"),
        ("section 4", None),
        ("第六条（一）2", "第六条（一）.2"),
        ("第六条（一）2张卡", "第六条（一）.2"),
        ("第三条第二款", "第三条"),
        ("第三条第二款第（一）项", "第三条"),
        ("Law 11.1", "Law 11.1"),
        ("what does law 11 say?", "Law 11.1"),
        ("§1-101", "§ 1-101"),
        ("二、3张卡", None),
        ("二、33", None),
        ("deal 200 damage", None),
        ("what does 200 damage do?", None),
        ("200 cards", None),
        ("第九条第二款", None),
    ],
)
def test_a_number_is_cited_as_people_say_it(question: str, number: str | None) -> None:
    assert next(iter(COUNTED.find(question).values()), None) == number


NAMED = CitationIndex(
    [None, "7", None, None, None],
    ["bfm-v2/hand-limit", "bfm-v2/7", "ygo-classic/hand-limit", "ygo-classic/deck-size", "ocg-zh/手牌上限"],
)


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("ygo-classic/hand-limit", ["ygo-classic/hand-limit"]),
        ("YGO-Classic/Hand-Limit", ["ygo-classic/hand-limit"]),
        ("what does ygo-classic/hand-limit say about draws?", ["ygo-classic/hand-limit"]),
        ("compare `bfm-v2/hand-limit` with ygo-classic/hand-limit.", ["bfm-v2/hand-limit", "ygo-classic/hand-limit"]),
        ("请看ygo-classic/hand-limit的规定", ["ygo-classic/hand-limit"]),
        ("请看ocg-zh/手牌上限。", ["ocg-zh/手牌上限"]),
        ("请看ocg-zh/手牌上限的规定", ["ocg-zh/手牌上限"]),
        ("deck-size", ["ygo-classic/deck-size"]),
        ("“deck-size”?", ["ygo-classic/deck-size"]),
        ("my deck-size is 40", []),
        ("hand-limit", []),
        ("ygo-classic/hand-limits", []),
        ("ygo-classic/hand-limit-2", []),
        ("old-ygo-classic/hand-limit", []),
        ("ygo-classic/", []),
        ("and/or", []),
        ("bfm-v2/7", ["bfm-v2/7"]),
        ("bfm-v2/7 and rule 7", ["bfm-v2/7"]),
        ("bfm-v2/hand-limit and rule 7", ["bfm-v2/hand-limit", "7"]),
        ("rule 7 and bfm-v2/hand-limit", ["bfm-v2/hand-limit", "7"]),
        ("rule 7", ["7"]),
        ("手牌上限", []),
    ],
)
def test_a_rule_is_cited_by_its_id(question: str, ids: list[str]) -> None:
    assert list(NAMED.find(question).values()) == ids


def test_the_end_of_an_id_is_enough_where_one_ruleset_is_asked() -> None:
    assert NAMED.find("hand-limit", lambda place: place > 1) == {2: "ygo-classic/hand-limit"}
    assert NAMED.find("bfm-v2/hand-limit", lambda place: place > 1) == {}


@pytest.mark.parametrize(
    "text", ["1." * 5000, "(a)" * 3000, "第" * 10_000, "第一章" * 3000, "rule " * 2000, "A.a" * 3000]
)
def test_the_longest_question_is_read_at_once(text: str) -> None:
    began = time.perf_counter()
    INDEX.find(text[:10_000])
    assert time.perf_counter() - began < 0.5
