"""
Voxta's package: an archive of characters, books of memories and scenarios, each in a folder of its own.

The first character and all books are read; scenarios and the package's own record stay as they are. A new file is
what Voxta exports for one character, with the book beside it. Voxta publishes no specification: names of fields are
those in real packages and in the types of character-foundry (https://github.com/character-foundry/character-foundry).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from lorebook.errors import FormatError
from lorebook.formats import identity, voxta_books
from lorebook.formats.assets import main_picture
from lorebook.formats.card import MAIN_ICON, OWN_PICTURE, Card
from lorebook.formats.containers.archive import ZIP
from lorebook.formats.containers.container import Data
from lorebook.formats.containers.parts import Parts
from lorebook.formats.format import Content, Format, Json, Loss, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker
from lorebook.formats.voxta_books import OWN, said, to_card, to_voxta

_CHARACTERS = "Characters/*/character.json"
_CHARACTER = re.compile(r"Characters/(?!\.{1,2}/)[^/\\\0]+/character\.json")
_SCENARIOS = "Scenarios/*/scenario.json"
_SCENARIO = re.compile(r"Scenarios/[^/\\\0]+/scenario\.json")
_FOLDER = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_UNKNOWN = "0001-01-01T00:00:00+00:00"
"""Voxta's own way to say that a time is not known."""

# Voxta's `Description` is what the character looks like, its `Profile` what a card describes.
_TEXTS = {
    "description": "Profile",
    "personality": "Personality",
    "scenario": "Scenario",
    "first_mes": "FirstMessage",
    "mes_example": "MessageExamples",
    "system_prompt": "SystemPrompt",
    "post_history_instructions": "PostHistoryInstructions",
}
_PLAIN = {"creator_notes": "CreatorNotes", "creator": "Creator", "character_version": "Version"}
_GREETINGS = ("AlternativeFirstMessages", "AlternateGreetings")
"""Voxta's name for the other greetings, and the one that character-foundry wrote at first."""
_ALWAYS = frozenset({"Profile", "Personality", "Scenario", "FirstMessage", "MessageExamples", "CreatorNotes", "Tags"})
_DATES = {"creation_date": "DateCreated", "modification_date": "DateModified"}


def detect(raw: Json) -> str | None:
    """
    Say why *raw*, the JSON of an archive's members, is Voxta's, or None.
    """
    path = next(iter([*_characters(raw), *voxta_books.paths(raw, ())]), None)
    return None if path is None else f"it has `{path}`, as Voxta's packages have"


def _characters(raw: Json) -> list[str]:
    if not isinstance(raw, dict):
        return []
    return [name for name, value in raw.items() if _CHARACTER.fullmatch(str(name)) and _is_own(value)]


def _is_own(value: Json) -> bool:
    """
    Tell a character of Voxta's: Backyard's, in a folder that somebody wrote with a capital, has other names.
    """
    return isinstance(value, dict) and any(name in value for name in ("$type", "Id", "Name"))


def _books(raw: Json) -> list[str]:
    """
    Return the members that are books: those of the first character first.
    """
    wanted = [raw[path].get("MemoryBooks") for path in _characters(raw)[:1]]
    return voxta_books.paths(raw, [name for names in wanted if isinstance(names, list) for name in names])


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read the first character and the books.

    Raises FormatError where there is neither.
    """
    characters, books = _characters(raw), _books(raw)
    if not characters and not books:
        raise FormatError("there is no character and no book in the package", where=where)
    for path in characters[1:]:
        notes.add(f"`{path}`", f"is another character, {raw[path].get('Name')!r}; `{characters[0]}` counts")
    book = voxta_books.read(raw, books, notes)
    card = _read_card(characters[0], raw, {str(raw[path].get("Id")) for path in books}, notes) if characters else None
    made = voxta_books.book_id(said(card.extensions).get("Id") or identity.make_id(card.name)) if card else ""
    return Content(voxta_books.without_id(book, made) if book else None, card)


def _read_card(path: str, raw: Json, books: set[str], notes: Notes) -> Card:
    take = Taker(raw[path], f"`{path}` $", notes)
    take.raw("$type")
    name, own_id = take.text("Name"), take.text("Id")
    told: dict[str, Any] = {field: to_card(take.text(key)) for field, key in _TEXTS.items()}
    told |= {field: take.text(key) for field, key in _PLAIN.items()}
    told |= {field: identity.take_seconds(take, key) for field, key in _DATES.items()}
    greetings = tuple(to_card(text) for text in take.texts(next(filter(take.peek, _GREETINGS), _GREETINGS[0])))
    card = Card(name=name, **told, tags=take.texts("Tags"), alternate_greetings=greetings)
    others = [each for each in take.texts("MemoryBooks") if each not in books]
    rest = {**({"Id": own_id} if own_id not in ("", identity.make_id(name)) else {}), **take.rest()}
    rest |= {"MemoryBooks": others} if others else {}
    rest |= {"path": path} if path != _path(own_id or identity.make_id(name)) else {}
    return replace(card, extensions={OWN: rest} if rest else {})


def _path(own_id: str) -> str:
    return f"Characters/{own_id if _FOLDER.fullmatch(own_id) else identity.make_id(own_id)}/character.json"


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the character and the book as members of a package.
    """
    if content.card is None:
        return voxta_books.write(content.needed_book, _owner(content))
    own_id, path = _own(content.card)
    books = voxta_books.write(content.book, own_id) if content.book else {}
    return {path: _write_card(content.card, own_id, [str(each["Id"]) for each in books.values()]), **books}


def _own(card: Card) -> tuple[str, str]:
    """
    Return the id of the character, and its member.
    """
    known = said(card.extensions)
    own_id, path = str(known.get("Id") or identity.make_id(card.name)), known.get("path")
    return own_id, path if isinstance(path, str) and _CHARACTER.fullmatch(path) else _path(own_id)


def _owner(content: Content) -> str:
    """
    Return the id of the character; without one that of a character called as the book.
    """
    return _own(content.card)[0] if content.card else identity.make_id(content.needed_book.name)


def pinned(before: Content, after: Content) -> Content:
    """
    Return *after* with the ids and the members that *before* has.
    """
    made = after if before.card is None else replace(after, card=_pinned_card(before.card, after.needed_card))
    if before.book is None or made.book is None:
        return made
    return replace(made, book=voxta_books.pinned(before.book, made.book, _owner(before), _owner(made)))


def _pinned_card(before: Card, after: Card) -> Card:
    old_id, path = _own(before)
    own_id = str(said(after.extensions).get("Id") or old_id)
    kept_id = own_id if own_id != identity.make_id(after.name) else None
    kept_path = path if path != _path(own_id) else None
    return replace(after, extensions=voxta_books.placed(after.extensions, Id=kept_id, path=kept_path))


def _write_card(card: Card, own_id: str, books: list[str]) -> dict[str, Any]:
    rest = said(card.extensions)
    rest.pop("path", None)
    others = rest.pop("MemoryBooks", None)
    own = {
        "$type": "character",
        "Id": own_id,
        "Name": card.name,
        **{key: to_voxta(getattr(card, field)) for field, key in _TEXTS.items()},
        **{key: getattr(card, field) for field, key in _PLAIN.items()},
        _GREETINGS[0]: [to_voxta(text) for text in card.alternate_greetings],
        "Tags": list(card.tags),
        "MemoryBooks": books + (others if isinstance(others, list) else []),
        **{key: identity.moment(getattr(card, field), _UNKNOWN) for field, key in _DATES.items()},
    }
    return {**rest, **{name: value for name, value in own.items() if value or name in _ALWAYS or name == "Name"}}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries of each book are.
    """
    return tuple((path, "Items") for path in _books(raw) if isinstance(raw[path].get("Items"), list | dict))


def left(raw: Json) -> Iterator[Loss]:
    """
    Yield the scenarios, which are programs of their own in Voxta.
    """
    names = [value.get("Name") for path, value in raw.items() if _SCENARIO.fullmatch(path) and isinstance(value, dict)]
    if names:
        called = ", ".join(repr(name) for name in names)
        yield Loss(None, "scenarios", f"they are no part of a lorebook or a character: {called}")


def _pack(content: Content) -> tuple[Content, Mapping[str, bytes]]:
    """
    Return *content* with its main icon named as the file's own picture, and that picture as a member.
    """
    card = content.needed_card
    try:
        picture = main_picture(content)
    except FormatError:
        # What cannot be shown is named by who writes: nothing is packed.
        picture = None
    if picture is None:
        return content, {}
    others = tuple(asset for asset in card.assets if (asset.kind, asset.name) != ("icon", "main"))
    folder = _own(card)[1].rpartition("/")[0]
    return replace(content, card=replace(card, assets=(MAIN_ICON, *others))), {f"{folder}/thumbnail.png": picture}


def _files(_content: Content, parts: Mapping[str, bytes], _data: Data) -> Mapping[str, bytes]:
    folder = next((name.rpartition("/")[0] for name in parts if _CHARACTER.fullmatch(name)), None)
    name = next((name for name in parts if folder and name.startswith(f"{folder}/thumbnail.")), None)
    return Parts({OWN_PICTURE: partial(parts.__getitem__, name)} if name else {})


_WHY = voxta_books.WHY | {
    "card": "Voxta has no field for it",
    "card.assets": "Voxta's characters have one picture; others are avatars by emotion",
    "card.mes_example": "Voxta spells its macros in one way",
}
SCHEMA = Schema(detect, read, write, entries_at, why=_WHY, left=left, pinned=pinned)
FORMAT = Format(
    name="voxta",
    title="Voxta package",
    suffix=".voxpkg",
    container=ZIP,
    slots=(Slot(_CHARACTERS, (SCHEMA,), together=True, more=(*voxta_books.BOOKS, _SCENARIOS)),),
    written={_CHARACTERS: SCHEMA},
    app=OWN,
    is_listed=True,
    is_card=True,
    pack=_pack,
    assets=_files,
)
