"""
Which paragraphs of linked rules disagree: as it is written down, in every language, and for every link that is shipped.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lorebook.errors import RulesetError
from lorebook.records import Rule
from lorebook.workspace import Workspace, conflicts, location
from lorebook.workspace.disagreements import FILE, Disagreements
from lorebook.workspace.views import Comparison
from tests.retrieval.worlds import rule, ruleset

ROOT = Path(__file__).parents[2]
LISTED = Disagreements.load(ROOT / "rules" / FILE)

TURN = rule(
    "inn/turn",
    "The turn\nWhoever is next takes a card.\n\nA turn lasts until the candle has burned down.\n\nCandles are free.",
    "回合\n轮到的人拿一张牌。\n\n一个回合持续到蜡烛烧完。\n\n蜡烛免费。",
)
CANDLE = rule("guild/candle", "Candles\nNobody may light one.\n\nA turn lasts until the bell is rung.", order=0)


@pytest.fixture(scope="module")
def shipped() -> dict[str, Rule]:
    return {held.id: held for each in Workspace.open(ROOT).rulesets.values() for held in each.rules}


def test_every_shipped_link_is_written_down_and_nothing_else(shipped: dict[str, Rule]) -> None:
    linked = {frozenset((held.id, other)) for held in shipped.values() for other in held.conflicts_with}
    assert linked == LISTED.pairs


def test_every_shipped_paragraph_is_found_in_both_languages(shipped: dict[str, Rule]) -> None:
    for one, other in map(sorted, LISTED.pairs):
        counts = {
            language: len(LISTED.between(shipped[one], shipped[other], (language, language)))
            for language in ("en", "zh")
        }
        assert counts["en"] == counts["zh"] > 0, (one, other)


def test_a_translation_is_found_by_the_words_of_the_original() -> None:
    listed = Disagreements([{"inn/turn": "A turn lasts", "guild/candle": ("A turn lasts", "Nobody")}])
    own, other = "一个回合持续到蜡烛烧完。", "A turn lasts until the bell is rung."
    assert listed.between(TURN, CANDLE, ("zh", "en")) == [(own, other), (own, "Nobody may light one.")]
    assert listed.between(CANDLE, TURN, ("en", "zh")) == [(other, own), ("Nobody may light one.", own)]


def test_an_example_may_be_meant() -> None:
    wording = TURN.wordings["en"].model_copy(update={"examples": ("Anna's turn lasted all night.",)})
    held = TURN.model_copy(update={"wordings": {"en": wording}})
    listed = Disagreements([{"inn/turn": "Anna", "guild/candle": "Nobody"}])
    assert listed.between(held, CANDLE, ("en", "en"))[0].one == "Anna's turn lasted all night."


@pytest.mark.parametrize(
    "sides",
    [{"inn/turn": "A turn ends", "guild/candle": "Nobody"}, {"inn/turn": "A turn", "guild/other": "Nobody"}],
    ids=["words that are not there", "another pair"],
)
def test_nothing_is_known_of_what_is_not_there(sides: dict[str, str]) -> None:
    assert Disagreements([sides]).between(TURN, CANDLE, ("en", "en")) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- [", "not readable as YAML"),
        ("inn/turn: A turn\n", "the whole: is no list$"),
        ("- inn/turn: A turn\n", "1 are named: inn/turn"),
        ("- {}\n", "0 are named: none"),
        ("- {}\n- inn/turn: A turn\n", "0 are named: none"),
        ("- inn: A turn\n  guild/candle: Nobody\n", "an id is"),
        ("- inn/turn: 5\n  guild/candle: Nobody\n", "is no text$"),
    ],
    ids=["no YAML", "no list", "one rule", "no rule", "no rule, then one", "no id", "no words"],
)
def test_a_file_that_cannot_be_used_is_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(RulesetError, match=says) as caught:
        Disagreements.load(tmp_path / FILE)
    assert FILE in str(caught.value)


def test_a_file_that_only_leads_to_itself_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to(tmp_path / FILE)
    with pytest.raises(RulesetError, match="cannot be read"):
        Disagreements.load(tmp_path / FILE)


def test_without_the_file_nothing_is_known(tmp_path: Path) -> None:
    assert Disagreements.load(tmp_path / FILE).pairs == frozenset()


@pytest.mark.parametrize("text", ["", "# none yet\n", "[]\n"], ids=["empty", "a comment", "an empty list"])
def test_an_empty_file_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    assert Disagreements.load(tmp_path / FILE).pairs == frozenset()


LONG = rule(
    "inn/long",
    "The house\nWhoever comes in hangs the coat on one of the hooks beside the door, and greets the landlord.\n\n"
    "When a turn ends, the player whose turn it was may hold at most six cards; the others go onto the pile.\n\n"
    "Cards that were dealt by mistake are shuffled into the deck again before anybody has looked at them.",
)
OTHER = rule(
    "guild/long",
    "The hall\nCards that were dealt by mistake are put under the deck, and nobody may look at any of them.\n\n"
    "When a turn ends, the player whose turn it was may hold at most seven cards; the others go onto the pile.",
)


@pytest.fixture
def tables(tmp_path: Path) -> Workspace:
    """A workspace of two long rules that are linked."""
    location.init(tmp_path)
    for name, held, other in (("inn", LONG, OTHER), ("guild", OTHER, LONG)):
        linked = held.model_copy(update={"conflicts_with": (other.id,)})
        ruleset(name, linked).save(tmp_path / "rules" / name)
    return Workspace.open(tmp_path)


def test_what_differs_visibly_is_shown_where_nothing_is_written_down(tables: Workspace) -> None:
    answer = tables.ask("how many cards may I hold at the end of a turn?", limit=1)
    (view,) = answer.hits[0].conflicts
    assert view.on_point
    assert view.text is not None
    assert {"six", "seven"} <= {*(answer.hits[0].hit.text + view.text).split()}


def test_what_is_written_down_is_shown(tables: Workspace) -> None:
    listed = "- inn/long: Cards that were dealt\n  guild/long: Cards that were dealt\n"
    (tables.rules_folder / FILE).write_text(listed)
    answer = tables.ask("what becomes of cards dealt by mistake?", limit=1)
    (view,) = answer.hits[0].conflicts
    assert view.on_point
    assert str(view.text).startswith("Cards that were dealt by mistake are ")


def test_of_another_point_of_a_short_rule_both_sides_are_told(
    tables: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tables.rules_folder / FILE).write_text("- inn/long: Cards that were dealt\n  guild/long: Cards that were dealt\n")
    question = "how many cards may I hold at the end of a turn?"
    (view,) = tables.ask(question, limit=1, prefer="inn").hits[0].conflicts
    assert not view.on_point
    assert str(view.own).startswith("Cards that were dealt by mistake are shuffled")
    assert str(view.text).startswith("Cards that were dealt by mistake are put")
    (view,) = tables.ask(question, limit=1, prefer="inn", rulesets=["inn"]).hits[0].conflicts
    assert (view.asked, view.own, view.text) == (False, None, None)
    monkeypatch.setattr(conflicts, "_FEW", 2)
    (view,) = tables.ask(question, limit=1, prefer="inn").hits[0].conflicts
    assert (view.on_point, view.own, view.text) == (False, None, None)


def test_what_another_hit_does_not_show_is_told(tables: Workspace) -> None:
    listed = "- inn/long: When a turn ends\n  guild/long: Cards that were dealt\n"
    (tables.rules_folder / FILE).write_text(listed)
    answer = tables.ask("how many cards may I hold at the end of a turn?", prefer="inn")
    assert [each.rule.id for each in answer.hits] == ["inn/long", "guild/long"]
    (view,) = answer.hits[0].conflicts
    assert view.place == 2
    assert str(view.text).startswith("Cards that were dealt")
    (tables.rules_folder / FILE).write_text(listed.replace("Cards that were dealt", "When a turn ends"))
    (view,) = tables.ask("how many cards may I hold at the end of a turn?", prefer="inn").hits[0].conflicts
    assert (view.place, view.text) == (2, None)


def texts(found: Comparison) -> list[tuple[str, str]]:
    return [(pair.one.text[:9], pair.other.text[:9]) for pair in found.pairs]


def test_compare_shows_what_is_written_down(tables: Workspace) -> None:
    assert texts(tables.compare("inn", "guild")) == [("When a tu", "When a tu")]
    (tables.rules_folder / FILE).write_text("- inn/long: Whoever comes in\n  guild/long: Cards that were dealt\n")
    assert texts(tables.compare("inn", "guild")) == [("Whoever c", "Cards tha")]
    assert texts(tables.compare("guild", "inn")) == [("Cards tha", "Whoever c")]
