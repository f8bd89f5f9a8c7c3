"""
Two ideas of what it means that a key stands in a text.

SillyTavern's: lower case, and boundaries that know ASCII letters only, around single words only. Ours: one
spelling for what players take to be the same (see `spelling`), and boundaries that know every script (see
`wordends`). Each part of ours can be switched off: then that part is as in SillyTavern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from lorebook.matching import javascript as js
from lorebook.matching import spelling, wordends

_ASCII_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
# A hyphen before a digit is a minus.
_OUTER_HYPHENS = re.compile(r"^[\s\-]+(?=[^\W\d_]|\Z)|(?<=[^\W_])-+\Z")


class KeyStyle(Protocol):
    """
    How keys and texts are made comparable, and where a word ends.
    """

    @property
    def name(self) -> str:
        """
        What it is called.
        """
        ...

    @property
    def blank_matches(self) -> bool:
        """
        Whether a key of nothing but white space matches every text.
        """
        ...

    @property
    def anchors_at_messages(self) -> bool:
        """
        Whether a regular expression sees each message alone, so that `^` is a message's beginning.
        """
        ...

    @property
    def longest_terms(self) -> bool:
        """
        Whether a bounded key in a script without spaces counts only outside of longer terms.
        """
        ...

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

    def variants(self, needle: str, *, bounded: bool) -> tuple[str, ...]:
        """
        Return the other words that *needle*, with boundaries or without, is found as.
        """
        ...

    def places(self, text: str, *, case_sensitive: bool) -> Sequence[int] | None:
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

    def word_end(self, text: str, start: int, end: int) -> int:
        """
        Return where in the compared *text* the word ends that a bounded key stands for from *start* to *end*.
        """
        ...


class SillyTavernStyle:
    """
    As SillyTavern compares.
    """

    name = "sillytavern"
    blank_matches = True
    anchors_at_messages = False
    longest_terms = False

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

    def variants(self, needle: str, *, bounded: bool) -> tuple[str, ...]:  # noqa: ARG002 (as the protocol has it)
        """
        A key is found as itself only.
        """
        return ()

    def places(self, text: str, *, case_sensitive: bool) -> Sequence[int] | None:
        """
        Return where lower-cased characters come from: a few become two.
        """
        if case_sensitive or len(text.lower()) == len(text):
            return None
        return spelling.origins(text, keep_case=False, spells=False, joins=False)

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

    def word_end(self, text: str, start: int, end: int) -> int:  # noqa: ARG002 (as the protocol has it)
        """
        A word ends where its key does.
        """
        return end


@dataclass(frozen=True)
class LorebookStyle:
    """
    As players mean it; each switch is a difference from SillyTavern, explained in `presets.Behaviour`.
    """

    name: ClassVar[str] = "lorebook"

    spells: bool = True
    joins: bool = True
    knows_scripts: bool = True
    plurals: bool = True
    longest_terms: bool = True
    blank_matches: bool = False
    anchors_at_messages: bool = True

    def comparable(self, text: str, *, case_sensitive: bool) -> str:
        """
        Return *text* in one spelling (case stays if it matters), with one space for every gap between words.
        """
        if self.spells:
            text = spelling.spelled(text, keep_case=case_sensitive)
        else:
            text = SILLYTAVERN.comparable(text, case_sensitive=case_sensitive)
        return spelling.without_gaps(text) if self.joins else text

    def needle(self, key: str, *, case_sensitive: bool) -> str:
        """
        Return *key* as texts are compared, without hyphens at its ends.
        """
        needle = self.comparable(key, case_sensitive=case_sensitive)
        return _OUTER_HYPHENS.sub("", needle).strip() if self.joins and "-" in needle else needle

    def variants(self, needle: str, *, bounded: bool) -> tuple[str, ...]:
        """
        Return the plurals of *needle* that do not begin with it, and how it is written as one word.
        """
        plurals = wordends.plurals(needle) if self.plurals and bounded else ()
        together = spelling.as_one_word(needle) if self.joins else needle
        return plurals if together == needle else (*plurals, together)

    def places(self, text: str, *, case_sensitive: bool) -> Sequence[int] | None:
        """
        Return where the compared characters come from.
        """
        return spelling.origins(text, keep_case=case_sensitive, spells=self.spells, joins=self.joins)

    def needs_boundary(self, needle: str, *, whole_words: bool) -> bool:
        """
        Tell whether whole words are asked for, however many words the key has; without any it has no ends.
        """
        if self.knows_scripts:
            return whole_words and bool(needle)
        return SILLYTAVERN.needs_boundary(needle, whole_words=whole_words)

    def is_bounded(self, text: str, start: int, end: int) -> bool:
        """
        Tell whether no word, number or emoji continues over either edge, but for the s of a plural.
        """
        if self.knows_scripts:
            return wordends.is_bounded(text, start, end, plurals=self.plurals)
        return SILLYTAVERN.is_bounded(text, start, self.word_end(text, start, end))

    def word_end(self, text: str, start: int, end: int) -> int:
        """
        Return the end of the plural, if it is one.
        """
        return wordends.plural_end(text, start, end) if self.plurals else end


SILLYTAVERN: Final[KeyStyle] = SillyTavernStyle()
LOREBOOK: Final[KeyStyle] = LorebookStyle()
