"""
NovelAI's keys: `a & b`, patterns and words, there and back.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.formats import novelai_keys
from lorebook.formats.novelai_keys import Keys
from lorebook.records import SecondaryLogic

BOTH = r"/^(?=[\s\S]*\bgate\b)(?=[\s\S]*\bpassword\b)/i"
_PARTS = st.sampled_from(
    [
        *("gate", "salt gate", "门", "C++", "/ga(te|p)s?/i", "/gate/", "/(?:gate)/i", "D&D", "a & b", "& b", "a &"),
        *("", " gate ", "/", "/a/ & b", "(?:gate)", "\\", "/a\\&b & c/i", "\n", BOTH),
    ]
)
some_keys = st.lists(
    st.lists(_PARTS, min_size=1, max_size=3).map(" & ".join) | st.text("a &/i\\()?:=[]", max_size=9), max_size=4
)


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ([], Keys(())),
        (["gate", "盐门", "/ga(te|p)/i"], Keys(("gate", "盐门", "/ga(te|p)/i"))),
        (["gate & password"], Keys(("gate",), ("password",))),
        (["gate & salt & /x/"], Keys(("gate",), ("salt", "/x/"), SecondaryLogic.AND_ALL)),
        (["gate & password", "door & password"], Keys(("gate", "door"), ("password",))),
        (["gate & salt", "gate & sea"], Keys(("gate",), ("salt", "sea"), SecondaryLogic.AND_ANY)),
        (["salt", "gate & password"], Keys(("salt", BOTH))),
        (
            ["gate & salt", "door & sea"],
            Keys((BOTH.replace("password", "salt"), r"/^(?=[\s\S]*\bdoor\b)(?=[\s\S]*\bsea\b)/i")),
        ),
        (["salt", "gate & /x/"], Keys(("salt", "gate & /x/"))),
        (["salt", "gate & /x|y/i"], Keys(("salt", r"/^(?=[\s\S]*\bgate\b)(?=[\s\S]*(?:x|y))/i"))),
        (["R&D", "& gate", "gate &"], Keys(("R&D", "& gate", "gate &"))),
    ],
    ids=lambda value: " | ".join(value) if isinstance(value, list) else "",
)
def test_keys_are_read_as_world_info_has_them_and_come_back(keys: list[str], wanted: Keys) -> None:
    assert novelai_keys.read(tuple(keys)) == wanted
    assert novelai_keys.write(wanted) == keys


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        (Keys(("Dungeons & Dragons",)), [r"/\bDungeons \x26 Dragons\b/i"]),
        (Keys(("gate", "R & D"), ("sea",), SecondaryLogic.AND_ALL), ["gate & sea", r"/\bR \x26 D\b/i & sea"]),
        (Keys(("gate",), ("sea",), SecondaryLogic.AND_ANY), ["gate & sea"]),
        (Keys(("gate",), ("sea",), SecondaryLogic.NOT_ANY), ["gate"]),
        (Keys(("gate",), ("sea",), SecondaryLogic.NOT_ALL), ["gate"]),
        (Keys((BOTH,)), [BOTH]),
        (Keys(("", "gate"), ("sea",), SecondaryLogic.AND_ALL), ["gate & sea"]),
    ],
    ids=["ampersand", "ampersand in a part", "any of one", "not any", "not all", "pattern", "empty"],
)
def test_keys_of_world_info_are_written(keys: Keys, wanted: list[str]) -> None:
    assert novelai_keys.write(keys) == wanted


@given(keys=some_keys)
def test_what_was_read_is_written_so_that_it_reads_the_same(keys: list[str]) -> None:
    found = novelai_keys.read(tuple(keys))
    written = novelai_keys.write(found)
    assert novelai_keys.read(tuple(written)) == found


@given(
    parts=st.lists(st.sampled_from(["gate", "salt gate", "门", "C++", "a/b"]), min_size=2, max_size=3), data=st.data()
)
def test_the_pattern_for_both_finds_texts_with_both_and_no_others(parts: list[str], data: st.DataObject) -> None:
    there = data.draw(st.lists(st.sampled_from([*parts, "else", "gatehouse"]), max_size=4))
    _, key = novelai_keys.read(("else where", " & ".join(parts))).keys
    pattern = re.compile(key[1:-2], re.IGNORECASE | re.ASCII)
    text = "\n".join(there).upper()
    found = [re.search(rf"(?<!\w){re.escape(part.upper())}(?!\w)", text, re.ASCII) for part in parts]
    assert bool(pattern.search(text)) == all(found)
