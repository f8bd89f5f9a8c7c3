"""
Lines break where their script wants it, never over the edge, and lose nothing.
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement

from lorebook.cli import render
from lorebook.cli.wrapping import Prose, breaks

LETTERS = st.text("手卡上限张玩家，。：；（）「」《》“”abc de'-6 7.,()é가나👩\u200d\ufe0f\u0301❤", max_size=80)
CONSOLE = Console(width=80)
FAMILY, HEART = "👩\u200d👩\u200d👧", "❤\ufe0f"
OPENING, CLOSING = "（《〈「『【“‘", "，。、；：？！）》〉」』】”’"


def lines(text: str, width: int) -> list[str]:
    begins = [0, *breaks(text, width), len(text)]
    return [text[start:end] for start, end in pairwise(begins)]


@pytest.mark.parametrize(
    ("text", "width", "wanted"),
    [
        ("手卡上限是六张。", 10, ["手卡上限是", "六张。"]),
        ("手卡上限是，六张。", 10, ["手卡上限", "是，六张。"]),
        ("手卡上限「六张」", 10, ["手卡上限", "「六张」"]),
        ("这是 OCG 的规则，手卡上限是6张", 10, ["这是 OCG ", "的规则，手", "卡上限是", "6张"]),
        ("six cards (hand limit)", 10, ["six cards ", "(hand ", "limit)"]),
        ("手卡 hand-limit", 12, ["手卡 ", "hand-limit"]),
        ("the key `通常召唤` or", 15, ["the key `通常召", "唤` or"]),
        ("key `通常召唤` or", 13, ["key `通常召", "唤` or"]),
        ("key `通常召唤`, or", 6, ["key ", "`通常", "召唤`, ", "or"]),
        ("don't stop", 5, ["don't ", "stop"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("手卡上12（六）", 7, ["手卡上", "12", "（六）"]),
        (FAMILY * 3, 3, [FAMILY] * 3),
        ("手卡\u0301，手", 4, ["手", "卡\u0301，", "手"]),
        ("a\u0301b\u0301c", 2, ["a\u0301b\u0301", "c"]),
        (HEART * 3, 5, [HEART * 2, HEART]),
    ],
    ids=[
        "full",
        "comma",
        "brackets",
        "mixed",
        "English",
        "both",
        "quoted",
        "closing",
        "opening",
        "apostrophe",
        "long",
        "number",
        "joined",
        "accent",
        "accents",
        "selector",
    ],
)
def test_where_lines_break(text: str, width: int, wanted: list[str]) -> None:
    assert lines(text, width) == wanted


@given(LETTERS, st.integers(2, 40))
def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(text: str, width: int) -> None:
    made = lines(text, width)
    assert "".join(made) == text
    assert all(cell_len(line.rstrip()) <= width for line in made)


@given(LETTERS)
def test_no_line_begins_with_a_closing_mark_or_ends_with_an_opening_one(text: str) -> None:
    # Marks in a row, or beside a space, are no marks of a sentence.
    marks = f"[{OPENING}{CLOSING}]"
    plain = re.sub(rf"(?<=\s){marks}+|^{marks}+|{marks}+(?=\s|$)|(?<={marks}){marks}+", "", text)
    made = lines(plain, 16)
    assert not [line for line in made[1:] if line[0] in CLOSING]
    assert not [line for line in made[:-1] if line.rstrip()[-1:] in tuple(OPENING)]


@given(LETTERS, st.integers(2, 40))
def test_no_line_begins_inside_a_sign(text: str, width: int) -> None:
    for before, line in pairwise(lines(text, width)):
        assert cell_len(line[0])
        assert not re.search("(?<!\u200d)\u200d$", before)


@pytest.mark.parametrize("run", ["1", "a(", "(", "（", "1（", "「(", "a1", "手", "`", "e\u0301"])
def test_a_very_long_run_is_broken_as_fast_as_a_short_one(run: str) -> None:
    text = "a" + run * 100_000
    assert "".join(lines(text, 80)) == text
    assert Measurement.get(CONSOLE, CONSOLE.options, Prose(text)).minimum <= CONSOLE.width


def test_a_table_wraps_chinese_within_its_columns(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    text = "手卡上限（手牌上限）为6张：结束阶段中，要把多出的卡丢弃到墓地。"
    render.table(("", "one", "other"), [["conflict", text, text]], shares=(2, 5, 5))
    told = capfd.readouterr().out.splitlines()
    assert max(map(cell_len, told)) <= 60
    columns = [line[13:].split("  ", 1)[0].strip() for line in told if "手" in line or "卡" in line]
    assert len(columns) <= 4
    assert not any(column.startswith(tuple(CLOSING)) for column in columns)


@given(LETTERS, st.integers(8, 40), st.integers(0, 6))
def test_what_goes_on_is_indented_and_nothing_is_wider_or_lost(text: str, width: int, hanging: int) -> None:
    first, *rest = (line.plain for line in Prose(text).hung(width, hanging))
    assert all(line.startswith(" " * hanging) for line in rest)
    assert all(cell_len(line) <= width for line in (first, *rest))
    assert "".join((first, *rest)).replace(" ", "") == text.replace(" ", "")


NAMES = ("ygo-classic/summon-or-set-position", "ocg-zh/手牌上限")
TEXT = "Main Phase 1 > Which Position a Monster is Summoned or Set in, and What the Word Means"


@pytest.mark.parametrize("width", [80, 66, 50, 35])
def test_names_in_a_table_are_never_broken(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    render.table(("id", "number", "title"), [[name, "C", TEXT] for name in NAMES])
    told = capfd.readouterr().out.splitlines()
    assert max(map(cell_len, told)) <= width
    assert [line.split()[0] for line in told if not line.startswith((" ", "id"))] == [*NAMES]
    assert "".join(told).count("Means") == len(NAMES)


def test_a_name_wider_than_the_terminal_is_folded(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    render.table(("id", "title"), [[NAMES[0], "Position"]])
    told = capfd.readouterr().out.splitlines()
    assert "".join(told[:2]) == NAMES[0]
    assert told[2] == "  Position"
