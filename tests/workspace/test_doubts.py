"""
Hits that may disagree though no link says so: named once, by the signs of `compare`, and no longer when linked.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lorebook.workspace import Workspace, location, searching
from lorebook.workspace.views import Answer, Verdict
from tests.retrieval.worlds import rule, ruleset
from tests.workspace.test_comparing import GUILD, INN

QUESTIONS = {
    "numbers": ("hand limit", "inn/hand", "guild/hand-size", "6 / 7"),
    "permission": ("may the player who begins attack?", "inn/attack", "guild/first-turn", "may not / may"),
    "how often": (
        "how often may I exchange my opening hand?",
        "inn/redraw",
        "guild/mulligan",
        "once / twice",
    ),
    "Chinese, numbers": ("手牌上限是几张", "inn/hand", "guild/hand-size", "6 / 7"),
    "Chinese, permission": ("先手玩家第一回合能攻击吗", "inn/attack", "guild/first-turn", "may not / may"),
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace of two small rulesets without links."""
    root = tmp_path_factory.mktemp("tables")
    location.init(root)
    for made in (INN, GUILD):
        made.save(root / "rules" / made.name)
    return Workspace.open(root)


def doubts(answer: Answer) -> dict[frozenset[str], str]:
    return {frozenset((each.rule.id, view.rule)): view.label for each in answer.hits for view in each.doubts}


@pytest.mark.parametrize(("question", "one", "other", "label"), QUESTIONS.values(), ids=QUESTIONS)
def test_hits_whose_words_differ_are_named_once(
    tables: Workspace, question: str, one: str, other: str, label: str
) -> None:
    answer = tables.ask(question)
    places = {each.rule.id: place for place, each in enumerate(answer.hits, 1)}
    first, second = sorted((one, other), key=places.__getitem__)
    (view,) = next(each.doubts for each in answer.hits if each.rule.id == first)
    assert (view.rule, view.place) == (second, places[second])
    assert sorted(view.label.rpartition(": ")[2].split(" / ")) == sorted(label.split(" / "))
    assert view.contrasts
    assert not any(each.doubts for each in answer.hits if each.rule.id != first)


def test_what_is_doubted_is_what_compare_finds_different(tables: Workspace) -> None:
    pairs = tables.compare("inn", "guild").pairs
    different = {frozenset((p.one.rule, p.other.rule)) for p in pairs if p.verdict is Verdict.DIFFERENT}
    found = {pair for question, *_ in QUESTIONS.values() for pair in doubts(tables.ask(question, limit=10))}
    assert found == different


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("how is the deck shuffled before the game?", None),
        ("beer over the table", None),
        ("hand limit", ["inn"]),
    ],
    ids=["alike", "only in one", "one ruleset"],
)
def test_nothing_else_is_doubted(tables: Workspace, question: str, asked: list[str] | None) -> None:
    answer = tables.ask(question, rulesets=asked)
    assert answer.hits
    assert not answer.hits[0].doubts


def test_what_is_linked_is_no_doubt_any_more(tmp_path: Path) -> None:
    location.init(tmp_path)
    for made in (INN, GUILD):
        made.save(tmp_path / "rules" / made.name)
    workspace = Workspace.open(tmp_path)
    assert doubts(workspace.ask("hand limit"))
    workspace.link("inn/hand", "guild/hand-size")
    answer = workspace.ask("hand limit")
    assert doubts(answer) == {}
    assert [view.rule for each in answer.hits for view in each.conflicts] in (["inn/hand"], ["guild/hand-size"])


def test_passages_of_two_languages_are_not_held_against_each_other(tmp_path: Path) -> None:
    location.init(tmp_path)
    ruleset("one", rule("one/hand", "Hand limit\nThe hand limit is 6.")).save(tmp_path / "rules" / "one")
    ruleset("two", rule("two/hand", "", "手牌上限\n手牌上限是 7。")).save(tmp_path / "rules" / "two")
    answer = Workspace.open(tmp_path).ask("hand limit")
    assert {each.rule.id for each in answer.hits} == {"one/hand", "two/hand"}
    assert doubts(answer) == {}


def test_of_an_index_that_is_too_large_nothing_is_doubted(tables: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "_MOST_HELD", 3)
    assert doubts(Workspace.open(tables.root).ask("hand limit")) == {}
