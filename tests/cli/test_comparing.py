"""
`compare`, and conflicts beneath the hits of `ask`, as a reader sees them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

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


@pytest.fixture
def editions(lorebook: Command, tmp_path: Path) -> Path:
    """A workspace of two editions of a book, of one title: a number, a side and some words have changed."""
    before = (
        "# 茶馆规则书\n\n第一条 手牌上限为八张。\n\n第二条 名望相同时，守方获胜。\n\n第三条 牌堆放在桌子中央。\n\n"
        "第四条 铜钱不得私下赠送，但可以用来交换手牌。\n"
    )
    after = before.replace("八张", "九张").replace("守方", "攻方").replace("不得", "可以")
    for name, text in (("初版", before), ("再版", after)):
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
        assert lorebook("import", tmp_path / f"{name}.md", "-w", tmp_path / "books").code == 0
    return tmp_path / "books"


def test_two_editions_are_told_apart(lorebook: Command, editions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = lorebook("compare", "初版", "再版", "-w", editions).out
    assert out.startswith("茶馆规则书 (初版) and 茶馆规则书 (再版): conflicts 0, different 1, worded differently 2,")
    monkeypatch.setenv("COLUMNS", "80")
    out = lorebook("compare", "初版", "再版", "-w", editions).out
    said = ["numbers differ: 8 / 9", "worded differently: 守 / 攻", "worded differently: 不得 / 可以"]
    assert [line for line in out.splitlines() if " / " in line] == said
    assert "牌堆放在桌子中央" not in out, "what is the same is counted"
    assert out.count("  lorebook link ") == 3


def test_what_a_limit_leaves_out_is_said(lorebook: Command, editions: Path) -> None:
    out = lorebook("compare", "初版", "再版", "-w", editions, "-n", "1").out
    assert "\n… not shown: worded differently 1\n" in out
    out = lorebook("compare", "ocg-zh", "ygo-classic", "-n", "2").out
    found = json.loads(lorebook("compare", "ocg-zh", "ygo-classic", "--json").out)
    assert [int(number) for number in re.findall(r"^  … and (\d+) more$", out, re.MULTILINE)] == [
        found["counts"][name] - 2 for name in ("alike", "only_one", "only_other")
    ]
    assert f"… not shown: conflicts {found['counts']['conflict'] - 2}" in out
    assert "not shown" not in lorebook("compare", "ocg-zh", "ygo-classic").out


@pytest.mark.parametrize("columns", [60, 80, 90, 100, 120])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_id_is_cut(lorebook: Command, monkeypatch: pytest.MonkeyPatch, columns: int, language: str) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = lorebook("compare", "ygo-classic", "mutegannu-ekrats", "--language", language).out
    found = json.loads(lorebook("compare", "ygo-classic", "mutegannu-ekrats", "-l", language, "--json").out)
    ids = {side["rule"] for pair in found["pairs"] for side in (pair["one"], pair["other"])}
    ids |= {only["rule"] for only in (*found["only_one"], *found["only_other"])}
    assert [name for name in ids if not re.search(rf"{re.escape(name)}(?![\w-])", out)] == []
    assert max(map(cell_len, out.splitlines())) <= columns


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
