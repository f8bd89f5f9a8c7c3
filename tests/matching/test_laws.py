"""What holds of every match: purity, replayed state, one fate an entry; and that nothing gets out of hand."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.matching.activation import Activation, State
from lorebook.matching.chat import Message
from lorebook.matching.engine import CompiledBook, match
from lorebook.matching.presets import Preset
from lorebook.matching.settings import MatchSettings
from lorebook.records import EntrySettings, Role

WORDS = ("dragon", "tower", "moon", "召唤", "通常召唤", "墓地")
words = st.sampled_from(WORDS)
texts = st.lists(words | st.text(max_size=6), max_size=5).map(" ".join)
chats = st.lists(texts, max_size=6)
flags = st.fixed_dictionaries(
    {},
    optional={
        "sticky": st.integers(0, 4),
        "cooldown": st.integers(0, 4),
        "delay": st.integers(0, 3),
        "group": st.sampled_from(["a", "b", "a,b"]),
        "prevent_recursion": st.booleans(),
        "exclude_recursion": st.booleans(),
        "ignore_budget": st.booleans(),
    },
)
settings = st.builds(
    EntrySettings,
    enabled=st.booleans(),
    constant=st.booleans(),
    secondary_keys=st.lists(words, max_size=1).map(tuple),
    insertion_order=st.integers(0, 3),
    probability=st.sampled_from([100.0, 50.0]),
)
fields = st.tuples(st.lists(words, max_size=2).map(tuple), texts, settings, flags)
matching = st.builds(
    MatchSettings, preset=st.sampled_from(Preset), recursive=st.booleans(), scan_depth=st.integers(0, 4)
)


def book_of(entries: Sequence[tuple[tuple[str, ...], str, EntrySettings, dict[str, object]]], **more: object) -> Book:
    made = tuple(
        Entry(uid=uid, name=f"entry {uid}", keys=keys, content=content, settings=chosen, extensions=extensions)
        for uid, (keys, content, chosen, extensions) in enumerate(entries)
    )
    return Book.model_validate({"name": "test", "entries": made, **more})


books = st.lists(fields, max_size=6).map(book_of)
PlainFields: TypeAlias = tuple[tuple[str, ...], str, EntrySettings, dict[str, object]]


def said(contents: Sequence[str]) -> list[Message]:
    return [Message(role=Role.USER, content=content) for content in contents]


def turns(book: Book, chat: Sequence[str], chosen: MatchSettings, *, stored: bool) -> list[Activation]:
    """Match after every message, the state handed on in memory or, if *stored*, through its JSON."""
    found, state = list[Activation](), State()
    for end in range(1, len(chat) + 1):
        found.append(match(said(chat[:end]), book, settings=chosen, state=state))
        state = found[-1].state
        if stored:
            state = State.model_validate_json(state.model_dump_json())
    return found


@given(books, chats, matching)
def test_the_same_input_gives_the_same_output(book: Book, chat: list[str], chosen: MatchSettings) -> None:
    compiled = CompiledBook(book, chosen)
    first = compiled.match(said(chat))
    assert compiled.match(said(chat)) == first == match(said(chat), book, settings=chosen)


@given(books, chats, matching)
def test_state_carried_over_turns_is_state_replayed(book: Book, chat: list[str], chosen: MatchSettings) -> None:
    assert turns(book, chat, chosen, stored=True) == turns(book, chat, chosen, stored=False)


@given(books, chats, matching)
def test_every_entry_has_exactly_one_verdict(book: Book, chat: list[str], chosen: MatchSettings) -> None:
    result = match(said(chat), book, settings=chosen)
    fates = [item.uid for item in result.entries] + [item.uid for item in result.held_back]
    assert sorted(fates) == [entry.uid for entry in book.entries]
    assert all(item.reasons for item in result.entries)


@given(books, chats, matching, st.integers(0, 60))
def test_the_budget_is_never_exceeded_but_by_what_ignores_it(
    book: Book, chat: list[str], chosen: MatchSettings, budget: int
) -> None:
    exempt = {entry.uid for entry in book.entries if entry.extensions.get("ignore_budget")}
    result = match(said(chat), book.model_copy(update={"token_budget": budget}), settings=chosen)
    assert sum(item.tokens for item in result.entries if item.uid not in exempt) <= budget


@given(books, chats, matching, st.integers(0, 60))
def test_what_kept_an_entry_out_does_not_contradict_what_spoke_for_it(
    book: Book, chat: list[str], chosen: MatchSettings, budget: int
) -> None:
    result = match(said(chat), book.model_copy(update={"token_budget": budget}), settings=chosen)
    for item in result.held_back:
        spoke = {reason.kind for reason in item.reasons}
        assert item.obstacle.kind != "no_key" or not spoke & {"constant", "key", "sticky"}
        assert item.obstacle.kind != "budget" or (spoke and min(item.obstacle.tokens, item.obstacle.left) >= 0)


@given(books, chats)
def test_who_loses_in_an_inclusion_group_loses_to_another(book: Book, chat: list[str]) -> None:
    result = match(said(chat), book, settings=MatchSettings())
    for item in result.held_back:
        assert item.obstacle.kind != "group" or item.obstacle.winner not in {None, str(item.uid)}


@given(books, fields, chats, matching)
def test_a_disabled_entry_changes_nothing(
    book: Book,
    more: tuple[tuple[str, ...], str, EntrySettings, dict[str, object]],
    chat: list[str],
    chosen: MatchSettings,
) -> None:
    _, content, own, extensions = more
    # Of Chinese terms the longest counts, and a disabled entry's keys are terms too: it has none here.
    disabled = Entry(uid=99, content=content, settings=own.model_copy(update={"enabled": False}), extensions=extensions)
    with_it = match(said(chat), book.model_copy(update={"entries": (*book.entries, disabled)}), settings=chosen)
    without = match(said(chat), book, settings=chosen)
    assert with_it.entries == without.entries
    assert [item for item in with_it.held_back if item.uid != 99] == list(without.held_back)


def test_a_regex_that_explodes_is_stopped_and_named_and_the_others_fire() -> None:
    keys = ("/^(a+)+$/", "/(a|aa)+b$/", "/^(a|a?)+$/")
    entries: list[PlainFields] = [((key,), "x", EntrySettings(), {}) for key in keys for _ in range(20)]
    book = book_of([*entries, (("dragon",), "A rule.", EntrySettings(), {})])
    began = time.monotonic()
    result = match(said(["a" * 60 + "! dragon"]), book)
    assert time.monotonic() - began < 30
    assert [item.uid for item in result.entries] == [len(entries)]
    kinds = {item.obstacle.kind for item in result.held_back}
    assert "key_stopped" in kinds
    assert kinds <= {"key_stopped", "no_key"}


def test_recursion_that_feeds_itself_ends() -> None:
    book = book_of(
        [(("dragon",), "tower", EntrySettings(), {}), (("tower",), "dragon moon", EntrySettings(), {}),
         (("moon",), "dragon tower moon", EntrySettings(), {})],
        recursive_scanning=True,
    )  # fmt: skip
    assert sorted(item.uid for item in match(said(["a dragon"]), book).entries) == [0, 1, 2]


def test_a_key_of_a_million_characters_harms_nobody() -> None:
    book = book_of([(("k" * 1_000_000,), "x", EntrySettings(), {}), (("dragon",), "A rule.", EntrySettings(), {})])
    result = match(said(["dragon"]), book)
    assert [item.uid for item in result.entries] == [1]
    assert result.held_back[0].obstacle.kind == "no_key"


@pytest.mark.slow
def test_a_hundred_thousand_entries_and_ten_megabytes_of_chat() -> None:
    entries: list[PlainFields] = [((f"word{uid}",), "A rule.", EntrySettings(), {}) for uid in range(100_000)]
    message = "nothing here " * 80_000 + "word77777"
    result = match(said([message] * 10), book_of(entries), settings=MatchSettings(scan_depth=10))
    assert [item.uid for item in result.entries] == [77777]
    assert len(result.held_back) == 99_999
