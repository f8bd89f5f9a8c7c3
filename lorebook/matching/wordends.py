"""
Where words end, in any script.

In scripts with spaces a word ends where its letters and digits end; in Chinese, Japanese and the like any
character may. Beyond that, what belongs to one character, number or emoji is never cut: combining marks,
`2.5`, joined emoji; `n't` belongs to its verb.
"""

from __future__ import annotations

import re
import unicodedata

from lorebook.matching.spelling import JOINED, JOINER
from lorebook.scripts import HANGUL

# Hangul is no letter here: particles join the word before them.
_LETTER = re.compile(f"{JOINED}(?<![{HANGUL}])")
_HANGUL = re.compile(f"[{HANGUL}]")
_GENDERED = (f"{JOINER}♀", f"{JOINER}♂")
_NEGATION = re.compile(f"'t(?!{JOINED})")
_FIRST_MARK = "\u0300"
# Two make a flag; small letters that nobody sees after a black flag make another one.
_FIRST_FLAG, _LAST_FLAG = "\U0001f1e6", "\U0001f1ff"
_MOST_FLAGS = 100
_TAG = re.compile("[\U000e0020-\U000e007f]")

# The particles that follow a noun, with the plural and the forms of `to be` that are no ordinary syllables.
_PARTICLES = """
    이 가 은 는 을 를 의 에 에서 에게 에게서 께 께서 한테 한테서 더러 로 으로 로서 으로서 로써 으로써 와 과 랑 이랑 하고
    도 만 까지 부터 마저 조차 밖에 처럼 만큼 보다 같이 대로 마다 나 이나 든지 이든지 라도 이라도 야 이야 아 여 이여 요
    뿐 입니다 입니까 이다 이에요 예요 이고 이며 이란 란 이라 이라는 라는 이라고 라고 인데 이지 이면 이니 였다 이었다
""".split()
_TAIL = re.compile(f"들?(?:{'|'.join(sorted(_PARTICLES, key=len, reverse=True))}){{0,3}}(?![{HANGUL}])")

_LATIN = re.compile(r"[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]+\Z")
_PLURAL = re.compile(f"(?:es|s|ES|S)(?!{JOINED})")
_VOWELS = frozenset("aeiouAEIOU")
_HISSING = ("s", "x", "z", "h", "o")
_LONGEST_NOUN = 40
# Shorter ones make other words: `a`, `it`, `hi`. Two consonants do not: `PC`, `LP`.
_SHORTEST_NOUN = 3
_Y, _F = re.compile(r"([^aeiou\W\d_])y\Z"), re.compile(r"(l|ar|ea|oa|oo|thie|kni(?=fe)|li(?=fe)|wi(?=fe))fe?\Z")


def is_bounded(text: str, start: int, end: int, *, plurals: bool) -> bool:
    """
    Tell whether a word begins at character *start* of *text* and ends at *end*; with *plurals*, at the s after it.
    """
    if start > 0 and not _begins(text, start):
        return False
    if end < len(text) and not (_ends(text, end) or (plurals and plural_end(text, start, end) > end)):
        return False
    return end - start > 1 or not _HANGUL.match(text, start) or _is_noun(text, start, end)


def _begins(text: str, start: int) -> bool:
    first, before = text[start], text[start - 1]
    if before == JOINER or (before >= _FIRST_FLAG and _splits_flag(text, start)):
        return False
    if _LETTER.match(text, start) and (_LETTER.match(before) or _is_mark(before)):
        return False
    return not (before == "." and first.isdigit() and text[start - 2 : start - 1].isdigit())


def _ends(text: str, end: int) -> bool:
    last, after = text[end - 1], text[end]
    if _LETTER.match(last) and _LETTER.match(after):
        return False
    if _is_mark(after) or (after == JOINER and not text.startswith(_GENDERED, end)) or _TAG.match(after):
        return False
    if after == "." and last.isdigit() and text[end + 1 : end + 2].isdigit():
        return False
    return not (last in "nN" and after == "'" and _NEGATION.match(text, end))


def _splits_flag(text: str, start: int) -> bool:
    """
    Tell whether an odd number of a flag's letters stand before *start*, and one after.
    """
    first = start
    while first and start - first < _MOST_FLAGS and _FIRST_FLAG <= text[first - 1] <= _LAST_FLAG:
        first -= 1
    return (start - first) % 2 == 1 and _FIRST_FLAG <= text[start] <= _LAST_FLAG


def _is_mark(character: str) -> bool:
    return character >= _FIRST_MARK and unicodedata.category(character)[0] == "M"


def _is_noun(text: str, start: int, end: int) -> bool:
    """
    Tell whether a syllable of Hangul stands alone or with particles: most syllables are parts of other words, too.
    """
    return not (start > 0 and _HANGUL.match(text, start - 1)) and bool(_TAIL.match(text, end))


def plural_end(text: str, start: int, end: int) -> int:
    """
    Return where the English plural in -s or -es of the word that ends at *end* of *text* ends; *end* if it is none.
    """
    word = (
        _LATIN.search(text[max(start, end - _LONGEST_NOUN) : end]) if end < len(text) and text[end] in "esES" else None
    )
    tail = _PLURAL.match(text, end) if word and _may_be_counted(word.group()) else None
    if tail is None:
        return end
    is_hissing = text[end - 1].lower() in _HISSING
    fits = is_hissing if len(tail.group()) > 1 else text[end - 1] not in "sS"
    return tail.end() if fits else end


def _may_be_counted(word: str) -> bool:
    return len(word) >= _SHORTEST_NOUN or (len(word) > 1 and _VOWELS.isdisjoint(word))


def plurals(needle: str) -> tuple[str, ...]:
    """
    Return the plurals of *needle* that begin otherwise: `abilities`, `elves`.
    """
    word = _LATIN.search(needle[-_LONGEST_NOUN:]) if needle.endswith(("y", "f", "fe")) else None
    if word is None or len(word.group()) < _SHORTEST_NOUN:
        return ()
    made = (_Y.sub(r"\1ies", needle), _F.sub(r"\1ves", needle))
    return tuple(form for form in made if form != needle)
