"""
Documents whose rules are numbered: every number, in every way in which it can be written, leads to its rule.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook.importers import import_document
from lorebook.records import Rule
from lorebook.retrieval.citations import CitationIndex
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.ruleset import Ruleset
from tests.importers.test_numbered import TEXT
from tests.retrieval.worlds import HashedWords

RULES = Path(__file__).parents[2] / "rules"
HAN = "零一二三四五六七八九"
ROMAN = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]

# How the levels of a document are numbered: `han` and `roman` are the value's numeral, `path` all values down to it.
LAYOUTS = {
    "numerals": ["{han}、{text}", "（{han}）{text}", "{value}. {text}"],
    "numerals, half width": ["{han}、{text}", "({han}){text}", "({value}){text}"],
    "chapters": ["第{han}章 {title}", "（{han}）{text}", "{value}. {text}"],
    "articles": ["第{han}条 {text}", "（{han}）{text}", "{value}. {text}"],
    "articles and clauses": ["第{value}條 {text}", "第{value}款 {text}", "第{value}項 {text}"],
    "articles in chapters": ["第{han}章 {title}", "第{han}条 {text}", "（{han}）{text}"],
    "decimals": [
        "{path}. Rule {name} holds for all.",
        "{path}. Rule {name} holds for all.",
        "{path} Rule {name} holds.",
    ],
    "letters": [
        "7{value:02}. Rule {name} holds.",
        "7{path02} Rule {name} holds.",
        "7{path02}{letter} Rule {name} holds.",
    ],
    "decimals and letters": [
        "{value}. Rule {name} holds for all.",
        "{path}. Rule {name} holds.",
        "{outer}.{letter}. So {name}.",
    ],
    "hashes": ["#{value} Rule {name} holds for all.", "({letter}) Rule {name} holds."],
    "hyphens": ["{path}. Rule {name} holds.", "{hyphened}. Rule {name} holds.", "{hyphened}. Rule {name} holds."],
    "sections": ["§ {path} Rule {name} holds.", "§ {path} Rule {name} holds.", "({letter}) Rule {name} holds."],
    "articles in English": ["Article {roman}. Rule {name} holds.", "({letter}) Rule {name} holds."],
}


def numeral(value: int) -> str:
    tens, ones = divmod(value, 10)
    return f"{HAN[tens] if tens > 1 else ''}{'十' if tens else ''}{HAN[ones] if ones or not tens else ''}"


def lines(layout: list[str], sizes: list[int], path: tuple[int, ...] = ()) -> Iterator[str]:
    """
    Lines of a document of *layout* that has *sizes* rules on its levels.
    """
    if len(path) == min(len(layout), len(sizes)):
        return
    for value in range(1, sizes[len(path)] + 1):
        here = (*path, value)
        yield layout[len(path)].format(
            value=value,
            han=numeral(value),
            roman=ROMAN[value],
            letter="abcdefghjklm"[value - 1],
            path=".".join(map(str, here)),
            path02=f"{here[0]:02}." + str(here[min(1, len(here) - 1)]),
            outer=".".join(map(str, path)),
            hyphened="-".join(map(str, here)),
            name=" of ".join(map(str, here)),
            title=f"{'甲乙丙丁戊己庚辛壬癸子丑'[value - 1]}部内容",
            text=f"本则之{'、'.join(map(numeral, here))}对所有牌手有效。",
        )
        yield ""
        yield from lines(layout, sizes, here)


def spellings(number: str) -> Iterator[str]:
    """
    Ways to ask for *number*.
    """
    nested = len(re.findall(r"[^\W_]+", number)) > 1 or "第" in number
    result = re.fullmatch(r"\d+-\d+", number) is not None
    full = number.translate(str.maketrans("().0123456789", "（）.０１２３４５６７８９"))
    half = number.translate(str.maketrans("（）", "()"))
    for spelt in dict.fromkeys(
        (number, full, half, half.upper(), number.replace("-", "–"), in_digits(half), number.replace("条", "條"))
    ):
        if nested or not spelt.replace(".", "").isalnum():
            yield spelt
        if nested and not result:
            yield f"{spelt}怎么说"
            yield f"what does {spelt} say?"
        if spelt[0].isdecimal() or spelt[0] in f"{HAN}十":
            yield f"规则{spelt}"
        if spelt[0].isdecimal():
            yield f"Rule {spelt}."
            yield f"CR {spelt}"


def in_digits(number: str) -> str:
    numerals = {numeral(value): str(value) for value in range(1, 13)}
    return re.sub("[十一二三四五六七八九]+", lambda match: numerals[match[0]], number)


def index_of(rules: tuple[Rule, ...]) -> CitationIndex:
    return CitationIndex(
        [rule.number for rule in rules], [rule.id for rule in rules], [rule.wording().section for rule in rules]
    )


def read(text: str) -> Ruleset:
    return import_document(text.encode(), file_name="a.txt", ruleset="a", kind="numbered").ruleset


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
@settings(max_examples=6)
@given(sizes=st.permutations([2, 2, 3]) | st.permutations([2, 12]))
def test_every_spelling_of_every_number_leads_to_its_rule_first(layout: list[str], sizes: list[int]) -> None:
    rules = read("\n".join(lines(layout, sizes))).rules
    index = index_of(rules)
    assert len(rules) >= sizes[-1]
    for place, rule in enumerate(rules):
        assert rule.number
        for question in spellings(rule.number):
            assert next(iter(index.find(question)), None) == place, question
        assert next(iter(index.find(rule.id))) == place


TEA_HOUSE = """\
一、准备

（一）用具

1. 每人拿五张牌和十枚铜钱。
2. 牌不够的时候，见一、（二）2。
3. 铜钱一共有一百枚。

（二）开局

1. 年纪最小的玩家先走。
2. 不够的牌从弃牌里补上。
3. 铜钱怎么分，见（一）3。
4. 依第一条第（一）项第2款办理。
"""


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("一（二）第2条", "一（二）.2"),
        ("一（一）第3项怎么说", "一（一）.3"),
        ("一、（二）3", "一（二）.3"),
        ("第一条第（二）项第1款", "一（二）.1"),
        ("一(二)4", "一（二）.4"),
    ],
)
def test_the_last_part_may_stand_behind_one_in_brackets(question: str, number: str) -> None:
    rules = read(TEA_HOUSE).rules
    first = next(iter(index_of(rules).find(question)))
    assert rules[first].number == number


def test_references_may_have_a_last_part_behind_one_in_brackets() -> None:
    ruleset = read(TEA_HOUSE)
    numbers = {rule.id: rule.number for rule in ruleset.rules}
    links = {rule.number: [numbers[other] for other in rule.see_also] for rule in ruleset.rules if rule.see_also}
    assert links == {"一（一）.2": ["一（二）.2"], "一（二）.3": ["一（一）.3"], "一（二）.4": ["一（一）.2"]}


def test_each_of_five_thousand_numbers_leads_to_its_rule() -> None:
    rules = import_document(TEXT.encode(), file_name="rules.txt", ruleset="herring").ruleset.rules
    index = index_of(rules)
    asked = [(place, rule.number) for place, rule in enumerate(rules) if rule.number]
    assert len(asked) > 5000
    ways = itertools.cycle(["{}", "rule {}.", "CR {}", "规则{}说什么", "why {}?"])
    for way, (place, number) in zip(ways, asked, strict=False):
        assert next(iter(index.find(way.format(number)))) == place
        assert next(iter(index.find(number.upper()))) == place


EVERY_NUMBER = CitationIndex(
    [*map(str, range(1, 4001)), *(f"{first}.{second}" for first in range(20) for second in range(1, 100))]
)
AMOUNTS = [
    "may I draw {n} cards?",
    "my LP is {n}",
    "LP {n}",
    "ATK {n}",
    "{d} times",
    "half of {n} is {d} points",
    "x{d}",
    "×{d}",
    "a {n}-{n} score",
    "turn {n}, level {n}",
    "{n}. Can I summon {n}?",
    "Number {n}: Utopia",
    "No. {n} fights",
    "{n} of them",
    "deals {d} damage",
    "multiplied by {d}",
    "costs {d} mana",
    "{n} + {n}",
    "($ {d})",
    "at least {d} copies",
    "item {n} on it",
    "抽{n}张卡",
    "攻击力是{n}",
    "生命值{n}",
    "第{n}回合",
    "{n}星怪兽",
    "{d}倍",
    "乘以{d}",
    "{n}只怪兽，{n}个指示物",
    "{d}秒内",
    "一条龙",
    "两条连锁",
    "选择三项效果",
    "有一章没有写",
    "十条命",
    "第{n}张卡",
    "第{n}项效果",
    "规则{n}张卡",
    "规则一样",
    "规则十分难",
]


@given(st.sampled_from(AMOUNTS), st.integers(1, 4000), st.integers(1, 19), st.integers(1, 99))
def test_an_amount_cites_nothing(amount: str, number: int, whole: int, fraction: int) -> None:
    assert EVERY_NUMBER.find(amount.format(n=number, d=f"{whole}.{fraction}")) == {}


SHIPPED = [rule for folder in sorted(RULES.glob("*/ruleset.toml")) for rule in Ruleset.load(folder.parent).rules]


def test_what_players_ask_of_the_shipped_rules_cites_none_by_accident() -> None:
    index = CitationIndex([*(rule.number for rule in SHIPPED), *map(str, range(1, 100))])
    asked = [text for rule in SHIPPED for wording in rule.wordings.values() for text in (*wording.asked, *wording.keys)]
    assert len(asked) > 1000
    assert {question: cited for question in asked if (cited := index.find(question))} == {}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("index")
    opened = Index(
        Places(folder / "recipe.toml", folder / "glossary.yaml", folder / "store", (folder / "kept",)),
        embedder=lambda _: HashedWords(),
    )
    opened.build([read("\n".join(lines(LAYOUTS["articles"], [4, 3])))])
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("question", "rules"),
    [
        ("第四条（二）", ["a/第四条-二"]),
        ("第4條第2款", ["a/第四条-二"]),
        ("第四条", ["a/第四条"]),
        ("第四条（二）和第二条（一）", ["a/第四条-二", "a/第二条-一"]),
        ("a/第三条-一", ["a/第三条-一"]),
        ("第三条-一", ["a/第三条-一"]),
    ],
)
def test_what_is_cited_is_answered_first(index: Index, question: str, rules: list[str]) -> None:
    hits = index.search(question)[: len(rules)]
    assert [(hit.rule, hit.score) for hit in hits] == [(rule, 1.0) for rule in rules]


def test_the_evidence_says_what_was_cited(index: Index) -> None:
    assert index.search("第4條第2款")[0].why()[0] == "number 第四条（二）"
    assert index.search("第三条-一")[0].why()[0] == "id a/第三条-一"
