"""
Keys from titles.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.importers.titles import LONGEST, Written, keys_of

WRITTEN = Written(["You bid once. A steeped leaf is scavenged; ships collide and rows of signals are rowed."])


@pytest.mark.parametrize(
    ("title", "keys"),
    [
        ("Starting hand", ["Starting hand"]),
        ("The Laughing Monk", ["Laughing Monk"]),
        ("Wreck rolls", ["Wreck rolls", "Wreck roll"]),
        ("Ties", ["Ties", "Tie"]),
        ("Bitter leaves", ["Bitter leaves", "Bitter leaf"]),
        ("SPELLS", ["SPELLS", "SPELL"]),
        ("Bidding", ["Bidding", "Bid"]),
        ("Scavenge", ["Scavenge", "Scavenged"]),
        ("Playing a trick", ["Playing a trick", "Play a trick"]),
        ("Running out of oil", ["Running out of oil", "Run out of oil"]),
        ("Laughing Monk", ["Laughing Monk"]),
        ("Face-down card", ["Face-down card", "Face down card"]),
        ("Ties and draws", ["Ties and draws", "Ties and draw", "Ties", "draws"]),
        ("Row / Haul", ["Row / Haul", "Row", "Haul"]),
        ("Steeped: a tea-house card game", ["Steeped", "tea-house card game", "tea house card game"]),
        ("Relics (optional)", ["Relics", "Relic", "optional"]),
        ("What to do when the wind turns and nobody has a sail", []),
        ("Whoever has the lantern at the end of a…", []),
        ("手牌上限", ["手牌上限"]),
        ("抽牌与弃牌", ["抽牌与弃牌", "抽牌", "弃牌"]),
        ("攻击力·守备力", ["攻击力·守备力", "攻击力", "守备力"]),
        ("笑和尚", ["笑和尚"]),
        ("准备：洗牌", ["准备", "洗牌"]),
        ("在自己的回合里打出的每一张牌都要当作已经翻开", []),
        ("把海怪放入…", []),
        ("《渡口茶馆》规则", []),
    ],
)
def test_a_title_gives_what_a_chat_would_say(title: str, keys: list[str]) -> None:
    assert list(keys_of(title, WRITTEN)) == keys


@given(st.text(max_size=80))
def test_keys_are_short_parts_of_the_title_or_forms_of_them(title: str) -> None:
    for key in keys_of(title, WRITTEN):
        assert 0 < len(key) <= LONGEST + 1
        assert len(key) <= len(title) + len("scavenged")
