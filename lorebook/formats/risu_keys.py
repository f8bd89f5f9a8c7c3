"""
The keys of RisuAI's entries: one text with commas between them, and one switch for whether all are patterns.

A pattern is `/.../` with flags, as World Info has it. RisuAI splits at every comma and passes over a pattern without
flags; what was meant is read here, and what RisuAI will not take is said when it is written. Words beside patterns
become patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lorebook.formats.taker import Taker
from lorebook.records import EntrySettings

_LETTER = re.compile(r"[A-Za-z0-9_]")
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


def are_patterns(keys: Sequence[str]) -> bool:
    """
    Tell whether *keys* are written as patterns: all are, or one among words can be written.
    """
    return bool(keys) and (all(map(is_pattern, keys)) or any(is_pattern(key) and "," not in key for key in keys))


def as_pattern(key: str, has: EntrySettings) -> str:
    """
    Return *key*, of an entry with the settings *has*, as a pattern that finds the same.
    """
    if is_pattern(key) or not key:
        return key
    first, last = (r"\b" if has.match_whole_words and _LETTER.match(end) else "" for end in (key[0], key[-1]))
    escaped = re.escape(key).replace("/", r"\/").replace(",", r"\x2c")
    # RisuAI wants a flag; `m` changes nothing where no line's end is asked for.
    return f"/{first}{escaped}{last}/" + ("m" if has.case_sensitive else "i")


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
