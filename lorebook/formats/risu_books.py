"""
What is around RisuAI's entries: the book's own fields, and the folders among the entries.

A folder is an item whose `mode` is `folder`; its key, U+F000 and `folder:` with an id, is what members name in
`folder`. Folders are kept beside the entries, with all that RisuAI alone says of the book.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lorebook.book import Book
from lorebook.formats import risu_entries, settings, vocabulary
from lorebook.formats.format import Json
from lorebook.formats.notes import Notes
from lorebook.formats.risu_entries import APP, own_fields
from lorebook.formats.taker import Taker
from lorebook.formats.vocabulary import OWN

_FOLDERS = "folders"
_UIDS = "uids"
"""Under our name in `extensions`: the numbers of the entries, where they are not 0, 1, 2 …"""
_HEAD = ("name", "description", "scan_depth", "token_budget", "recursive_scanning", "extensions")


def read(head: Taker, items: object, where: str) -> Book:
    """
    Return the book with the fields left in *head* and the *items* found at *where*.

    Raises FormatError where the items are no list.
    """
    takes = settings.entries(items, where, head.notes)
    folders = [take.rest() for take in takes if not risu_entries.is_entry(take.rest())]
    takes = [take for take in takes if risu_entries.is_entry(take.rest())]
    extensions = head.mapping("extensions")
    own = Taker(extensions, head.at("extensions"), head.notes).inner(OWN)
    uids, beside = _numbers(own.raw(_UIDS), len(takes)), risu_entries.take_beside(own)
    book = Book(
        name=head.text("name"),
        description=head.text("description"),
        entries=tuple(risu_entries.read(take, uid) for take, uid in zip(takes, uids, strict=True)),
        scan_depth=head.whole("scan_depth", None),
        token_budget=head.whole("token_budget", None),
        recursive_scanning=head.flag("recursive_scanning", None),
    )
    others = {name: value for name, value in extensions.items() if name not in (OWN, APP)}
    kept = own_fields(extensions) | head.rest() | ({_FOLDERS: folders} if folders else {})
    extensions = vocabulary.keep(others | ({OWN: own.rest()} if own.rest() else {}), fields=beside)
    return book.model_copy(update={"extensions": extensions | ({APP: kept} if kept else {})})


def _numbers(said: object, count: int) -> list[int]:
    """
    Return the numbers that are *said*, where they are some for *count* entries.
    """
    if isinstance(said, list) and len(said) == count == len(set(map(str, said))):
        numbers = [int(number) for number in said if isinstance(number, int) and not isinstance(number, bool)]
        if len(numbers) == count:
            return numbers
    return list(range(count))


def settled(book: Book) -> Book:
    """
    Return *book* with numbers that differ, and without what stands under a name that the file has for something else.
    """
    return vocabulary.settle(book, _HEAD, ())


def write_head(book: Book, *, taken: frozenset[str]) -> dict[str, Any]:
    """
    Return the fields of *book* beside its entries that say something, but for the names *taken*.
    """
    own = own_fields(book.extensions)
    own.pop(_FOLDERS, None)
    head = {
        "name": book.name or None,
        "description": book.description or None,
        "scan_depth": book.scan_depth,
        "token_budget": book.token_budget,
        "recursive_scanning": book.recursive_scanning,
        "extensions": _extensions(book) or None,
    }
    kept = {name: value for name, value in own.items() if name not in taken and name not in head}
    return {name: value for name, value in head.items() if value is not None} | kept


def write_items(book: Book) -> list[Json]:
    """
    Return the folders and the entries of *book*.
    """
    folders = own_fields(book.extensions).get(_FOLDERS, [])
    there = [folder for folder in folders if isinstance(folder, dict) and not risu_entries.is_entry(folder)]
    return there + [risu_entries.write(entry) for entry in book.entries]


def _extensions(book: Book) -> dict[str, Any]:
    kept: dict[str, Any] = {name: value for name, value in vocabulary.written(book).items() if name != APP}
    uids = [entry.uid for entry in book.entries]
    numbers = {_UIDS: uids} if uids != list(range(len(uids))) else {}
    own = kept.pop(OWN, {}) | numbers | risu_entries.beside(book)
    return kept | ({OWN: own} if own else {})


UNREAD: Mapping[str, str] = {
    "scan_depth": "RisuAI sets it for a character or for all, not for a book",
    "token_budget": "RisuAI sets it for a character or for all, not for a book",
    "recursive_scanning": "RisuAI sets it for a character or for all, not for a book",
}
"""What is written where RisuAI does not look."""
_ONE_KIND = "RisuAI has keys in one text with commas between them, either all patterns or none"
WHY: Mapping[str, str] = {
    "keys": _ONE_KIND,
    "secondary_keys": _ONE_KIND,
    "inert": "RisuAI has no place for it",
    "card": "a lorebook has no character in it",
    "uid": "RisuAI's entries have no numbers",
}
"""Why something is not written."""


def take(raw: Json, where: str, notes: Notes) -> Taker:
    """
    Return a reader of the object *raw* that holds the book, without what only names its kind.
    """
    taker = Taker(raw, where, notes)
    for name in ("type", "ver"):
        taker.raw(name)
    return taker
