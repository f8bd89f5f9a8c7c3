"""
What an application says and the model does not: an object under the application's name in `extensions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats.card import Card
from lorebook.formats.patching import same


def own(item: Book | Entry | Card, app: str) -> dict[str, Any]:
    """
    Return what *item* keeps for *app*.
    """
    kept = item.extensions.get(app)
    return dict(kept) if isinstance(kept, dict) else {}


def keep(app: str, fields: Mapping[str, Any], meaningless: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """
    Return `extensions` that keep *fields* for *app*, without those that have the *meaningless* value.
    """
    missing: Mapping[str, Any] = meaningless or {}
    kept = {name: value for name, value in fields.items() if name not in missing or not same(value, missing[name])}
    return {app: kept} if kept else {}
