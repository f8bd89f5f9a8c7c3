"""
What is the same in two values of JSON, and which items of a changed list are the items of the old one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lorebook.formats.exactjson.spelled import SpelledFloat, SpelledInt, spelling

_MOST_PAIRS = 200_000
_Pair: TypeAlias = "tuple[Any, Any, _Pair | None]"
_Chain: TypeAlias = "tuple[int, int, _Chain] | None"


class Sameness:
    """
    Comparing values, for as long as they live and do not change; what was found different is not compared again.
    """

    def __init__(self) -> None:
        self._different: set[tuple[int, int]] = set()

    def __call__(self, old: object, new: object) -> bool:
        """
        Say whether *new* may stay as *old* is written.

        A plain number does, however the old one was spelt, and 1 is 1.0; a spelt one only as itself. True is never 1.
        """
        todo: list[_Pair] = [(old, new, None)]
        while todo:
            pair = todo.pop()
            one, other, _ = pair
            if one is other:
                continue
            if not isinstance(one, dict | list):
                if not _same_scalar(one, other):
                    return self._differ(pair)
            elif (id(one), id(other)) in self._different or not _alike(one, other):
                return self._differ(pair)
            elif isinstance(one, dict):
                todo.extend([(item, other[key], pair) for key, item in one.items()])
            else:
                todo.extend([(item, twin, pair) for item, twin in zip(one, other, strict=True)])
        return True

    def _differ(self, pair: _Pair | None) -> bool:
        while pair:
            self._different.add((id(pair[0]), id(pair[1])))
            pair = pair[2]
        return False


def _alike(old: dict[str, Any] | list[Any], new: object) -> bool:
    """
    Say whether *new* is of the kind of *old* and has the same keys or as many items.
    """
    if isinstance(old, dict):
        return isinstance(new, dict) and old.keys() == new.keys()
    return isinstance(new, list | tuple) and len(old) == len(new)


def _same_scalar(old: object, new: object) -> bool:
    if isinstance(old, str):
        return isinstance(new, str) and old == new
    if isinstance(old, bool) or isinstance(new, bool) or not isinstance(old, int | float):
        return old is new
    if isinstance(new, SpelledInt | SpelledFloat):
        return new.token == spelling(old)
    return isinstance(new, int | float) and old == new


@dataclass(frozen=True)
class Alignment:
    """
    How a list becomes another one.
    """

    changed: list[tuple[int, int]]
    """Items that stay in their place but are not the same: their numbers in the old and the new list."""
    removed: list[int]
    """The numbers of old items, ascending."""
    inserted: dict[int, list[int]]
    """The numbers of new items, by the old item that they come after (-1 before all)."""


def align(old: list[Any], new: Sequence[Any], same: Sameness) -> Alignment:
    """
    Find which items of *new* are items of *old*: as many as possible, and those between them by their order.
    """
    found = Alignment([], [], {})
    last_old = last_new = -1
    for one, other in [*_anchors(old, new, same), (len(old), len(new))]:
        paired = min(one - last_old, other - last_new) - 1
        found.changed.extend((last_old + 1 + k, last_new + 1 + k) for k in range(paired))
        found.removed.extend(range(last_old + 1 + paired, one))
        if added := list(range(last_new + 1 + paired, other)):
            found.inserted[last_old + paired] = added
        last_old, last_new = one, other
    return found


def _anchors(old: list[Any], new: Sequence[Any], same: Sameness) -> list[tuple[int, int]]:
    """
    Return the numbers of the items that are the same, ascending in both lists.
    """
    shorter = min(len(old), len(new))
    head = next((k for k in range(shorter) if not same(old[k], new[k])), shorter)
    rest = shorter - head
    tail = next((k for k in range(rest) if not same(old[-1 - k], new[-1 - k])), rest)
    # One item against one was compared already.
    alone = len(old) == len(new) == head + 1 + tail
    middle = [] if alone else _common(old[head : len(old) - tail], new[head : len(new) - tail], same)
    return [
        *((k, k) for k in range(head)),
        *((head + one, head + other) for one, other in middle),
        *((len(old) - k, len(new) - k) for k in range(tail, 0, -1)),
    ]


def _common(old: list[Any], new: Sequence[Any], same: Sameness) -> list[tuple[int, int]]:
    """
    Return the longest common subsequence (Hunt and Szymanski 1977): quick where few items are equal to many.
    """
    ends: list[int] = []
    chains: list[_Chain] = []
    for one, other in _pairs(old, new, same):
        length = bisect_left(ends, one)
        chain: _Chain = (one, other, chains[length - 1] if length else None)
        ends[length : length + 1] = [one]
        chains[length : length + 1] = [chain]
    found: list[tuple[int, int]] = []
    link = chains[-1] if chains else None
    while link:
        found.append(link[:2])
        link = link[2]
    return found[::-1]


def _pairs(old: list[Any], new: Sequence[Any], same: Sameness) -> Iterator[tuple[int, int]]:
    """
    Yield the numbers of items that are the same, by the new item, for each the old ones from the last to the first.

    Where that would be too many (a long list of zeros) the first of a kind goes with the first, and so on.
    """
    places: dict[int, list[int]] = defaultdict(list)
    for number in range(len(old) - 1, -1, -1):
        places[_print_of(old[number])].append(number)
    prints = [_print_of(item) for item in new] if places else []
    together = sum(len(places[found]) * times for found, times in Counter(prints).items() if found in places)
    for number, found in enumerate(prints):
        candidates = places.get(found, [])
        if together > _MOST_PAIRS:
            candidates = [candidates.pop()] if candidates else []
        yield from ((one, number) for one in candidates if same(old[one], new[number]))


def _print_of(value: object) -> int:
    """
    Return a number that is equal for what is the same.
    """
    seen: list[object] = []
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            names = sorted(item, key=str)
            seen += (len(names), *names)
            todo.extend(item[name] for name in names)
        elif isinstance(item, list | tuple):
            seen.append(-len(item))
            todo.extend(item)
        elif item is None or isinstance(item, str | int | float):
            seen.append(item)
    return hash(tuple(seen))
