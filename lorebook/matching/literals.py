"""
Texts without which a regular expression cannot match.

Most regex keys do not match most chats, and a plain search rules them out a hundred times faster than their engine.
This reads just enough of a pattern (ECMA-262, 22.2.1) to name, for each way through it, a run of characters that it
needs; where it is not sure, it names none. It only rules out: what matches, and where, the engine says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from lorebook.matching.ecmascript import Expression
from lorebook.scripts import HANGUL, UNSPACED

Needs: TypeAlias = tuple[str, ...] | None
"""Texts of which every match holds one; None where none can be named."""

_LONGEST_PATTERN, _DEEPEST, _MOST = 10_000, 30, 50
# Without case, so that the flag `i` changes nothing about them (the other characters may have surprising pairs).
_CASELESS = re.compile(f"[\\x00-\\x7f{UNSPACED}{HANGUL}]")
# A half of these may be what matches.
_PAIRED = re.compile("[\ud800-\udfff\U00010000-\U0010ffff]")
_CLASS = re.compile(r"\[(?:[^\]\\]|\\[\s\S])*\]")
# Groups that are part of the match; others look around, or change flags.
_GROUP = re.compile(r"\((?:\?:|\?<[A-Za-z_]\w*>|(?!\?))")
_LOOKAROUND = re.compile(r"\(\?<?[=!]")
_QUANTIFIER = re.compile(r"([*+?])\??")
# Assertions, classes and control characters; other letters after a backslash begin longer escapes.
_SHORT_ESCAPES = frozenset("bBdDwWsSnrtfv")


class _UnsureError(Exception):
    """
    The pattern has something that is not read here.
    """


@lru_cache(maxsize=65536)
def needs(expression: Expression) -> Needs:
    """
    Return texts of which every text that *expression* matches holds one, in lower case under the flag `i`.
    """
    ignores_case = "i" in expression.flags
    # With both flags, Unicode's folding counts: the Kelvin sign is a k.
    if (ignores_case and "u" in expression.flags) or len(expression.pattern) > _LONGEST_PATTERN:
        return None
    reader = _Reader(expression.pattern, ignores_case=ignores_case)
    try:
        found = reader.alternatives()
    except _UnsureError:
        return None
    return found if reader.is_at_end and found and len(found) <= _MOST else None


class _Reader:
    def __init__(self, pattern: str, *, ignores_case: bool) -> None:
        self._pattern = pattern
        self._ignores_case = ignores_case
        self._at = 0
        self._depth = 0

    @property
    def is_at_end(self) -> bool:
        return self._at >= len(self._pattern)

    def alternatives(self) -> Needs:
        """
        Read up to the end or a closing parenthesis.
        """
        options = [self._sequence()]
        while self._pattern.startswith("|", self._at):
            self._at += 1
            options.append(self._sequence())
        if any(option is None for option in options):
            return None
        return tuple(text for option in options for text in option or ())

    def _sequence(self) -> Needs:
        best: Needs = None
        run = ""
        while not self.is_at_end and self._pattern[self._at] not in "|)":
            literal, inner = self._atom()
            quantifier = self._quantifier()
            if literal and quantifier not in {"*", "?"}:
                run += literal
            if not literal or quantifier:
                best, run = _better(best, run), ""
            if inner and quantifier not in {"*", "?"}:
                best = _better(best, *inner)
        return _better(best, run)

    def _atom(self) -> tuple[str, Needs]:
        """
        Read one; return the character that it is, or what it needs inside.
        """
        character = self._pattern[self._at]
        if character == "(":
            return "", self._group()
        if character == "[":
            self._skip(_CLASS)
            return "", None
        if character == "\\":
            return self._escape(), None
        if character in "*+?{":
            raise _UnsureError
        self._at += 1
        return "" if character in ".^$" else self._literal(character), None

    def _group(self) -> Needs:
        looks_around = _LOOKAROUND.match(self._pattern, self._at) is not None
        self._skip(_LOOKAROUND if looks_around else _GROUP)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _UnsureError
        inner = self.alternatives()
        self._depth -= 1
        if self.is_at_end:
            raise _UnsureError
        self._at += 1
        return None if looks_around else inner

    def _escape(self) -> str:
        escaped = self._pattern[self._at + 1 : self._at + 2]
        self._at += 2
        if escaped in _SHORT_ESCAPES:
            return ""
        if not escaped.isascii() or escaped.isalnum() or escaped in {"", "_"}:
            raise _UnsureError
        return escaped

    def _quantifier(self) -> str:
        if self._pattern.startswith("{", self._at):
            raise _UnsureError
        found = _QUANTIFIER.match(self._pattern, self._at)
        self._at = found.end() if found else self._at
        return found[1] if found else ""

    def _skip(self, what: re.Pattern[str]) -> None:
        found = what.match(self._pattern, self._at)
        if not found:
            raise _UnsureError
        self._at = found.end()

    def _literal(self, character: str) -> str:
        """
        The character as texts are searched for it; nothing for one that stands in too many forms.
        """
        if self._ignores_case:
            return character.lower() if _CASELESS.match(character) else ""
        return "" if _PAIRED.match(character) else character


def _better(best: Needs, *options: str) -> Needs:
    """
    The one that rules out more: the longer, or the one with fewer options.
    """
    if not all(options):
        return best
    return max(best, options, key=lambda needs: (min(map(len, needs)), -len(needs))) if best else options


def rules_out(expression: Expression, text: str, lowered: str) -> bool:
    """
    Tell whether *expression* needs what neither *text* nor, under its flag `i`, the *lowered* text holds.
    """
    needed = needs(expression)
    subject = lowered if "i" in expression.flags else text
    return needed is not None and not any(literal in subject for literal in needed)
