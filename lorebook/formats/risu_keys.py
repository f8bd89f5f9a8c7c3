"""
The keys of RisuAI's entries: one text with commas between them, and one switch for whether all are patterns.

A pattern is `/.../` with flags, as World Info has it. RisuAI splits at every comma and passes over a pattern without
flags; what was meant is read here, and what RisuAI will not take is said when it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lorebook.formats.taker import Taker

_PATTERN = re.compile(r"/.+/[a-z]*", re.DOTALL)


def is_pattern(key: str) -> bool:
    """
    Tell whether *key* is `/.../`, perhaps with flags.
    """
    return bool(_PATTERN.fullmatch(key))


def is_passed_over(key: str) -> bool:
    """
    Tell whether *key* is a pattern that RisuAI does not take.
    """
    return is_pattern(key) and ("," in key or key.endswith("/"))


def read(take: Taker, name: str, *, are_patterns: bool) -> tuple[str, ...]:
    """
    Take keys from one text with commas between them; a pattern may have commas itself.
    """
    value = take.peek(name)
    if isinstance(value, str) and are_patterns:
        take.raw(name)
        return _patterns(value)
    keys = tuple(line for key in take.texts(name, joined=",") if (line := " ".join(key.splitlines()).strip()))
    if not are_patterns and any(map(is_pattern, keys)):
        take.notes.add(take.at(name), "has slashes, but is no pattern for RisuAI; elsewhere it is one")
    return keys


def _patterns(value: str) -> tuple[str, ...]:
    whole = " ".join(value.splitlines()).strip()
    parts = tuple(stripped for part in whole.split(",") if (stripped := part.strip()))
    if all(map(is_pattern, parts)):
        return parts
    return (whole if is_pattern(whole) else _slashed(whole),)


def _slashed(pattern: str) -> str:
    escaped = re.sub(r"(?<!\\)/", r"\\/", pattern)
    return f"/{escaped}/"


def as_pattern(key: str, *, case_sensitive: bool) -> str:
    """
    Return *key* as a pattern.
    """
    if is_pattern(key):
        return key
    escaped = re.escape(key).replace("/", r"\/")
    return f"/{escaped}/" + ("" if case_sensitive else "i")


def fitting(keys: Sequence[str], *, are_patterns: bool) -> tuple[str, ...]:
    """
    Return the *keys* that come back from one text: without commas, all patterns or none.
    """
    if are_patterns and _patterns(", ".join(keys)) == tuple(keys):
        return tuple(keys)
    return tuple(key for key in keys if "," not in key and is_pattern(key) is are_patterns)


def one_by_one(keys: Iterable[str]) -> tuple[str, ...]:
    """
    Return the *keys* that can stand in a decorator.
    """
    return tuple(key for key in keys if "," not in key and key.isprintable() and key == key.strip() and key)
