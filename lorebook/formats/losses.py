"""
From what differs between two contents to what a file does not hold, with the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from lorebook.formats.differences import Difference
from lorebook.formats.format import Loss, LossKind, Schema
from lorebook.records import EntrySettings

_NO_PLACE = "the format has no place for it"
_KEYS = ("keys", "secondary_keys")
# How many missing keys a reason names, and how much of each.
_NAMED, _LONGEST = 3, 40
_PLAIN = EntrySettings()
_NEARLY = "the format can only say something near to it"


def losses(schema: Schema, found: Iterable[Difference]) -> Iterator[Loss]:
    """
    Yield the losses that the differences *found* are, with *schema*'s reasons.
    """
    for item in found:
        kind = LossKind.LOST if _is_gone(item) else LossKind.CHANGED
        yield Loss(item.entry, item.field, _why(schema, item, kind) + _missing_keys(item, kind), kind)


def _is_gone(item: Difference) -> bool:
    """
    Tell whether nothing is left of what was said: a default takes its place.
    """
    default = getattr(_PLAIN, item.field, None)
    return item.before is not None and (item.after in (None, "", ()) or (default is not None and item.after == default))


def _why(schema: Schema, item: Difference, kind: LossKind) -> str:
    """
    Return *schema*'s reason: for what was said (`secondary_logic.not_any`), for the field, or for its kind of field.
    """
    said = [f"{item.field}.{item.before}"] if isinstance(item.before, StrEnum) else []
    default = _NO_PLACE if kind is LossKind.LOST else _NEARLY
    names = (*said, item.field, item.field.partition(".")[0])
    return next((schema.why[name] for name in names if schema.why.get(name)), default)


def _missing_keys(item: Difference, kind: LossKind) -> str:
    """
    Name the keys that are not there as they were; where none is left, there is no need.
    """
    if item.field not in _KEYS or kind is LossKind.LOST:
        return ""
    missing = [key for key in dict.fromkeys(item.before) if key not in item.after]
    if not missing:
        return ""
    names = ", ".join(f"'{_shortened(key)}'" for key in missing[:_NAMED])
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    # Keys that only the file has stand for some of the missing ones.
    return f"; {'written otherwise' if set(item.after) - set(item.before) else 'gone'}: {names}{more}"


def _shortened(key: str) -> str:
    """
    Return *key* as far as it fits a line.
    """
    return key if len(key) <= _LONGEST else f"{key[: _LONGEST - 1]}…"
