"""
What some programs put around a card or book: `{"card": {…}}`, a list with it alone, or the JSON once more as a text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lorebook.formats.format import Json
from lorebook.formats.notes import step
from lorebook.formats.rearranging import A_TEXT, Turn, parsed, turns

_NAMES = (
    *("card", "character", "char", "data", "lorebook", "character_book", "book"),
    *("world_info", "worldInfo", "world", "world_book", "worldbook", "module"),
)
_TELLING = frozenset({"spec", "data", "entries"})
"""Names by which an only item of a list is known for a card or a book."""
_DEEPEST = 3
"""Envelopes in one another that are opened."""
_MOST = 50
"""What is looked at in a file of envelopes."""
_IN_ENVELOPE, _READ_ALONE = "is in an envelope", "read as if it stood alone"


@dataclass(frozen=True)
class Envelope:
    """
    What was done to get at the value proper, from the outside in; nothing where it stands as it should.
    """

    turns: tuple[Turn, ...] = ()

    def around(self, value: Json) -> Json:
        """
        Return the whole again, with *value* in the envelope.
        """
        for turn in reversed(self.turns):
            value = turn.back(value)
        return value

    def path(self, path: str) -> str:
        """
        Return where in the file the JSON *path* of the value proper is.
        """
        for turn in reversed(self.turns):
            path = turn.before(path)
        return path

    def noted(self) -> Iterator[tuple[str, str]]:
        """
        Yield what is to be noted: the JSON path, and what is there.
        """
        for n, turn in enumerate(self.turns):
            where = Envelope(self.turns[:n]).path(turn.where)
            yield where, turn.what
            yield from ((where + note.where.removeprefix("$"), note.what) for note in turn.inside)


def opened(whole: object) -> Iterator[tuple[Envelope, Any]]:
    """
    Yield what may be in *whole*, with its envelope; first *whole* itself, then what is in fewer envelopes.
    """
    waiting: deque[tuple[Envelope, Any, int]] = deque([(Envelope(), whole, 0)])
    for _ in range(_MOST):
        if not waiting:
            return
        around, value, depth = waiting.popleft()
        around, value = _arranged(around, value)
        yield around, value
        if depth < _DEEPEST:
            inner = ((Envelope((*around.turns, turn)), turn.value, depth + 1) for turn in _inside(value))
            waiting.extend(inner)


def _arranged(around: Envelope, value: Json) -> tuple[Envelope, Any]:
    for turn in turns(value):
        around, value = Envelope((*around.turns, turn)), turn.value
    return around, value


def _inside(value: Json) -> Iterator[Turn]:
    """
    Yield what *value* has in it that may be the card or the book.
    """
    if text := parsed(value):
        yield Turn(text.json.value, text.json.patched, "$", A_TEXT, inside=text.notes)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict) and _TELLING & value[0].keys():
        yield Turn(value[0], lambda inner: [inner], "$[0]", f"{_IN_ENVELOPE}; {_READ_ALONE}", was="$[0]")
    if not isinstance(value, dict):
        return
    for name in _NAMES:
        if isinstance(value.get(name), dict | list | str) and (turn := _in(value, name)):
            yield turn


def _in(value: dict[str, Any], name: str) -> Turn | None:
    inner, where = value[name], step("$", name)
    text = parsed(inner)
    if text is not None:
        read = text.json
        return Turn(
            read.value,
            lambda changed: value | {name: read.patched(changed)},
            *(where, f"{_IN_ENVELOPE}, as a text; {_READ_ALONE}"),
            was=where,
            inside=text.notes,
        )
    if not isinstance(inner, dict):
        return None
    return Turn(inner, lambda changed: value | {name: changed}, where, f"{_IN_ENVELOPE}; {_READ_ALONE}", was=where)
