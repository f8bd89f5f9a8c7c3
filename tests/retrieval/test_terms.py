"""
The words that texts and forms are compared by.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.retrieval.terms import Term, Trie, key, tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Face-Down", ("face", "down")),
        ("Spell & Traps", ("spell", "and", "trap")),
        ("opponent's", ("opponent",)),
        ("duelists'", ("duelist",)),
        ("abilities, losses, boxes", ("ability", "loss", "box")),
        ("this class is a plus", ("this", "class", "is", "a", "plus")),
        ("GYs NS", ("gy", "ns")),
        ("P召唤", ("p", "召", "唤")),
        ("1回合1次", ("1", "回", "合", "1", "次")),
        ("…?!", ()),
    ],
)
def test_words_without_plural_and_possessive(text: str, words: tuple[str, ...]) -> None:
    assert key(text) == words


@given(st.text())
def test_words_stand_in_order_within_the_text(text: str) -> None:
    tokens = tokenize(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)
    assert not (tokens and tokens[0].joined)


def covered(text: str, *forms: str) -> list[str]:
    trie = Trie()
    for form in forms:
        trie.add(Term(form, form))
    return [concept for found in trie.cover(tokenize(text), text) for concept in found.concepts]


@pytest.mark.parametrize(
    ("text", "forms", "chosen"),
    [
        ("ABCD", ("ABCD",), ["ABCD"]),
        ("甲乙丙丁", ("甲乙", "丙丁", "甲乙丙丁"), ["甲乙丙丁"]),
        ("甲乙丙丁戊", ("甲乙丙", "甲乙", "丙丁戊"), ["甲乙", "丙丁戊"]),
        ("甲乙丙丁", ("甲乙", "乙丙丁"), ["乙丙丁"]),
        ("甲乙丙", ("甲乙", "乙丙"), ["甲乙"]),
        ("甲乙丙丁", ("甲乙丙", "丁", "甲", "乙丙丁"), ["甲乙丙", "丁"]),
        ("set a spell", ("set", "set a spell", "spell"), ["set a spell"]),
    ],
)
def test_the_most_words_by_the_fewest_forms(text: str, forms: tuple[str, ...], chosen: list[str]) -> None:
    assert covered(text, *forms) == chosen
