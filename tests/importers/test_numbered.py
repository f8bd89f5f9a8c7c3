"""
Numbered rulebooks: every number is kept, and leads to its rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.importers import detect, import_document
from lorebook.importers.naming import number_slug
from lorebook.records import Rule, is_rule_id

_CHAPTERS, _SECTIONS, _RULES = 7, 9, 8
_LETTERS = "abcdefghjk"
_THINGS = "net boat storm harbour sail crew market tide anchor rope".split()


def rulebook() -> Iterator[str]:
    """
    Lines of a rulebook shaped like the official ones of large card games: contents, three levels of numbers, examples.
    """
    yield "Comprehensive Rules of Herring Wars"
    yield ""
    yield "Contents"
    yield ""
    for chapter in range(1, _CHAPTERS + 1):
        yield f"{chapter}. {_THINGS[chapter].title()}s"
        yield from (f"{chapter}{section:02}. {name(chapter, section)}" for section in range(_SECTIONS))
        yield ""
    yield "Glossary"
    yield ""
    for chapter in range(1, _CHAPTERS + 1):
        yield from (f"{chapter}. {_THINGS[chapter].title()}s", "")
        for section in range(_SECTIONS):
            yield from (f"{chapter}{section:02}. {name(chapter, section)}", "")
            for rule in range(1, _RULES + 1):
                yield from ruling(f"{chapter}{section:02}.{rule}", chapter, rule)
    yield from ("Glossary", "", "Herring", "A fish that everyone wants. See rule 100.1a.")


def name(chapter: int, section: int) -> str:
    return f"The {_THINGS[chapter].title()} and the {_THINGS[section].title()}"


def ruling(number: str, chapter: int, rule: int) -> Iterator[str]:
    if rule % 2:
        yield from (f"{number}. {_THINGS[rule].title()} Duty {number.replace('.', ' of ')}", "")
    else:
        yield from (f"{number}. Whoever holds a {_THINGS[chapter]} may trade it for a {_THINGS[rule]}.", "")
    for letter in _LETTERS:
        thing = _THINGS[rule]
        yield f"{number}{letter} A {thing} of the kind {letter} in case {number} counts once. See rule {number}a."
        if letter == "c":
            yield f"Example: Ann holds a {_THINGS[rule]} and Bob holds none."
        yield ""


TEXT = "\n".join(rulebook())
NUMBERS = re.findall(r"^(\d{3}\.\d+[a-z]?)", TEXT, re.MULTILINE)


@pytest.fixture(scope="module")
def rules() -> tuple[Rule, ...]:
    assert detect(TEXT).kind == "numbered"
    return import_document(TEXT.encode(), file_name="rules.txt", ruleset="herring").ruleset.rules


def test_five_thousand_rules_keep_their_numbers(rules: tuple[Rule, ...]) -> None:
    assert len(NUMBERS) > 5000
    titles = [
        title for rule in rules for title in (rule.number or "", *(t.split(". ")[0] for t in rule.wording().section))
    ]
    assert set(NUMBERS) <= set(titles)
    stated = [number for number in NUMBERS if not is_heading(number)]
    assert [rule.number for rule in rules if rule.number] == stated


def is_heading(number: str) -> bool:
    return not number[-1].isalpha() and int(number.rpartition(".")[2]) % 2 == 1


def test_their_ids_are_their_numbers(rules: tuple[Rule, ...]) -> None:
    assert len({rule.id for rule in rules}) == len(rules)
    assert all(rule.id == f"herring/{rule.number}" for rule in rules if rule.number)


def test_headings_are_their_sections(rules: tuple[Rule, ...]) -> None:
    rule = next(rule for rule in rules if rule.number == "203.1b")
    assert rule.wording().section == (
        "2. Storms", "203. The Storm and the Harbour", "203.1. Boat Duty 203 of 1",
    )  # fmt: skip


def test_references_lead_to_rules(rules: tuple[Rule, ...]) -> None:
    by_number = {rule.number: rule for rule in rules}
    assert by_number["203.1b"].see_also == ("herring/203.1a",)
    assert by_number["203.1a"].see_also == ()
    assert by_number["203.1c"].wording().examples == ("Ann holds a boat and Bob holds none.",)
    assert next(rule for rule in rules if rule.wording().title == "Herring").see_also == ("herring/100.1a",)


@pytest.mark.parametrize(
    ("line", "number", "slug"),
    [
        ("702.19b Trample.", "702.19b", "702.19b"),
        ("1.1. A rule.", "1.1", "1.1"),
        ("1.1 A rule.", "1.1", "1.1"),
        ("100. A rule.", "100", "100"),
        ("1.A. A rule.", "1.A", "1.a"),
        ("1.A player draws.", "1", "1"),
        ("1-2 规则。", "1-2", "1-2"),
        ("3.2.b) A rule.", "3.2.b", "3.2.b"),
        ("#12 A rule.", "#12", "12"),
        ("#12: A rule.", "#12", "12"),
        ("1-2. A rule.", "1-2", "1-2"),
        ("1-2、规则。", "1-2", "1-2"),
        ("1-2-3 A rule.", "1-2-3", "1-2-3"),
        ("10-2-3-1. A rule.", "10-2-3-1", "10-2-3-1"),
        ("§ 3 A rule.", "§ 3", "3"),
        ("§ 3.2. A rule.", "§ 3.2", "3.2"),
        ("Article 5. A rule.", "Article 5", "article-5"),
        ("Rule 12: A rule.", "Rule 12", "rule-12"),
        ("第三条 规则。", "第三条", "第三条"),
        ("第 3 条：规则。", "第 3 条", "第-3-条"),
        ("一、规则。", "一", "一"),
        ("（二）规则。", "（二）", "二"),
        ("1、规则。", "1", "1"),
        ("十二、规则。", "十二", "十二"),
        ("１２．规则。", "12", "12"),
        ("1.1 规则。\n2）规则。", "1.1（2）", "1.1-2"),
        ("1.1 A rule.\n2) A rule.", "1.1(2)", "1.1-2"),
        ("１．２　规则。", "1.2", "1.2"),
        ("１．2人以上。", "1", "1"),
        ("第１２条 规则。", "第12条", "第12条"),
        ("⒈规则。", "1", "1"),
        ("１．２．３．　规则。", "1.2.3", "1.2.3"),
        ("1.2：规则。", "1.2", "1.2"),
        ("\u200b1.2 A rule.\u200b", "1.2", "1.2"),
        ("Law 11 – A rule.", "Law 11", "law-11"),
        ("§ 1-101. A rule.", "§ 1-101", "1-101"),
        ("(101.2a) A rule.", "101.2a", "101.2a"),
        ("(101) A rule.", "101", "101"),
        ("101.1.a. A rule.", "101.1.a", "101.1.a"),
        ("101.1.a A rule.", "101.1.a", "101.1.a"),
        ("101.1.b.2. A rule.", "101.1.b.2", "101.1.b.2"),
        ("1.5.1.x: A rule.", "1.5.1.x", "1.5.1.x"),
    ],
)
def test_forms_of_numbers(line: str, number: str, slug: str) -> None:
    rule = import_document(line.encode(), file_name="a.txt", ruleset="a", kind="numbered").ruleset.rules[-1]
    assert (rule.number, rule.slug) == (number, slug)


@pytest.mark.parametrize(
    "line",
    [
        "3 cards are drawn.",
        "2.5 cards.5",
        "A. Draw",
        "1999 was a good year.",
        "3-4 张卡可以抽。",
        "#winning is all.",
        "2-1 is a win.",
        "3-4 cards are drawn.",
        "2020-01-05 was a Sunday.",
        "0800-12-34-56 is the number to call.",
        "12:30 is noon.",
        "i.e. this",
        "(100) points are enough.",
        "v1.2 is out",
    ],
)
def test_what_only_looks_like_a_number(line: str) -> None:
    text = f"1.1 First.\n\n{line}\n\n1.2 Second.\n\n1.3 Third."
    rules = import_document(text.encode(), file_name="a.txt", ruleset="a", kind="numbered").ruleset.rules
    assert [rule.number for rule in rules if rule.number != "2.5"] == ["1.1", "1.2", "1.3"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("第一条 每人走\n但不超过六步。\n第二条 走完的人\n赢得游戏。", "numbered"),
        ("１．抽牌\n（１）每回合抽一张。\n２．出牌\n①每回合一张。", "numbered"),
        ("木筏规则\n1、抽牌。\n2、出牌。", "numbered"),
        ("1. Setup\n Each player takes a raft and\n five cards.\n2. Play\n Move the raft.", "numbered"),
        ("一、准备\n1、抽牌。\n1）先手抽四张。\n2）后手抽五张。\n二、回合\n1、出牌。", "numbered"),
        ("第二条 是这样说的。\n第一条 则不然。", "flat-chinese"),
        ("1、抽牌。\n2、出牌。\n1、弃牌。\n2、洗牌。", "flat-chinese"),
        ("第一条 抽牌。\n第二条 出牌。\n" + "每人走一步。\n" * 50, "flat-chinese"),
        ("1、抽牌。\n2、出牌。\n" + "每人走一步。\n" * 5, "flat-chinese"),
    ],
    ids=[
        "wrapped articles", "full-width", "below a title", "headings and text", "hardly a line without",
        "not in order", "a second start", "quoted articles", "a list at the top",
    ],
)  # fmt: skip
def test_a_short_text_is_numbered_where_its_numbers_run_through_it(text: str, kind: str) -> None:
    assert detect(text).kind == kind


@given(st.text(max_size=60))
def test_any_number_makes_a_slug(number: str) -> None:
    assert is_rule_id(f"a/{number_slug(number)}")
