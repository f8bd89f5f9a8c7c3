"""
What a book means to who scans it, compared over formats and programs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lorebook.book import CARD_NAMES, Book

_SETTINGS = {*CARD_NAMES.values(), "novelty"}
"""What is compared of the `extensions`: settings, and the field by which the lavish book tests what nobody knows."""


def told(book: Book) -> dict[str, Any]:
    """
    Return everything in *book* that has a meaning for who scans it, by path.
    """
    head = ("name", "description", "scan_depth", "token_budget", "recursive_scanning")
    said = {f"book: {name}": getattr(book, name) for name in head}
    for place, entry in enumerate(book.entries):
        own = {name: getattr(entry, name) for name in ("uid", "name", "keys", "content", "rule")}
        own |= entry.settings.model_dump()
        own |= {name: value for name, value in entry.extensions.items() if name in _SETTINGS}
        said |= {f"entry {place}: {name}": value for name, value in own.items()}
    return said


def differences(sent: Book, got: Book) -> dict[str, tuple[Any, Any]]:
    """
    Return what *sent* says and *got* does not, by path; what SillyTavern adds are its own defaults, and no difference.
    """
    ours, theirs = told(sent), told(got)
    assert len(got.entries) == len(sent.entries)
    return {path: (value, theirs.get(path)) for path, value in ours.items() if theirs.get(path) != value}


def field(path: str) -> str:
    """
    Return the field at *path* as the tables name it, whichever entry it is of.
    """
    return re.sub(r"^entry \d+", "entry", path)


def check(sent: Book, got: Book, changed: Mapping[str, str]) -> None:
    """
    Assert that *got* says what *sent* says but for the fields *changed*.
    """
    assert {path: both for path, both in differences(sent, got).items() if field(path) not in changed} == {}
