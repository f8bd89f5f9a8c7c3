"""
An entry of a book in the words of World Info, which the engine reads.
"""

from __future__ import annotations

from typing import Any

from lorebook.book import CARD_NAMES, Book, Entry
from lorebook.records import Position, Role, SecondaryLogic

_POSITIONS, _ROLES, _LOGICS = tuple(Position), tuple(Role), tuple(SecondaryLogic)
# What `formats.vocabulary` keeps of a file beside its extensions; World Info has its character filter there.
_OWN, _KEPT, _FILTER = "lorebook", "fields", "characterFilter"


def world_info(book: Book) -> dict[str, Any]:
    """
    Return *book* as a World Info file would hold it; the slots are the entries' places in the book.
    """
    return {"entries": {str(place): world_info_entry(entry) for place, entry in enumerate(book.entries)}}


def world_info_entry(entry: Entry) -> dict[str, Any]:
    """
    Return *entry* with every field of World Info that it has a value for.
    """
    settings = entry.settings
    fields = {
        "uid": entry.uid,
        "key": list(entry.keys),
        "keysecondary": list(settings.secondary_keys),
        "comment": entry.name,
        "content": entry.content,
        "constant": settings.constant,
        "selective": bool(settings.secondary_keys),
        "selectiveLogic": _LOGICS.index(settings.secondary_logic),
        "order": settings.insertion_order,
        "position": _POSITIONS.index(settings.position),
        "depth": settings.depth,
        "role": _ROLES.index(settings.role),
        "disable": not settings.enabled,
        "probability": settings.probability,
        "useProbability": True,
        "caseSensitive": settings.case_sensitive,
        "matchWholeWords": settings.match_whole_words,
    }
    return fields | _further(entry)


def _further(entry: Entry) -> dict[str, Any]:
    kept = entry.extensions.get(_OWN, {})
    fields = kept.get(_KEPT, {}) if isinstance(kept, dict) else {}
    further = {name: entry.extensions[card] for name, card in CARD_NAMES.items() if card in entry.extensions}
    return further | ({_FILTER: fields[_FILTER]} if isinstance(fields, dict) and _FILTER in fields else {})
