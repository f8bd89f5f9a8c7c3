"""
What goes along into the file of another program for the way back alone: only the old file's program uses it.

A schema keeps what only its own program knows in `extensions`, under the program's name. Most formats hold that, and
no reader of them looks there, so it is named. So are decorators, lines above an entry's text that say what V3 has no
field for: where they are not known, they are part of the text.
"""

from __future__ import annotations

import re
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
        "NovelAI", frozenset({"id", "lastUpdatedAt", "lorebookVersion", "order", "scenarioVersion", "open", "enabled"})
    ),
    "risuai": _Program("RisuAI", frozenset({"id", "bookVersion", "loreCache"})),
    "voxta": _Program(
        "Voxta",
        frozenset({"Id", "path", "PackageId", "CreatedAt", "LastUpdated", "DeletedAt", "DateCreated", "DateModified"}),
    ),
}


_DECORATED = frozenset(
    {
        *("card-v3", "png", "charx", "charx-jpeg", "lorebook-v3"),
        *("risu-lorebook", "risu-module", "risum"),
    }
)
"""The formats whose readers know decorators."""
_OF_SILLYTAVERN = frozenset({"world-info", "chub", "card-v2", "book-v2"})
_KNOWN_TO_SILLYTAVERN = frozenset({"activate", "dont_activate"})
_DECORATOR = re.compile(r"@@@?([a-z_]+)")
_SHOWN = 4
"""Names of a field's own fields that are told."""


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


def decorators(content: Content, source: str, target: str) -> Iterator[Loss]:
    """
    Yield the decorators in *content*, read from a file of the format *source*, that readers of *target* do not know.
    """
    if source not in _DECORATED or target in _DECORATED:
        return
    known = _KNOWN_TO_SILLYTAVERN if target in _OF_SILLYTAVERN else frozenset()
    for entry in content.book.entries if content.book else ():
        names = [name for name in _decorators(entry.content) if name not in known]
        if names:
            told = ", ".join(f"@@{name}" for name in dict.fromkeys(names))
            why = f"the decorators above the text are part of it for readers that do not know them: {told}"
            yield Loss(entry.uid, "content", why, LossKind.UNREAD)


def _decorators(text: str) -> Iterator[str]:
    """
    Yield the names of the decorators that *text* begins with.
    """
    for line in text.splitlines():
        found = _DECORATOR.match(line)
        if found is None:
            return
        yield found[1]


def _acted_on(kept: object, notes: frozenset[str]) -> list[str]:
    """
    Return the names in *kept* that say something, each with the names in it.
    """
    held = kept if isinstance(kept, dict) else {}
    return [f"{name}{_inside(held[name], notes)}" for name in _saying(held, notes)]


def _inside(value: object, notes: frozenset[str]) -> str:
    """
    Return in brackets what says something in *value*, an object or a list of such.
    """
    items = value if isinstance(value, list) else [value]
    names = list(dict.fromkeys(name for item in items if isinstance(item, dict) for name in _saying(item, notes)))
    return f" ({', '.join(names[:_SHOWN])}{', …' if len(names) > _SHOWN else ''})" if names else ""


def _saying(held: Mapping[str, Any], notes: frozenset[str]) -> list[str]:
    return [str(name) for name, value in held.items() if name not in notes and _says(value, notes)]


def _says(value: object, notes: frozenset[str]) -> bool:
    left = [value]
    while left:  # not by recursion: values may be deep
        item = left.pop()
        if isinstance(item, dict):
            left += [inner for name, inner in item.items() if name not in notes]
        elif isinstance(item, list):
            left += item
        elif item is not None and item is not False and item != "":
            return True
    return False
