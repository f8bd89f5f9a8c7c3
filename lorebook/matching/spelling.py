"""
One spelling for what players take to be the same text, and where its characters come from.

Beyond what `folding` makes equal for all of lorebook, keys and texts are compared without the accents of
Greek (capitals are written without them), the dots of Russian ё and Turkish i (in Turkish, the capital of i
is İ, that of ı is I), the commas of 1,000, the skin tones and style marks of emoji. Then white space, hyphens
and underscores between words become one space; next to Chinese and Japanese, which are written without, and
to a slash they become nothing, and so do the dots in foreign names there.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from typing import TypeAlias

from lorebook.folding import fold, fold_aligned
from lorebook.scripts import HANGUL, SOUTH_EAST_ASIAN, UNSPACED

_Places: TypeAlias = "array[int]"

JOINED = f"[^\\W_{UNSPACED}{SOUTH_EAST_ASIAN}]"
"""A letter or digit of a script with spaces."""

JOINER = "\ufdd0"
"""Stands for the zero-width joiner of two emoji, which folding would drop; no text may hold this character."""

_JOINER = re.compile("\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])")

_PLAIN_LETTERS = tuple(zip("ёЁάέήίόύώΐΰΆΈΉΊΌΎΏ", "еЕαεηιουωϊϋΑΕΗΙΟΥΩ", strict=True))
_DOTLESS = ("ı", "i")
# Style selectors and skin tones.
_STYLES = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
_DOT = re.compile("\u0307(?<=i\u0307)")
_THOUSANDS = re.compile(r",(?<=\d,)(?<!\d{4},)(?=\d{3}(?!\d))")

_SPACE = re.compile(r"\s{2,}|[^\S ]")
_HYPHEN = re.compile(f"[-_](?<={JOINED}[-_]) ?(?={JOINED})")
_NEEDLESS_SPACE = re.compile(f" (?=[/{UNSPACED}])| (?<=[/{UNSPACED}] )")
_BETWEEN_HANGUL = re.compile(f" (?<=[{HANGUL}] )(?=[{HANGUL}])")
# Between the parts of foreign names, often left out.
_DOT_WITHIN = re.compile(f"[·・](?<=[{UNSPACED}].)(?=[{UNSPACED}])")


def spelled(text: str, *, keep_case: bool) -> str:
    """
    Return *text* in one spelling: the same for all its forms of width, case (unless kept) and script.
    """
    if text.isascii():
        folded = fold(text, keep_case=keep_case)
        return _THOUSANDS.sub("", folded) if "," in folded else folded
    folded = fold(_JOINER.sub(JOINER, text) if "\u200d" in text else text, keep_case=keep_case)
    folded = _with_plain_letters(folded, keep_case)
    for pattern in _spelling(keep_case):
        folded = pattern.sub("", folded)
    return folded


def as_one_word(needle: str) -> str:
    """
    Return *needle* with its words of Hangul written together, as Koreans often do.
    """
    return needle if needle.isascii() or " " not in needle else _BETWEEN_HANGUL.sub("", needle)


def without_gaps(text: str) -> str:
    """
    Return *text* with one space for each gap between words, and none at its ends.
    """
    text = " ".join(text.split())
    if "-" in text or "_" in text:
        text = _HYPHEN.sub(" ", text)
    if "/" in text or not text.isascii():
        text = _NEEDLESS_SPACE.sub("", text)
    return _DOT_WITHIN.sub("", text) if "·" in text or "・" in text else text


def origins(text: str, *, keep_case: bool, spells: bool, joins: bool) -> Sequence[int]:
    """
    Return for each character of *text* as it is compared, and for its end, its place in *text*.

    With *spells* it is compared as `spelled`, else in lower case unless that is kept; with *joins* `without_gaps`.
    """
    compared, places = _spelled_aligned(text, keep_case) if spells else _lowered_aligned(text, keep_case)
    if joins:
        left, right = len(compared) - len(compared.lstrip()), len(compared.rstrip())
        compared, places = compared[left:right], places[left : right + 1] if left < right else places[-1:]
        for pattern, put in ((_SPACE, " "), (_HYPHEN, " "), (_NEEDLESS_SPACE, ""), (_DOT_WITHIN, "")):
            compared, places = _replaced(compared, places, pattern, put)
    return places


def _spelled_aligned(text: str, keep_case: bool) -> tuple[str, _Places]:  # noqa: FBT001 (one caller)
    joined = _JOINER.sub(JOINER, text)
    folded, moved = fold_aligned(joined, keep_case=keep_case)
    folded, places = _with_plain_letters(folded, keep_case), array("I", moved or range(len(text) + 1))
    for pattern in _spelling(keep_case):
        folded, places = _replaced(folded, places, pattern, "")
    return folded, places


def _lowered_aligned(text: str, keep_case: bool) -> tuple[str, _Places]:  # noqa: FBT001 (one caller)
    if keep_case or len(text.lower()) == len(text):
        return text if keep_case else text.lower(), array("I", range(len(text) + 1))
    # A few characters become two.
    places = [at for at, character in enumerate(text) for _ in character.lower()]
    return text.lower(), array("I", [*places, len(text)])


def _with_plain_letters(text: str, keep_case: bool) -> str:  # noqa: FBT001 (two callers)
    for old, new in _PLAIN_LETTERS if keep_case else (*_PLAIN_LETTERS, _DOTLESS):
        text = text.replace(old, new)
    return text


def _spelling(keep_case: bool) -> tuple[re.Pattern[str], ...]:  # noqa: FBT001 (two callers)
    return (_STYLES, _THOUSANDS) if keep_case else (_STYLES, _DOT, _THOUSANDS)


def _replaced(text: str, places: _Places, pattern: re.Pattern[str], put: str) -> tuple[str, _Places]:
    """
    Put *put* for what *pattern* matches; what is put comes from where the match begins.
    """
    moved, at = array("I"), 0
    for match in pattern.finditer(text):
        moved += places[at : match.start()] + places[match.start() : match.start() + len(put)]
        at = match.end()
    return pattern.sub(put, text), moved + places[at:]
