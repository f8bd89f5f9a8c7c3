"""
What one content says and another does not: the laws' own comparison, to hold that of the code against.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import OWN_PICTURE, Card, Content, Loss, LossKind
from lorebook.formats.card import MAIN_ICON
from lorebook.formats.vocabulary import OWN, SAYS_NOTHING
from tests.formats.files import PICTURE


def unsaid(before: Content, after: Content) -> set[tuple[int | None, str]]:
    """
    Return the entries and fields that *after* does not have as *before* has them.
    """
    found: set[tuple[int | None, str]] = set()
    found |= {(None, name) for name in _unlike(_of_book(before.book), _of_book(after.book), whole=after.book is None)}
    if before.card is not None:
        found |= {(None, name) for name in _unlike(_of_card(before), _of_card(after), whole=True)}
    ours = before.book.entries if before.book else ()
    theirs = after.book.entries if after.book else ()
    if {entry.uid for entry in ours} == {entry.uid for entry in theirs} and ours:
        order = {entry.uid: entry for entry in theirs}
        if tuple(order) != tuple(entry.uid for entry in ours):
            found.add((None, "order of entries"))
        theirs = tuple(order[entry.uid] for entry in ours)
    found |= {(entry.uid, "entry") for entry in ours[len(theirs) :]}
    for one, other in zip(ours, theirs, strict=False):
        found |= {(one.uid, name) for name in _unlike(_of_entry(one), _of_entry(other))}
    found |= {(None, "entries")} if len(theirs) > len(ours) else set()
    return found | ({(None, "card.picture")} if OWN_PICTURE in before.files and not _has_picture(after) else set())


def _has_picture(content: Content) -> bool:
    return OWN_PICTURE in content.files or any(_bytes(content, uri) == PICTURE for uri in content.files)


def gone(losses: Iterable[Loss]) -> set[tuple[int | None, str]]:
    """
    Return the entries and fields that are not in a file as they were, as *losses* say.
    """
    return {(loss.entry, loss.field) for loss in losses if loss.kind is not LossKind.UNREAD}


def _unlike(one: dict[str, Any], other: dict[str, Any], *, whole: bool = False) -> Iterator[str]:
    """
    Yield the names whose values differ; where the *whole* may be missing, an empty value is as good as none.
    """
    nothing = (None, "", (), "=null") if whole else (None,)
    for name in one | other:
        before, after = (None if held.get(name) in nothing else held[name] for held in (one, other))
        if before != after:
            yield name


def _of_book(book: Book | None) -> dict[str, Any]:
    if book is None:
        return {}
    names = ("name", "description", "scan_depth", "token_budget", "recursive_scanning")
    return {name: getattr(book, name) for name in names} | _of_extensions(book.extensions)


def _of_entry(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {"uid": entry.uid, "name": entry.name, "keys": entry.keys, "content": entry.content}
    return found | dict(entry.settings) | {"rule": entry.rule} | _of_extensions(entry.extensions)


def _of_extensions(extensions: dict[str, Any]) -> dict[str, Any]:
    found = {f"extensions.{name}": value for name, value in extensions.items() if name != OWN}
    own = extensions.get(OWN, {})
    for part in ("fields", "inert"):
        found |= {f"{part}.{name}": value for name, value in own.get(part, {}).items()}
    return {name: _spelt(value) for name, value in found.items() if not _is_default(name, value)}


def _is_default(name: str, value: object) -> bool:
    group, _, name = name.partition(".")
    return group == "extensions" and any(
        value == nothing and isinstance(value, bool) == isinstance(nothing, bool)
        for nothing in SAYS_NOTHING.get(name, ())
    )


def _of_card(content: Content) -> dict[str, Any]:
    card = content.card
    if card is None:
        return {}
    found = {f"card.{item.name}": getattr(card, item.name) for item in fields(card)}
    for name, ours in (("card.extensions", OWN), ("card.fields", None)):
        found |= {f"{name}.{key}": f"={_spelt(value)}" for key, value in found.pop(name).items() if key != ours}
    found["card.creator_notes_multilingual"] = tuple(sorted(card.creator_notes_multilingual.items()))
    return found | {"card.assets": tuple(_assets(content, card))}


def _assets(content: Content, card: Card) -> Iterator[tuple[object, ...]]:
    """
    Yield the assets with the bytes of those that the file has; the picture itself may become one or cease to be.
    """
    for asset in card.assets:
        data = _bytes(content, asset.uri)
        if asset != MAIN_ICON and data != PICTURE:
            yield asset.kind, asset.name, asset.ext, data


def _bytes(content: Content, uri: str) -> bytes | str:
    try:
        return content.files.get(uri, uri)
    except FormatError:  # the file is damaged there
        return uri


def _spelt(value: object) -> str:
    """
    Return *value* so that true is not 1 and 1 is not 1.0.
    """
    return json.dumps(value, sort_keys=True)
