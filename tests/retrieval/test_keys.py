"""
The key leg.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(keys=st.lists(st.text("abc", min_size=1, max_size=4), max_size=6), query=st.text("abc", max_size=20))
def test_a_key_is_found_unless_it_lies_inside_a_longer_one(keys: list[str], query: str) -> None:
    index = KeyIndex.build((number, [" ".join(key)]) for number, key in enumerate(keys))
    spans = {(at, at + len(key)) for key in keys for at in range(len(query)) if query.startswith(key, at)}
    outer = {span for span in spans if not any(o != span and o[0] <= span[0] and span[1] <= o[1] for o in spans)}
    found = {hit.key.replace(" ", "") for hits in index.find(" ".join(query)).values() for hit in hits}
    assert found == {query[start:end] for start, end in outer}


def test_the_time_grows_with_the_text_not_with_its_square() -> None:
    begun = time.perf_counter()
    assert KEYS.find("召唤 " * 5_000).keys() == {1}
    assert time.perf_counter() - begun < 2
