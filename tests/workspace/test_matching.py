"""
What the games' glossary does to the keys of a book: its terms part the words of a chat, and hide no key by itself;
in which language a ruleset is told, and what comes in by meaning.
"""

from __future__ import annotations

from typing import Any

import pytest

from lorebook.errors import InputError
from lorebook.matching.obstacles import VectorFloor
from lorebook.matching.reasons import VectorHit
from lorebook.records import Position
from lorebook.workspace import Workspace, location
from lorebook.workspace.matching import MatchOptions
from lorebook.workspace.views import MatchResult
from tests.retrieval.worlds import CHESS, rule, ruleset


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


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """
    A workspace with a ruleset in English and one in Chinese.
    """
    root = tmp_path_factory.mktemp("club")
    location.init(root)
    chinese = ruleset(
        "tea", rule("tea/cup", zh="茶杯\n每名玩家有一只茶杯。"), rule("tea/hand", zh="手牌\n手牌至多八张。")
    )
    for each in (CHESS, chinese):
        each.save(root / "rules" / each.name)
    return Workspace.open(root)


def matched(club: Workspace, book: str | dict[str, Any], *said: str, **options: Any) -> MatchResult:
    messages = [{"role": "user", "content": text} for text in said]
    return club.match_messages(messages, book, options=MatchOptions(**options))


@pytest.mark.parametrize(
    ("book", "said", "told"),
    [
        ("chess", "我想用 castling 这一步，可以吗？", "The king moves two squares"),
        ("tea", "How does the 茶杯 work when the game begins?", "每名玩家有一只茶杯"),
    ],
    ids=["a Chinese chat", "an English chat"],
)
def test_a_ruleset_of_one_language_is_told_in_it(club: Workspace, book: str, said: str, told: str) -> None:
    found = matched(club, book, said, vector_limit=0)
    assert told in found.prompt.positions[Position.BEFORE_CHAR]


def test_only_who_asks_for_a_language_that_is_not_there_is_refused(club: Workspace) -> None:
    with pytest.raises(InputError, match=r"^chess: no rule has a wording in 'zh' \(take -l en or -l both\)$"):
        matched(club, "chess", "我想用 castling 这一步，可以吗？", language="zh")
    assert matched(club, "chess", "castling", language="both", vector_limit=0).activation.entries


@pytest.mark.parametrize(
    ("said", "options", "told"),
    [
        ((), {}, "no text to look meaning up for"),
        (("castling",), {"scan_depth": 0}, "no text to look meaning up for"),
        (("castling",), {"vector_limit": 0}, "meaning not asked for"),
        (("castling",), {}, "meaning looked up"),
    ],
    ids=["an empty chat", "nothing is scanned", "keys only", "looked up"],
)
def test_it_is_said_whether_meaning_was_looked_up(
    club: Workspace, said: tuple[str, ...], options: dict[str, Any], told: str
) -> None:
    assert matched(club, "chess", *said, **options).vectors == told


INLINE = {
    "entries": {
        str(uid): {"uid": uid, "key": [f"unnamed{uid}"], "comment": held.title, "content": held.text}
        for uid, held in enumerate(each.wording() for each in CHESS.rules)
    }
}


@pytest.mark.parametrize("book", ["chess", INLINE], ids=["a ruleset", "an inline book"])
@pytest.mark.parametrize(
    ("said", "brings_one"),
    [("Two squares ahead is fine for it from where it starts.", True), ("The weather at sea is mild.", False)],
    ids=["near", "far"],
)
def test_what_comes_in_by_meaning_reaches_the_floor_of_answers(
    club: Workspace,
    book: str | dict[str, Any],
    said: str,
    brings_one: bool,  # noqa: FBT001
) -> None:
    floor = club.searching.least_score
    strict, lenient = (matched(club, book, said, **options).activation for options in ({}, {"vector_floor": 0}))
    inside = [reason.score for entry in strict.entries for reason in entry.reasons if isinstance(reason, VectorHit)]
    outside = [entry.obstacle for entry in strict.held_back if isinstance(entry.obstacle, VectorFloor)]
    assert bool(inside) is brings_one
    assert all(score >= floor for score in inside)
    assert all(told.score < floor == told.floor for told in outside)
    assert len(lenient.entries) == len(inside) + len(outside)


def test_a_match_is_told_who_the_character_is(club: Workspace) -> None:
    entry = {"uid": 0, "key": ["gate"], "content": "It opens.", "characterFilter": {"names": ["Mira"], "tags": []}}
    book = {"entries": {"0": entry}}
    assert not matched(club, book, "the gate", vector_limit=0).activation.entries
    assert matched(club, book, "the gate", vector_limit=0, character="Mira").activation.entries
