"""
Two ideas of what it means that a key stands in a text.

SillyTavern's: lower case, and boundaries that know ASCII letters only, around single words only. Ours: one
spelling for width, case and Traditional and Simplified Chinese, any run of white space and hyphens for any
other, and boundaries that know every script that is written with spaces.
"""

from __future__ import annotations

import re
from typing import Final, Protocol

from lorebook.matching import javascript as js
from lorebook.retrieval.folding import fold, fold_aligned
from lorebook.scripts import HANGUL, UNSPACED

_ASCII_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
# Letters and digits of scripts in which a letter continues the word before it.
_JOINED = re.compile(rf"[^\W{UNSPACED}{HANGUL}]")
_GAP = re.compile(r"[\s\-\u2010-\u2015]+")


class KeyStyle(Protocol):
    """
    How keys and texts are made comparable, and where a word ends.
    """

    name: str
    blank_matches: bool
    """Whether a key of nothing but white space matches every text."""
    anchors_at_messages: bool
    """Whether a regular expression sees each message alone, so that `^` is a message's beginning."""

    def comparable(self, text: str, *, case_sensitive: bool) -> str:
        """
        Return *text* as it is compared.
        """
        ...

    def needle(self, key: str, *, case_sensitive: bool) -> str:
        """
        Return *key* as it is looked for in compared texts.
        """
        ...

    def places(self, text: str, *, case_sensitive: bool) -> list[int] | None:
        """
        Return for each compared character, and the end, its place in *text*; None where nothing moved.
        """
        ...

    def needs_boundary(self, needle: str, *, whole_words: bool) -> bool:
        """
        Tell whether *needle* counts only where a word begins and ends.
        """
        ...

    def is_bounded(self, text: str, start: int, end: int) -> bool:
        """
        Tell whether a word begins and ends at characters *start* and *end* of the compared *text*.
        """
        ...


class SillyTavernStyle:
    """
    As SillyTavern compares.
    """

    name = "sillytavern"
    blank_matches = True
    anchors_at_messages = False

    def comparable(self, text: str, *, case_sensitive: bool) -> str:
        """
        Return *text*, in lower case unless case matters.
        """
        return text if case_sensitive else text.lower()

    def needle(self, key: str, *, case_sensitive: bool) -> str:
        """
        Return *key* as texts are compared.
        """
        return self.comparable(key, case_sensitive=case_sensitive)

    def places(self, text: str, *, case_sensitive: bool) -> list[int] | None:
        """
        Return where lower-cased characters come from: a few become two.
        """
        if case_sensitive or len(text.lower()) == len(text):
            return None
        return [at for at, character in enumerate(text) for _ in character.lower()] + [len(text)]

    def needs_boundary(self, needle: str, *, whole_words: bool) -> bool:
        """
        Tell whether the key is a single word: in one of several, boundaries are not looked at.
        """
        return whole_words and not js.has_space(needle)

    def is_bounded(self, text: str, start: int, end: int) -> bool:
        """
        Tell whether no ASCII letter, digit or underscore stands on either side.
        """
        return not (start and text[start - 1] in _ASCII_WORD) and text[end : end + 1] not in _ASCII_WORD


class LorebookStyle:
    """
    As players mean it.
    """

    name = "lorebook"
    blank_matches = False
    anchors_at_messages = True

    def comparable(self, text: str, *, case_sensitive: bool) -> str:
        """
        Return *text* folded (unless case matters), with every run of white space and hyphens as one space.
        """
        return _GAP.sub(" ", text if case_sensitive else fold(text))

    def needle(self, key: str, *, case_sensitive: bool) -> str:
        """
        Return *key* as texts are compared, without white space and hyphens at its ends.
        """
        return self.comparable(key, case_sensitive=case_sensitive).strip(" ")

    def places(self, text: str, *, case_sensitive: bool) -> list[int] | None:
        """
        Return where the compared characters come from.
        """
        folded, moved = (text, None) if case_sensitive else fold_aligned(text)
        kept = [at for at in range(len(folded)) if not _inside_gap(folded, at)]
        if len(kept) == len(folded):
            return moved
        return [moved[at] if moved else at for at in kept] + [len(text)]

    def needs_boundary(self, needle: str, *, whole_words: bool) -> bool:
        """
        Tell whether an edge of the key is a letter that another letter would continue.
        """
        return whole_words and bool(_JOINED.match(needle) or _JOINED.match(needle[-1:]))

    def is_bounded(self, text: str, start: int, end: int) -> bool:
        """
        Tell whether no word continues over either edge; only an edge that is such a letter counts.
        """
        runs_in = start > 0 and _JOINED.match(text, start) and _JOINED.match(text, start - 1)
        runs_on = end < len(text) and _JOINED.match(text, end - 1) and _JOINED.match(text, end)
        return not runs_in and not runs_on


def _inside_gap(text: str, at: int) -> bool:
    return at > 0 and bool(_GAP.match(text, at) and _GAP.match(text, at - 1))


SILLYTAVERN: Final[KeyStyle] = SillyTavernStyle()
LOREBOOK: Final[KeyStyle] = LorebookStyle()
