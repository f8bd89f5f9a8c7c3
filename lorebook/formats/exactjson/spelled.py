"""
Numbers that remember how they were spelt where Python would spell them otherwise: `1.00`, `1E3`, `-0`, `1e400`.
"""

from __future__ import annotations

import math
import re
from typing import Self

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
NUMBER = re.compile(rf"({_WHOLE.pattern})((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)")
"""A number of JSON (RFC 8259, section 6): the whole part, and what makes it a float."""


class SpelledInt(int):
    """
    A whole number with its spelling; equal to the plain number, and arithmetic gives plain numbers.
    """

    token: str

    def __new__(cls, token: str) -> Self:
        """
        Raise ValueError when *token* is no whole number of JSON.
        """
        if not _WHOLE.fullmatch(token):
            raise ValueError(f"{token[:30]!r} is no whole number of JSON")
        number = super().__new__(cls, token)
        number.token = token
        return number

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]  # copies and pickles are made from the token
        return (self.token,)


class SpelledFloat(float):
    """
    A number with its spelling, infinite where it is too large; equal to the plain number, as arithmetic gives it.
    """

    token: str

    def __new__(cls, token: str) -> Self:
        """
        Raise ValueError when *token* is no number of JSON.
        """
        if not NUMBER.fullmatch(token):
            raise ValueError(f"{token[:30]!r} is no number of JSON")
        number = super().__new__(cls, token)
        number.token = token
        return number

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]  # copies and pickles are made from the token
        return (self.token,)


def whole(token: str) -> float:
    """
    Return the whole number that JSON spells *token*; one with more digits than Python reads becomes a float.
    """
    if token == "-0":  # noqa: S105 (a number)
        return SpelledInt(token)
    try:
        return int(token)
    except ValueError:
        return SpelledFloat(token)


def fraction(token: str) -> float:
    """
    Return the number that JSON spells *token*, with a fraction or an exponent.
    """
    number = float(token)
    return number if repr(number) == token else SpelledFloat(token)


def spelling(number: float) -> str:
    """
    Return *number* as JSON spells it.

    Raises ValueError for one that is infinite, not a number or of more digits than Python writes.
    """
    if isinstance(number, SpelledInt | SpelledFloat):
        return number.token
    if isinstance(number, int):
        return int.__repr__(number)
    if not math.isfinite(number):
        raise ValueError(f"{number} is no number of JSON")
    return float.__repr__(number)
