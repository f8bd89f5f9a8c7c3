"""
A rule as an entry: what a prompt is told of it.
"""

from __future__ import annotations

import pytest

from lorebook.book import content
from lorebook.records import Wording


@pytest.mark.parametrize(
    ("title", "text", "examples", "told"),
    [
        pytest.param("Hand limit", "At most six cards.", (), "Hand limit\nAt most six cards.", id="title and text"),
        pytest.param(
            "At most six", "At most six cards.", (), "At most six cards.", id="the text begins with its title"
        ),
        pytest.param("At most…", "At most six cards.", (), "At most six cards.", id="a title that was cut"),
        pytest.param("每名玩家抽五张牌", "每名玩家抽五张牌。", (), "每名玩家抽五张牌。", id="Chinese"),
        pytest.param("Draw", "One card.", ("Kai draws.",), "Draw\nOne card.\n- Kai draws.", id="examples"),
    ],
)
def test_a_prompt_is_told_title_text_and_examples_once(
    title: str, text: str, examples: tuple[str, ...], told: str
) -> None:
    assert content(Wording(title=title, text=text, examples=examples)) == told
