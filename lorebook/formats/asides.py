"""
What goes along into the file of another program for the way back alone: only the old file's program uses it.

A schema keeps what only its own program knows in `extensions`, under the program's name. Most formats hold that, and
no reader of them looks there, so it is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from lorebook.formats.format import Content, Loss, LossKind


class _Program(NamedTuple):
    """
    A program, and what it notes for its own sake: ids, times, places in a list, what is said elsewhere, too.
    """

    title: str
    notes: frozenset[str]


_PROGRAMS: Mapping[str, _Program] = {
    "agnai": _Program("Agnai", frozenset({"_id", "userId", "id", "comment", "is_creation", "displayIndex", "persona"})),
    "aidungeon": _Program("AI Dungeon", frozenset({"id", "createdAt", "updatedAt", "deletedAt", "__typename"})),
    "backyard": _Program("Backyard", frozenset({"id", "order", "createdAt", "updatedAt", "paths", "labels"})),
    "koboldai": _Program("KoboldAI", frozenset({"uid", "num", "init", "token_length", "v1_uid", "wifolders_l"})),
    "novelai": _Program(
        "NovelAI", frozenset({"id", "lastUpdatedAt", "lorebookVersion", "order", "scenarioVersion", "open"})
    ),
    "risuai": _Program("RisuAI", frozenset({"id", "bookVersion", "loreCache"})),
    "voxta": _Program(
        "Voxta",
        frozenset({"Id", "path", "PackageId", "CreatedAt", "LastUpdated", "DeletedAt", "DateCreated", "DateModified"}),
    ),
}


def remarks(content: Content, app: str) -> Iterator[Loss]:
    """
    Yield what of *content*, read from a file of *app*, only that program uses; nothing where it is not known.
    """
    program = _PROGRAMS.get(app)
    if program is None:
        return
    book, card = content.book, content.card
    found: list[tuple[int | None, str, Mapping[str, Any]]] = []
    if card is not None:
        found.append((None, f"card.extensions.{app}", card.extensions))
    if book is not None:
        found.append((None, f"extensions.{app}", book.extensions))
        found += [(entry.uid, f"extensions.{app}", entry.extensions) for entry in book.entries]
    for entry, field, extensions in found:
        names = _acted_on(extensions.get(app), program.notes)
        if names:
            yield Loss(entry, field, f"only {program.title} uses it: {', '.join(names)}", LossKind.UNREAD)


def _acted_on(kept: object, notes: frozenset[str]) -> list[str]:
    """
    Return the names in *kept* that say something; of an object only one with such names in it.
    """
    if not isinstance(kept, dict):
        return []
    return [str(name) for name, value in kept.items() if name not in notes and _says(value, notes)]


def _says(value: object, notes: frozenset[str]) -> bool:
    if isinstance(value, dict):
        return bool(_acted_on(value, notes))
    if isinstance(value, list):
        return any(_says(item, notes) for item in value)
    return value is not None and value is not False and value != ""
