"""
A flat Chinese rulebook: the examples that follow a ruling are its own, however many there are.
"""

from __future__ import annotations

import pytest

from lorebook.importers.document import Document
from lorebook.importers.draft import Draft
from lorebook.importers.flat_chinese import FlatChineseImporter

MANY = 60_000


def drafts(text: str) -> list[Draft]:
    return FlatChineseImporter().read(Document.from_text(text, name="规则.txt")).drafts


def test_examples_are_those_of_the_ruling_before_them() -> None:
    text = "渔船\n渔船可以撒网。例：撒网。例2：收网。\n例：回港。\n渔船要修理。\n例如：补帆。"
    assert [(made.text, made.examples, made.lines) for made in drafts(text)] == [
        ("渔船可以撒网。", ("撒网。", "收网。", "回港。"), (1, 2, 3)),
        ("渔船要修理。", ("补帆。",), (4, 5)),
    ]


@pytest.mark.parametrize(
    ("between", "lines"), [("\n", tuple(range(1, MANY + 2))), ("", (1,))], ids=["one a line", "on one line"]
)
def test_very_many_examples_are_gathered_as_fast_as_few(between: str, lines: tuple[int, ...]) -> None:
    (made,) = drafts(between.join(["玩家可以撒网。", *["例：他撒网。"] * MANY]))
    assert made.examples == ("他撒网。",) * MANY
    assert made.lines == lines
