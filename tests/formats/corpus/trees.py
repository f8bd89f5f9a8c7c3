"""
JSON as it is written, with nothing interpreted: pairs in their order, numbers as they are spelt, halves of surrogates.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TypeAlias

Tree: TypeAlias = Any
"""A text, a `Number`, true, false or None, a list, or the `Members` of an object."""

_STRING_OR_LAST_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
_STEP = re.compile(r"""\.([^.\[]+)|\[(\d+)\]|\['(.*?)'\]|\["(.*?)"\]""", re.DOTALL)


class Number(str):
    """
    A number, or a word like NaN, as it is spelt.
    """

    __slots__ = ()


class Members(tuple[tuple[str, Tree], ...]):
    """
    The members of an object, those too whose name comes again.
    """

    __slots__ = ()


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()
_DECODER = json.JSONDecoder(
    strict=False, object_pairs_hook=Members, parse_float=Number, parse_int=Number, parse_constant=Number
)


@dataclass(frozen=True)
class Difference:
    """
    A place at which two trees, or two files, are not the same.
    """

    part: str
    """The payload, or what else of the file; empty for a file that is nothing but JSON."""
    path: tuple[str | int, ...]
    before: Tree
    after: Tree

    def __str__(self) -> str:
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return f"{self.part or 'the file'} ${place}: {_shown(self.before)} became {_shown(self.after)}"


def parsed(text: str) -> Tree:
    """
    Return the tree in *text*; a comma too many and control characters in texts are passed over.

    Raises ValueError or RecursionError for what is no JSON.
    """
    without = _STRING_OR_LAST_COMMA.sub(lambda found: "" if found[0] == "," else found[0], text)
    return _DECODER.decode(without.strip())


def differences(before: Tree, after: Tree, part: str = "", path: tuple[str | int, ...] = ()) -> Iterator[Difference]:
    """
    Yield where *after* is not spelt as *before*: values, numbers, the order of names, names that come again.
    """
    if isinstance(before, Members) and isinstance(after, Members):
        ours, theirs = _numbered(before), _numbered(after)
        for name, count in ours | theirs:
            one, other = ours.get((name, count), MISSING), theirs.get((name, count), MISSING)
            yield from differences(one, other, part, (*path, name))
        if [name for name in ours if name in theirs] != [name for name in theirs if name in ours]:
            yield Difference(part, path, Members(before), "the same in another order")
    elif type(before) is list and type(after) is list:
        for place, (one, other) in enumerate(zip_longest(before, after, fillvalue=MISSING)):
            yield from differences(one, other, part, (*path, place))
    elif type(before) is not type(after) or before != after:
        texts = _texts(before), _texts(after)
        if MISSING in texts:
            yield Difference(part, path, before, after)
        else:
            yield from differences(*texts, part, path)


def _texts(value: Tree) -> Tree:
    """
    Return the JSON that the text *value* is; MISSING for every other text and value.
    """
    if type(value) is not str or value.lstrip()[:1] not in ("{", "[", '"'):
        return MISSING
    try:
        return parsed(value)
    except (ValueError, RecursionError):
        return MISSING


def steps(where: str) -> tuple[str | int, ...]:
    """
    Return the JSON path in *where* step by step; it begins at `$`.
    """
    _, _, path = where.partition("$")
    return tuple(int(found[2]) if found[2] else found[1] or found[3] or found[4] for found in _STEP.finditer(path))


def _numbered(members: Members) -> dict[tuple[str, int], Tree]:
    seen: Counter[str] = Counter()
    found = {}
    for name, value in members:
        found[name, seen[name]] = value
        seen[name] += 1
    return found


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


def leaves(tree: Tree) -> list[Tree]:
    """
    Return everything in *tree* that holds nothing else.
    """
    if isinstance(tree, Members):
        return [leaf for _, value in tree for leaf in leaves(value)]
    return [leaf for value in tree for leaf in leaves(value)] if type(tree) is list else [tree]
