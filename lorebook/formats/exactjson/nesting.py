"""
How deep a value of JSON may be nested.

The limit is far below Python's own on recursion, which is shared with whoever calls.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from itertools import chain

from lorebook.errors import FormatError
from lorebook.formats.notes import step

DEEPEST = 500
_STEPS = 3
_HOLDERS = (dict, list, tuple)
_SCALARS = {str, int, float, bool, type(None)}


def deeper(value: object, than: int = DEEPEST) -> bool:
    """
    Say whether lists and objects are nested more than *than* deep in *value*; in one that holds itself they are.
    """
    level = [value] if isinstance(value, _HOLDERS) else []
    for _ in range(than):
        found: list[object] = []
        for holder in level:
            found += [item for item in _items(holder) if type(item) not in _SCALARS]
        # By identity, so that what is shared is looked at once.
        level = list({id(item): item for item in found if isinstance(item, _HOLDERS)}.values())
        if not level:
            return False
    return bool(level)


def surely_shallow(value: object) -> bool:
    """
    Say whether *value*, of dicts and lists, is far from being nested too deeply; quicker than `deeper`, but no more.

    What the garbage collector does not track holds nothing that it tracks: a text, a number, a dict of such.
    """
    level = [value]
    for _ in range(DEEPEST - 1):
        holders = [_items(item) for item in level]
        level = list(filter(gc.is_tracked, chain.from_iterable(holders)))
        if not level:
            return True
    return False


def refuse_deeper(value: object) -> None:
    """
    Raise FormatError when *value* is nested deeper than JSON may be, saying where.
    """
    if deeper(value):
        raise FormatError(f"JSON cannot hold it: nested more than {DEEPEST} deep in {_place(value)}")


def _items(holder: object) -> Iterable[object]:
    if isinstance(holder, dict):
        return holder.values()
    return holder if isinstance(holder, _HOLDERS) else ()


def _place(value: object) -> str:
    """
    Return the path to what is nested too deeply in *value*, its first steps only.
    """
    path = "$"
    for taken in range(1, _STEPS + 1):
        pairs = value.items() if isinstance(value, dict) else enumerate(_items(value))
        key, value = next((key, item) for key, item in pairs if deeper(item, DEEPEST - taken))
        path = step(path, key if isinstance(key, int) else str(key))
    return path
