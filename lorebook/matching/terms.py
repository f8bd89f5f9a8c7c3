"""
Terms in scripts without spaces: the longest one counts.

Chinese and Japanese write no spaces, so a short key stands in many words that it does not mean: 召唤 in
通常召唤, 卡通 in 这张卡通常召唤. Of terms that lie in or cross each other, players read the longest.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from lorebook.scripts import HANGUL, UNSPACED

Span = tuple[int, int]

# Hangul has spaces, but compounds and particles join words: 마법 in 마법사.
_TERM = re.compile(f"[{UNSPACED}{HANGUL}]")


def is_term(needle: str) -> bool:
    """
    Tell whether *needle* holds a character of a script in which words are not apart.
    """
    return not needle.isascii() and bool(_TERM.search(needle))


def inside_longer(spans: Iterable[Span]) -> set[Span]:
    """
    Return those of *spans* that lie in or cross a longer one, the longest first: what gave way itself hides none.

    Takes time in proportion to the sum of their lengths.
    """
    by_length: defaultdict[int, list[Span]] = defaultdict(list)
    for start, end in spans:
        by_length[end - start].append((start, end))
    if len(by_length) < 2:  # noqa: PLR2004 (none is longer than another)
        return set()
    taken = bytearray(max(end for found in by_length.values() for _, end in found))
    hidden: set[Span] = set()
    for length in sorted(by_length, reverse=True):
        standing = [span for span in by_length[length] if taken.find(1, *span) < 0]
        hidden.update(set(by_length[length]).difference(standing) if len(standing) < len(by_length[length]) else ())
        for start, end in standing:
            taken[start:end] = b"\1" * length
    return hidden
