"""
The books of memories in Voxta's package: items with keywords, a text and a weight.

An item that was taken out stays in its book as deleted, which is read as an entry that is switched off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import identity, settings
from lorebook.formats.format import Json
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker
from lorebook.records import EntrySettings

OWN = "voxta"
"""Our key in `extensions` for what only Voxta knows."""
BOOKS = ("Books/*/book.json", "MemoryBooks/*/book.json")

_BOOK = re.compile(r"(Memory)?Books/(?!\.{1,2}/)[^/\\\0]+/book\.json")
_FOLDER = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_MACRO = re.compile(r"\{\{\s*(user|char)\s*\}\}", re.IGNORECASE)
_WEIGHT = 10
"""What items weigh in real packages where nobody changed it."""


def to_card(text: str) -> str:
    """
    Return *text* with its macros as cards spell them.
    """
    return _MACRO.sub(r"{{\1}}", text)


def to_voxta(text: str) -> str:
    """
    Return *text* with its macros as Voxta spells them: with spaces.
    """
    return _MACRO.sub(r"{{ \1 }}", text)


def said(extensions: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return what *extensions* keep of Voxta's.

    Its fields begin with a capital; character-foundry keeps others under the same key.
    """
    kept = extensions.get(OWN)
    held = kept if isinstance(kept, dict) else {}
    return {name: value for name, value in held.items() if name[:1].isupper() or name == "path"}


def placed(extensions: Mapping[str, Any], **own: str | None) -> dict[str, Any]:
    """
    Return *extensions* with *own* among what they keep of Voxta's; None is nothing kept.
    """
    kept = extensions.get(OWN)
    held = {**(kept if isinstance(kept, dict) else {}), **own}
    held = {name: value for name, value in held.items() if name not in own or value is not None}
    others = {name: value for name, value in extensions.items() if name != OWN}
    return others | ({OWN: held} if held else {})


def paths(raw: Json, wanted: Iterable[object]) -> list[str]:
    """
    Return the members that are books: those with the ids *wanted*, in that order, then the others.
    """
    if not isinstance(raw, dict):
        return []
    found = [name for name, value in raw.items() if _BOOK.fullmatch(str(name)) and isinstance(value, dict)]
    places = {str(each): place for place, each in reversed(list(enumerate(wanted)))}
    return sorted(found, key=lambda name: places.get(str(raw[name].get("Id")), len(places)))


def read(raw: Json, books: list[str], notes: Notes) -> Book | None:
    """
    Read the members *books* as one book, called as the first; None where there are none.
    """
    if not books:
        return None
    for path in books[1:]:
        notes.add(f"`{path}`", f"is another book, {raw[path].get('Name')!r}; read as part of the first")
    takes = {path: Taker(raw[path], f"`{path}` $", notes) for path in books}
    items = [item for take in takes.values() for item in settings.entries_if_any(take, "Items")]
    first = takes[books[0]]
    first.raw("$type")
    name, description, own_id = first.text("Name"), first.text("Description"), first.text("Id")
    entries = tuple(_read_item(item, uid, own_id) for uid, item in enumerate(items))
    rest = {**({"Id": own_id} if own_id else {}), **first.rest()}
    rest |= {"path": books[0]} if books[0] != _path(own_id) else {}
    return Book(name=name, description=description, entries=entries, extensions={OWN: rest} if rest else {})


def _read_item(take: Taker, uid: int, book: str) -> Entry:
    keys, content = take.texts("Keywords"), to_card(take.text("Text"))
    enabled = not take.flag("Deleted", False)
    usual = {"Weight": _WEIGHT, "Id": identity.make_id(book, str(uid))}
    rest = {name: value for name, value in take.rest().items() if name not in usual or usual[name] != value}
    return Entry(
        uid=uid,
        keys=keys,
        content=content,
        settings=EntrySettings(enabled=enabled),
        extensions={OWN: rest} if rest else {},
    )


def book_id(owner: object) -> str:
    """
    Return the id of a new book of the character *owner*.
    """
    return identity.make_id(str(owner), "book")


def without_id(book: Book, made: str) -> Book:
    """
    Return *book* without its id, where that was *made* for it.
    """
    rest = said(book.extensions)
    if rest.get("Id") != made:
        return book
    del rest["Id"]
    return book.model_copy(update={"extensions": {OWN: rest} if rest else {}})


def pinned(before: Book, after: Book, old_owner: str, owner: str) -> Book:
    """
    Return *after*, a book of *owner*, with the id and the member that *before* has.
    """
    was = said(before.extensions)
    old_id = str(was.get("Id") or book_id(old_owner))
    own_id, path = str(said(after.extensions).get("Id") or old_id), was.get("path") or _path(old_id)
    kept_id, kept_path = own_id if own_id != book_id(owner) else None, path if path != _path(own_id) else None
    return after.model_copy(update={"extensions": placed(after.extensions, Id=kept_id, path=kept_path)})


def write(book: Book, owner: str) -> dict[str, dict[str, Any]]:
    """
    Return *book* as a member of a package with the character *owner*.
    """
    rest = said(book.extensions)
    own_id, path = str(rest.get("Id") or book_id(owner)), rest.pop("path", None)
    own = {
        "$type": "book",
        "Id": own_id,
        "Name": book.name,
        "Description": book.description,
        "Items": [_write_item(entry, number, own_id) for number, entry in enumerate(book.entries)],
    }
    where = path if isinstance(path, str) and _BOOK.fullmatch(path) else _path(own_id)
    return {where: {**rest, **own}}


def _path(own_id: str) -> str:
    return f"Books/{own_id if _FOLDER.fullmatch(own_id) else identity.make_id(own_id)}/book.json"


def _write_item(entry: Entry, number: int, book: str) -> dict[str, Any]:
    return {
        "Id": identity.make_id(book, str(number)),
        "Weight": _WEIGHT,
        **said(entry.extensions),
        "Keywords": list(entry.keys),
        "Text": to_voxta(entry.content),
        **({} if entry.settings.enabled else {"Deleted": True}),
    }


_ONLY = "an item of Voxta's books has keywords, a text and a weight only"
WHY = {
    "name": _ONLY,
    "uid": "Voxta does not number its items; the entries are numbered anew",
    "content": "Voxta spells its macros in one way",
    "extensions": "Voxta keeps nothing of other programs",
    "fields": "Voxta keeps nothing of other programs",
    "rule": _ONLY,
    **dict.fromkeys(
        ("scan_depth", "token_budget", "recursive_scanning"), "Voxta's books have no settings of their own"
    ),
    **dict.fromkeys(
        (
            *("constant", "secondary_keys", "secondary_logic", "position", "depth", "role", "insertion_order"),
            *("probability", "case_sensitive", "match_whole_words", "inert"),
        ),
        _ONLY,
    ),
}
"""Why a book of Voxta does not hold a field."""
