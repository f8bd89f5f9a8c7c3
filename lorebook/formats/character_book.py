"""
The lorebook inside a character card, as the V2 and V3 specifications have it and SillyTavern fills its `extensions`.

The specifications know two positions, one meaning of secondary keys (one of them must be there, too) and no chance;
the exact values stand in `extensions` under SillyTavern's names, which wins over the specified fields when both are
read (SillyTavern's own rule). https://github.com/malfoyslastname/character-card-spec-v2,
https://github.com/kwaroran/character-card-spec-v3
"""

from __future__ import annotations

import re
from typing import Any

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import settings, vocabulary
from lorebook.formats.export import Loss
from lorebook.formats.settings import CARD, HEAD_NAMES
from lorebook.formats.taker import Taker, kind
from lorebook.records import Position, SecondaryLogic

NAMES = frozenset(
    {
        *("keys", "secondary_keys", "content", "extensions", "enabled", "insertion_order", "case_sensitive"),
        *("comment", "constant", "selective", "position"),
    }
)
"""What is always written from the entry itself."""

_REGEX = re.compile(r"/.+/[a-z]*", re.DOTALL)


def read(raw: object, where: str, *, use_regex: bool) -> Book:
    """
    Read the character book *raw*, found at *where* in a file; in V3 it has *use_regex*.
    """
    take = Taker(raw, where)
    raws = take.raw("entries")
    if not isinstance(raws, list):
        raise FormatError(f"{where}: `entries` is {kind(raws)}, not a list")
    uids = settings.numbers(raws, "id")
    takes = [Taker(raw, f"entry {number}") for number, raw in enumerate(raws, 1)]
    return settings.read_book(
        take, tuple(read_entry(take, uid, use_regex=use_regex) for take, uid in zip(takes, uids, strict=True))
    )


def read_entry(take: Taker, uid: int, *, use_regex: bool) -> Entry:
    """
    Read an entry of a character book as the entry *uid*.
    """
    more = Taker(take.mapping("extensions"), f"{take.where}, extensions")
    place = _position(take)
    enabled = bool(take.flag("enabled", True))
    read, inert = settings.read(take, more, CARD, enabled=enabled, position=place, selective=False)
    name, comment, own = take.text("name"), take.text("comment"), take.raw("id")
    keys, content = take.texts("keys"), take.text("content")
    fields = take.rest()
    if comment and name not in ("", comment):
        fields["name"] = name
    if own is not None and str(own) != str(uid):
        fields["id"] = own
    entry = Entry(
        uid=uid,
        name=comment or name,
        keys=keys,
        content=content,
        settings=read,
        rule=vocabulary.rule_of(more.rest()),
    )
    if use_regex and fields.get("use_regex") is _is_regex(entry):
        del fields["use_regex"]
    return entry.model_copy(update={"extensions": vocabulary.keep(more.rest(), fields=fields, inert=inert)})


def write(book: Book, *, use_regex: bool) -> tuple[dict[str, Any], list[Loss]]:
    """
    Return *book* as a character book and what the specification has no place for; V3 wants *use_regex* in entries.
    """
    settled, losses = vocabulary.settle(book, HEAD_NAMES, NAMES)
    for entry in settled.entries:
        losses += _unspecified(entry, use_regex=use_regex)
    return settings.write_book(settled, [write_entry(entry, use_regex=use_regex) for entry in settled.entries]), losses


def write_entry(entry: Entry, *, use_regex: bool) -> dict[str, Any]:
    """
    Return *entry* as a character book has it.
    """
    secondary, selective = vocabulary.secondary(entry)
    more = settings.write_more(entry, CARD) | vocabulary.written(entry)
    before = entry.settings.position is Position.BEFORE_CHAR
    own = {
        "id": entry.uid,
        "keys": list(entry.keys),
        "secondary_keys": secondary,
        "name": entry.name,
        "comment": entry.name,
        "content": entry.content,
        "constant": entry.settings.constant,
        "selective": selective,
        "insertion_order": entry.settings.insertion_order,
        "enabled": entry.settings.enabled,
        "position": "before_char" if before else "after_char",
        "case_sensitive": entry.settings.case_sensitive,
        "use_regex": _is_regex(entry) if use_regex else None,
        "extensions": {name: value for name, value in more.items() if name in entry.extensions or value is not None},
    }
    return {name: value for name, value in own.items() if value is not None} | vocabulary.fields(entry)


def _position(take: Taker) -> Position:
    """
    Return what the specified field says; some tools write World Info's number there. Else SillyTavern says after.
    """
    word = take.raw("position")
    if word in ("before_char", "after_char"):
        return Position(word)
    if not isinstance(word, bool) and str(word) in map(str, range(len(vocabulary.POSITIONS))):
        return vocabulary.POSITIONS[int(word)]
    return Position.AFTER_CHAR


def _are_patterns(entry: Entry) -> list[bool]:
    return [bool(_REGEX.fullmatch(key)) for key in (*entry.keys, *entry.settings.secondary_keys)]


def _is_regex(entry: Entry) -> bool:
    """
    Say whether all keys are patterns, `/.../` and perhaps flags: V3 has one switch an entry, World Info looks at keys.
    """
    return all(_are_patterns(entry)) and bool(entry.keys)


def _unspecified(entry: Entry, *, use_regex: bool) -> list[Loss]:
    has, fields = entry.settings, vocabulary.fields(entry)
    found = {
        "keys": any(_are_patterns(entry)) and not (use_regex and _is_regex(entry)),
        "secondary_logic": has.secondary_logic is not SecondaryLogic.AND_ANY and bool(has.secondary_keys),
        "position": has.position not in (Position.BEFORE_CHAR, Position.AFTER_CHAR),
        "probability": has.probability != vocabulary.ALWAYS,
        "match_whole_words": has.match_whole_words is not None,
        "characterFilter": bool(fields.get("characterFilter")),
        "uid": "id" in fields,
    }
    return [Loss(entry.uid, name, _WHY[name]) for name, there in found.items() if there]


_IN_EXTENSIONS = "cards have no field for it; SillyTavern reads it in `extensions`"
_WHY = {
    "keys": "SillyTavern takes /.../ as a pattern key by key; others take these keys as plain words",
    "secondary_logic": f"{_IN_EXTENSIONS}, others want one of the secondary keys",
    "position": f"{_IN_EXTENSIONS}, others put the text after the character",
    "probability": f"{_IN_EXTENSIONS}, others always take the entry",
    "match_whole_words": f"{_IN_EXTENSIONS}, others decide for themselves",
    "characterFilter": "SillyTavern reads it in World Info only",
    "uid": "the entry keeps the id that its file gave it",
}
