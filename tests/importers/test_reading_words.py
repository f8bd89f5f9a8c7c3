"""
Names, numbers and words: slugs, titles, keys, outline markers, slips of spelling.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.importers import cues, numbering, spelling
from lorebook.importers.document import spans
from lorebook.importers.flat_chinese import defined_term
from lorebook.importers.keys import propose
from lorebook.importers.naming import Slugs, slug, title_from
from lorebook.importers.numbering import Marker, Style
from lorebook.records import SLUG


@given(st.text())
def test_any_title_gives_a_lawful_slug(title: str) -> None:
    made = slug(title)
    assert re.fullmatch(SLUG, made)
    assert made == made.lower()
    assert len(made) <= 60
    assert len(made.encode()) <= 200


@given(st.lists(st.sampled_from(["a", "a-2", "a 2", "A", "b"])))
def test_slugs_never_repeat(titles: list[str]) -> None:
    slugs = Slugs()
    made = [slugs.take(title) for title in titles]
    assert len(set(made)) == len(made)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Normal Summon", "normal-summon"),
        ("Opponent's ATK > 0", "opponents-atk-over-0"),
        ("攻击力·守备力", "攻击力-守备力"),
        ("ＡＴＫ　①", "atk-1"),
        ("…", "rule"),
        ("a_b", "a-b"),
    ],
)
def test_slug(title: str, expected: str) -> None:
    assert slug(title) == expected


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Draw a card. Then play.", "Draw a card"),
        (
            "A very long sentence that goes on and on until nobody reads it any more.",
            "A very long sentence that goes on and on until nobody reads…",
        ),
        ("通常召唤1回合只能进行1次。例外。", "通常召唤1回合只能进行1次"),
        ("作为例外，“月之书”可以发动。", "作为例外，“月之书”可以发动"),
        ("“解放1只怪兽。”等，需要确认。", "“解放1只怪兽。”等"),
        ("渔场里的鱼牌不足三张时，盖上休渔标记。", "渔场里的鱼牌不足三张时，盖上休渔标记"),
        ("渔船从渔场（近海、外海、红树林）回到港口的场合，卖鱼。", "渔船从渔场回到港口的场合，卖鱼"),
        (
            "渔船在珊瑚礁里撒网时如果遇到港务局派出来检查渔获的那一艘巡逻艇就要回港。",
            "渔船在珊瑚礁里撒网时如果遇到港务局派出来检查渔获的那一艘…",
        ),
        (
            "渔船中，有写着“快船”“拖船”“巡逻艇”“捕鲸船”“三桅帆船”能力的渔船。",
            "渔船中，有写着“快船”“拖船”“巡逻艇”“捕鲸船”…",
        ),
        (
            "60 cards are in a deck which each player must bring to the table.",
            "60 cards are in a deck which each player must bring to the…",
        ),
        ("60张卡组成一副牌。其他。", "60张卡组成一副牌"),
        ("○手牌上限是六张。", "○手牌上限是六张"),
        ("1" * 50, "1" * 50),
        ("1" * 31 + "张卡。", "1" * 30 + "…"),
        ("?! Draw a card.", "Draw a card"),
        ("-" * 80 + "手牌。", "手牌"),
    ],
)
def test_title_from_text(text: str, title: str) -> None:
    assert title_from(text) == title


@given(st.text("手牌的“”（）()，。：-… \n?!.1aé〇①", max_size=80) | st.text(max_size=80))
def test_a_title_has_a_letter_or_a_digit_where_its_text_has_one(text: str) -> None:
    assert any(map(str.isalnum, title_from(text))) == any(map(str.isalnum, text))


@pytest.mark.parametrize(
    ("title", "text", "keys"),
    [
        (
            "Piercing",
            "The Battle Damage goes to the Turn Player. If Battle Damage is 0 …",
            ("Piercing", "Battle Damage", "Turn Player"),
        ),
        ("盖放", "“神圣光辉”的“效果”适用时", ("盖放", "神圣光辉")),
        ("", "nothing here is a term", ()),
    ],
)
def test_keys_are_few_and_sure(title: str, text: str, keys: tuple[str, ...]) -> None:
    assert propose(title, text) == keys


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("A. Draw Phase", "A"),
        ("I.Set or Summon: x", "I"),
        ("iii. Case", "iii"),
        ("12) Twelfth", "12"),
        ("e.g. this", None),
        ("i.e. that", None),
        ("U.S. cards", None),
        ("A.", None),
        ("Word. Sentence", None),
    ],
)
def test_markers(text: str, marker: str | None) -> None:
    parts = numbering.split(text)
    assert (parts[0] if parts else None) == marker


@pytest.mark.parametrize(
    ("marker", "readings"),
    [
        ("A", {Marker(Style.UPPER, 1)}),
        ("C", {Marker(Style.UPPER, 3), Marker(Style.ROMAN, 100)}),
        ("iv", {Marker(Style.LOWER_ROMAN, 4)}),
        ("i", {Marker(Style.LOWER, 9), Marker(Style.LOWER_ROMAN, 1)}),
        ("7", {Marker(Style.ARABIC, 7)}),
    ],
)
def test_every_reading_of_a_marker(marker: str, readings: set[Marker]) -> None:
    assert set(numbering.readings(marker)) == readings


@given(st.lists(st.integers(1, 300), max_size=30))
def test_spans_hold_exactly_their_lines(numbers: list[int]) -> None:
    assert [n for span in spans(numbers) for n in span.numbers()] == sorted(set(numbers))


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("这个行为称为通常召唤。", "通常召唤"),
        ("表侧表示通常召唤称作“召唤”。", "召唤"),
        ("种族的右侧记载了“仪式”的怪兽为仪式怪兽。", "仪式怪兽"),
        ("“把衍生物特殊召唤。”的效果产生的怪兽为衍生物。也有例外。", "衍生物"),
        ("不会加入额外卡组而是送去墓地。", None),
        ("解放对应等级的数量为止的怪兽。", None),
        ("不能成为效果的对象。", None),
    ],
)
def test_defined_terms(text: str, term: str | None) -> None:
    assert defined_term(text) == term


@pytest.mark.parametrize(
    ("texts", "meant"),
    [
        (["the opponnent draws"], {"opponnent": "opponent"}),
        (["Tatics cards and tatics, a tatic"], {"tatics": "tactics", "tatic": "tactic"}),
        (["draw phase, main phase, draw pase"], {"pase": "phase"}),
        (["Zorbex Zorbex Zorbex Zorbix"], {"zorbix": "zorbex", "zorbex": "zorbix"}),
        (["Flipping, flipped, recovers and negates wasn't wrong"], {}),
        (["Angel Fiend Dragon, the field, the field"], {}),
    ],
)
def test_slips_of_spelling(texts: list[str], meant: dict[str, str]) -> None:
    assert spelling.find(texts).meant == meant


def test_a_common_word_is_a_key_only_with_its_neighbour() -> None:
    spellings = spelling.find(["play anothr card, another card, tatics"])
    assert spellings.keys_for("Play anothr card with Tatics") == ("play another", "tactics")
    assert spellings.correct("Anothr Tatics") == "Another Tactics"


def test_places_named_in_one_breath() -> None:
    text = "your front zones (two rows) your lost pile your deck (three (3) cards) the side reserve"
    named = cues.places(text)
    assert [name for name, _ in named] == ["front zones", "lost pile", "deck", "side reserve"]
    assert " ".join(words for _, words in named) == text
