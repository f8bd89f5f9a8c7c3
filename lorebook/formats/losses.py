"""
From what differs between two contents to what a file does not hold, with the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lorebook.formats.differences import Difference
from lorebook.formats.format import Loss, LossKind, Schema
from lorebook.records import EntrySettings

_NO_PLACE = "the format has no place for it"
_PLAIN = EntrySettings()
_NEARLY = "the format can only say something near to it"


def losses(schema: Schema, found: Iterable[Difference]) -> Iterator[Loss]:
    """
    Yield the losses that the differences *found* are, with *schema*'s reasons.
    """
    for item in found:
        kind = LossKind.LOST if _is_gone(item) else LossKind.CHANGED
        yield Loss(item.entry, item.field, _why(schema, item.field, kind), kind)


def _is_gone(item: Difference) -> bool:
    """
    Tell whether nothing is left of what was said: a default takes its place.
    """
    default = getattr(_PLAIN, item.field, None)
    return item.before is not None and (item.after in (None, "", ()) or (default is not None and item.after == default))


def _why(schema: Schema, field: str, kind: LossKind) -> str:
    default = _NO_PLACE if kind is LossKind.LOST else _NEARLY
    return schema.why.get(field) or schema.why.get(field.partition(".")[0]) or default
