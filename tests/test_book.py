"""
A rule as an entry: what a prompt is told of it.
"""

from __future__ import annotations

import pytest

from lorebook.book import ExportLanguage, content, from_ruleset
from lorebook.errors import InputError
from lorebook.records import Wording
from lorebook.ruleset import Ruleset
from tests.retrieval.worlds import rule, ruleset


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


ENGLISH = ruleset("inn", rule("inn/ale", "Ale\nIt costs a coin."), rule("inn/bed", "Bed\nIt costs two."))
MIXED = ruleset(
    "inn", rule("inn/ale", "Ale\nIt costs a coin."), rule("inn/bed", "Bed\nIt costs two.", "床\n两枚铜钱。")
)


@pytest.mark.parametrize(
    ("rules", "language", "says"),
    [
        (ENGLISH, ExportLanguage.ZH, "inn: no rule has a wording in 'zh' (take -l en or -l both)"),
        (MIXED, ExportLanguage.ZH, "inn: 1 of 2 rules have no wording in 'zh' (take -l en or -l both)"),
    ],
    ids=["of no rule", "of some"],
)
def test_a_language_that_rules_lack_is_refused_with_those_they_have(
    rules: Ruleset, language: ExportLanguage, says: str
) -> None:
    with pytest.raises(InputError) as caught:
        from_ruleset(rules, language)
    assert str(caught.value) == says


def test_rules_may_be_told_as_they_were_written_where_a_wording_is_missing() -> None:
    book = from_ruleset(MIXED, ExportLanguage.ZH, or_original=True)
    assert [entry.name for entry in book.entries] == ["Ale", "床"]
