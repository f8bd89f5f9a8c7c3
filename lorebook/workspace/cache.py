"""
What is kept for the user of this machine: indexes of books that come and go, and of workspaces that nobody may write.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from platformdirs import user_cache_path

WORKSPACES, BOOKS = "workspaces", "books"

_MOST_BOOKS = 40


def folder(kind: str, identity: str) -> Path:
    """
    Return the folder for what *identity* names among the things of a *kind*.
    """
    return _all(kind) / hashlib.sha256(identity.encode()).hexdigest()[:24]


def forget_oldest_books() -> None:
    """
    Leave only the newest indexes of books; a book that comes again is embedded again.
    """
    held = _all(BOOKS)
    if held.is_dir():
        by_age = sorted(held.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in by_age[_MOST_BOOKS:]:
            shutil.rmtree(path, ignore_errors=True)


def _all(kind: str) -> Path:
    return user_cache_path("lorebook", appauthor=False) / kind
