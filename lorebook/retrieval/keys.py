"""
The key leg: keys and titles of rules that stand in a query, word for word but for endings.

Of the keys found, one that lies inside a longer one is dropped, so `Tribute Summon` is not also `Summon`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lorebook.retrieval.words import units

# A longer key is a sentence; it is searched as text.
_LONGEST = 12


class KeyHit(NamedTuple):
    """
    A key that stands in a query, and the share of the query that it is.
    """

    key: str
    share: float


class KeyIndex:
    """
    From keys to the rules that carry them, by the rules' numbers.
    """

    def __init__(self, owners: Mapping[str, Sequence[int]]) -> None:
        """
        Keep *owners*: the numbers of the rules, by the units of the key with a space after each.
        """
        self.owners = owners
        self._widest = max((key.count(" ") for key in owners), default=0)

    @classmethod
    def build(cls, keys: Iterable[tuple[int, Iterable[str]]]) -> KeyIndex:
        """
        Index the keys of each rule number.
        """
        owners: defaultdict[str, set[int]] = defaultdict(set)
        for number, held in keys:
            for key in held:
                parts = units(key)
                if 0 < len(parts) <= _LONGEST:
                    owners[joined(parts)].add(number)
        return cls({key: sorted(numbers) for key, numbers in sorted(owners.items())})

    def find(self, query: str) -> dict[int, list[KeyHit]]:
        """
        Return the keys in *query* by the rules that carry them.
        """
        parts = units(query)
        hits: defaultdict[int, list[KeyHit]] = defaultdict(list)
        for start, end in self._spans(parts):
            key = joined(parts[start:end])
            for number in self.owners[key]:
                hits[number].append(KeyHit(key, (end - start) / len(parts)))
        return dict(hits)

    def _spans(self, parts: Sequence[str]) -> list[tuple[int, int]]:
        """
        The longest key from each start, if it ends after all that started before: else it lies inside one of them.
        """
        spans: list[tuple[int, int]] = []
        for start in range(len(parts)):
            end = self._end(parts, start)
            if end > (spans[-1][1] if spans else 0):
                spans.append((start, end))
        return spans

    def _end(self, parts: Sequence[str], start: int) -> int:
        """
        The end of the longest key that begins at *start*; 0 when none does.
        """
        ends = range(min(len(parts), start + self._widest), start, -1)
        return next((end for end in ends if joined(parts[start:end]) in self.owners), 0)


def joined(parts: Sequence[str]) -> str:
    """
    Return the units of a key as one string, with a space after each.
    """
    return "".join(f"{part} " for part in parts)
