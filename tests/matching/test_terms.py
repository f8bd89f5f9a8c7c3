"""Of terms in scripts without spaces, the longest counts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.matching.chat import Message
from lorebook.matching.engine import CompiledBook
from lorebook.matching.settings import MatchSettings
from lorebook.matching.terms import Standing, is_term
from lorebook.records import EntrySettings, Role

SPANS = st.sets(st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda pair: (pair[0], pair[0] + pair[1])))


def fired(text: str, *keys: str, terms: tuple[str, ...] = (), exact: tuple[str, ...] = ()) -> list[str]:
    """The keys whose entries fire; case matters to those among *exact*."""
    settings = [EntrySettings(case_sensitive=key in exact) for key in keys]
    entries = tuple(
        Entry(uid=uid, keys=(key,), content=key, settings=own)
        for uid, (key, own) in enumerate(zip(keys, settings, strict=True))
    )
    compiled = CompiledBook(Book(name="test", entries=entries), MatchSettings(scan_depth=1), terms=terms)
    return [entry.content for entry in compiled.match((Message(role=Role.USER, content=text),)).entries]


def hidden_among(spans: set[tuple[int, int]]) -> set[tuple[int, int]]:
    standing = Standing(sorted(spans, key=lambda span: span[1]))
    return {span for span in spans if standing.hides(*span)}


def overlap(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def length(span: tuple[int, int]) -> int:
    return span[1] - span[0]


@given(SPANS)
def test_what_is_hidden_has_a_longer_one_that_stands(spans: set[tuple[int, int]]) -> None:
    hidden = hidden_among(spans)
    standing = spans - hidden
    for span in spans:
        longer = [other for other in standing if length(other) > length(span) and overlap(span, other)]
        assert (span in hidden) == bool(longer)


@given(SPANS)
def test_the_longest_always_stand(spans: set[tuple[int, int]]) -> None:
    hidden = hidden_among(spans)
    assert all(length(span) < max(map(length, spans)) for span in hidden)


@pytest.mark.parametrize(
    ("text", "keys", "terms", "expected"),
    [
        ("我要通常召唤", ("召唤", "通常召唤"), (), ["通常召唤"]),
        ("我要通常召唤", ("召唤",), ("通常召唤",), []),
        ("我要通常召喚", ("召唤",), ("通常召唤",), []),
        ("我要召唤", ("召唤",), ("通常召唤",), ["召唤"]),
        ("这张卡通常召唤", ("卡通",), ("通常召唤",), []),
        ("先通常召唤再召唤", ("召唤",), ("通常召唤",), ["召唤"]),
        ("Normal Summon", ("Summon",), ("Normal Summon",), ["Summon"]),
        ("额外卡组", ("额外卡", "卡组"), (), ["额外卡"]),
        ("额外卡组", ("额外", "卡组"), ("外卡",), ["额外", "卡组"]),
    ],
)
def test_terms_of_a_glossary_hide_keys_too(
    text: str, keys: tuple[str, ...], terms: tuple[str, ...], expected: list[str]
) -> None:
    assert fired(text, *keys, terms=terms) == expected


def test_keys_that_mind_case_hide_those_that_do_not_and_the_other_way_round() -> None:
    assert fired("用GY召唤", "召唤", "GY召唤", exact=("GY召唤",)) == ["GY召唤"]
    assert fired("用通常召唤", "召唤", "通常召唤", exact=("召唤",)) == ["通常召唤"]


def test_parts_count_where_whole_words_are_not_asked_for() -> None:
    parts = Entry(uid=0, keys=("召唤",), settings=EntrySettings(match_whole_words=False))
    whole = Entry(uid=1, keys=("通常召唤",))
    chat = (Message(role=Role.USER, content="通常召唤"),)
    result = CompiledBook(Book(name="test", entries=(parts, whole))).match(chat)
    assert {entry.uid for entry in result.entries} == {0, 1}


def test_a_key_of_letters_is_no_term() -> None:
    assert not is_term("Normal Summon")
    assert not is_term("été")
    assert is_term("送去GY")


@pytest.mark.slow
def test_many_terms_in_a_long_text_take_little_time() -> None:
    characters = [chr(0x4E00 + number) for number in range(60)]
    keys = [a + b for a in characters for b in characters] + [
        a + b + c for a in characters[:20] for b in characters for c in characters[:5]
    ]
    entries = tuple(Entry(uid=uid, keys=(key,)) for uid, key in enumerate(keys))
    text = "".join(characters[(7 * number * number + number // 3) % 60] for number in range(33_000))
    compiled = CompiledBook(Book(name="test", entries=entries, token_budget=100), MatchSettings(scan_depth=1))
    start = time.process_time()
    compiled.books.table.find([text])
    assert time.process_time() - start < 1
