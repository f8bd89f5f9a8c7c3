"""What a chat does to a book, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.matching.activation import Activation
from lorebook.matching.chat import Message
from lorebook.matching.engine import match
from lorebook.matching.presets import Preset
from lorebook.matching.reasons import VectorHit
from lorebook.matching.request import Character
from lorebook.matching.settings import MatchSettings
from lorebook.records import EntrySettings, Role, SecondaryLogic


def chat(*texts: str) -> tuple[Message, ...]:
    return tuple(Message(role=Role.USER, content=text) for text in texts)


def entry(uid: int, *keys: str, content: str = "A rule.", **settings: Any) -> Entry:
    return Entry(uid=uid, name=f"entry {uid}", keys=keys, content=content, settings=EntrySettings(**settings))


def book(*entries: Entry, **fields: Any) -> Book:
    return Book(name="test", entries=entries, **fields)


def fired(activation: Activation) -> list[int]:
    return [item.uid for item in activation.entries]


def obstacles(activation: Activation) -> Mapping[int, str]:
    return {item.uid: item.obstacle.kind for item in activation.held_back}


def test_every_entry_has_exactly_one_fate() -> None:
    made = book(entry(0, "dragon"), entry(1, constant=True), entry(2, enabled=False), entry(3))
    result = match(chat("a Dragon!"), made)
    assert fired(result) == [0, 1]
    assert obstacles(result) == {2: "disabled", 3: "no_key"}


def test_a_key_hit_says_where_and_how_it_was_spelt() -> None:
    result = match(chat("nothing", "the DRAGON sleeps"), book(entry(0, "dragon")))
    (reason,) = result.entries[0].reasons
    assert reason.model_dump(exclude={"scanned", "fed_by"}) == {
        "kind": "key", "key": "dragon", "message": 1, "start": 4, "end": 10, "text": "DRAGON",
    }  # fmt: skip
    assert str(reason) == "key 'dragon' in message 2 as 'DRAGON'"


def test_only_the_newest_messages_are_scanned() -> None:
    texts = ["dragon", *["x"] * 4]
    assert fired(match(chat(*texts), book(entry(0, "dragon")))) == []
    assert fired(match(chat(*texts), book(entry(0, "dragon"), scan_depth=5))) == [0]
    assert fired(match(chat("dragon"), book(entry(0, "dragon"), scan_depth=0))) == []


@pytest.mark.parametrize(
    ("logic", "text", "fires"),
    [
        (SecondaryLogic.AND_ANY, "fire", True),
        (SecondaryLogic.AND_ANY, "nothing", False),
        (SecondaryLogic.AND_ALL, "fire", False),
        (SecondaryLogic.AND_ALL, "fire and ice", True),
        (SecondaryLogic.NOT_ANY, "nothing", True),
        (SecondaryLogic.NOT_ANY, "ice", False),
        (SecondaryLogic.NOT_ALL, "fire", True),
        (SecondaryLogic.NOT_ALL, "fire and ice", False),
    ],
)
def test_secondary_logic(logic: SecondaryLogic, text: str, fires: bool) -> None:  # noqa: FBT001
    made = book(entry(0, "dragon", secondary_keys=("fire", "ice"), secondary_logic=logic))
    result = match(chat(f"dragon {text}"), made)
    assert bool(fired(result)) is fires
    assert fires or obstacles(result) == {0: "secondary_logic"}


def test_what_does_not_fit_is_skipped_and_smaller_entries_still_come_in() -> None:
    made = book(entry(0, "dragon", content="word " * 50), entry(1, "dragon", content="short"), token_budget=10)
    result = match(chat("dragon"), made)
    assert fired(result) == [1]
    (held,) = result.held_back
    assert held.obstacle.model_dump() == {"kind": "budget", "tokens": 51, "left": 10, "budget": 10}
    assert [reason.kind for reason in held.reasons] == ["key"]


def test_where_the_first_that_does_not_fit_ends_it_all_behind_it_are_told_to_be_over_budget() -> None:
    made = book(*(entry(uid, "dragon", content="word " * 9) for uid in range(4)), token_budget=15)
    result = match(chat("dragon"), made, settings=MatchSettings(preset=Preset.SILLYTAVERN))
    assert fired(result) == [0]
    assert [held.obstacle.model_dump() for held in result.held_back] == [
        {"kind": "budget", "tokens": 10, "left": left, "budget": 15} for left in (5, 0, 0)
    ]


@pytest.mark.parametrize(("sureness", "wins"), [(0.3, 1), (0.95, 0)])
def test_constants_claim_the_budget_first_then_what_is_best_supported(sureness: float, wins: int) -> None:
    made = book(
        entry(0, "nothing", content="one two"),
        entry(1, "dragon", content="one two"),
        entry(2, constant=True, content="one two"),
        token_budget=4,
    )
    result = match(chat("dragon"), made, vector_hits={0: VectorHit(score=sureness)})
    assert fired(result) == [wins, 2]
    assert set(obstacles(result).values()) == {"budget"}


def test_meaning_brings_in_what_keys_missed_up_to_the_limit() -> None:
    made = book(*(entry(uid, f"key{uid}") for uid in range(4)))
    hits = {uid: VectorHit(score=score) for uid, score in enumerate((0.5, 0.9, 0.7, 0.8))}
    result = match(chat("key0"), made, vector_hits=hits, settings=MatchSettings(vector_limit=2))
    assert {item.uid: item.reasons[0].kind for item in result.entries} == {0: "key", 1: "vector", 3: "vector"}
    assert obstacles(result) == {2: "vector_limit"}


def test_what_is_near_but_below_the_floor_stays_out_and_says_so() -> None:
    made = book(*(entry(uid, f"key{uid}") for uid in range(4)))
    hits = {uid: VectorHit(score=score) for uid, score in enumerate((0.1, 0.2, 0.19))}
    result = match(chat("key0"), made, vector_hits=hits, settings=MatchSettings(vector_floor=0.2))
    assert {item.uid: [reason.kind for reason in item.reasons] for item in result.entries} == {
        0: ["key"],
        1: ["vector"],
    }
    assert obstacles(result) == {2: "vector_floor", 3: "no_key"}
    assert str(result.held_back[0].obstacle) == "by meaning its score 0.19 is below 0.20"
    assert result.held_back[0].reasons == ()


@given(st.lists(st.floats(0, 1), max_size=6), st.floats(0, 1), st.integers(0, 6))
def test_of_what_is_found_by_meaning_the_best_above_the_floor_come_in(
    scores: list[float], floor: float, limit: int
) -> None:
    made = book(*(entry(uid, f"key{uid}") for uid in range(len(scores))))
    hits = {uid: VectorHit(score=score) for uid, score in enumerate(scores)}
    settings = MatchSettings(vector_floor=floor, vector_limit=limit)
    inside = [scores[uid] for uid in fired(match(chat("nothing"), made, vector_hits=hits, settings=settings))]
    assert sorted(inside) == sorted(score for score in sorted(scores, reverse=True)[:limit] if score >= floor)


_NAMES, _TAGS = {"names": ["Mira Vell", "Tam"]}, {"tags": ["sea"]}


@pytest.mark.parametrize(
    ("chosen", "character", "says"),
    [
        (_NAMES, Character("Mira Vell"), None),
        (_NAMES, None, "its character filter lets in only Mira Vell, Tam, and no character is named (--character)"),
        (_NAMES, Character("Kai"), "its character filter lets in only Mira Vell, Tam, and this is Kai (--character)"),
        (
            _NAMES,
            Character(None, ("sea",)),
            "its character filter lets in only Mira Vell, Tam, and no character is named (--character)",
        ),
        (
            _NAMES | {"isExclude": True},
            Character("Tam"),
            "its character filter lets in all but Mira Vell, Tam, and this is Tam (--character)",
        ),
        (_NAMES | {"isExclude": True}, None, None),
        (_TAGS, None, None),
        (_TAGS, Character("Kai", ("sky", "sea")), None),
        (_TAGS, Character("Kai"), "its tag filter lets in only sea, and the character has no tag (--tag)"),
        (
            _TAGS,
            Character("Kai", ("sky",)),
            "its tag filter lets in only sea, and the character's tags are sky (--tag)",
        ),
    ],
    ids=[
        "the one",
        "nobody",
        "another",
        "tags only",
        "shut out",
        "not shut out",
        "no tags known",
        "a tag",
        "none",
        "other",
    ],
)
def test_a_filter_says_for_whom_it_is_and_who_there_is(
    chosen: dict[str, Any], character: Character | None, says: str | None
) -> None:
    filtered = entry(0, "dragon").model_copy(
        update={"extensions": {"lorebook": {"fields": {"characterFilter": chosen}}}}
    )
    result = match(chat("dragon"), book(filtered), character=character)
    assert [str(item.obstacle) for item in result.held_back] == ([says] if says else [])


def test_meaning_never_overrules_a_switch() -> None:
    made = book(entry(0, "x", enabled=False), entry(1, "dragon", secondary_keys=("ice",)))
    result = match(chat("dragon"), made, vector_hits={uid: VectorHit(score=1) for uid in (0, 1)})
    assert obstacles(result) == {0: "disabled", 1: "secondary_logic"}


def test_prompt_order_is_ascending_insertion_order_with_ties_in_book_order() -> None:
    made = book(*(entry(uid, constant=True, insertion_order=order) for uid, order in enumerate((30, 10, 20, 10))))
    assert fired(match(chat("x"), made)) == [1, 3, 2, 0]


def test_the_same_seed_draws_the_same() -> None:
    made = book(*(entry(uid, constant=True, probability=50) for uid in range(20)))
    first, again = match(chat("x"), made), match(chat("x"), made)
    assert first == again
    assert 0 < len(first.entries) < 20
    assert set(obstacles(first).values()) == {"probability"}


@given(
    sizes=st.lists(st.integers(0, 60), max_size=12),
    budget=st.integers(0, 200),
    orders=st.lists(st.integers(-5, 5), min_size=12, max_size=12),
)
def test_the_budget_is_never_exceeded_and_nothing_that_fits_is_left_out(
    sizes: list[int], budget: int, orders: list[int]
) -> None:
    entries = [
        entry(uid, constant=True, content="word " * size, insertion_order=orders[uid]) for uid, size in enumerate(sizes)
    ]
    result = match(chat("x"), book(*entries, token_budget=budget))
    assert result.tokens == sum(item.tokens for item in result.entries) <= budget
    assert all(
        held.obstacle.tokens > budget - result.tokens for held in result.held_back if held.obstacle.kind == "budget"
    )
    assert sorted([*fired(result), *obstacles(result)]) == list(range(len(sizes)))


def test_a_text_of_any_length_is_counted() -> None:
    result = match(chat("x"), book(entry(0, constant=True, content="a" * 1_000_000), entry(1, constant=True)))
    assert fired(result) == [1]
    assert obstacles(result) == {0: "budget"}
