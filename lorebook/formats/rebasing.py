"""
A change made to a conversion, made to its original: a merge of contents with the unchanged conversion as their base.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from lorebook.book import Book, Entry
from lorebook.formats.card import Card
from lorebook.formats.format import Content
from lorebook.formats.patching import same
from lorebook.records import EntrySettings, Frozen

_Model = TypeVar("_Model", bound=Frozen)


def rebased(original: Content, base: Content, changed: Content) -> Content:
    """
    Return *original* with what *changed* says otherwise than *base*, which is what was made of *original* unchanged.
    """
    return replace(
        original,
        book=_book(original.book, base.book, changed.book),
        card=_card(original.card, base.card, changed.card),
    )


def _book(original: Book | None, base: Book | None, changed: Book | None) -> Book | None:
    if original is None or base is None or changed is None:
        return changed or original
    entries = _entries(original.entries, base.entries, changed.entries)
    return _model(original, base, changed).model_copy(update={"entries": entries})


def _entries(original: tuple[Entry, ...], base: tuple[Entry, ...], changed: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """
    Return the entries of *changed*, in their order; *base* says which of *original* each of them was.
    """
    known = {made.uid: (source, made) for source, made in zip(original, base, strict=False)}
    taken = {entry.uid for entry in original}
    result = []
    for entry in changed:
        if entry.uid in known:
            source, made = known[entry.uid]
            result.append(_model(source, made, entry).model_copy(update={"settings": _settings(source, made, entry)}))
        else:
            uid = max(taken) + 1 if entry.uid in taken else entry.uid
            taken.add(uid)
            result.append(entry.model_copy(update={"uid": uid}))
    return tuple(result)


def _settings(source: Entry, made: Entry, entry: Entry) -> EntrySettings:
    return _model(source.settings, made.settings, entry.settings)


_APART = ("uid", "settings", "extensions", "entries")


def _model(original: _Model, base: _Model, changed: _Model) -> _Model:
    """
    Return *original* with the fields, and the extensions by name, that *changed* has otherwise than *base*.
    """
    names = [name for name in type(original).model_fields if name not in _APART]
    update = {name: getattr(changed, name) for name in names if not same(getattr(base, name), getattr(changed, name))}
    if "extensions" in type(original).model_fields:
        update["extensions"] = _mapping(*(getattr(item, "extensions") for item in (original, base, changed)))  # noqa: B009
    return original.model_copy(update=update)


def _mapping(original: Mapping[str, Any], base: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in original.items() if name in changed or name not in base}
    return kept | {name: value for name, value in changed.items() if not same(base.get(name), value)}


def _card(original: Card | None, base: Card | None, changed: Card | None) -> Card | None:
    if original is None or base is None or changed is None:
        return original or changed
    update: dict[str, Any] = {}
    for item in fields(Card):
        ours, was, now = (getattr(card, item.name) for card in (original, base, changed))
        if isinstance(ours, Mapping):
            update[item.name] = _mapping(ours, was, now)
        elif was != now:
            update[item.name] = now
    return replace(original, **update)
