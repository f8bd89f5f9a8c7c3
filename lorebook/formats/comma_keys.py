"""
Keys in one text with commas between, for programs that look for plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

WHY = "the keys are plain words with commas between: a key with a comma in it and a pattern are left out"
"""Why not all keys of an entry are written."""

_PATTERN = re.compile(r"/.+/[a-z]*", re.DOTALL)


def words(keys: Iterable[str]) -> list[str]:
    """
    Return *keys* without those that would be looked for as something else than what is meant.
    """
    return [stripped for key in keys if (stripped := key.strip()) and not _PATTERN.fullmatch(stripped)]


def joined(keys: Iterable[object], comma: str = ",") -> str:
    """
    Return the words among *keys* with *comma* between them, without those that would be split.
    """
    texts = (key for key in keys if isinstance(key, str))
    return comma.join(word for word in words(texts) if "," not in word)
