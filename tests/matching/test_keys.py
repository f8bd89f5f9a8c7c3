"""Plain keys, whole words, folding, and JavaScript regular expressions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.matching.chat import Message
from lorebook.matching.engine import match
from lorebook.matching.reasons import KeyHit
from lorebook.matching.settings import MatchSettings
from lorebook.records import EntrySettings, Role

# key, text, what matches (None: nothing)
WHOLE_WORDS = [
    ("Set", "I set a monster", "set"),
    ("Set", "the setup is done", None),
    ("Set", "reset", None),
    ("set", "Set!", "Set"),
    ("Normal Summon", "a normal  summon", "normal  summon"),
    ("Normal Summon", "a normal\nsummon", "normal\nsummon"),
    ("Normal Summon", "Normal Summoned", None),
    ("face-down", "placed face down", "face down"),
    ("face down", "placed face-down", "face-down"),
    ("face-down", "placed facedown", None),
    ("été", "l'été arrive", "été"),
    ("ét", "l'été arrive", None),
    ("Повтор", "Новый повтор!", "повтор"),
    ("Повтор", "повторный", None),
    ("墓地", "送去墓地的怪兽", "墓地"),
    ("GY", "送去GY的怪兽", "GY"),
    ("通常召唤", "我要通常召喚", "通常召喚"),
    ("LP", "ＬＰ变成0", "ＬＰ"),
    ("카드", "카드를 낸다", "카드"),
    ("カード", "カードを出す", "カード"),
    ("C++", "use C++ here", "C++"),
    ("🔥", "so 🔥!", "🔥"),
    ("Level 5", "a level 5 monster", "level 5"),
    ("Level 5", "a level 55 monster", None),
    ("Spell/Trap Zone", "my spell/trap zone", "spell/trap zone"),
    ("dragon", "two dragons!", "dragons"),
    ("ability", "its abilities.", "abilities"),
    ("通常召唤", "我要通常\n召喚", "通常\n召喚"),
    ("1000", "pay 1,000 LP", "1,000"),
    ("❤", "I ❤\ufe0f you", "❤\ufe0f"),
    ("마법 카드", "이 마법카드를", "마법카드"),
    ("ATK/DEF", "its ATK / DEF now", "ATK / DEF"),
    ("İzmir", "in I\u0307ZMIR", "I\u0307ZMIR"),
]


def find(key: str, text: str, *, case_sensitive: bool = False, whole_words: bool = True) -> str | None:
    """What *key* matches in the one message *text*, as the explanation quotes it."""
    settings = EntrySettings(case_sensitive=case_sensitive, match_whole_words=whole_words)
    book = Book(name="test", entries=(Entry(uid=0, keys=(key,), content="Found.", settings=settings),))
    result = match((Message(role=Role.USER, content=text),), book, settings=MatchSettings(scan_depth=1))
    if not result.entries:
        return None
    (hit,) = result.entries[0].reasons
    assert isinstance(hit, KeyHit)
    assert hit.start is not None
    assert text[hit.start : hit.end] == hit.text
    return hit.text


@pytest.mark.parametrize(("key", "text", "expected"), WHOLE_WORDS)
def test_whole_words(key: str, text: str, expected: str | None) -> None:
    assert find(key, text) == expected


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [("Set", "the setup", "set"), ("summon", "Resummoning", "summon"), ("怪", "怪兽", "怪")],
)
def test_parts_of_words_match_when_whole_words_are_off(key: str, text: str, expected: str) -> None:
    assert find(key, text, whole_words=False) == expected


def test_case_matters_only_when_asked() -> None:
    assert find("GY", "the gy", case_sensitive=True) is None
    assert find("GY", "the GY", case_sensitive=True) == "GY"


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        (r"/dra(g|k)on/i", "A DRAGON", "DRAGON"),
        (r"/dragon/", "A DRAGON", None),
        (r"/手(牌|卡)上限/", "😀问：手卡上限？", "手卡上限"),
        (r"/(?<=level )\d+/", "level 12", "12"),
        (r"/a\/b/", "a/b", "a/b"),
        ("/a/b/", "x/a/b/y", "/a/b/"),
        ("/(/", "what /(/ is", "/(/"),
    ],
)
def test_regex_keys_are_ecmascript_and_broken_ones_are_plain(key: str, text: str, expected: str | None) -> None:
    assert find(key, text, whole_words=False) == expected


@pytest.mark.parametrize("key", ["", "   ", "-", "\n", "\x01"])
def test_an_empty_key_finds_nothing(key: str) -> None:
    assert find(key, "anything - at all", whole_words=False) is None


@given(st.text(min_size=1).filter(lambda key: not key.strip().startswith("/")), st.text())
def test_a_match_is_quoted_from_the_text(key: str, text: str) -> None:
    quoted = find(key, text, whole_words=False)
    assert quoted is None or quoted in text


@given(
    st.text(alphabet="abc手牌上限ＬＰé ß", min_size=1).filter(lambda key: key.strip(" ") != ""),
    st.text(),
    st.text(),
)
def test_a_key_is_found_in_any_text_that_holds_it(key: str, before: str, after: str) -> None:
    assert find(key, f"{before} {key} {after}", whole_words=False) is not None
