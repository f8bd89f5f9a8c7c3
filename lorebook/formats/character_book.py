"""
The lorebook inside a character card, as the V2 and V3 specifications have it and SillyTavern fills its `extensions`.

The specifications know two positions, one meaning of secondary keys (one of them must be there, too) and no chance;
the exact values stand in `extensions` under SillyTavern's names, which wins over the specified fields when both are
read (SillyTavern's own rule). https://github.com/malfoyslastname/character-card-spec-v2,
https://github.com/kwaroran/character-card-spec-v3
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lorebook.book import CARD_NAMES, Book, Entry
from lorebook.formats import settings, vocabulary, world_info
from lorebook.formats.format import Content, Json, Loss, LossKind, Place
from lorebook.formats.notes import Notes
from lorebook.formats.settings import CARD, HEAD_NAMES
from lorebook.formats.taker import Taker
from lorebook.records import Position, SecondaryLogic

NAMES = frozenset(
    {
        *("keys", "secondary_keys", "content", "extensions", "enabled", "insertion_order", "case_sensitive"),
        *("comment", "constant", "selective", "position"),
    }
)
"""What is always written from the entry itself."""

_LOGIC = "key_logic"
"""Wyvern's field for what SillyTavern calls `selectiveLogic`."""
_WORDS = {
    **{position.value: position for position in Position},
    **dict.fromkeys(("before", "before_character", "before_character_definition"), Position.BEFORE_CHAR),
    **dict.fromkeys(("after", "after_character", "after_character_definition"), Position.AFTER_CHAR),
}
"""Positions in words that other programs have for them."""
_REGEX = re.compile(r"/.+/[a-z]*", re.DOTALL)


def read(raw: object, where: str, notes: Notes, *, use_regex: bool, told: bool = False) -> Book:
    """
    Read the character book *raw*, found at *where* in a file; in V3 it has *use_regex*.

    Raises FormatError where it has no entries; where something else has *told* that it is one, it is read without.
    """
    if world_info.detect(raw) and isinstance(raw, dict) and raw["entries"]:
        notes.add(where, "is World Info and no character book; read as World Info")
        return world_info.read(raw, where, notes).needed_book
    take = Taker(raw, where, notes)
    if told:
        takes = settings.entries_if_any(take, "entries")
    else:
        takes = settings.entries(take.raw("entries"), take.at("entries"), notes)
    uids = settings.numbers(takes, "id")
    entries = (read_entry(entry, uid, use_regex=use_regex) for entry, uid in zip(takes, uids, strict=True))
    return settings.read_book(take, tuple(entries))


def read_entry(take: Taker, uid: int, *, use_regex: bool) -> Entry:
    """
    Read an entry of a character book as the entry *uid*.
    """
    extensions = spelled(take.mapping("extensions"))
    if isinstance(take.peek(_LOGIC), str) and "selectiveLogic" not in extensions:
        extensions["selectiveLogic"] = take.peek(_LOGIC)
    more = Taker(extensions, take.at("extensions"), take.notes)
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


def write(book: Book, *, use_regex: bool, strict: bool = False) -> dict[str, Any]:
    """
    Return *book* as a character book; V3 wants *use_regex* in entries, *strict* nothing that is not specified.
    """
    settled = vocabulary.settle(book, HEAD_NAMES, NAMES)
    entries = [write_entry(entry, use_regex=use_regex) for entry in settled.entries]
    written = settings.write_book(settled, entries)
    return _specified(written, use_regex=use_regex) if strict else written


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


def entries_at(raw: Json, *, inside: Place) -> tuple[Place, ...]:
    """
    Return where the entries of the book at *inside* in *raw* are.
    """
    for step in inside:
        raw = raw.get(step) if isinstance(raw, dict) else None
    there = isinstance(raw, dict) and isinstance(raw.get("entries"), dict | list)
    return ((*inside, "entries"),) if there else ()


_HEAD = frozenset({"name", "description", "scan_depth", "token_budget", "recursive_scanning", "extensions", "entries"})
_ENTRY = NAMES | {"id", "name", "priority"}


def _specified(book: dict[str, Any], *, use_regex: bool) -> dict[str, Any]:
    """
    Return *book* with what the specification does not name moved into `extensions`, where it has room for it.
    """
    names = _ENTRY | ({"use_regex"} if use_regex else set())
    entries = [_moved(entry, names) for entry in book["entries"]]
    return _moved(book | {"entries": entries}, _HEAD)


def _moved(item: dict[str, Any], names: frozenset[str] | set[str]) -> dict[str, Any]:
    loose = {name: value for name, value in item.items() if name not in names}
    kept = {name: value for name, value in item.items() if name in names}
    if not loose:
        return kept
    own = item["extensions"].get(vocabulary.OWN, {})
    return kept | {"extensions": item["extensions"] | {vocabulary.OWN: own | {vocabulary.BESIDE: loose}}}


def spelled(extensions: dict[str, Any]) -> dict[str, Any]:
    """
    Return *extensions* with World Info's spellings, which RisuAI keeps there, as SillyTavern's cards spell them.
    """
    other = {name: card for name, card in CARD_NAMES.items() if name in extensions and name != card}
    plain = {name: value for name, value in extensions.items() if name not in other}
    return {card: extensions[name] for name, card in other.items() if card not in plain} | plain


def _position(take: Taker) -> Position:
    """
    Return what the specified field says; some tools write World Info's number there. Else SillyTavern says after.
    """
    there, word = "position" in take, take.raw("position")
    if word in ("before_char", "after_char"):
        return Position(word)
    if not isinstance(word, bool) and str(word).removesuffix(".0") in map(str, range(len(vocabulary.POSITIONS))):
        found = vocabulary.POSITIONS[int(float(word))]
        take.notes.add(take.at("position"), f"is {word!r}, World Info's number for it; read as {found}")
        return found
    if isinstance(word, str) and (near := _WORDS.get(word.strip().lower())):
        take.notes.add(take.at("position"), f"is {word!r}, which is no word of the specification; read as {near}")
        return near
    if there:
        take.notes.add(take.at("position"), f"is {word!r} and no position; read as {Position.AFTER_CHAR}")
    return Position.AFTER_CHAR


def _are_patterns(entry: Entry) -> list[bool]:
    return [bool(_REGEX.fullmatch(key)) for key in (*entry.keys, *entry.settings.secondary_keys)]


def _is_regex(entry: Entry) -> bool:
    """
    Say whether all keys are patterns, `/.../` and perhaps flags: V3 has one switch an entry, World Info looks at keys.
    """
    return all(_are_patterns(entry)) and bool(entry.keys)


def remarks(content: Content, *, use_regex: bool) -> Iterator[Loss]:
    """
    Yield what the specification has no place for; V3 has *use_regex*.
    """
    for entry in content.book.entries if content.book else ():
        has, fields = entry.settings, vocabulary.fields(entry)
        found = {
            "keys": any(_are_patterns(entry)) and not (use_regex and _is_regex(entry)),
            "secondary_logic": has.secondary_logic is not SecondaryLogic.AND_ANY and bool(has.secondary_keys),
            "position": has.position not in (Position.BEFORE_CHAR, Position.AFTER_CHAR),
            "probability": has.probability != vocabulary.ALWAYS,
            "match_whole_words": has.match_whole_words is not None,
            "fields.characterFilter": bool(fields.get("characterFilter")),
        }
        yield from (Loss(entry.uid, name, _WHY[name], LossKind.UNREAD) for name, there in found.items() if there)


_IN_EXTENSIONS = "cards have no field for it; SillyTavern reads it in `extensions`"
_WHY = {
    "keys": "SillyTavern takes /.../ as a pattern key by key; others take these keys as plain words",
    "secondary_logic": f"{_IN_EXTENSIONS}, others want one of the secondary keys",
    "position": f"{_IN_EXTENSIONS}, others put the text after the character",
    "probability": f"{_IN_EXTENSIONS}, others always take the entry",
    "match_whole_words": f"{_IN_EXTENSIONS}, others decide for themselves",
    "fields.characterFilter": "SillyTavern reads it in World Info only",
}
