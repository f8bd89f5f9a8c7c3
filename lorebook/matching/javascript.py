"""
JavaScript's ideas of truth, numbers, text and order, where World Info depends on them.

SillyTavern's books are read by a program that never checks types: `"1"` disables an entry and `"yes"` does
not. Values are JSON values as Python reads them; a member that an object does not have is MISSING.
References are to ECMA-262 (the language's standard).
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final


class Missing(Enum):
    """
    JavaScript's `undefined`: the member is not there.
    """

    MISSING = "missing"


MISSING: Final = Missing.MISSING

# WhiteSpace and LineTerminator (ECMA-262, 12.2 and 12.3). Python's own set differs in five characters.
WHITESPACE: Final = "".join(
    ("\t\n\v\f\r \u00a0\u1680", *map(chr, range(0x2000, 0x200B)), "\u2028\u2029\u202f\u205f\u3000\ufeff")
)
"""Every character that JavaScript trims."""

_SPACE = re.compile(f"[{WHITESPACE}]")
_DECIMAL = re.compile(r"[+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
_OBJECTS, _NUMBERS = (list, dict), (bool, int, float)
_PREFIXED = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")
_INDEX = re.compile(r"0|[1-9]\d{0,9}", re.ASCII)
# Integer-like names up to 2^32 - 2 are array indices and are enumerated first (6.1.7).
_HIGHEST_INDEX = 2**32 - 2


def trim(text: str) -> str:
    """
    Return *text* without white space at its ends (String.prototype.trim).
    """
    return text.strip(WHITESPACE)


def has_space(text: str) -> bool:
    r"""
    Tell whether `\s` matches anywhere in *text*.
    """
    return bool(_SPACE.search(text))


def truthy(value: object) -> bool:
    """
    Tell whether *value* counts as true (ToBoolean, 7.1.2): empty lists and objects do.
    """
    if isinstance(value, _OBJECTS):
        return True
    # NaN alone differs from itself.
    return bool(value) and value is not MISSING and value == value  # noqa: PLR0124


def number(value: object) -> float:
    """
    Return *value* as a number (ToNumber, 7.1.4); NaN where it is none.
    """
    if value is None:
        return 0.0
    if isinstance(value, _NUMBERS):
        return _double(value)
    if isinstance(value, str):
        return _number_of_text(trim(value))
    return number(text(value)) if isinstance(value, _OBJECTS) else math.nan


def _number_of_text(stripped: str) -> float:
    if not stripped:
        return 0.0
    if _PREFIXED.fullmatch(stripped):
        return _double(int(stripped, 0))
    return float(stripped) if _DECIMAL.fullmatch(stripped) else math.nan


def _double(value: float) -> float:
    """
    Return *value* as JavaScript holds every number: an integer that is too large for that is infinite.
    """
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def text(value: object) -> str:
    """
    Return *value* as text (ToString, 7.1.17).
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _text_of_number(value)
    if isinstance(value, list):
        return ",".join("" if item is None else text(item) for item in value)
    if isinstance(value, dict):
        return "[object Object]"
    return "null" if value is None else "undefined"


def _text_of_number(value: float) -> str:
    value = _double(value)
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if value == int(value) and abs(value) < 2**53:
        return str(int(value))
    mantissa, _, exponent = repr(value).partition("e")
    if value == int(value) and abs(value) < 1e21:  # noqa: PLR2004 (Number::toString, 6.1.6.1.20)
        digits = mantissa.removesuffix(".0").replace(".", "")
        return digits.ljust(int(exponent or 0) + 1 + digits.startswith("-"), "0")
    if not exponent:
        return mantissa
    if -6 <= int(exponent) < 0:  # noqa: PLR2004 (Number::toString writes these without an exponent)
        return f"{value:.{len(mantissa.replace('.', '').lstrip('-')) - int(exponent) - 1}f}"
    return f"{mantissa.removesuffix('.0')}e{int(exponent):+d}"


def units(plain: str) -> str:
    """
    Return *plain* with every character beyond U+FFFF as its two UTF-16 code units, of which JavaScript's text consists.
    """
    encoded = plain.encode("utf-16-le", "surrogatepass")
    return "".join(map(chr, struct.unpack(f"<{len(encoded) // 2}H", encoded)))


def add(one: object, other: object) -> object:
    """
    Return `one + other`: texts are joined, anything else is summed (12.9.6).
    """
    if isinstance(one, str | list | dict) or isinstance(other, str | list | dict):
        return text(one) + text(other)
    total = number(one) + number(other)
    return int(total) if math.isfinite(total) and total == int(total) else total


def less_than(one: object, other: object) -> bool:
    """
    Tell whether `one < other` (IsLessThan, 7.2.13): two texts compare by their UTF-16 units, anything else as numbers.
    """
    first, second = (text(value) if isinstance(value, list | dict) else value for value in (one, other))
    if isinstance(first, str) and isinstance(second, str):
        return first.encode("utf-16-be", "surrogatepass") < second.encode("utf-16-be", "surrogatepass")
    return number(first) < number(second)


def identical(one: object, other: object) -> bool:
    """
    Tell whether `one === other` (IsStrictlyEqual, 7.2.15), for values that are no objects.
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    both_numbers = isinstance(one, int | float) and isinstance(other, int | float)
    return one == other if both_numbers or type(one) is type(other) else False


def equals_true(value: object) -> bool:
    """
    Tell whether `value == true` (IsLooselyEqual, 7.2.14): 1 and "1" are, "true" and 2 are not.
    """
    return value is not None and value is not MISSING and number(value) == 1


def round_half_up(value: float) -> int:
    """
    Return the nearest integer, halves upwards (Math.round).
    """
    return math.floor(value + 0.5)


def property_order(names: Iterable[str]) -> list[str]:
    """
    Return *names* as an object enumerates them: array indices ascending, then the others as they were (10.1.11).
    """
    given = list(names)
    indices = sorted((name for name in given if _is_index(name)), key=int)
    return [*indices, *(name for name in given if not _is_index(name))] if indices else given


def _is_index(name: str) -> bool:
    return bool(_INDEX.fullmatch(name)) and int(name) <= _HIGHEST_INDEX


def stringify(value: object) -> str:
    """
    Return *value* as JSON.stringify writes it, without spaces.
    """
    if isinstance(value, dict):
        members = (f"{_quote(name)}:{stringify(value[name])}" for name in property_order(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(stringify, value)) + "]"
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "null"
    return text(value)


def _quote(plain: str) -> str:
    quoted = json.dumps(plain, ensure_ascii=False)
    # A surrogate without its partner is written as an escape (25.5.2.3).
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", quoted)


def cyrb53(plain: str) -> int:
    """
    Return the 53-bit hash cyrb53 (bryc, public domain), seed 0, over UTF-16 code units.
    """
    first, second = 0xDEADBEEF, 0x41C6CE57
    encoded = plain.encode("utf-16-le", "surrogatepass")
    for at in range(0, len(encoded), 2):
        unit = encoded[at] | encoded[at + 1] << 8
        first = (first ^ unit) * 2654435761 & 0xFFFFFFFF
        second = (second ^ unit) * 1597334677 & 0xFFFFFFFF
    mixed = _mix(first, second)
    return (_mix(second, mixed) & 0x1FFFFF) << 32 | mixed


def _mix(one: int, other: int) -> int:
    left = (one ^ one >> 16) * 2246822507 & 0xFFFFFFFF
    right = (other ^ other >> 13) * 3266489909 & 0xFFFFFFFF
    return left ^ right


def member(plain: Mapping[str, object], name: str) -> object:
    """
    Return the member *name* of *plain*, or MISSING.
    """
    return plain.get(name, MISSING)
