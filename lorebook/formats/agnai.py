"""
Agnai's memory book: `{"kind": "memory", …}`, also as Chub offers its lorebooks for Agnai.

Its `weight` is World Info's order: the heaviest stands last. Its `priority` is that of the V2 specification: the
lowest leaves a full prompt first. Fields of V2 that Agnai does not use it keeps, so they are written, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import agnai_keys, app_fields, bare_list, settings, vocabulary
from lorebook.formats.card import Card
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Loss, LossKind, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.settings import Spelling
from lorebook.formats.taker import Taker
from lorebook.formats.vocabulary import ALWAYS, LOGICS
from lorebook.records import Position

OWN = "agnai"
"""Agnai's key in every `extensions`."""
PRIORITY = 100
"""The priority, and the weight, of an entry of a card that says none."""

_SPELLING = Spelling("secondaryKeys", "weight", "case_sensitive", "match_whole_words")
_HEAD = {"scan_depth": "scanDepth", "token_budget": "tokenBudget", "recursive_scanning": "recursiveScanning"}
_NOBODYS = {"_id": "", "userId": ""}
"""What Agnai fills in when a file is brought in."""


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a memory book of Agnai, or None.
    """
    if not isinstance(raw, dict) or "spec" in raw or "entries" not in raw:
        return None
    held = raw["entries"]
    if raw.get("kind") == "memory" and not isinstance(held, dict):
        return "its `kind` is memory"
    # An object of entries is World Info's way, and Agnai's in nothing else.
    is_own = isinstance(held, list) or raw.get("kind") == "memory"
    items = held.values() if isinstance(held, dict) else held
    found = is_own and any(map(_is_entry, items))
    return "its `entries` have `keywords` and `entry`, as in Agnai" if found else None


def _is_entry(item: Json) -> bool:
    return isinstance(item, dict) and "keywords" in item and "entry" in item


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a memory book of Agnai.
    """
    return Content(read_book(raw, where, notes))


def read_book(raw: object, where: str, notes: Notes) -> Book:
    """
    Read the memory book *raw*, found at *where* in a file.
    """
    take = Taker(raw, where, notes)
    return _read_book(take, settings.entries_if_any(take, "entries"))


def _read_book(take: Taker, takes: list[Taker]) -> Book:
    uids = settings.numbers(takes, "id")
    entries = tuple(_read_entry(entry, uid) for entry, uid in zip(takes, uids, strict=True))
    spelt = {name: agnai if take.peek(agnai) is not None else name for name, agnai in _HEAD.items()}
    take.raw("kind")
    return Book(
        name=take.text("name"),
        description=take.text("description"),
        entries=entries,
        scan_depth=take.whole(spelt["scan_depth"], None),
        token_budget=take.whole(spelt["token_budget"], None),
        recursive_scanning=take.flag(spelt["recursive_scanning"], None),
        extensions=read_extensions(take),
    )


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as a memory book of Agnai.
    """
    return write_book(content.needed_book)


def write_book(book: Book) -> dict[str, Any]:
    """
    Return *book* as Agnai has it.
    """
    extensions, own = written_extensions(book)
    more = {agnai: getattr(book, name) for name, agnai in _HEAD.items()} | {"extensions": extensions or None}
    said = {
        "kind": "memory",
        "_id": own.pop("_id", ""),
        "name": book.name,
        "description": book.description,
        "userId": own.pop("userId", ""),
        "entries": [_write_entry(entry) for entry in vocabulary.distinct(book.entries)],
        **{name: value for name, value in more.items() if value is not None},
    }
    return said | {name: value for name, value in own.items() if name not in said}


def read_extensions(take: Taker) -> dict[str, Any]:
    """
    Take the `extensions`, and under Agnai's key in them all that is left in *take*.
    """
    held = {} if take.peek("extensions") is None else take.mapping("extensions")
    take.raw("extensions")
    inner = {OWN: held.pop(OWN)} if OWN in held else {}
    return vocabulary.keep(held) | app_fields.keep(
        OWN, take.rest() | ({"extensions": inner} if inner else {}), _NOBODYS
    )


def written_extensions(item: Book | Card) -> tuple[dict[str, Any], dict[str, Any]]:
    """
    Return the `extensions` of *item* as a file of Agnai has them, and the fields of it that stood under Agnai's key.
    """
    own = app_fields.own(item, OWN)
    inner = own.pop("extensions", None)
    held = vocabulary.written(item) if isinstance(item, Book) else item.extensions
    others = {name: value for name, value in held.items() if name != OWN}
    return others | (inner if isinstance(inner, dict) else {}), own


def _read_entry(take: Taker, uid: int) -> Entry:
    own_id, enabled, priority = take.raw("id"), bool(take.flag("enabled", True)), _priority(take)
    read, inert = settings.read(take, take, _SPELLING, enabled=enabled, position=Position.BEFORE_CHAR, selective=False)
    excluded = take.raw("excludeRecursion")
    known = {} if excluded is None else {"exclude_recursion": excluded}
    name = take.text("name") or take.text("comment")
    keys, content = tuple(map(agnai_keys.read, take.texts("keywords"))), take.text("entry")
    named = {} if own_id is None or str(own_id) == str(uid) else {"id": own_id}
    fields = {} if priority == PRIORITY else {"priority": priority}
    kept = known | app_fields.keep(OWN, take.rest() | named, {"comment": ""})
    extensions = vocabulary.keep(kept, fields=fields, inert=inert)
    return Entry(uid=uid, name=name, keys=keys, content=content, settings=read, extensions=extensions)


def _priority(take: Taker) -> float:
    value: float = take.raw("priority") if _is_number(take.peek("priority")) else take.number("priority", PRIORITY)
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _write_entry(entry: Entry) -> dict[str, Any]:
    own = app_fields.own(entry, OWN)
    priority = vocabulary.fields(entry).get("priority")
    keywords = (agnai_keys.write(key) for key in entry.keys)
    said = {
        "name": entry.name,
        "entry": entry.content,
        "keywords": [keyword for keyword in keywords if keyword is not None],
        "priority": priority if _is_number(priority) else PRIORITY,
        "weight": entry.settings.insertion_order,
        "enabled": entry.settings.enabled,
        "id": own.pop("id", entry.uid),
        **_of_cards(entry),
    }
    return said | {name: value for name, value in own.items() if name not in said}


def _of_cards(entry: Entry) -> dict[str, Any]:
    """
    Return what Agnai keeps of a card's entry, where it is not as usual.
    """
    has = entry.settings
    secondary, selective = vocabulary.secondary(entry)
    probability, rolled = vocabulary.chance(entry)
    logic, chance = LOGICS.index(has.secondary_logic), probability != ALWAYS
    found = {
        "secondaryKeys": secondary or None,
        "selective": selective if secondary else None,
        "selectiveLogic": logic or None,
        "constant": has.constant or None,
        "position": "after_char" if has.position is Position.AFTER_CHAR else None,
        "probability": probability if chance else None,
        "useProbability": rolled if chance else None,
        "case_sensitive": has.case_sensitive,
    }
    excluded = entry.extensions.get("exclude_recursion")
    return {name: value for name, value in (found | {"excludeRecursion": excluded}).items() if value is not None}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    return (("entries",),) if isinstance(raw, dict) and isinstance(raw.get("entries"), dict | list) else ()


def _detect_list(raw: Json) -> str | None:
    """
    Say why *raw* is a list of entries without the memory book around it, or None.
    """
    found = isinstance(raw, list) and any(map(_is_entry, raw))
    return "it is a list of entries with `keywords` and `entry`, as in Agnai" if found else None


def _read_list(raw: Json, where: str, notes: Notes) -> Book:
    return _read_book(Taker({}, where, notes), settings.entries(raw, where, notes))


def remarks(content: Content) -> Iterator[Loss]:
    """
    Yield what Agnai keeps and may not go by.
    """
    for entry in content.book.entries if content.book else ():
        has = entry.settings
        found = {
            "keys": not all(agnai_keys.is_found(agnai_keys.write(key) or "a") for key in entry.keys),
            "constant": has.constant,
            "secondary_keys": bool(has.secondary_keys),
            "position": has.position is Position.AFTER_CHAR,
            "probability": has.probability != ALWAYS,
        }
        yield from (Loss(entry.uid, name, _UNREAD[name], LossKind.UNREAD) for name, there in found.items() if there)


_KEPT = "Agnai keeps what a card says about it, and not every release goes by it"
_UNREAD = {
    "keys": "Agnai looks for whole words of ASCII letters; a key that begins or ends otherwise may never be found",
    **dict.fromkeys(("constant", "secondary_keys", "position", "probability"), _KEPT),
}
_NO_PLACE = "Agnai has no place for it in an entry"
WHY = {
    "keys": "Agnai's keywords have * and ? for letters, and no other patterns",
    "position": "Agnai knows before and after the character, as cards do",
    "depth": "Agnai puts no entry into the chat",
    "role": "Agnai puts no entry into the chat",
    "match_whole_words": "Agnai always looks for whole words",
    "rule": _NO_PLACE,
    "extensions": _NO_PLACE,
    "fields": "Agnai has no place for what it does not know",
}
SCHEMA = Schema(detect, read, write, entries_at, why=WHY, remarks=remarks)
_LIST = bare_list.schema(SCHEMA, _detect_list, _read_list, lambda book: write_book(book)["entries"])
FORMAT = Format(
    OWN,
    "Agnai memory book",
    ".json",
    TEXT,
    (Slot(WHOLE, (SCHEMA, _LIST)),),
    {WHOLE: SCHEMA},
    app=OWN,
    ready_made="Agnai's memory books",
)
