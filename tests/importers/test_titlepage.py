"""
Title pages: which lines are no more than an edition or a date.
"""

from __future__ import annotations

import pytest

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
