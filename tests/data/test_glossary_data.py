"""
The laws that the shipped glossary keeps.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lorebook.folding import fold
from lorebook.retrieval.glossary import Concept, Glossary
from lorebook.retrieval.terms import key

PATH = Path(__file__).parents[2] / "rules" / "glossary.yaml"
GLOSSARY = Glossary.load(PATH)


def test_the_file_is_canonical() -> None:
    assert PATH.read_bytes() == GLOSSARY.dump()


def test_it_holds_the_terms_of_the_games() -> None:
    assert len(GLOSSARY.concepts) >= 220
    assert sum(len(concept.forms) for concept in GLOSSARY.concepts) >= 2000


def test_every_form_finds_its_concept_alone_and_in_a_sentence() -> None:
    lost = [
        (concept.id, form)
        for concept in GLOSSARY.concepts
        for form in concept.forms
        for text in (form, f"(… {form}; …)", f"“{form}”？")
        if not any(concept.id in mention.concepts and mention.surface == form for mention in GLOSSARY.find(text))
    ]
    assert lost == []


def test_a_concept_says_no_form_twice() -> None:
    twice = [
        (concept.id, words)
        for concept in GLOSSARY.concepts
        for words, count in Counter(map(key, concept.forms)).items()
        if count > 1
    ]
    assert twice == []


def test_every_ambiguous_form_is_one() -> None:
    owners = Counter(words for concept in GLOSSARY.concepts for words in {key(form) for form in concept.forms})
    assert [form for form in GLOSSARY.ambiguous if owners[key(form)] < 2] == []


def test_each_language_has_forms_of_its_own_script() -> None:
    def latin(form: str) -> bool:
        return any("a" <= letter.lower() <= "z" for letter in form)

    def chinese(form: str) -> bool:
        return any("\u4e00" <= letter <= "\u9fff" for letter in form)

    def well_sorted(concept: Concept) -> bool:
        return all(latin(form) and not chinese(form) for form in concept.en) and chinese(concept.zh[0])

    assert [concept.id for concept in GLOSSARY.concepts if not well_sorted(concept)] == []


def test_chinese_forms_are_simplified_and_half_width() -> None:
    assert [form for concept in GLOSSARY.concepts for form in concept.zh if fold(form) != form.lower()] == []


def test_no_concept_is_related_to_itself() -> None:
    assert [concept.id for concept in GLOSSARY.concepts if concept.id in concept.related] == []


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("GY", "墳場"),
        ("sacrifice", "祭品"),
        ("Hand Limit", "手牌上限"),
        ("hand size limit", "手卡限制"),
        ("piercing damage", "贯穿伤害"),
        ("Xyz", "超階"),
        ("Synchro", "同调"),
        ("direct attack", "打脸"),
        ("deck out", "抽干"),
        ("LP", "基本分"),
        ("Replay", "卷回"),
        ("Semi-Limited", "准限制"),
        ("side deck", "備牌"),
        ("first player", "先攻"),
        ("put face-down", "盖卡"),
        ("removed from play", "除外"),
        ("Tatics Card", "战术卡"),
        ("Zerfaust", "Zirfaust怪兽"),
        ("Main Army Deck", "主军卡组"),
        ("Void Zone", "虚空区"),
        ("Spell Speed 2", "咒文速度2"),
        ("Token", "衍生物"),
    ],
)
def test_words_that_players_use_for_one_thing(english: str, chinese: str) -> None:
    assert GLOSSARY.same_term(english, chinese)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Graveyard", "Discard Pile"),
        ("Trap Card", "Tactics Card"),
        ("Extra Deck", "General Deck"),
        ("Defense Position", "Guard Position"),
        ("Life Points", "Health Points"),
        ("Side Deck", "Match Deck"),
        ("Banish Zone", "Void Zone"),
    ],
)
def test_counterparts_of_two_games_are_linked_and_not_one(a: str, b: str) -> None:
    (first,) = GLOSSARY.concepts_in(a)
    (second,) = GLOSSARY.concepts_in(b)
    assert first != second
    assert first in GLOSSARY.related(second) or second in GLOSSARY.related(first)


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("Ed said: opt for the st. nicholas card", {"once-per-turn", "extra-deck", "spell-and-trap"}),
        ("You may not exceed the limit", {"xyz"}),
        ("这张卡通常召唤的场合", {"toon-monster", "field"}),
        ("吸收奇数", {"life-points"}),
    ],
)
def test_ordinary_words_name_none_of_these(text: str, concepts: set[str]) -> None:
    assert not GLOSSARY.concepts_in(text) & concepts
