"""
A query read with the glossary.
"""

from __future__ import annotations

import pytest

from lorebook.retrieval.glossary import Concept, Glossary
from lorebook.retrieval.question import Question, sentences

GLOSSARY = Glossary(
    [
        Concept(id="main-phase", en=("Main Phase",), zh=("主要阶段",), exact=("MP",)),
        Concept(id="mana", en=("mana points",), zh=("法力点",), exact=("MP",)),
        Concept(id="graveyard", en=("Graveyard", "discard pile"), zh=("墓地",), abbreviations=("GY",)),
    ],
    ambiguous=["MP"],
)


def read(text: str, *languages: str) -> Question:
    return Question.read(text, GLOSSARY, languages or ("en", "zh"))


def test_other_words_for_its_concepts_are_synonyms_in_all_languages() -> None:
    question = read("from the GY")
    assert question.words == {"gy": 1}
    assert set(question.synonyms) == {"graveyard", "discard", "pil", "墓地"}


def test_an_ambiguous_word_shares_its_weight() -> None:
    assert read("MP").concepts == {"main-phase": 0.5, "mana": 0.5}


@pytest.mark.parametrize(
    ("text", "language", "terms"),
    [
        ("cards in the graveyard", "en", {"zh": "墓地"}),
        ("墓地的卡", "zh", {"en": "Graveyard"}),
        ("the weather", "en", {}),
    ],
)
def test_terms_are_of_the_languages_it_is_not_written_in(text: str, language: str, terms: dict[str, str]) -> None:
    question = read(text)
    assert (question.language, question.terms) == (language, terms)


def test_a_language_that_the_glossary_lacks_has_no_terms() -> None:
    assert read("graveyard", "de", "en").terms == {}


@pytest.mark.parametrize(
    ("text", "share"), [("Graveyard", 1.0), ("GY?", 1.0), ("墓地的卡", 0.5), ("weather", 0.0), ("…", 0.0)]
)
def test_how_far_it_consists_of_terms(text: str, share: float) -> None:
    assert read(text).covered == share


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("May I attack twice?", 0),
        ("He set a card. It was flipped.", 2),
        ("他盖了一张牌。对面翻开了它！", 2),
        ("Mr. Chen waits", 2),
        ("... ?! ...", 0),
        (" ".join(f"Sentence {n}." for n in range(20)), 5),
    ],
)
def test_a_scene_is_cut_into_a_few_parts(text: str, parts: int) -> None:
    assert len(sentences(text)) == parts
