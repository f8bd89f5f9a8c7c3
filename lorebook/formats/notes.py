"""
What a reader noticed in a file: damage that it mended, values that it had to interpret, payloads that disagree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST_NAME = 60


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
        self.is_cut = False
        """Whether the file ends before it should."""

    def add(self, where: str, what: str, *, cut: bool = False) -> None:
        """
        Note *what* at *where*; *cut* says that the file ends before it should.
        """
        self._notes[Note(where, what)] = None
        self.is_cut |= cut

    def __iter__(self) -> Iterator[Note]:
        return iter(self._notes)

    def __len__(self) -> int:
        return len(self._notes)


def step(where: str, name: str | int) -> str:
    """
    Return the JSON path of *name* in the object or list at *where* (RFC 9535): `$.tags`, `$['a b']`, `$[3]`.

    A long name is cut off; a name in quotes is escaped, so that a path is always one line.
    """
    if isinstance(name, int):
        return f"{where}[{name}]"
    if len(name) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_NAME]}…"
    if name.isidentifier():
        return f"{where}.{name}"
    quoted = json.dumps(name, ensure_ascii=not name.isprintable())[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"{where}['{quoted}']"
