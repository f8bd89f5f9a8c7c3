"""
Passages of two rulesets held against each other: the same either way round, in one language, at any size.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lorebook.errors import RetrievalError
from lorebook.retrieval import nearness as module
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.retrieval.nearness import Near, Nearness
from tests.retrieval.worlds import CHESS, GO, ROOT, HashedWords, MemoryHome, rule, ruleset

DRAUGHTS = ruleset(
    "draughts",
    rule("draughts/man", "A man's move\nA man moves one square ahead; a pawn is what chess calls it.", order=0),
    rule(
        "draughts/stone", "Stones\nA stone without a free neighbour stays.", "棋子\n没有气的棋子留在棋盘上。", order=1
    ),
    rule("draughts/zh", "", "打劫\n可以立即恢复上一手之前的局面。", order=2),
)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    folder = tmp_path_factory.mktemp("index")
    made = Places(ROOT / "index" / "recipe.toml", ROOT / "rules" / "glossary.yaml", folder / "store")
    home = MemoryHome()
    Index(made, embedder=lambda _: HashedWords(), home=lambda *_: home).build([CHESS, GO, DRAUGHTS])
    return made


@pytest.fixture(params=[1024, 1], ids=["at once", "row by row"])
def nearness(places: Places, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Nearness:
    monkeypatch.setattr(module, "_AT_ONCE", request.param)
    return Nearness.open(places)


def mirrored(near: Near) -> Near:
    return near._replace(one=near.other, other=near.one)


@pytest.mark.parametrize("names", [("chess", "draughts"), ("go", "draughts"), ("chess", "go")], ids="-".join)
def test_the_other_way_round_it_is_the_same(nearness: Nearness, names: tuple[str, str]) -> None:
    there, back = nearness.between(*names), nearness.between(*names[::-1])
    assert {mirrored(near) for near in there} == set(back)


def test_the_size_of_a_step_changes_nothing(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Nearness.open(places).between("go", "draughts")
    monkeypatch.setattr(module, "_AT_ONCE", 2)
    assert Nearness.open(places).between("go", "draughts") == whole


def test_every_rule_has_its_nearest(nearness: Nearness) -> None:
    found = nearness.between("go", "draughts")
    assert {near.one.rule for near in found} == {"go/ko", "go/liberty"}
    assert {near.other.rule for near in found} == {"draughts/man", "draughts/stone", "draughts/zh"}
    assert ("go/liberty", "draughts/stone", True) in {(n.one.rule, n.other.rule, n.mutual) for n in found}


def test_a_language_is_kept_to_where_a_rule_has_it(nearness: Nearness) -> None:
    found = nearness.between("go", "draughts", "zh")
    spoken = {passage.rule: passage.language for near in found for passage in (near.one, near.other)}
    assert spoken == {
        "go/ko": "zh", "go/liberty": "zh", "draughts/man": "en", "draughts/stone": "zh", "draughts/zh": "zh",
    }  # fmt: skip


def test_what_is_not_there_is_near_to_nothing(nearness: Nearness) -> None:
    assert nearness.between("chess", "castle") == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_of_two_passages_it_says_what_it_says_of_all(nearness: Nearness, language: str) -> None:
    found = {(near.one.id, near.other.id): near for near in nearness.between("go", "draughts", language)}
    ones, others = ([each for each in nearness.passages if each.ruleset == name] for name in ("go", "draughts"))
    said = {
        (near.one.id, near.other.id): near
        for one in ones
        for other in others
        if (near := nearness.between_two((one.rule, one.text), (other.rule, other.text), language))
    }
    assert said == found
    assert nearness.between_two(("go/ko", "What nobody says."), (others[0].rule, others[0].text), language) is None


def test_all_pairs_come_nearest_first(nearness: Nearness) -> None:
    ones, others = nearness.of_rule("go/liberty", "en"), nearness.of_rule("draughts/stone", "en")
    pairs = nearness.nearest(ones, others)
    assert len(pairs) == len(ones) * len(others)
    assert [near.nearness for near in pairs] == sorted((near.nearness for near in pairs), reverse=True)


def test_no_index_is_one_sentence(tmp_path: Path) -> None:
    nowhere = Places(tmp_path / "recipe.toml", tmp_path / "glossary.yaml", tmp_path / "store")
    with pytest.raises(RetrievalError, match="no complete index"):
        Nearness.open(nowhere)
