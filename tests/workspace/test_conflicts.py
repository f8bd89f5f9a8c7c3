"""
Where rulesets disagree on what was asked: shown beneath the hit, once a pair, and decided by the asker's ruleset.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import UnknownNameError
from lorebook.retrieval.hits import Evidence, Hit
from lorebook.ruleset import Ruleset
from lorebook.workspace import Workspace, location
from lorebook.workspace.conflicts import preferred_first
from lorebook.workspace.views import Answer, ConflictView
from tests.retrieval.worlds import rule, ruleset

ROOT = Path(__file__).parents[2]


def hit(ruleset: str, score: float, *, number: str | None = None, slug: str = "rule") -> Hit:
    return Hit(
        rule=f"{ruleset}/{slug}",
        ruleset=ruleset,
        language="en",
        text="It says so.",
        score=score,
        evidence=Evidence(number=number),
    )


ORDERS = {
    "about equal": ([("inn", 0.9), ("guild", 0.87)], ["guild", "inn"]),
    "clearly weaker": ([("inn", 0.9), ("guild", 0.8)], ["inn", "guild"]),
    "first already": ([("guild", 0.9), ("inn", 0.9)], ["guild", "inn"]),
    "no answer is lifted over an answer": ([("inn", 0.51), ("guild", 0.49)], ["inn", "guild"]),
    "two weak ones": ([("inn", 0.3), ("guild", 0.29)], ["guild", "inn"]),
    "of three, past the equal one": ([("inn", 0.9), ("club", 0.8), ("guild", 0.78)], ["inn", "guild", "club"]),
}


@pytest.mark.parametrize(("scored", "order"), ORDERS.values(), ids=ORDERS)
def test_the_preferred_ruleset_comes_first_among_about_equals(
    scored: list[tuple[str, float]], order: list[str]
) -> None:
    hits = [hit(name, score) for name, score in scored]
    assert [each.ruleset for each in preferred_first(hits, "guild")] == order
    assert preferred_first(hits, None) == hits


def test_a_rule_that_was_cited_by_its_number_stays_first() -> None:
    hits = [hit("inn", 0.9, number="4.2"), hit("guild", 0.9)]
    assert preferred_first(hits, "guild") == hits


scores = st.lists(st.floats(0, 1), max_size=8).map(lambda held: sorted(held, reverse=True))


@given(scores, st.data())
def test_a_preference_moves_nothing_else(held: list[float], data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(["inn", "guild"]), min_size=len(held), max_size=len(held)))
    hits = [hit(name, score, slug=f"r{at}") for at, (name, score) in enumerate(zip(names, held, strict=True))]
    moved = preferred_first(hits, "guild")
    for name in ("inn", "guild"):
        assert [each for each in moved if each.ruleset == name] == [each for each in hits if each.ruleset == name]
    for place, each in enumerate(moved):
        for behind in moved[place + 1 :]:
            assert each.score > behind.score - 0.11
            assert (each.score >= 0.5) >= (behind.score >= 0.5)


INN = ruleset(
    "inn",
    rule("inn/hand", "Hand limit\nThe hand limit is six cards.", "手牌上限\n手牌上限是六张。", order=0),
    rule("inn/other", "Chairs\nWhoever arrives late stands, for the inn has five chairs.", order=1),
)
GUILD = ruleset(
    "guild",
    rule(
        "guild/turn",
        "The turn\nWhen a turn begins, its player takes the top card of the deck and pays rent for the hall in coin."
        "\n\nWhen a turn ends, the hand limit of seven cards is checked: whoever holds more discards the surplus.",
        order=0,
    ),
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace in which only the guild says that it disagrees, and of a rule that is gone as well."""
    root = tmp_path_factory.mktemp("tables")
    location.init(root)
    INN.save(root / "rules" / "inn")
    links = {"conflicts_with": ("inn/hand", "inn/gone")}
    ruleset("guild", *(held.model_copy(update=links) for held in GUILD.rules)).save(root / "rules" / "guild")
    return Workspace.open(root)


def conflicts(answer: Answer) -> dict[str, tuple[ConflictView, ...]]:
    return {each.rule.id: each.conflicts for each in answer.hits}


def test_a_conflict_that_only_the_other_rule_names_is_shown(tables: Workspace) -> None:
    (found,) = conflicts(tables.ask("hand limit", limit=1, rulesets=["inn"]))["inn/hand"]
    assert (found.rule, found.asked, found.place, found.text) == ("guild/turn", False, None, None)


def test_the_passage_on_the_point_is_shown_with_its_authority(tables: Workspace) -> None:
    answer = tables.ask("手牌上限", limit=1)
    (found,) = conflicts(answer)["inn/hand"]
    assert found.text is not None
    assert "seven cards" in found.text
    assert "rent" not in found.text
    assert (found.language, found.authority, found.edition, found.title) == ("en", "The table", "1", "The turn")


def test_readers_are_told_edition_and_authority_in_the_language_of_the_hit(tmp_path: Path) -> None:
    location.init(tmp_path)
    lines = {"edition": {"en": "draft", "zh": "草稿"}, "authority": {"en": "The table", "zh": "牌桌"}}
    landlord = {"authority": {"en": "The landlord", "zh": "老板"}, "conflicts_with": ("guild/hand",)}
    inn = [held.model_copy(update=landlord if held.id == "inn/hand" else {}) for held in INN.rules]
    guild = [rule("guild/hand", "Hand limit\nThe hand limit is seven.", "手牌上限\n手牌上限是七张。")]
    for name, rules in (("inn", inn), ("guild", guild)):
        manifest = INN.manifest.model_copy(update=lines)
        Ruleset(name, manifest, rules).save(tmp_path / "rules" / name)
    said = {}
    for language, question in (("en", "hand limit"), ("zh", "手牌上限")):
        (held,) = Workspace.open(tmp_path).ask(question, limit=1, rulesets=["inn"]).hits
        (other,) = held.conflicts
        assert held.hit.language == other.language == language
        assert held.rule.authority == held.authority
        said[language] = (held.edition, held.authority, other.edition, other.authority)
    assert said == {
        "en": ("draft", "The landlord", "draft", "The table"),
        "zh": ("草稿", "老板", "草稿", "牌桌"),
    }


def test_a_pair_of_hits_is_told_once(tables: Workspace) -> None:
    answer = tables.ask("hand limit", limit=5)
    held = conflicts(answer)
    assert {"inn/hand", "guild/turn"} <= held.keys()
    (found,) = [each for views in held.values() for each in views]
    places = {each.rule.id: place for place, each in enumerate(answer.hits, 1)}
    assert found.text is None
    assert found.place == places[found.rule] == max(places["inn/hand"], places["guild/turn"])


@pytest.mark.parametrize("prefer", ["inn", "guild"])
def test_the_side_of_the_preferred_ruleset_is_the_ruling(tables: Workspace, prefer: str) -> None:
    answer = tables.ask("hand limit", prefer=prefer)
    (found,) = [each for views in conflicts(answer).values() for each in views]
    assert answer.prefer == prefer
    assert found.ruling == {"inn": "inn/hand", "guild": "guild/turn"}[prefer]


def test_a_ruleset_that_is_no_side_of_a_conflict_decides_nothing(tables: Workspace, tmp_path: Path) -> None:
    shutil.copytree(tables.root / "rules", tmp_path / "rules")
    location.init(tmp_path)
    ruleset("club", rule("club/tea", "Tea\nTea is served at four.", order=0)).save(tmp_path / "rules" / "club")
    answer = Workspace.open(tmp_path).ask("hand limit", prefer="club")
    assert [each.ruling for views in conflicts(answer).values() for each in views] == [None]


def test_a_preferred_ruleset_must_be_there(tables: Workspace) -> None:
    with pytest.raises(UnknownNameError):
        tables.ask("hand limit", prefer="castle")


def test_a_conflict_on_another_point_of_a_long_rule_is_told_apart() -> None:
    shipped = Workspace.open(ROOT)
    draw = conflicts(shipped.ask("does the player who goes first draw a card?", rulesets=["bfm-v2"]))
    hand = conflicts(shipped.ask("what is the hand limit?", rulesets=["bfm-v2"]))
    assert [each.on_point for each in draw["bfm-v2/the-first-turn"] if each.rule == "ygo-classic/draw-phase"] == [True]
    on_point = {each.rule for each in hand["bfm-v2/phases"] if each.on_point}
    assert on_point == {"mutegannu-ekrats/hand-limit"}


@pytest.mark.parametrize("question", ["hand limit", "手牌上限", "how many Tributes does a level 7 monster need"])
def test_shipped_rules_that_are_linked_are_shown_together(question: str) -> None:
    answer = Workspace.open(ROOT).ask(question, limit=10)
    told = [frozenset((each.rule.id, view.rule)) for each in answer.hits for view in each.conflicts]
    linked = {frozenset((each.rule.id, link)) for each in answer.hits for link in each.rule.conflicts_with}
    assert linked
    assert set(told) == linked
    assert len(told) == len(linked)
