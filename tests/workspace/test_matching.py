"""
What the games' glossary does to the keys of a book: its terms part the words of a chat, and hide no key by itself.
"""

from __future__ import annotations

from typing import Any

import pytest

from lorebook.workspace import Workspace
from lorebook.workspace.matching import MatchOptions


def fired(chat: str, *keys: str) -> list[str]:
    entries: dict[str, dict[str, Any]] = {
        str(uid): {"uid": uid, "key": [key], "comment": key, "content": f"{key}。", "order": 100}
        for uid, key in enumerate(keys)
    }
    found = Workspace.open().match_messages(
        [{"role": "user", "content": chat}], {"entries": entries}, options=MatchOptions(vector_limit=0)
    )
    return [entry.name for entry in found.activation.entries]


@pytest.mark.parametrize(
    ("chat", "keys", "expected"),
    [
        ("我们掷骰子吧", ["骰子"], ["骰子"]),
        ("我要通常召唤这只龙", ["召唤"], ["召唤"]),
        ("我要通常召喚這隻龍", ["召喚"], ["召喚"]),
        ("额外卡组有几张", ["卡组"], ["卡组"]),
        ("我要通常召唤这只龙", ["召唤", "通常召唤"], ["通常召唤"]),
        ("这张卡通常召唤", ["卡通"], []),
        ("我在看卡通", ["卡通"], ["卡通"]),
    ],
    ids=["dice", "a summon", "in Traditional", "a deck", "a longer key", "a word across two", "the word itself"],
)
def test_a_longer_term_hides_a_key_only_where_the_book_has_it(chat: str, keys: list[str], expected: list[str]) -> None:
    assert fired(chat, *keys) == expected
