"""
Rulesets held against each other: two small ones as a case table, and the shipped ones by what they say themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path

import pytest

from lorebook.errors import InputError, UnknownNameError
from lorebook.records import Rule
from lorebook.workspace import Workspace, location
from lorebook.workspace.views import Comparison, PairView, Verdict
from tests.retrieval.worlds import rule, ruleset

ROOT = Path(__file__).parents[2]
SHIPPED = ("bfm-v2", "mutegannu-ekrats", "ocg-zh", "ygo-classic")

INN = ruleset(
    "inn",
    rule(
        "inn/hand",
        "Hand limit\nThe hand limit is six cards. Whoever holds more at the end of a turn discards down to it.",
        "手牌上限\n手牌上限是六张。回合结束时多出的牌要丢弃。",
        order=0,
    ),
    rule(
        "inn/attack",
        "Attacking in the first turn\nThe player who begins may not attack in the first turn of the game.",
        "第一回合的攻击\n先手玩家在第一回合不能攻击。",
        order=1,
    ),
    rule(
        "inn/redraw",
        "Drawing a new hand\nA player may exchange the opening hand for a new one once before the game.",
        order=2,
    ),
    rule(
        "inn/shuffle",
        "Shuffling\nThe deck is shuffled by its owner and cut by the opponent before the game.",
        order=3,
    ),
    rule("inn/beer", "Beer\nSpilling beer over the table ends the match; the landlord sends the bill.", order=4),
)
GUILD = ruleset(
    "guild",
    rule(
        "guild/hand-size",
        "Limit of the hand\nThe hand limit is seven cards. At the end of a turn who holds more discards down to it.",
        "手牌的上限\n手牌上限是七张。回合结束时多出的牌要丢弃。",
        order=0,
    ),
    rule(
        "guild/first-turn",
        "Attack in the first turn\nThe player who begins may attack in the first turn of the game.",
        "第一回合攻击\n先手玩家在第一回合可以攻击。",
        order=1,
    ),
    rule(
        "guild/mulligan",
        "A new opening hand\nA player may exchange the opening hand for a new one twice before the game.",
        order=2,
    ),
    rule(
        "guild/shuffling",
        "Shuffling the deck\nBefore the game the owner shuffles the deck and the opponent cuts it.",
        order=3,
    ),
    rule("guild/clock", "Chess clocks\nTournaments on Saturdays are played with clocks of wood and brass.", order=4),
)

CASES = {
    ("inn/hand", "guild/hand-size"): (Verdict.DIFFERENT, "numbers differ: 6 / 7"),
    ("inn/attack", "guild/first-turn"): (Verdict.CONFLICT, "conflict (linked); may not / may"),
    ("inn/redraw", "guild/mulligan"): (Verdict.DIFFERENT, "how often: once / twice"),
    ("inn/shuffle", "guild/shuffling"): (Verdict.ALIKE, "alike"),
}


def linked(held: Rule, other: str) -> Rule:
    return held.model_copy(update={"conflicts_with": (other,)})


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace of two small rulesets, one of which says that it disagrees with the other."""
    root = tmp_path_factory.mktemp("tables")
    location.init(root)
    INN.save(root / "rules" / "inn")
    rules = [linked(held, "inn/attack") if held.slug == "first-turn" else held for held in GUILD.rules]
    ruleset("guild", *rules).save(root / "rules" / "guild")
    return Workspace.open(root)


@pytest.fixture(scope="module")
def shipped() -> Workspace:
    return Workspace.open(ROOT)


@pytest.fixture(scope="module")
def comparison(tables: Workspace) -> Comparison:
    return tables.compare("inn", "guild")


def by_rules(found: Comparison) -> dict[tuple[str, str], PairView]:
    return {(pair.one.rule, pair.other.rule): pair for pair in found.pairs}


@pytest.mark.parametrize(("rules", "expected"), CASES.items(), ids=[one for one, _ in CASES])
def test_small_rulesets(comparison: Comparison, rules: tuple[str, str], expected: tuple[Verdict, str]) -> None:
    pair = by_rules(comparison)[rules]
    assert (pair.verdict, pair.label) == expected
    is_due = pair.verdict is Verdict.DIFFERENT
    assert pair.link == (f"lorebook link {rules[0]} {rules[1]}" if is_due else None)


def test_no_other_pairs_and_the_rest_stands_alone(comparison: Comparison) -> None:
    assert by_rules(comparison).keys() == CASES.keys()
    assert [only.rule for only in comparison.only_one] == ["inn/beer"]
    assert [only.rule for only in comparison.only_other] == ["guild/clock"]
    none = {"reworded": 0, "same": 0}
    assert comparison.counts == {"conflict": 1, "different": 2, "alike": 1, "only_one": 1, "only_other": 1} | none


def test_conflicts_come_first_and_what_is_alike_last(comparison: Comparison) -> None:
    order = list(Verdict)
    places = [order.index(pair.verdict) for pair in comparison.pairs]
    assert places == sorted(places)
    assert [pair.one.rule for pair in comparison.pairs] == ["inn/attack", "inn/hand", "inn/redraw", "inn/shuffle"]


def test_in_the_language_that_is_asked_for(tables: Workspace) -> None:
    pairs = by_rules(tables.compare("inn", "guild", language="zh"))
    assert pairs["inn/hand", "guild/hand-size"].label == "numbers differ: 6 / 7"
    assert pairs["inn/hand", "guild/hand-size"].one.text.startswith("手牌上限是六张")
    assert ("inn/redraw", "guild/mulligan") in pairs, "a rule without that language is compared in its own"


def test_a_topic_leaves_what_it_finds(tables: Workspace) -> None:
    found = tables.compare("inn", "guild", topic="hand limit")
    assert found.topic == "hand limit"
    assert (found.pairs[0].one.rule, found.pairs[0].other.rule) in CASES
    assert ("inn/hand", "guild/hand-size") in by_rules(found)
    assert len(found.pairs) + len(found.only_one) + len(found.only_other) < len(CASES) + 2


def test_a_limit_shortens_the_lists_and_not_the_counts(tables: Workspace, comparison: Comparison) -> None:
    short = tables.compare("inn", "guild", limit=1)
    assert short.counts == comparison.counts
    assert [pair.verdict for pair in short.pairs] == [Verdict.CONFLICT, Verdict.DIFFERENT, Verdict.ALIKE]
    assert tables.compare("inn", "guild", limit=0).pairs == ()


@pytest.mark.parametrize(
    ("names", "topic", "failure"),
    [
        (("inn", "inn"), None, InputError),
        (("inn", "castle"), None, UnknownNameError),
        (("inn", "guild"), " ", InputError),
    ],
    ids=["itself", "no such ruleset", "empty topic"],
)
def test_what_cannot_be_compared(
    tables: Workspace, names: tuple[str, str], topic: str | None, failure: type[Exception]
) -> None:
    with pytest.raises(failure):
        tables.compare(*names, topic=topic)


@pytest.fixture(scope="module")
def all_shipped(shipped: Workspace) -> dict[tuple[str, str], Comparison]:
    return {names: shipped.compare(*names) for names in permutations(SHIPPED, 2)}


def links(shipped: Workspace, one: str, other: str) -> Iterator[tuple[str, str]]:
    for held in shipped.ruleset(one).rules:
        yield from ((held.id, link) for link in held.conflicts_with if link.startswith(f"{other}/"))


@pytest.mark.parametrize("names", [*combinations(SHIPPED, 2)], ids="-".join)
def test_every_linked_conflict_of_the_shipped_rules_is_listed(
    shipped: Workspace, all_shipped: dict[tuple[str, str], Comparison], names: tuple[str, str]
) -> None:
    found = all_shipped[names]
    listed = {rules for rules, pair in by_rules(found).items() if pair.verdict is Verdict.CONFLICT}
    assert listed == set(links(shipped, *names))
    assert listed, "the shipped rulesets contradict each other"


def mirrored(found: Comparison) -> Comparison:
    pairs = tuple(
        pair.model_copy(
            update={
                "one": pair.other,
                "other": pair.one,
                "label": "",
                "link": pair.link and frozenset(pair.link.split()),
                "contrasts": frozenset(contrast.mirrored() for contrast in pair.contrasts),
            }
        )
        for pair in found.pairs
    )
    counts = found.counts | {"only_one": found.counts["only_other"], "only_other": found.counts["only_one"]}
    update = {
        "one": found.other, "other": found.one, "one_title": found.other_title, "other_title": found.one_title,
        "pairs": pairs, "only_one": found.only_other, "only_other": found.only_one, "counts": counts,
    }  # fmt: skip
    return found.model_copy(update=update)


def by_names(found: Comparison) -> Comparison:
    """In an order that does not depend on which ruleset was named first."""
    pairs = sorted(found.pairs, key=lambda pair: sorted((pair.one.rule, pair.other.rule)))
    return found.model_copy(update={"pairs": tuple(pairs)})


def unlabelled(found: Comparison) -> Comparison:
    pairs = [
        pair.model_copy(
            update={
                "label": "",
                "link": pair.link and frozenset(pair.link.split()),
                "contrasts": frozenset(pair.contrasts),
            }
        )
        for pair in found.pairs
    ]
    return found.model_copy(update={"pairs": tuple(pairs)})


@pytest.mark.parametrize("names", [*combinations(SHIPPED, 2)], ids="-".join)
def test_the_other_way_round_is_the_mirror(
    all_shipped: dict[tuple[str, str], Comparison], names: tuple[str, str]
) -> None:
    assert by_names(mirrored(all_shipped[names[::-1]])) == by_names(unlabelled(all_shipped[names]))


@pytest.mark.parametrize("names", [*combinations(SHIPPED, 2)], ids="-".join)
def test_every_rule_has_a_place(
    shipped: Workspace, all_shipped: dict[tuple[str, str], Comparison], names: tuple[str, str]
) -> None:
    found = all_shipped[names]
    for at, only in enumerate((found.only_one, found.only_other)):
        paired = {rules[at] for rules in by_rules(found)}
        alone = {each.rule for each in only}
        assert not paired & alone
        assert paired | alone == {held.id for held in shipped.ruleset(names[at]).rules}


KNOWN = {
    "hand limit": ("ygo-classic/end-phase", "mutegannu-ekrats/hand-limit", "numbers differ: 6 / 7"),
    "hand limit, of a long rule": ("bfm-v2/phases", "mutegannu-ekrats/hand-limit", "numbers differ: "),
    "phases of a turn": ("bfm-v2/phases", "mutegannu-ekrats/turn-phases", "numbers differ: 6 / 8"),
    "first battle": ("ygo-classic/first-turn-no-battle", "mutegannu-ekrats/no-battle-first-two-turns", "conflict"),
    "first draw": ("bfm-v2/the-first-turn", "ygo-classic/draw-phase", "conflict (linked)"),
}


@pytest.mark.parametrize(("one", "other", "said"), KNOWN.values(), ids=KNOWN)
def test_known_differences_of_the_shipped_rules(
    all_shipped: dict[tuple[str, str], Comparison], one: str, other: str, said: str
) -> None:
    found = all_shipped[one.partition("/")[0], other.partition("/")[0]]
    assert said in by_rules(found)[one, other].label


@pytest.mark.parametrize("names", [*permutations(SHIPPED, 2)], ids="-".join)
def test_pairs_stand_in_the_order_of_the_first_ruleset(
    shipped: Workspace, all_shipped: dict[tuple[str, str], Comparison], names: tuple[str, str]
) -> None:
    numbers = {held.id: number for number, held in enumerate(shipped.ruleset(names[0]).rules)}
    places = [([*Verdict].index(pair.verdict), numbers[pair.one.rule]) for pair in all_shipped[names].pairs]
    assert places == sorted(places)


def test_paraphrases_are_no_rewordings(all_shipped: dict[tuple[str, str], Comparison]) -> None:
    pairs = [pair for names in combinations(SHIPPED, 2) for pair in all_shipped[names].pairs]
    found = [(pair.one.rule, pair.other.rule) for pair in pairs if pair.verdict in (Verdict.REWORDED, Verdict.SAME)]
    assert found == [("bfm-v2/tribute-summoning", "ygo-classic/tribute-summon")], "only these share a sentence"


def test_rules_that_agree_are_found_to_be_alike(all_shipped: dict[tuple[str, str], Comparison]) -> None:
    pairs = by_rules(all_shipped["ocg-zh", "ygo-classic"])
    assert pairs["ocg-zh/hand-limit", "ygo-classic/end-phase"].verdict is Verdict.ALIKE
    assert pairs["ocg-zh/tribute-summon", "ygo-classic/tribute-summon"].verdict is Verdict.ALIKE
