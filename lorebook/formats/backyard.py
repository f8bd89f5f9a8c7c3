"""
What Backyard's archives and its older pictures share: items of lore, macros, and what only Backyard knows.

An item has one text of keys between commas and a text, and nothing else that the program uses.
https://github.com/ahoylabs/byaf
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import settings
from lorebook.formats.format import Content, Loss, LossKind
from lorebook.formats.taker import Taker, kind

OWN = "backyard"
"""Our key in `extensions` for what only Backyard knows."""

_ITEM = ("key", "value")
_REGEX = re.compile(r"/.+/[a-z]*", re.DOTALL)
_START = "<START>\n"

# A name in two pairs of braces is none of Backyard's macros.
_THEIRS = re.compile(r"(?<!\{)\{(character|user)\}(?!\})")
_OURS = re.compile(r"\{\{(char|user)\}\}", re.IGNORECASE)
_THEIR_TURN = re.compile(r"^#\{(character|user)\}:", re.MULTILINE)
_OUR_TURN = re.compile(r"^\{\{(char|user)\}\}:", re.MULTILINE | re.IGNORECASE)
_TO_OURS = {"character": "{{char}}", "user": "{{user}}"}
_TO_THEIRS = {"char": "{character}", "user": "{user}"}


def to_card(text: str) -> str:
    """
    Return *text* with the macros that cards have.
    """
    return _THEIRS.sub(lambda found: _TO_OURS[found[1]], text)


def to_backyard(text: str) -> str:
    """
    Return *text* with the macros that Backyard has.
    """
    return _OURS.sub(lambda found: _TO_THEIRS[found[1].lower()], text)


def examples_to_card(texts: list[str]) -> str:
    """
    Return example dialogues as cards have them, each under its own mark; Backyard marks whose turn it is with a #.
    """
    turned = [to_card(_THEIR_TURN.sub(lambda found: f"{_TO_OURS[found[1]]}:", text)) for text in texts]
    return "\n".join(_START + text for text in turned)


def examples_to_backyard(text: str) -> list[str]:
    """
    Return the example dialogues in a card's *text*.
    """
    texts = text.removeprefix(_START).split(f"\n{_START}") if text else []
    return [to_backyard(_OUR_TURN.sub(lambda found: f"#{_TO_THEIRS[found[1].lower()]}:", each)) for each in texts]


def read_book(take: Taker) -> Book | None:
    """
    Take the lore of a character; None where there is none.
    """
    held = take.raw("loreItems")
    if held is None:
        return None
    if not isinstance(held, list | dict):
        take.notes.add(take.at("loreItems"), f"is {kind(held)}, not a list; the character has no lore")
        return None
    takes = settings.entries(held, take.at("loreItems"), take.notes)
    entries = tuple(_read_item(item, uid) for uid, item in enumerate(takes))
    return Book(name="", entries=entries) if entries else None


def _read_item(take: Taker, uid: int) -> Entry:
    keys, content = take.texts("key", joined=","), to_card(take.text("value"))
    rest = take.rest()
    return Entry(uid=uid, keys=keys, content=content, extensions={OWN: rest} if rest else {})


def without_ids(book: Book, made: Callable[[int], str]) -> Book:
    """
    Return *book* without the ids that were *made* for its entries by their numbers.
    """
    return book.model_copy(update={"entries": tuple(_without_id(entry, made(entry.uid)) for entry in book.entries)})


def _without_id(entry: Entry, made: str) -> Entry:
    rest = said(entry.extensions)
    if rest.get("id") != made:
        return entry
    return entry.model_copy(update={"extensions": kept(**{key: rest[key] for key in rest if key != "id"})})


def write_items(book: Book | None, *, strict: bool) -> list[dict[str, Any]]:
    """
    Return the entries of *book* as items of lore; *strict* leaves out what is not specified.
    """
    return [_write_item(entry, strict=strict) for entry in book.entries] if book else []


def _write_item(entry: Entry, *, strict: bool) -> dict[str, Any]:
    # Between commas there is no other way to write a key that has one.
    keys = (key for key in entry.keys if key and key == key.strip() and "," not in key)
    rest = {} if strict else {name: value for name, value in said(entry.extensions).items() if name not in _ITEM}
    return rest | {"key": ", ".join(keys), "value": to_backyard(entry.content)}


def said(extensions: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return what *extensions* keep of Backyard's.
    """
    kept = extensions.get(OWN)
    return dict(kept) if isinstance(kept, dict) else {}


def kept(**values: object) -> dict[str, Any]:
    """
    Return `extensions` with *values*, the empty ones left out.
    """
    found = {name: value for name, value in values.items() if value}
    return {OWN: found} if found else {}


def remarks(content: Content) -> Iterator[Loss]:
    """
    Yield the keys that Backyard takes for plain words.
    """
    for entry in content.book.entries if content.book else ():
        if any(_REGEX.fullmatch(key) and "," not in key for key in entry.keys):
            yield Loss(entry.uid, "keys", "Backyard takes /.../ as plain words", LossKind.UNREAD)


_ONLY = "an item of Backyard's lore has keys and a text only"
WHY = {
    "name": _ONLY,
    "keys": "Backyard has the keys in one text, between commas",
    "uid": "Backyard does not number its lore; the entries are numbered anew",
    "content": "Backyard has macros of its own",
    "card.mes_example": "Backyard has example dialogues without the marks of cards",
    "card.assets": "Backyard keeps pictures of the character only",
    "card": "Backyard has no field for it",
    "extensions": "Backyard keeps nothing of other programs",
    "fields": "Backyard keeps nothing of other programs",
    "description": "Backyard's lore has no name and no settings of its own",
    "scan_depth": "Backyard's lore has no name and no settings of its own",
    "token_budget": "Backyard's lore has no name and no settings of its own",
    "recursive_scanning": "Backyard's lore has no name and no settings of its own",
    "rule": _ONLY,
    **dict.fromkeys(
        (
            *("enabled", "constant", "secondary_keys", "secondary_logic", "position", "depth", "role"),
            *("insertion_order", "probability", "case_sensitive", "match_whole_words", "inert"),
        ),
        _ONLY,
    ),
}
"""Why neither of the two holds a field."""
