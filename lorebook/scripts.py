"""
Which script is text written in?

Chinese and Japanese are written without spaces, so words, keys and terms end differently there than in
Latin, Cyrillic or Greek text. Everything that cuts text into words takes the ranges from here.
"""

from __future__ import annotations

import re

# For use inside a character class. Chinese characters: CJK ideographs of the Basic Multilingual Plane.
HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# Iteration marks, kana, CJK ideographs with their extensions.
UNSPACED = f"\u3005\u3007\u3040-\u30ff{HAN}\U00020000-\U0003ffff"
# Hangul is written with spaces, but particles join the word before them.
HANGUL = "\uac00-\ud7a3"
# Thai, Lao, Tibetan, Myanmar and Khmer: spaces part phrases, not words.
SOUTH_EAST_ASIAN = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"

_UNSPACED = re.compile(f"[{UNSPACED}]")
_NO_LETTERS = re.compile(r"[\W\d_]+")
# A Chinese character says about as much as two or three letters: a text of which a fifth is Chinese mostly is.
_MOSTLY = 0.2


def unspaced_share(text: str) -> float:
    """
    Return the share of the letters of *text* that belong to a script without spaces, from 0 to 1.
    """
    letters = len(_NO_LETTERS.sub("", text))
    return len(_UNSPACED.findall(text)) / letters if letters else 0.0


def language_of(text: str) -> str:
    """
    Return the language that most of *text* is written in: `zh` or `en`.
    """
    return "zh" if unspaced_share(text) >= _MOSTLY else "en"
