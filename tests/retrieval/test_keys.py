"""
The key leg.
"""

from __future__ import annotations

import pytest

from lorebook.retrieval.keys import KeyIndex

KEYS = KeyIndex.build([(0, ["Tribute Summon", "Tribute"]), (1, ["Summon", "召唤"]), (2, ["通常召唤", "Set"])])


@pytest.mark.parametrize(
    ("query", "rules"),
    [
        ("How do Tribute Summons work?", {0}),
        ("tribute, then summon", {0, 1}),
        ("summoning", {1}),
        ("通常召唤几次", {2}),
        ("召唤", {1}),
        ("sunset", set()),
        ("", set()),
    ],
)
def test_longest_keys_in_a_query(query: str, rules: set[int]) -> None:
    assert set(KEYS.find(query)) == rules


def test_a_hit_says_how_much_of_the_query_the_key_is() -> None:
    assert [hit.share for hit in KEYS.find("set")[2]] == [1.0]
    assert [hit.share for hit in KEYS.find("set a card down")[2]] == [0.25]
