"""
An entry of KoboldAI's World Info, as KoboldAI Lite and KoboldAI United both have it.

An entry wants one of its keys; a selective one also wants one of `keysecondary`, where there are any, and none of
`keyanti`. The model has one list of secondary keys, so an entry with both keeps `keyanti` in its `extensions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from lorebook.book import Entry
from lorebook.formats import app_fields, comma_keys, vocabulary
from lorebook.formats.taker import Taker
from lorebook.formats.vocabulary import ALWAYS
from lorebook.records import EntrySettings, SecondaryLogic

APP = "koboldai"
"""Under it in `extensions`: what KoboldAI says and World Info does not."""

STORY = ("prompt", "memory", "authorsnote", "actions")
"""What of a save is the story."""
_NONE_OF = (SecondaryLogic.NOT_ANY, SecondaryLogic.NOT_ALL)

_NO_PLACES = "KoboldAI puts all entries in one place, in the order of the list"
_FOR_ALL = "KoboldAI has one setting for all entries"
_NO_FIELD = "KoboldAI has no field for it"
WHY: Mapping[str, str] = {
    "name": "the story file has no name for its World Info",
    "description": "KoboldAI has no description of a book",
    "keys": comma_keys.WHY,
    "secondary_keys": comma_keys.WHY,
    "secondary_logic": "KoboldAI wants any of the secondary keys, or none of them",
    "rule": _NO_FIELD,
    "extensions": _NO_FIELD,
    "inert": "KoboldAI always rolls the chance of an entry",
    **dict.fromkeys(
        ("scan_depth", "token_budget", "recursive_scanning"), "KoboldAI counts in characters, for all books"
    ),
    **dict.fromkeys(("position", "depth", "role", "insertion_order"), _NO_PLACES),
    **dict.fromkeys(("case_sensitive", "match_whole_words"), _FOR_ALL),
}


class _Secondary(NamedTuple):
    """
    What is asked for beside the keys, and what of it the model has no place for.
    """

    keys: tuple[str, ...] = ()
    logic: SecondaryLogic = SecondaryLogic.AND_ANY
    unused: tuple[str, ...] = ()
    anti: tuple[str, ...] = ()


def read_entry(
    take: Taker,
    uid: int,
    name: str,
    content: str,
    meaningless: Mapping[str, Any],
    *,
    selective: bool,
    constant: bool = False,
) -> Entry:
    """
    Read what is left in *take* as the entry *uid*.

    A field with its *meaningless* value is as good as missing; *selective* is what a missing switch means.
    """
    keys, wants = take.texts("key", joined=","), _read_secondary(take, selective=selective)
    settings = EntrySettings(
        enabled=not take.flag("widisabled", False),
        constant=bool(take.flag("constant", False)) or constant,
        secondary_keys=wants.keys,
        secondary_logic=wants.logic,
        probability=min(max(take.number("probability", ALWAYS), 0), ALWAYS),
    )
    more = take.rest() | ({"keyanti": list(wants.anti)} if wants.anti else {})
    unused = {"secondary_keys": list(wants.unused)} if wants.unused else {}
    extensions = vocabulary.keep(app_fields.keep(APP, more, meaningless), inert=unused)
    return Entry(uid=uid, name=name, keys=keys, content=content, settings=settings, extensions=extensions)


def _read_secondary(take: Taker, *, selective: bool) -> _Secondary:
    wanted, unwanted = (tuple(_lines(take.texts(name, joined=","))) for name in ("keysecondary", "keyanti"))
    if not take.flag("selective", selective):
        return _Secondary(unused=wanted, anti=unwanted)
    if wanted and unwanted:
        take.notes.add(take.at("keyanti"), "is kept, but only `keysecondary` counts: an entry here has one such list")
        return _Secondary(wanted, anti=unwanted)
    return _Secondary(unwanted, SecondaryLogic.NOT_ANY) if unwanted else _Secondary(wanted)


def _lines(keys: Iterable[str]) -> Iterable[str]:
    return (line for key in keys if (line := " ".join(key.splitlines()).strip()))


class Written(NamedTuple):
    """
    What KoboldAI calls the parts of an entry.
    """

    key: list[str]
    keysecondary: list[str]
    keyanti: list[str]
    more: dict[str, Any]


def write_entry(entry: Entry) -> Written:
    """
    Return the keys of *entry*, those that are patterns left out, and what of KoboldAI's own it keeps.
    """
    more = app_fields.own(entry, APP)
    kept = more.pop("keyanti", [])
    keys, used = vocabulary.secondary(entry)
    keys = comma_keys.words(keys)
    if used and entry.settings.secondary_logic in _NONE_OF:
        return Written(comma_keys.words(entry.keys), [], keys, more)
    return Written(comma_keys.words(entry.keys), keys, kept if isinstance(kept, list) else [], more)
