"""
What a reader noticed in a file: damage that it mended, values that it had to interpret, payloads that disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """
    One thing noticed.
    """

    where: str
    """A JSON path (`$.data.tags`), a place in the container (`chunk tEXt at byte 33`), or both; empty for the file."""
    what: str
    """What is there, and what it was taken for."""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class Notes:
    """
    The notes on one file, in the order in which they were made, each once.
    """

    def __init__(self) -> None:
        self._notes: dict[Note, None] = {}

    def add(self, where: str, what: str) -> None:
        """
        Note *what* at *where*.
        """
        self._notes[Note(where, what)] = None

    def __iter__(self) -> Iterator[Note]:
        return iter(self._notes)

    def __len__(self) -> int:
        return len(self._notes)
