"""
`compare`, and conflicts beneath the hits of `ask`, as a reader sees them.
"""

from __future__ import annotations

import json
import re

import pytest
from rich.cells import cell_len

from tests.conftest import Command

HAND = ("compare", "ygo-classic", "mutegannu-ekrats", "--topic", "hand limit")


def test_side_by_side_where_there_is_room(lorebook: Command) -> None:
    done = lorebook(*HAND)
    heads = next(line for line in done.out.splitlines() if line.strip().startswith("ygo-classic"))
    assert heads.split() == ["ygo-classic", "mutegannu-ekrats"]
    row = next(line for line in done.out.splitlines() if "Six Cards" in line)
    assert "Hand limit of seven cards" in row
    assert "numbers differ: 6 / 7" in " ".join(line[:30].strip() for line in done.out.splitlines())


def test_stacked_where_there_is_not(lorebook: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = lorebook(*HAND).out.splitlines()
    label = next(at for at, line in enumerate(lines) if "numbers differ: 6 / 7" in line)
    assert "ygo-classic/end-phase" in lines[label + 1]
    assert not any("Six Cards" in line and "seven" in line for line in lines)
    assert max(map(len, lines)) <= 60


def test_what_agrees_and_what_stands_alone_is_listed(lorebook: Command) -> None:
    out = lorebook("compare", "ocg-zh", "ygo-classic").out
    agreeing, _, alone = out.partition("only in ocg-zh\n")
    assert "(ocg-zh/hand-limit) / End Phase and Hand Limit" in agreeing.replace("\n", "")
    assert "ocg-zh/link-monster" in alone.replace("\n", "")


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_what_is_shown_is_in_the_language_of_the_topic(
    lorebook: Command, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = lorebook("compare", "ygo-classic", "mutegannu-ekrats", "--topic", "手牌").out
    assert out.startswith("游戏王 经典规则书 and Mutegannu Ekrats（自制卡牌）:")
    assert "手卡上限七张" in out
    assert "弃牌堆（墓地） (mutegannu-ekrats/discard-pile)" in out
    assert "Hand limit" not in out
    assert max(map(cell_len, out.splitlines())) <= columns


def test_a_language_that_is_named_goes_before_that_of_the_topic(lorebook: Command) -> None:
    out = lorebook("compare", "ygo-classic", "ocg-zh", "--topic", "手牌", "--language", "en").out
    assert out.startswith("Yu-Gi-Oh! Classic Rulebook and Yu-Gi-Oh! OCG Rules (excerpt)")
    assert not re.search("[一-鿿]", out)
    refused = lorebook("compare", "ygo-classic", "ocg-zh", "-l", "fr")
    assert refused.err == "lorebook: no language 'fr' (there are: en, zh)\n"


def test_without_a_topic_everything_is_in_a_language_that_both_have(lorebook: Command) -> None:
    out = lorebook("compare", "ygo-classic", "ocg-zh").out
    assert out.startswith("Yu-Gi-Oh! Classic Rulebook and Yu-Gi-Oh! OCG Rules (excerpt)")
    assert "  Type of a monster (ocg-zh/monster-type)" in out


def test_piped_every_passage_is_one_line(lorebook: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    lines = lorebook(*HAND, "--language", "zh").out.splitlines()
    assert (
        "    手卡上限为 7 张。回合玩家在结束阶段若有 8 张或更多手卡，必须把手卡丢弃到弃牌堆，直到只剩 7 张。"
        in "".join(lines)
    )
    assert all(line == line.rstrip() for line in lines)


def test_json_holds_the_same(lorebook: Command) -> None:
    found = json.loads(lorebook(*HAND, "--json").out)
    first = found["pairs"][0]
    assert (first["verdict"], first["label"]) == ("conflict", "conflict (linked); numbers differ: 6 / 7")
    assert first["contrasts"][0]["one_sentence"] == "Hand limit (hand size limit): six cards."


def test_nothing_about_the_topic_is_said(lorebook: Command) -> None:
    out = lorebook("compare", "ocg-zh", "ygo-classic", "--topic", "the recipe of a lemon cake").out
    assert out.rstrip().endswith("No rule of either is about this.")


@pytest.mark.parametrize(
    ("words", "says"),
    [(("ocg-zh", "ocg-zh"), "compared with itself"), (("ocg-zh", "chess"), "no ruleset 'chess'")],
    ids=["itself", "unknown"],
)
def test_what_cannot_be_compared_is_one_sentence(lorebook: Command, words: tuple[str, str], says: str) -> None:
    done = lorebook("compare", *words)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert says in done.err


def test_ask_shows_the_other_rule_beneath_the_hit(lorebook: Command) -> None:
    out = lorebook("ask", "hand limit", "-n", "1").out
    assert "   disagrees: Hand limit of seven cards  mutegannu-ekrats/hand-limit\n      The hand limit is seven." in out
    assert "      Mutegannu Ekrats · draft · the game's author (unfinished draft) · en" in out


def test_ask_names_a_conflict_with_a_ruleset_that_is_not_asked(lorebook: Command) -> None:
    out = lorebook("ask", "hand limit", "-n", "1", "-r", "ygo-classic").out
    assert "   disagrees, not asked: Hand limit of seven cards  mutegannu-ekrats/hand-limit\n\n" in out


def test_ask_tells_both_sides_of_a_point_that_the_hit_does_not_show(lorebook: Command) -> None:
    out = lorebook("ask", "Phases of a turn in order", "-n", "2", "-r", "mutegannu-ekrats", "-r", "bfm-v2").out
    said = out.partition("disagrees, on another point of this rule: Phases  bfm-v2/phases")[2]
    assert "\n      here: A turn runs through eight phases" in said
    assert "a turn has six phases in a fixed order" in said


def test_a_preferred_ruleset_rules_by_option_and_environment(
    lorebook: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_option = lorebook("ask", "hand limit", "--prefer", "mutegannu-ekrats").out
    assert by_option.startswith("1. Turn Structure > End Phase > Hand limit of seven cards")
    assert "   but: " in by_option
    assert "disagrees" not in by_option
    monkeypatch.setenv("LOREBOOK_PREFER", "mutegannu-ekrats")
    assert lorebook("ask", "hand limit").out == by_option
    assert lorebook("ask", "hand limit", "--prefer", "").out != by_option
