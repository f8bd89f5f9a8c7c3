"""
What some programs put around a card or book: `{"card": {…}}`, or the JSON once more as a text in the JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lorebook.errors import FormatError
from lorebook.formats import exactjson
from lorebook.formats.exactjson import JsonText
from lorebook.formats.format import Json
from lorebook.formats.notes import Notes

_NAMES = ("card", "character", "data", "lorebook", "character_book")


@dataclass(frozen=True)
class Envelope:
    """
    The name under which the value proper is; none where nothing is around it.
    """

    name: str = ""
    text: JsonText | None = None
    """The value's own text, where it is one."""

    def around(self, whole: Json, value: Json) -> Json:
        """
        Return *whole* with *value* in the envelope.
        """
        if not self.name:
            return value
        return whole | {self.name: value if self.text is None else self.text.patched(value)}


def opened(whole: object) -> Iterator[tuple[Envelope, Any]]:
    """
    Yield what may be in *whole*, with its envelope; first *whole* itself.
    """
    yield Envelope(), whole
    if not isinstance(whole, dict):
        return
    for name in _NAMES:
        inner = whole.get(name)
        if isinstance(inner, dict):
            yield Envelope(name), inner
        elif isinstance(inner, str) and inner.lstrip()[:1] in ("{", "["):
            try:
                text = exactjson.parse(inner, Notes(), "$")
            except FormatError:
                continue
            yield Envelope(name, text), text.value
