r"""
The keywords of Agnai: whole words in any case, with `*` for any letters and `?` for one.

Agnai leaves out what regular expressions have a meaning for, and looks for the rest between two ends of words, in the
ASCII sense of ECMAScript's `\b`. A keyword with `*` or `?` is the pattern that Agnai makes of it, and so is one that
World Info would take for a pattern.
"""

from __future__ import annotations

import re

_REGEX = re.compile(r"/.+/[a-z]*", re.DOTALL)
_LEFT_OUT = re.compile(r"[\\^$+.()|\[\]{}_]")
_WILD = re.compile(r"[*?]")
_START, _END = r"/\b", r"\b/i"
_WORD_CHARACTER = re.compile(r"[A-Za-z0-9_]")


def read(keyword: str) -> str:
    """
    Return the key of World Info that finds what *keyword* finds.
    """
    return _pattern(keyword) if _is_unlike(keyword) else keyword


def write(key: str) -> str | None:
    """
    Return the keyword that finds what the *key* of World Info finds, or what is nearest; None where none is near.
    """
    wild = _wild(key)
    if wild is not None:
        return wild
    if _REGEX.fullmatch(key):
        return None
    plain = key.strip("*?") if _WILD.search(key) else key
    return None if _WILD.search(plain) or (key and not plain) else plain


def is_found(keyword: str) -> bool:
    """
    Say whether *keyword* begins and ends as words do for Agnai; between other characters no word has its ends.
    """
    sought = _LEFT_OUT.sub("", keyword).strip().replace("*", "a").replace("?", "a")
    return bool(sought) and all(_WORD_CHARACTER.match(end) for end in (sought[0], sought[-1]))


def _is_unlike(keyword: str) -> bool:
    """
    Say whether World Info takes *keyword* for something else than Agnai does.
    """
    return bool(_WILD.search(keyword) or _REGEX.fullmatch(keyword))


def _pattern(keyword: str) -> str:
    sought = _LEFT_OUT.sub("", keyword).strip().replace("/", r"\/")
    return _START + sought.replace("*", r"\w*").replace("?", r"\w") + _END


def _wild(key: str) -> str | None:
    """
    Return the keyword whose `_pattern` is *key*.
    """
    inner = key[len(_START) : -len(_END)].replace(r"\w*", "*").replace(r"\w", "?").replace(r"\/", "/")
    return inner if _is_unlike(inner) and _pattern(inner) == key else None
