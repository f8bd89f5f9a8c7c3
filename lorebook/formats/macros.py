"""
The macros of cards, `{{char}}` and `{{user}}`, in files of programs that put no names in their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lorebook.formats.card_data import V1_TEXTS
from lorebook.formats.format import Content, Loss, LossKind

_MACRO = re.compile(r"\{\{(char|user)\}\}", re.IGNORECASE)


def remarks(content: Content, program: str) -> Iterator[Loss]:
    """
    Yield the texts of *content* with macros in them, which *program* shows as they stand.
    """
    for entry, field, text in _texts(content):
        found = dict.fromkeys(match[0] for match in _MACRO.finditer(text))
        if found:
            yield Loss(entry, field, f"{program} puts no names for macros: {', '.join(found)}", LossKind.UNREAD)


def _texts(content: Content) -> Iterator[tuple[int | None, str, str]]:
    for name in V1_TEXTS if content.card else ():
        yield None, f"card.{name}", getattr(content.card, name)
    for entry in content.book.entries if content.book else ():
        yield entry.uid, "content", entry.content
