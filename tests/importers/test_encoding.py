"""
Encodings: what is read as what, and what is kept.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import DocumentError
from lorebook.importers import Action, import_document
from lorebook.importers.encoding import decode

SIMPLIFIED = "手牌上限为四张。回合结束时，多余的手牌要放入墓地。每个玩家在自己的回合可以进行一次通常召唤。"
TRADITIONAL = "手牌上限為四張。回合結束時，多餘的手牌要放入墓地。每個玩家在自己的回合可以進行一次通常召喚。"


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (SIMPLIFIED, "utf-8", None),
        (SIMPLIFIED, "utf-8-sig", None),
        (SIMPLIFIED, "gb18030", "GB18030"),
        (SIMPLIFIED, "utf-16", "UTF-16"),
        (TRADITIONAL, "big5", "Big5"),
        ("A player’s hand – “the hand” – holds four cards, at the café too.", "cp1252", "Windows-1252"),
        ("A hand holds four cards.\nNo more.", "utf-16", "UTF-16"),
        ("A hand holds four cards.\nNo more.", "utf-16-le", "UTF-16-LE"),
        ("A hand holds four cards.\nNo more.", "utf-16-be", "UTF-16-BE"),
    ],
)
def test_a_text_is_read_in_its_encoding_and_kept_as_utf8(text: str, codec: str, name: str | None) -> None:
    data = text.encode(codec)
    assert decode(data, where="a") == (text, name)
    imported = import_document(data, file_name="a.txt", ruleset="a")
    assert imported.kept == (text.encode() if name else data)
    told = [notice.what for notice in imported.report.notices if notice.action is Action.MENDED]
    assert told == ([f"the text was in {name}; it is kept as UTF-8"] if name else [])


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\n"])
def test_line_ends_make_no_difference(ends: str) -> None:
    data = ends.join(["\ufeff# Nets", "", "A net holds five fish.", ""]).encode()
    (rule,) = import_document(data, file_name="a.md", ruleset="a").ruleset.rules
    assert (rule.wording().title, rule.wording().text) == ("Nets", "A net holds five fish.")
    assert str(rule.source) == "a.md:1-3"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("Überstürzte Flöße".encode("latin-1"), "line 1 is not UTF-8"),
        (b"\xff\xfea", "begins as UTF-16"),
        (b"abc\x00\x01", "binary"),
        (b"\n000\x00\n0040", "binary"),
        (b"\x89PNG\r\n\x1a\n\x00", "binary.*lorebook inspect"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        decode(data, where="a")


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        assert "\0" not in decode(data, where="a").text
    except DocumentError as error:
        assert str(error).startswith("a: ")


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=80))
def test_utf8_is_read_as_it_is(text: str) -> None:
    assert decode(text.encode(), where="a") == (text.removeprefix("\ufeff"), None)
