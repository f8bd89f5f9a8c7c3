"""Each difference between the presets, by its own example; each is a switch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.matching.activation import Activation, State
from lorebook.matching.chat import Message
from lorebook.matching.engine import CompiledBook
from lorebook.matching.presets import PRESETS, SWITCHES, Behaviour, Preset
from lorebook.matching.reasons import VectorHit
from lorebook.matching.settings import MatchSettings
from lorebook.records import Position, Role

OURS, EXACT = PRESETS[Preset.LOREBOOK], PRESETS[Preset.SILLYTAVERN]

Scene = Callable[[Behaviour], object]


def run(behaviour: Behaviour, texts: tuple[str, ...], *entries: Entry, **more: Any) -> Activation:
    """What *texts*, oldest first, activate; `settings`, and what the match itself takes, by name."""
    settings = MatchSettings(**more.pop("settings", {}))
    compiled = CompiledBook(Book(name="test", entries=entries), settings, behaviour=behaviour)
    return compiled.match(tuple(Message(role=Role.USER, content=text) for text in texts), **more)


def key_in(key: str, text: str, *other_keys: str) -> Scene:
    """Whether the key stands in the text."""
    entries = [Entry(uid=uid, keys=(one,), content="Found.") for uid, one in enumerate((key, *other_keys))]
    return lambda behaviour: 0 in uids(run(behaviour, (text,), *entries))


def uids(activation: Activation) -> list[int]:
    return [entry.uid for entry in activation.entries]


# The examples of the docstrings: switch, scene, with the switch, without.
KEYS: list[tuple[str, Scene, bool, bool]] = [
    ("folds_spelling", key_in("通常召唤", "我要通常召喚"), True, False),
    ("folds_spelling", key_in("LP", "ＬＰ"), True, False),
    ("folds_spelling", key_in("1,000", "1000"), True, False),
    ("joins_gaps", key_in("face-down", "placed face down"), True, False),
    ("joins_gaps", key_in("送去GY", "送去 GY"), True, False),
    ("joins_gaps", key_in("마법 카드", "마법카드"), True, False),
    ("knows_scripts", key_in("draw step", "withdraw steps"), False, True),
    ("knows_scripts", key_in("ét", "été"), False, True),
    ("knows_scripts", key_in("용", "사용"), False, True),
    ("knows_scripts", key_in("5", "2.5"), False, True),
    ("counts_plurals", key_in("dragon", "dragons"), True, False),
    ("counts_plurals", key_in("ability", "abilities"), True, False),
    ("counts_plurals", key_in("witch", "witches"), True, False),
    ("longest_terms", key_in("召唤", "我要通常召唤", "通常召唤"), False, True),
    ("longest_terms", key_in("卡通", "这张卡通常召唤", "通常召唤"), False, True),
    ("ignores_blank_keys", key_in(" ", "any thing"), False, True),
    ("ignores_blank_keys", key_in(" ", "thing"), False, True),
    ("messages_apart", key_in("/^draw/", "draw a card"), True, False),
]


@pytest.mark.parametrize(("switch", "scene", "switched_on", "switched_off"), KEYS)
def test_a_difference_of_keys_can_be_switched_in_either_preset(
    switch: str, scene: Scene, *, switched_on: bool, switched_off: bool
) -> None:
    assert scene(replace(EXACT, **{switch: True})) == switched_on
    assert scene(EXACT) == switched_off
    assert scene(OURS) == switched_on
    # What ours does by other switches, too: boundaries alone keep the key out of the plural's other letters.
    others = {"knows_scripts": {"counts_plurals": False}}.get(switch, {})
    assert scene(replace(OURS, **{switch: False}, **others)) == switched_off


def sized(uid: int, tokens: int, key: str = "a", **fields: Any) -> Entry:
    return Entry(uid=uid, keys=(key,), content=" one" * tokens, **fields)


def scores_matches(behaviour: Behaviour) -> object:
    group = {"group": "g", "use_group_scoring": True}
    two = Entry(uid=0, keys=("dragon", "{{user}}"), content="a", extensions=group)
    one = Entry(uid=1, keys=("dragon",), content="b", extensions=group | {"group_override": True})
    return uids(run(behaviour, ("Mira's dragon",), two, one, macros={"user": "Mira"}))


def loses_once(behaviour: Behaviour) -> object:
    winner = Entry(uid=0, keys=("a",), content="a", extensions={"group": "g,h", "group_override": True})
    loser = Entry(uid=1, keys=("a",), content="b", extensions={"group": "g,h"})
    return uids(run(behaviour, ("a",), winner, loser))


def skips_over_budget(behaviour: Behaviour) -> object:
    entries = [sized(0, 30), sized(1, 80), sized(2, 20)]
    return sorted(uids(run(behaviour, ("a",), *entries, settings={"token_budget": 60})))


def claims_by_score(behaviour: Behaviour) -> object:
    texts = ("old", "x", "x", "new")
    entries = [sized(0, 30, "old"), sized(1, 30, "new")]
    return uids(run(behaviour, texts, *entries, settings={"token_budget": 40}))


def keys_before_outside(behaviour: Behaviour) -> object:
    hits = {0: VectorHit(score=0.9, passage="a passage")}
    entry = Entry(uid=0, keys=("dragon",), content="a")
    return uids(run(behaviour, ("the dragon",), entry, vector_hits=hits, settings={"vector_limit": 0}))


def only_fired_feed(behaviour: Behaviour) -> object:
    large = Entry(uid=0, keys=("a",), content="b " * 200)
    small = Entry(uid=1, keys=("c",), content="found")
    named = Entry(uid=2, keys=("b",), content="named by what was shut out")
    settings = {"token_budget": 60, "recursive": True}
    return sorted(uids(run(behaviour, ("a c",), large, small, named, settings=settings)))


def ties_in_reading_order(behaviour: Behaviour) -> object:
    entries = [Entry(uid=uid, keys=(key,), content=key) for uid, key in enumerate("abc")]
    first = run(behaviour, ("a c",), *entries)
    later = run(behaviour, ("a c b",), *entries, state=State(injected=first.state.injected))
    return uids(run(behaviour, ("a b c",), *entries)), uids(later)


def reads_decorators(behaviour: Behaviour) -> object:
    entry = Entry(uid=0, keys=("a",), content="@@depth 2\ntext")
    (activated,) = run(behaviour, ("a",), entry).entries
    return activated.position


SCENES: list[tuple[Scene, object, object]] = [
    (scores_matches, [0], [1]),
    (loses_once, [0], []),
    (skips_over_budget, [0, 2], [0]),
    (claims_by_score, [1], [0]),
    (keys_before_outside, [0], []),
    (only_fired_feed, [1], [1, 2]),
    (ties_in_reading_order, ([0, 1, 2], [0, 2, 1]), ([2, 1, 0], [2, 1, 0])),
    (reads_decorators, Position.AT_DEPTH, Position.BEFORE_CHAR),
]


@pytest.mark.parametrize(("scene", "switched_on", "switched_off"), SCENES)
def test_a_difference_of_the_scan_can_be_switched(scene: Scene, switched_on: object, switched_off: object) -> None:
    switch = scene.__name__
    assert scene(OURS) == switched_on
    assert scene(replace(OURS, **{switch: False})) == switched_off


def test_every_difference_has_an_example() -> None:
    assert {case[0] for case in KEYS} | {case[0].__name__ for case in SCENES} == set(SWITCHES)


def test_the_exact_preset_has_none_of_them() -> None:
    assert Behaviour() == EXACT
    assert replace(EXACT, **dict.fromkeys(SWITCHES, True)) == OURS
