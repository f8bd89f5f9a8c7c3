"""
The container of files that are nothing but JSON (or other) text: one part, which is all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from lorebook.errors import FormatError
from lorebook.formats.containers.container import LARGEST_PART, Data, Pieces
from lorebook.formats.notes import Notes

_Text = TypeVar("_Text", bound=Data)

WHOLE = ""
"""The name of the one part."""


@dataclass(frozen=True)
class OpenedText:
    """
    A file of text.
    """

    parts: Mapping[str, bytes]

    def replaced(self, parts: Mapping[str, bytes]) -> Pieces:
        """
        Return the new text, or the one that is there.

        Raises FormatError where it is larger than `LARGEST_PART`.
        """
        return (_limited(parts.get(WHOLE, self.parts[WHOLE])),)


class TextContainer:
    """
    A file of text.
    """

    name = "text"

    def claims(self, data: Data) -> str | None:
        """
        Say that anything may be text: other containers are asked first.
        """
        return "it is text" if len(data) else None

    def open(self, data: Data, notes: Notes) -> OpenedText:  # noqa: ARG002 (text has no damage of its own)
        """
        Open a file of text.

        Raises FormatError where it is larger than `LARGEST_PART`.
        """
        return OpenedText({WHOLE: _limited(data)[:]})

    def build(self, parts: Mapping[str, bytes], picture: bytes) -> Pieces:  # noqa: ARG002 (text shows none)
        """
        Return the one part as a file.

        Raises FormatError where it is larger than `LARGEST_PART`: it could not be read again.
        """
        return (_limited(parts[WHOLE]),)


def _limited(data: _Text) -> _Text:
    if len(data) > LARGEST_PART:
        raise FormatError(f"the text has {len(data):,} bytes; the limit is {LARGEST_PART:,}")
    return data


TEXT = TextContainer()
