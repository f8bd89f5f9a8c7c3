"""
Terms in scripts without spaces: the longest one counts.

Chinese and Japanese write no spaces, so a short key stands in many words that it does not mean: 召唤 in
通常召唤, 卡通 in 这张卡通常召唤. Of terms that lie in or cross each other, players read the longest.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias

from lorebook.scripts import HANGUL, UNSPACED

Span: TypeAlias = tuple[int, int]
"""Where a term begins and ends."""

# Hangul has spaces, but compounds and particles join words: 마법 in 마법사.
_UNSPACED, _HANGUL = re.compile(f"[{UNSPACED}]"), re.compile(f"[{HANGUL}]")
# Characters; what is longer is a sentence, and may stand in itself as often as there are characters.
_LONGEST = 100


def is_term(needle: str) -> bool:
    """
    Tell whether *needle* is of a script in which words are not apart, and no sentence.
    """
    if needle.isascii() or len(needle) > _LONGEST:
        return False
    return bool(_UNSPACED.search(needle) or (" " not in needle and _HANGUL.search(needle)))


class Standing:
    """
    The terms of a text that stand: those in or across a longer one give way, the longest first.

    What gave way itself hides none. Takes time in proportion to the sum of the terms' lengths.
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        """
        Choose among *spans*, which come in the order of their ends.
        """
        by_length: defaultdict[int, list[int]] = defaultdict(list)
        for start, end in spans:
            by_length[end - start].append(start)
        end = max((starts[-1] + length for length, starts in by_length.items()), default=0)
        # For each character, the length of the longest term over it.
        self._lengths = lengths = bytearray(end)
        for length in sorted(by_length, reverse=True)[:-1]:
            mark = bytes((length,)) * length
            for start in by_length[length]:
                if max(lengths[start : start + length]) <= length:
                    lengths[start : start + length] = mark

    def hides(self, start: int, end: int) -> bool:
        """
        Tell whether a longer term than that from *start* to *end* holds or crosses it.
        """
        return max(self._lengths[start:end], default=0) > end - start
