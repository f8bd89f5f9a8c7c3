"""
What stands in a file beside a lorebook or a character and is neither: a story, a chat. It goes into no other file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lorebook.formats.format import Json, Loss

_NO_PART = "it is no part of a lorebook or a character"


def story(held: object, names: Iterable[str]) -> Iterator[Loss]:
    """
    Yield the story in *held*, whose parts have these *names*.
    """
    there = [name for name in names if isinstance(held, Mapping) and _has_text(held.get(name))]
    if there:
        yield Loss(None, "story", f"{_NO_PART}: {', '.join(there)}")


def chat(*chats: Json) -> Iterator[Loss]:
    """
    Yield the *chats*, as one, where something is said in them.
    """
    if any(map(_has_text, chats)):
        yield Loss(None, "chat", _NO_PART)


def _has_text(value: Json) -> bool:
    left = [value]
    while left:  # not by recursion: values may be deep
        item = left.pop()
        if isinstance(item, dict | list):
            left += item.values() if isinstance(item, dict) else item
        elif isinstance(item, str) and item.strip():
            return True
    return False
