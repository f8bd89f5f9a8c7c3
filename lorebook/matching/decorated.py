"""
What decorators do to a book and to a scan.

Most of them say what an entry has a field for, and become that field when the book is compiled. The others are
conditions of the chat (how many messages the assistant has written, which greeting is in use, whether the entry has
fired before) and lists of keys that have a say beside the entry's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lorebook.book import Book, Entry
from lorebook.matching.decorators import Head, has_head, read_head
from lorebook.matching.keytable import Key
from lorebook.matching.obstacles import Decorated
from lorebook.matching.request import ScanRequest
from lorebook.records import Position

# The character's card is one text here: its personality and scenario stand behind the description.
_POSITIONS = {
    "before_desc": Position.BEFORE_CHAR,
    "after_desc": Position.AFTER_CHAR,
    "personality": Position.AFTER_CHAR,
    "scenario": Position.AFTER_CHAR,
}


def decorated(book: Book, *, is_recursive: bool) -> tuple[Book, dict[int, Head]]:
    """
    Return *book* with its decorators as settings of the entries, and the heads by uid; contents stay as they are.

    *is_recursive* says whether recursion is on anyway: where it is off, entries may still ask for it.
    """
    heads = {entry.uid: read_head(entry.content) for entry in book.entries if has_head(entry.content)}
    if not heads:
        return book, {}
    entries = [with_settings(entry, heads[entry.uid]) if entry.uid in heads else entry for entry in book.entries]
    if is_recursive or not any(head.recursive for head in heads.values()):
        return book.model_copy(update={"entries": tuple(entries)}), heads
    alone = tuple(entry if _asks_for_recursion(heads.get(entry.uid)) else _unfed(entry) for entry in entries)
    return book.model_copy(update={"entries": alone, "recursive_scanning": True}), heads


def with_settings(entry: Entry, head: Head) -> Entry:
    """
    Return *entry* with the settings that *head* asks for over its own.
    """
    settings: dict[str, Any] = {
        "role": head.role,
        "probability": head.probability,
        "match_whole_words": head.whole_words,
        **_placing(head),
    }
    extensions = {
        "scan_depth": head.scan_depth,
        "prevent_recursion": None if head.recursive is None else not head.recursive,
        "exclude_recursion": head.no_recursive_search or None,
        "outlet_name": None if head.position in _POSITIONS else head.position,
    }
    changed = entry.settings.model_copy(update=_given(settings))
    return entry.model_copy(update={"settings": changed, "extensions": entry.extensions | _given(extensions)})


def depth_in(head: Head, length: int) -> int | None:
    """
    Return how far from the end of a chat of *length* messages a text goes that *head* counts from the beginning.
    """
    return None if head.reverse_depth is None else max(0, length - head.reverse_depth)


def held_back(head: Head, request: ScanRequest, identity: str) -> Decorated | None:
    """
    Return the decorator that keeps the entry *identity* out of the whole scan, None where none does.
    """
    if head.activate or stays_on(head, request, identity):
        return None
    if head.dont_activate:
        return Decorated(name="dont_activate")
    if head.dont_activate_after_match and identity in request.matched:
        return Decorated(name="dont_activate_after_match")
    return _untimely(head, request.assistant_messages) or _elsewhere(head, request)


def stays_on(head: Head, request: ScanRequest, identity: str) -> bool:
    """
    Tell whether the entry *identity* is on because it has fired before.
    """
    is_shut = head.dont_activate or head.dont_activate_after_match
    return head.keep_activate_after_match and not is_shut and identity in request.matched


def veto(head: Head, lists: Sequence[Sequence[Key]], stands: Callable[[Key], bool]) -> Decorated | None:
    """
    Return the list of keys that keeps an entry out, None where none does; *stands* finds a key in what it sees.
    """
    for (name, texts), keys in zip(head.key_lists, lists, strict=True):
        found = tuple(text for text, key in zip(texts, keys, strict=True) if stands(key))
        enough = len(texts) if name == "exclude_keys_all" else 1
        if (len(found) >= enough) != (name == "additional_keys"):
            return Decorated(name=name, value=", ".join(texts), found=", ".join(found))
    return None


def _placing(head: Head) -> dict[str, object]:
    if head.position is not None:
        return {"position": _POSITIONS.get(head.position, Position.OUTLET)}
    if head.depth is None and head.reverse_depth is None:
        return {}
    return {"position": Position.AT_DEPTH, "depth": head.depth}


def _untimely(head: Head, messages: int) -> Decorated | None:
    if head.activate_only_after is not None and messages < head.activate_only_after:
        return Decorated(name="activate_only_after", value=str(head.activate_only_after), found=str(messages))
    if head.activate_only_every is not None and messages % head.activate_only_every:
        return Decorated(name="activate_only_every", value=str(head.activate_only_every), found=str(messages))
    return None


def _elsewhere(head: Head, request: ScanRequest) -> Decorated | None:
    """
    What the caller does not know keeps nothing out.
    """
    if None not in {head.is_greeting, request.greeting} and head.is_greeting != request.greeting:
        return Decorated(name="is_greeting", value=str(head.is_greeting), found=str(request.greeting))
    if None not in {head.is_user_icon, request.user_icon} and head.is_user_icon != request.user_icon:
        return Decorated(name="is_user_icon", value=str(head.is_user_icon), found=str(request.user_icon))
    return None


def _asks_for_recursion(head: Head | None) -> bool:
    return head is not None and bool(head.recursive)


def _unfed(entry: Entry) -> Entry:
    return entry.model_copy(update={"extensions": entry.extensions | {"prevent_recursion": True}})


def _given(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}
