"""
Old Chinese encodings are told from damaged UTF-8 and from Western text.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.encodings import chinese, marked, neighbour

SIMPLIFIED = "手牌上限为四张。回合结束时，多余的手牌要放入墓地。"
TRADITIONAL = "手牌上限為四張。回合結束時，多餘的手牌要放入墓地。"


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (SIMPLIFIED, "gbk", "GB18030"),
        (SIMPLIFIED, "gb18030", "GB18030"),
        (f"Hand limit 手牌上限为四张 {'four ' * 100}", "gbk", "GB18030"),
        (f"{'word ' * 50_000}手牌上限为四张。", "gbk", "GB18030"),
        (f"Alice的手牌是4张，Bob用Dragon攻击Alice的Knight。{SIMPLIFIED}", "gbk", "GB18030"),
        (TRADITIONAL, "gbk", "GB18030"),
        (TRADITIONAL, "big5", "Big5"),
    ],
)
def test_chinese_is_known_by_its_everyday_characters(text: str, codec: str, name: str) -> None:
    assert chinese(text.encode(codec)) == (text, name)


@pytest.mark.parametrize(
    "data",
    [
        "Überstürzte Flöße, naïve Cafés — “déjà vu”".encode("cp1252"),
        "Соляные ворота открываются при отливе.".encode("cp1251"),
        "潮の門は引き潮のときに開く。".encode("shift-jis"),
        "소금 문은 썰물에 열린다.".encode("euc-kr"),
        '{"key": ["señor"], "content": "¡Hola! El señor ataca."}'.encode("cp1252"),
        "# ¡Ataca!\n\nEl señor del dragón ataca; ¿y la compañía? ¡También! ¡Bravo!".encode("cp1252"),
        "プレイヤーは、相手のターンに、カードの効果を発動できない。モンスターは、攻撃した後、墓地へ送る。".encode(
            "euc-jp"
        ),
        "소금 문은 썰물에 열린다. 상대의 턴에 카드의 효과를 발동할 수 없다. 몬스터는 묘지로 보낸다.".encode("euc-kr"),
        b'{"content": "' + b"word " * 50_000 + b'caf\xe9A"}',
        b"\xff",
        b"na\xefve",
    ],
    ids=[
        *("western", "russian", "japanese", "korean", "spanish", "spanish document", "japanese of unix", "more korean"),
        *("one letter far behind", "one byte", "one letter"),
    ],
)
def test_other_text_is_not_chinese(data: bytes) -> None:
    assert chinese(data) is None


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        ("소금 문은 썰물에 열린다.", "cp949", "CP949"),
        ("門의 규칙: 소금 문은 썰물에 열린다.", "euc-kr", "CP949"),
        ("潮の門は引き潮のときに開く。", "cp932", "Shift_JIS"),
        ("カードを引く", "cp932", "Shift_JIS"),
        ("プレイヤーは、相手のターンに、カードの効果を発動できない。", "euc-jp", "EUC-JP"),
    ],
)
def test_korean_and_japanese_are_known_by_their_letters(text: str, codec: str, name: str) -> None:
    assert neighbour(text.encode(codec)) == (text, name)
    assert neighbour(f'{{"entries": {{}}, "name": "{text}"}}'.encode(codec)) is not None


@pytest.mark.parametrize(
    "data",
    [
        "Überstürzte Flöße, naïve Cafés — “déjà vu”".encode("cp1252"),
        "Соляные ворота открываются при отливе.".encode("cp1251"),
        SIMPLIFIED.encode("gbk"),
        TRADITIONAL.encode("big5"),
        SIMPLIFIED.encode() + b"\xff",
        "소금 문은 썰물에 열린다.".encode() + b"\xff",
        b"na\xefve",
        b"plain",
    ],
    ids=["western", "russian", "GBK", "Big5", "damaged UTF-8", "damaged Korean", "one letter", "ASCII"],
)
def test_other_text_is_neither_korean_nor_japanese(data: bytes) -> None:
    assert neighbour(data) is None


@given(place=st.integers(0, 400), byte=st.integers(0x80, 0xFF))
def test_utf8_with_a_wrong_byte_is_not_chinese(place: int, byte: int) -> None:
    whole = (SIMPLIFIED * 4).encode()
    at = place % len(whole)
    assert chinese(whole[:at] + bytes([byte]) + whole[at:]) is None
    assert chinese(whole[:at] + bytes([byte]) + whole[at + 1 :]) is None


@pytest.mark.parametrize(
    ("codec", "found"),
    [("utf-8-sig", "utf-8-sig"), ("utf-16", "utf-16"), ("utf-32", "utf-32"), ("utf-8", None), ("utf-16-le", None)],
)
def test_a_byte_order_mark_says_the_encoding(codec: str, found: str | None) -> None:
    assert marked("盐门".encode(codec)) == found
    assert marked("Gate".encode(codec)) == found
