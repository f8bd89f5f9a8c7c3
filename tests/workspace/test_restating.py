"""
A line of a document is shown beside a rule only where it says something else.
"""

from __future__ import annotations

import pytest

from lorebook.records import Rule, Wording
from lorebook.retrieval.hits import Evidence, Hit
from lorebook.workspace.restating import other_words
from lorebook.workspace.views import AnswerHit, SourceLine

TEXT = "At step ten the tide turns & the game ends at once.\n\n手牌上限为六张。"


def answer(line: str) -> AnswerHit:
    wording = Wording(title="Turning tide", section=("7. The tide",), text=TEXT)
    rule = Rule(id="ht/7.3", number="7.3", order=1, original="en", wordings={"en": wording})
    hit = Hit(rule=rule.id, ruleset="ht", language="en", text=TEXT, score=1, evidence=Evidence())
    lines = (SourceLine(number=4, text=line),)
    return AnswerHit(rule=rule, ruleset_title="Thieves", edition="1", authority="me", hit=hit, source_lines=lines)


@pytest.mark.parametrize(
    "line",
    [
        "### 7.3 Turning tide",
        "7.3 At step **ten** the  tide turns &amp; the game",
        '<h3 id="r7.3">7.3 Turning tide</h3>',
        "[b]At step ten[/b] the tide turns",
        "At [step ten](https://tides.test/10) the tide turns",
        "手牌上限為六張",
        "-----",
    ],
)
def test_the_same_words(line: str) -> None:
    assert other_words(answer(line)) == []


@pytest.mark.parametrize(
    "line", ["At step nine the tide turns", "7.4 Turning tide", "手牌上限为七张。", "the game"[::-1]]
)
def test_other_words(line: str) -> None:
    assert [each.number for each in other_words(answer(line))] == [4]
