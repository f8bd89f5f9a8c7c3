"""
A Chinese title is a clause that can stand by itself.
"""

from __future__ import annotations

import pytest

from lorebook.importers.naming import title_from


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("一个回合依次分为：沏茶、待客、结账三个阶段。", "一个回合依次分为：沏茶、待客、结账三个阶段"),
        ("客人牌左上角是价钱，右下角是名望。", "客人牌左上角是价钱"),
        ("镖师在场时，别人不能偷你的铜钱。", "镖师在场时，别人不能偷你的铜钱"),
        ("一個回合依次分為：沏茶、待客。", "一個回合依次分為：沏茶、待客"),
        (f"一个回合依次分为：{'沏茶、' * 12}待客。", "一个回合依次分为"),
    ],
    ids=["a clause that leads on", "a whole one", "one that says when", "in Traditional Chinese", "too long"],
)
def test_a_title_is_a_clause_that_can_stand_by_itself(text: str, title: str) -> None:
    assert title_from(text) == title
