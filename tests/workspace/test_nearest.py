"""
What an answer shows of rules: the nearest where none answers for sure, and never what is only searched.
"""

from __future__ import annotations

import json

import pytest

from lorebook.workspace import Workspace
from tests.conftest import Command

UNSURE = "how many lanterns may I hold"


@pytest.fixture(scope="module")
def shipped() -> Workspace:
    return Workspace.open()


def test_where_no_rule_answers_the_nearest_are_named(shipped: Workspace) -> None:
    answer = shipped.ask(UNSURE)
    scores = [near.score for near in answer.nearest]
    assert answer.hits == ()
    assert 1 <= len(scores) <= 3
    assert scores == sorted(scores, reverse=True)
    assert all(shipped.rule(near.rule) for near in answer.nearest)


@pytest.mark.parametrize("question", ["???", "手牌上限"], ids=["no word in it", "answered"])
def test_nothing_is_near_to_what_asks_nothing_or_is_answered(shipped: Workspace, question: str) -> None:
    assert shipped.ask(question).nearest == ()


def test_the_nearest_are_of_the_rulesets_that_are_asked(shipped: Workspace) -> None:
    answer = shipped.ask(UNSURE, rulesets=["mutegannu-ekrats"])
    assert {near.rule.partition("/")[0] for near in answer.nearest} == {"mutegannu-ekrats"}


def test_the_nearest_say_why(shipped: Workspace) -> None:
    for near in shipped.ask(UNSURE).nearest:
        assert near.why[-1] == f"score {near.score:.2f}"
        assert any(each.startswith(("words ", "meaning ")) for each in near.why)


def test_ask_prints_them_with_their_reasons(lorebook: Command, shipped: Workspace) -> None:
    first, *lines = lorebook("ask", UNSURE).out.splitlines()
    assert first == "No rule answers this."
    for near in shipped.ask(UNSURE).nearest:
        at = lines.index(f"Nearest, but unsure: {near.title}  {near.rule}")
        assert lines[at + 1] == f"   why: {'; '.join(near.why)}"


def test_an_answer_leaves_out_what_is_only_searched(lorebook: Command, shipped: Workspace) -> None:
    hits = json.loads(lorebook("ask", "手牌上限", "--json").out)["hits"]
    asked = [wording["asked"] for hit in hits for wording in hit["rule"]["wordings"].values()]
    whole = [wording.asked for hit in hits for wording in shipped.rule(hit["rule"]["id"]).wordings.values()]
    assert any(whole)
    assert not any(asked)
