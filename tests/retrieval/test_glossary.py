"""
What the glossary finds in a text, and what it says of its terms.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import InputError, RulesetError
from lorebook.folding import fold
from lorebook.retrieval.glossary import Concept, Glossary, Mention

SMALL = Glossary(
    [
        Concept(
            id="normal-summon", en=("Normal Summon", "Normal Summoning"), zh=("通常召唤", "通召"), abbreviations=("NS",)
        ),
        Concept(id="tribute-summon", en=("Tribute Summon",), zh=("上级召唤",), related=("tribute",)),
        Concept(id="tribute", en=("Tribute", "sacrifice"), zh=("解放", "祭品")),
        Concept(id="summon", en=("Summon",), zh=("召唤",)),
        Concept(id="graveyard", en=("Graveyard", "GY"), zh=("墓地", "坟场")),
        Concept(id="face-down", en=("Face-Down",), zh=("里侧表示", "里侧")),
        Concept(id="hand", en=("Hand",), zh=("手卡", "手牌")),
        Concept(id="hand-limit", en=("Hand Limit",), zh=("手卡上限", "手牌上限")),
        Concept(id="opponent", en=("Opponent",), zh=("对手", "对方")),
        Concept(id="deck", en=("Deck",), zh=("卡组",)),
        Concept(id="toon-monster", en=("Toon",), zh=("卡通",)),
        Concept(id="spell-and-trap", en=("Spell & Trap",), zh=("魔法·陷阱", "S/T区"), abbreviations=("S/T",)),
        Concept(id="extra-deck", en=("Extra Deck",), zh=("额外卡组",), abbreviations=("ED",)),
        Concept(id="once-per-turn", en=("Once Per Turn",), zh=("1回合1次",), exact=("OPT",)),
        Concept(id="main-phase", en=("Main Phase",), zh=("主要阶段",), abbreviations=("MP",)),
        Concept(id="mana-points", en=("Mana Points",), zh=("魔力点",), abbreviations=("MP",)),
        Concept(id="ability", en=("Ability",), zh=("能力",)),
    ],
    ambiguous=("MP",),
)
FORMS = [(concept.id, form) for concept in SMALL.concepts for form in concept.forms]


def found(text: str) -> list[tuple[str, str]]:
    return [(mention.concept, mention.surface) for mention in SMALL.find(text)]


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        # Latin forms: whole words in any case, however they are joined.
        ("NORMAL summon", [("normal-summon", "NORMAL summon")]),
        ("normal-summon", [("normal-summon", "normal-summon")]),
        ("normalsummon", [("normal-summon", "normalsummon")]),
        ("normal\nsummon", [("normal-summon", "normal\nsummon")]),
        (
            "face down, face-down, facedown",
            [("face-down", "face down"), ("face-down", "face-down"), ("face-down", "facedown")],
        ),
        ("handsome prehand", []),
        # Plural and possessive.
        ("two sacrifices", [("tribute", "sacrifices")]),
        ("the opponent’s hands", [("opponent", "opponent’s"), ("hand", "hands")]),
        ("abilities", [("ability", "abilities")]),
        ("GYs", [("graveyard", "GYs")]),
        # And, in three spellings.
        ("spell and trap, Spell & Traps", [("spell-and-trap", "spell and trap"), ("spell-and-trap", "Spell & Traps")]),
        # A full stop, a comma and a blank line end a form.
        ("It is normal. Summon it", [("summon", "Summon")]),
        ("normal\n\nsummon", [("summon", "summon")]),
        # Longest form.
        ("Tribute Summon", [("tribute-summon", "Tribute Summon")]),
        ("hand limit in hand", [("hand-limit", "hand limit"), ("hand", "hand")]),
        # Abbreviations and forms that words also spell.
        ("ED, ed and Ed", [("extra-deck", "ED"), ("extra-deck", "ed")]),
        ("NS a monster", [("normal-summon", "NS")]),
        ("OPT or opt", [("once-per-turn", "OPT")]),
        ("s/t", [("spell-and-trap", "s/t")]),
        # Chinese: anywhere, Traditional or Simplified, the reading that leaves least over.
        ("从墓地通召", [("graveyard", "墓地"), ("normal-summon", "通召")]),
        ("從墳場通召", [("graveyard", "墳場"), ("normal-summon", "通召")]),
        ("這張卡通常召喚的場合", [("normal-summon", "通常召喚")]),
        ("对手卡组", [("opponent", "对手"), ("deck", "卡组")]),
        ("手牌上限是几张", [("hand-limit", "手牌上限")]),
        ("魔法陷阱，魔法/陷阱", [("spell-and-trap", "魔法陷阱"), ("spell-and-trap", "魔法/陷阱")]),
        ("一只怪兽召唤", [("summon", "召唤")]),
        # Both scripts, and full width.
        ("把ＧＹ的卡", [("graveyard", "ＧＹ")]),
        ("每1回合1次", [("once-per-turn", "1回合1次")]),
        ("卡組的ED", [("deck", "卡組"), ("extra-deck", "ED")]),
        ("", []),
    ],
)
def test_forms_found_in_a_text(text: str, mentions: list[tuple[str, str]]) -> None:
    assert found(text) == mentions


def test_an_ambiguous_form_names_all_its_concepts() -> None:
    assert SMALL.find("my MP") == [Mention("main-phase", 3, 5, "MP", ("mana-points",))]
    assert SMALL.concepts_in("my MP") == {"main-phase", "mana-points"}


@given(st.sampled_from(FORMS), st.sampled_from(["{}", "Is {} allowed?", "「{}」", "1. {}: yes", "在{}，", "{}\n\n{}"]))
def test_every_form_finds_its_concept(form: tuple[str, str], sentence: str) -> None:
    concept, surface = form
    mentions = SMALL.find(sentence.format(surface, surface))
    assert mentions
    assert all(concept in mention.concepts and mention.surface == surface for mention in mentions)


pieces = st.sampled_from(
    [form for _, form in FORMS] + [" ", "-", "'s", "s", ", ", "\n", "&", "的", "x", "㍿", "\u200b", "İ"]
)


@given(st.lists(st.one_of(pieces, st.text(max_size=3)), max_size=12).map("".join))
def test_mentions_are_in_order_apart_and_true_to_the_text(text: str) -> None:
    end = 0
    for mention in SMALL.find(text):
        assert end <= mention.start < mention.end
        assert mention.surface == text[mention.start : mention.end]
        end = mention.end


@given(st.lists(pieces, max_size=12).map("".join))
def test_folded_text_names_no_fewer_concepts_where_case_is_free(text: str) -> None:
    free = {concept.id for concept in SMALL.concepts if not concept.exact}
    assert SMALL.concepts_in(text) & free <= SMALL.concepts_in(fold(text))


def test_expansions_are_the_canonical_terms_in_order_of_mention() -> None:
    text = "NS from grave, or the GY? 墓地"
    assert SMALL.expansions(text) == ["Normal Summon", "通常召唤", "Graveyard", "墓地"]
    assert SMALL.expansions(text, "zh") == ["通常召唤", "墓地"]
    assert SMALL.expansions(text, "en") == ["Normal Summon", "Graveyard"]
    assert SMALL.expansions(text, "fr") == []


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("GY", "墳場", True),
        ("graveyards", "坟场", True),
        ("face down", "Face-Down", True),
        ("ns", "通召", True),
        ("Tribute", "Tribute Summon", False),
        ("GY", "hand", False),
        ("not a term", "Not a Term", True),
        ("not a term", "GY", False),
        ("the GY", "GY", False),
        ("", "GY", False),
    ],
)
def test_same_term(a: str, b: str, same: bool) -> None:  # noqa: FBT001 (a table's column)
    assert SMALL.same_term(a, b) is same
    assert SMALL.same_term(b, a) is same


def test_variants_are_all_the_words_for_a_term() -> None:
    assert SMALL.variants("坟场") == ("Graveyard", "GY", "墓地", "坟场")
    assert SMALL.variants("MP") == ("Main Phase", "MP", "主要阶段", "Mana Points", "魔力点")
    assert SMALL.variants("nothing we know") == ()


def test_a_concept_by_its_id() -> None:
    assert SMALL.concept("graveyard").canonical("zh") == "墓地"
    assert SMALL.related("tribute-summon") == ("tribute",)
    with pytest.raises(InputError, match="no concept 'grave'"):
        SMALL.concept("grave")


def test_a_saved_glossary_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "glossary.yaml"
    path.write_bytes(SMALL.dump())
    loaded = Glossary.load(path)
    assert loaded.concepts == SMALL.concepts
    assert loaded.ambiguous == SMALL.ambiguous
    assert loaded.dump() == SMALL.dump()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("concepts: [", "not readable as YAML"),
        ("concepts: []", "concepts"),
        ("concepts: [{id: a, en: [A]}]", r"concepts\.0\.zh"),
        ("concepts: [{id: a, en: [A], zh: [甲], cn: [甲]}]", r"concepts\.0\.cn"),
        ("concepts: [{id: a, en: [A], zh: [甲]}, {id: a, en: [B], zh: [乙]}]", "a stands twice"),
        ("concepts: [{id: a, en: [A], zh: [甲], related: [b]}]", "related to b"),
        ("concepts: [{id: a, en: [Face Down], zh: [甲]}, {id: b, en: [face-downs], zh: [乙]}]", "belongs to a and b"),
        ("concepts: [{id: a, en: [A], zh: [後]}, {id: b, en: [B], zh: [后]}]", "belongs to a and b"),
        ("concepts: [{id: a, en: [A], zh: ['？']}]", "holds no word"),
    ],
)
def test_a_faulty_file_is_named_with_its_fault(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "glossary.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(RulesetError, match=complaint) as caught:
        Glossary.load(path)
    assert "glossary.yaml" in str(caught.value)


def test_a_missing_file_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"glossary\.yaml: cannot be read"):
        Glossary.load(tmp_path / "glossary.yaml")


def test_a_text_of_ten_thousand_words_has_all_its_mentions() -> None:
    text = "Can I Normal Summon face-down from the GY of my opponent? 從墓地通召這張卡通常召唤 " * 1000
    assert len(SMALL.find(text)) == 7000


def test_chinese_terms_are_canonical_or_hold_no_other_form() -> None:
    concepts = (
        Concept(id="summon", en=("Summon",), zh=("召唤", "出怪")),
        Concept(id="normal-summon", en=("Normal Summon",), zh=("通常召唤", "普通召唤", "通召")),
        Concept(id="twice", en=("twice",), zh=("召唤两次", "通召两次", "两回")),
    )
    # 普通召唤 and 通召两次 hold other forms and are not canonical: phrases, as far as one can tell.
    assert Glossary(concepts).chinese_terms == {"召唤", "出怪", "通常召唤", "通召", "召唤两次", "两回"}
