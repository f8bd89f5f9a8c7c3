"""
Where two contents differ, in the fields of the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from itertools import zip_longest
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats.card import MAIN_ICON, Card
from lorebook.formats.format import Content
from lorebook.formats.patching import same
from lorebook.formats.vocabulary import ORIGIN, OWN, SAYS_NOTHING
from lorebook.records import EntrySettings


class _Null(Enum):
    """
    A null that a file says, apart from what it does not say.
    """

    NULL = "null"


_NULL = _Null.NULL


@dataclass(frozen=True)
class Difference:
    """
    One field that is not the same.
    """

    entry: int | None
    """The uid of the entry in the first content; None for the book and the card."""
    field: str
    before: Any
    after: Any
    """None where the second content does not say it."""


def differences(before: Content, after: Content) -> Iterator[Difference]:
    """
    Yield what *after* does not say as *before* does; entries are compared in their order.

    The same numbers in another order are one difference. A book or card that only *after* has is none.
    """
    yield from _compared(None, _of_book(before.book), _of_book(after.book) if before.book else {})
    if before.card and not _is_only_named(before.card, after):
        yield from _compared(None, _of_card(before.card), _of_card(after.card))
    ours, theirs = (content.book.entries if content.book else () for content in (before, after))
    order, found = ([entry.uid for entry in entries] for entries in (ours, theirs))
    if order != found and sorted(order) == sorted(found):
        yield Difference(None, "order of entries", tuple(order), tuple(found))
        ours, theirs = (tuple(sorted(entries, key=_uid)) for entries in (ours, theirs))
    for number, (one, other) in enumerate(zip_longest(ours, theirs)):
        if one is None:
            yield Difference(None, "entries", len(ours), len(theirs))
            return
        if other is None and number >= len(theirs):
            yield Difference(one.uid, "entry", one, None)
        else:
            yield from _compared(one.uid, _of_entry(one), _of_entry(other))


def _is_only_named(card: Card, after: Content) -> bool:
    """
    Tell a card that is nothing but its name, where that is the book's, which is there without it.
    """
    if after.card is not None or after.book is None:
        return False
    return any(card == Card(name=after.book.name, assets=assets) for assets in ((), (MAIN_ICON,)))


def _uid(entry: Entry) -> int:
    return entry.uid


def _compared(entry: int | None, before: dict[str, Any], after: dict[str, Any]) -> Iterator[Difference]:
    for name in before | after:
        one, other = before.get(name), after.get(name)
        if not same(one, other):
            yield Difference(entry, name, one, other)


def _of_entry(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {"uid": entry.uid, "name": entry.name, "keys": entry.keys, "content": entry.content}
    found |= {name: getattr(entry.settings, name) for name in EntrySettings.model_fields}
    return found | {"rule": entry.rule} | _of_extensions(entry.extensions)


def _of_book(book: Book | None) -> dict[str, Any]:
    if book is None:
        return {}
    names = ("name", "description", "scan_depth", "token_budget", "recursive_scanning")
    return {name: _or_none(getattr(book, name)) for name in names} | _of_extensions(book.extensions)


def _of_card(card: Card | None) -> dict[str, Any]:
    if card is None:
        return {}
    found = {f"card.{item.name}": _or_none(getattr(card, item.name)) for item in fields(card)}
    if card.assets == (MAIN_ICON,):
        found["card.assets"] = None
    found |= {f"card.extensions.{name}": value for name, value in card.extensions.items() if name != OWN}
    found |= {f"card.fields.{name}": value for name, value in card.fields.items()}
    return {name: value for name, value in found.items() if name not in ("card.extensions", "card.fields")}


def _or_none(value: object) -> object:
    """
    Return *value*, or None for an empty text, list or object: a file may leave those out.
    """
    return value if isinstance(value, bool | int | float) or value else None


def _of_extensions(extensions: dict[str, Any]) -> dict[str, Any]:
    """
    Return what *extensions* say, without values that mean that nothing is said.
    """
    found = {f"extensions.{name}": value for name, value in extensions.items() if name != OWN and _says(name, value)}
    own = extensions.get(OWN)
    if isinstance(own, dict):
        found |= {f"fields.{name}": value for name, value in own.get("fields", {}).items()}
        found |= {f"inert.{name}": value for name, value in own.get("inert", {}).items()}
        rest = {name: value for name, value in own.items() if name not in ("fields", "inert", ORIGIN)}
        found |= {f"extensions.{OWN}.{name}": value for name, value in rest.items()}
    return _with_nulls(found)


def _with_nulls(values: dict[str, Any]) -> dict[str, Any]:
    return {name: _NULL if value is None else value for name, value in values.items()}


def _says(name: str, value: object) -> bool:
    return not any(same(value, nothing) for nothing in SAYS_NOTHING.get(name, ()))
