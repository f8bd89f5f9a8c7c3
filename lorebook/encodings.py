"""
Which encoding a text is in that is not plain UTF-8: by its byte order mark, or one of the old ones of Chinese, Korean
and Japanese.

A text that is not UTF-8 is Chinese where it decodes without a fault and enough of the characters that come out are
everyday ones. One that is UTF-8 but for a few bytes is not: it is damaged. Nor is Western text, whose accented letters
come out as rare characters in the middle of words, nor Japanese, of whose characters many are kana.
"""

from __future__ import annotations

import codecs
import re
from itertools import islice
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    # Those of UTF-32 begin as those of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OLD = {"gb18030": "GB18030", "big5hkscs": "Big5"}
_HANGUL, _KANA = re.compile("[\uac00-\ud7a3]"), re.compile("[\u3041-\u30fa]")
# In the order of trying: Shift_JIS makes rare Hangul of CP949, but none of what EUC-KR, the common part of it, has.
_NEIGHBOURS = (
    ("euc_kr", "CP949", _HANGUL, 0.9),
    ("cp932", "Shift_JIS", _KANA, 0.3),
    ("euc_jp", "EUC-JP", _KANA, 0.3),
    ("cp949", "CP949", _HANGUL, 0.9),
)
# The commonest characters of running text in both ways of writing: they are a fifth of any page.
_EVERYDAY = re.compile(
    "[的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得"
    "这個國時来們對會發動說產種後學經過為與從點無場長現見間關戰擊張卡牌回合手效果怪獸召唤喚]"
)
_LETTER = re.compile(r"[^\W\d_]")
_INSIDE_WORD = re.compile(r"(?<=[A-Za-z])[^\x00-\x7f]|[^\x00-\x7f](?=[a-z])")
_ENOUGH, _MOST_KANA, _MOST_INSIDE = 0.12, 0.1, 0.5
_SAMPLE = 200_000


class Decoded(NamedTuple):
    """
    A text, and the name of its encoding where that is not UTF-8.
    """

    text: str
    encoding: str | None = None


def marked(data: bytes) -> str | None:
    """
    Return the codec that the byte order mark of *data* stands for; None where there is no mark.
    """
    return next((codec for mark, codec in _MARKS if data.startswith(mark)), None)


def chinese(data: bytes) -> Decoded | None:
    """
    Return the Chinese text in *data*, which is not UTF-8, from GB18030 (and GBK, a part of it) or Big5; else None.
    """
    if is_damaged_utf8(data):
        return None
    found = []
    for codec, name in _OLD.items():
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        found.append((_likeness(text), Decoded(text, name)))
    likeness, best = max(found, key=lambda item: item[0], default=(0.0, None))
    return best if likeness >= _ENOUGH else None


def neighbour(data: bytes) -> Decoded | None:
    """
    Return the Korean or Japanese text in *data*, which is neither UTF-8 nor Chinese; else None.

    Hangul is nearly all of a Korean text that is not ASCII, kana are a third and more of a Japanese one.
    """
    if is_damaged_utf8(data):
        return None
    for codec, name, letters, enough in _NEIGHBOURS:
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        foreign = "".join(islice((sign for sign in text if _LETTER.match(sign) and not sign.isascii()), _SAMPLE))
        if foreign and len(letters.findall(foreign)) >= enough * len(foreign):
            return Decoded(text, name)
    return None


def _likeness(text: str) -> float:
    """
    Return the share of everyday characters among the letters of *text* that are not ASCII: 0 for what is not Chinese.
    """
    foreign = "".join(islice((sign for sign in text if not sign.isascii()), _SAMPLE))
    letters = len(_LETTER.findall(foreign))
    inside = sum(1 for _ in islice(_INSIDE_WORD.finditer(text), _SAMPLE))
    if not letters or inside > _MOST_INSIDE * len(foreign) or len(_KANA.findall(foreign)) > _MOST_KANA * letters:
        return 0.0
    return len(_EVERYDAY.findall(foreign)) / letters


def is_damaged_utf8(data: bytes) -> bool:
    """
    Say whether most of what is not ASCII in *data* is UTF-8, which by chance nothing else is.
    """
    text = data[:_SAMPLE].decode("utf-8", "replace")
    foreign = sum(1 for sign in text if not sign.isascii())
    return text.count("\ufffd") * 2 < foreign
