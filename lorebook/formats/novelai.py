"""
NovelAI's lorebook: a `.lorebook` file, or a picture with one in its text `naidata`.

The order and the budget priority are one number there: what is higher is put in first and dropped last, as World
Info's order does; a card's `priority` beside the order has no place. What NovelAI knows beyond World Info stands in
`extensions["novelai"]` of entry and book, but for values that NovelAI itself gives a new entry. A new entry's id
comes from its name, so that equal books are equal files. https://docs.novelai.net/text/lorebook.html
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import app_fields, bare_list, macros, novelai_keys, settings
from lorebook.formats.card import OWN_PICTURE
from lorebook.formats.containers.container import Data
from lorebook.formats.containers.parts import Parts
from lorebook.formats.containers.png import PNG
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Place, Schema, Slot
from lorebook.formats.identity import id_in
from lorebook.formats.notes import Notes, step
from lorebook.formats.novelai_keys import Keys
from lorebook.formats.taker import Taker
from lorebook.records import EntrySettings

OWN = "novelai"
"""NovelAI's key in every `extensions`."""
VERSION = 5
"""The `lorebookVersion` of new books, the last whose budgets are counted in tokens alone."""
PRIORITY = 400
"""The `budgetPriority` of an entry that has none."""

_IDS = uuid.UUID("6c2f60a4-9a5f-5d5e-8a39-0d4b6f5d6a10")
_CONFIG: Mapping[str, Any] = {
    "prefix": "",
    "suffix": "\n",
    "tokenBudget": 2048,
    "reservedTokens": 0,
    "trimDirection": "trimBottom",
    "insertionType": "newline",
    "maximumTrimType": "sentence",
    "insertionPosition": -1,
}
_BIAS = {
    "phrases": [{"sequences": [], "type": 2}],
    "ensureSequenceFinish": False,
    "generateOnce": True,
    "bias": 0,
    "enabled": True,
    "whenInactive": False,
}
_ENTRY: Mapping[str, Any] = {
    "lastUpdatedAt": 0,
    "searchRange": 1000,
    "keyRelative": False,
    "nonStoryActivatable": False,
    "category": "",
    "loreBiasGroups": [_BIAS],
}
_TELLING = ("contextConfig", "displayName", "forceActivation", "loreBiasGroups")
_BOOK: Mapping[str, Any] = {
    "lorebookVersion": VERSION,
    "settings": {"orderByKeyLocations": False},
    "categories": [],
}


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a lorebook of NovelAI, or None.
    """
    if not isinstance(raw, dict):
        return None
    if "lorebookVersion" in raw:
        return "it has `lorebookVersion`"
    held = raw.get("entries")
    mark = next(filter(None, map(_mark, held)), None) if isinstance(held, list) else None
    return f"its `entries` have `text` and `{mark}`, as in NovelAI" if mark else None


def _mark(item: Json) -> str | None:
    """
    Return the field that tells *item* for an entry of NovelAI.
    """
    return (
        next((name for name in _TELLING if name in item), None) if isinstance(item, dict) and "text" in item else None
    )


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a lorebook of NovelAI.
    """
    return Content(read_book(raw, where, notes))


def read_book(raw: object, where: str, notes: Notes) -> Book:
    """
    Read the lorebook *raw*, found at *where* in a file; tools that write an empty one leave its entries out.
    """
    take = Taker(raw, where, notes)
    return _read_book(take, settings.entries_if_any(take, "entries"))


def _read_book(take: Taker, takes: list[Taker]) -> Book:
    ids = _new_ids(_name(entry.peek("displayName")) for entry in takes)
    closed = _closed(take.peek("categories"))
    entries = tuple(
        _read_entry(entry, uid, new, closed) for uid, (entry, new) in enumerate(zip(takes, ids, strict=True))
    )
    _note_closed_categories(take)
    return Book(name="", entries=entries, extensions=app_fields.keep(OWN, take.rest(), _BOOK))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the book as a lorebook of NovelAI.
    """
    return write_book(content.needed_book)


def write_book(book: Book) -> dict[str, Any]:
    """
    Return *book* as NovelAI has it.
    """
    ids = _new_ids(entry.name for entry in book.entries)
    own = {**_BOOK, **app_fields.own(book, OWN)}
    closed = _closed(own["categories"])
    entries = [_write_entry(entry, new, closed) for entry, new in zip(book.entries, ids, strict=True)]
    return {"lorebookVersion": own.pop("lorebookVersion")} | own | {"entries": entries}


def _read_entry(take: Taker, uid: int, new_id: str, closed: Collection[str]) -> Entry:
    config = _config(take)
    keys = novelai_keys.read(take.texts("keys"))
    enabled, is_closed = bool(take.flag("enabled", True)), _name(take.peek("category")) in closed
    found = EntrySettings(
        enabled=enabled and not is_closed,
        constant=bool(take.flag("forceActivation", False)),
        secondary_keys=keys.secondary,
        secondary_logic=keys.logic,
        insertion_order=config.whole("budgetPriority", PRIORITY),
    )
    name, content = take.text("displayName"), take.text("text")
    placed = app_fields.keep("contextConfig", config.rest(), _CONFIG)
    itself = {"enabled": True} if enabled and is_closed else {}
    extensions = app_fields.keep(OWN, take.rest() | placed | itself, {**_ENTRY, "id": new_id})
    return Entry(uid=uid, name=name, keys=keys.keys, content=content, settings=found, extensions=extensions)


def _config(take: Taker) -> Taker:
    """
    Take the placement, which the tools that write lorebooks by hand may leave out.
    """
    if "contextConfig" not in take:
        return Taker({}, take.at("contextConfig"), take.notes)
    return take.inner("contextConfig")


def _write_entry(entry: Entry, new_id: str, closed: Collection[str]) -> dict[str, Any]:
    has = entry.settings
    own = {"id": new_id, **_ENTRY, **app_fields.own(entry, OWN)}
    placed, itself = own.pop("contextConfig", None), own.pop("enabled", False) is True
    config = {**_CONFIG, **(placed if isinstance(placed, dict) else {}), "budgetPriority": has.insertion_order}
    keys = Keys(entry.keys, has.secondary_keys, has.secondary_logic)
    said = {
        "text": entry.content,
        "contextConfig": config,
        "displayName": entry.name,
        "keys": novelai_keys.write(keys),
        "enabled": has.enabled or (itself and _name(own["category"]) in closed),
        "forceActivation": has.constant,
    }
    return said | {name: value for name, value in own.items() if name not in said}


def _new_ids(names: Iterable[str]) -> Iterator[str]:
    """
    Yield the id that each new entry gets, which says its name and how many before it are called so.

    The text has no part in it: an entry keeps its id when its text is edited.
    """
    seen: Counter[str] = Counter()
    for name in names:
        yield id_in(_IDS, f"{seen[name]} {name}")
        seen[name] += 1


def _name(value: object) -> str:
    return value if isinstance(value, str) else ""


def _closed(categories: object) -> frozenset[str]:
    """
    Return the ids of *categories* that are switched off, and every entry in them.
    """
    held = categories if isinstance(categories, list) else []
    off = (item for item in held if isinstance(item, dict) and item.get("enabled") is False)
    return frozenset(item["id"] for item in off if isinstance(item.get("id"), str) and item["id"])


def _note_closed_categories(take: Taker) -> None:
    held = take.peek("categories")
    for number, item in enumerate(held if isinstance(held, list) else ()):
        if isinstance(item, dict) and item.get("enabled") is False:
            where = step(take.at("categories"), number)
            take.notes.add(where, "is a category that is switched off; its entries are read as switched off")


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    return (("entries",),) if isinstance(raw, dict) and isinstance(raw.get("entries"), dict | list) else ()


def _detect_list(raw: Json) -> str | None:
    """
    Say why *raw* is a list of entries without the lorebook around it, or None.
    """
    mark = next(filter(None, map(_mark, raw)), None) if isinstance(raw, list) else None
    return f"it is a list of entries with `text` and `{mark}`, as in NovelAI" if mark else None


def _read_list(raw: Json, where: str, notes: Notes) -> Book:
    return _read_book(Taker({}, where, notes), settings.entries(raw, where, notes))


_NO_FORBIDDING = "NovelAI has no way to forbid a word"
_NOT_OF_A_BOOK = "a NovelAI lorebook is its entries; how they are looked for, each says itself"
WHY = {
    "enabled": "NovelAI switches an entry off with its category",
    "uid": "NovelAI counts its entries by their place",
    "name": "a NovelAI lorebook has the name of its file",
    "description": "a NovelAI lorebook has no description",
    "keys": "NovelAI has no such key beside `a & b`",
    "secondary_keys": "NovelAI's keys can want one another, `a & b`, and not forbid one another",
    "secondary_logic": "NovelAI's `a & b` cannot say it of these keys",
    "secondary_logic.and_all": "of one secondary key or none NovelAI does not tell all from any: they mean the same",
    "secondary_logic.not_any": _NO_FORBIDDING,
    "secondary_logic.not_all": _NO_FORBIDDING,
    "position": "NovelAI places an entry by lines, sentences or tokens from an end of the story",
    "depth": "NovelAI has a text and no messages to count",
    "role": "NovelAI has a text and no roles in it",
    "case_sensitive": "NovelAI's plain keys ignore case; a pattern need not",
    "match_whole_words": "NovelAI's plain keys are whole words; a pattern need not be",
    "probability": "NovelAI leaves nothing to chance",
    "scan_depth": "NovelAI looks back over characters, entry by entry",
    "token_budget": _NOT_OF_A_BOOK,
    "recursive_scanning": _NOT_OF_A_BOOK,
    "extensions": "NovelAI has no place for what it does not know",
    "fields": "NovelAI has no place for what it does not know",
    "rule": "NovelAI has no place for the rule that an entry says",
}
REMARKS = partial(macros.remarks, program="NovelAI")
SCHEMA = Schema(detect, read, write, entries_at, why=WHY, remarks=REMARKS)
_LIST = bare_list.schema(SCHEMA, _detect_list, _read_list, lambda book: write_book(book)["entries"])


def _files(_content: Content, parts: Mapping[str, bytes], data: Data) -> Mapping[str, bytes]:
    return Parts({OWN_PICTURE: lambda: b"".join(PNG.without(data[:], parts))})


FORMAT = Format(
    OWN,
    "NovelAI lorebook",
    ".lorebook",
    TEXT,
    (Slot(WHOLE, (SCHEMA, _LIST)),),
    {WHOLE: SCHEMA},
    app=OWN,
    ready_made="NovelAI, which reads none of the others",
)
PICTURE = Format(
    name="novelai-png",
    title="NovelAI lorebook in a PNG picture",
    suffix=".png",
    container=PNG,
    slots=(Slot("naidata", (SCHEMA,), base64=True),),
    written={"naidata": SCHEMA},
    app=OWN,
    shows_picture=True,
    assets=_files,
)
