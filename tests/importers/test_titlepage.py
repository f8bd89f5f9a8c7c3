"""
Title pages: which lines are no more than an edition or a date.
"""

from __future__ import annotations

import pytest

from lorebook.importers import import_document
from lorebook.importers.titlepage import is_edition


@pytest.mark.parametrize(
    "text",
    [
        "Version 3.1.0", "Ver. 1.9.0", "v1.2", "v1.2, 2026-01-01", "Last updated: 2/21/2025", "Effective June 1, 2026",
        "Effective as of 1 June 2026", "Updated: 2026", "Second Edition", "2nd edition", "1.3版", "第二版",
        "（2026年1月1日发布）", "2026年1月1日第三次会议通过", "2026-01-01修订", "更新时间：2024-05-01", "版本号：1.2",
    ],
)  # fmt: skip
def test_an_edition(text: str) -> None:
    assert is_edition(text)


@pytest.mark.parametrize(
    "text",
    [
        "Version of the rules",
        "Version 2 of combat",
        "Editions 3",
        "Date night",
        "更新手牌",
        "2 players",
        "Update 2 nets",
    ],
)
def test_no_edition(text: str) -> None:
    assert not is_edition(text)


TEXT = "A game for two to five players. Every player leads a crew of thieves who rob ships."
RULES = "1. Setup\n\n1.1 Players. Two can play.\n1.2 Deck. It has twelve cards.\n"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"Harbour Thieves\n{TEXT}\n\n{RULES}", "Harbour Thieves"),
        (f"Harbour Thieves\n\n{TEXT}\n\n{RULES}", "Harbour Thieves"),
        (f"Harbour Thieves\n{TEXT}\nIt takes an hour.\n\n{RULES}", "Harbour Thieves"),
        (f"Harbour Thieves are\n{TEXT[0].lower()}{TEXT[1:]}\n\n{RULES}", "game"),
        (f"Harbour Thieves\nA game for two.\n\n{RULES}", "game"),
        (f"Harbour Thieves.\n{TEXT}\n\n{RULES}", "game"),
    ],
    ids=[
        "right above",
        "a line between",
        "a long paragraph",
        "a sentence that goes on",
        "two short lines",
        "a sentence",
    ],
)
def test_the_line_above_text_and_numbers_is_the_title(text: str, title: str) -> None:
    ruleset = import_document(text.encode(), file_name="game.txt", ruleset="game", kind="numbered").ruleset
    assert ruleset.manifest.title == {"en": title}
    assert [rule.number for rule in ruleset.rules][1:] == ["1.1", "1.2"]
    if title != "game":
        assert ruleset.rules[0].wording().text.startswith(TEXT)
