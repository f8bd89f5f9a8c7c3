"""
What two contents do not say alike, compared from the models themselves: to hold the reports of losses against.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import OWN_PICTURE, Card, Content
from lorebook.formats.card import MAIN_ICON, Asset
from tests.formats.files import PICTURE

_OFF = "false"
_NOTHING = {
    "exclude_recursion": [_OFF],
    "prevent_recursion": [_OFF],
    "delay_until_recursion": [_OFF, "0"],
    "outlet_name": ['""'],
    "group": ['""'],
    "group_override": [_OFF],
    "group_weight": ["100"],
    "use_group_scoring": [_OFF],
    "automation_id": ['""'],
    "vectorized": [_OFF],
    "sticky": ["0"],
    "cooldown": ["0"],
    "delay": ["0"],
    "match_persona_description": [_OFF],
    "match_character_description": [_OFF],
    "match_character_personality": [_OFF],
    "match_character_depth_prompt": [_OFF],
    "match_scenario": [_OFF],
    "match_creator_notes": [_OFF],
    "triggers": ["[]"],
    "ignore_budget": [_OFF],
}
"""Settings of SillyTavern's entries, and the values that say no more than a setting that is not there."""
_EMPTY = ("null", '""', "[]", "{}")


def unlike_contents(before: Content, after: Content) -> set[tuple[int | None, str]]:
    """
    Return the entries and fields that *after* does not say as *before* does; new books and cards are no difference.
    """
    found: set[tuple[int | None, str]] = set()
    if before.book is not None:
        found |= {(None, name) for name in _other(_of_book(before.book), _of_book(after.book))}
        found |= set(_entries(before.book.entries, after.book.entries if after.book else ()))
    if before.card is not None:
        found |= {(None, name) for name in _other(_of_card(before.card), _of_card(after.card))}
        found |= set(_files(before, after))
    return found | ({(None, "card.picture")} if _is_picture_gone(before, after) else set())


def _is_picture_gone(before: Content, after: Content) -> bool:
    """
    Say whether a picture that *before* shows is not there *after*, or another is shown for one that is a ruin.
    """
    ruined = any(is_broken(icon) for icon in assets(before)) and OWN_PICTURE in after.files
    pictures = [data for _, data in assets(after)]
    own = before.files.get(OWN_PICTURE)
    return ruined or (own is not None and OWN_PICTURE not in after.files and own not in pictures)


def _entries(before: tuple[Entry, ...], after: tuple[Entry, ...]) -> Iterator[tuple[int | None, str]]:
    for one, other in zip_longest(before, after):
        if one is None:
            yield None, "entries"
        elif other is None:
            yield one.uid, "entry"
        else:
            yield from ((one.uid, name) for name in _other(_of_entry(one), _of_entry(other)))


def _other(one: dict[str, str], two: dict[str, str]) -> set[str]:
    return {name for name in one | two if one.get(name) != two.get(name)}


def _of_entry(entry: Entry) -> dict[str, str]:
    settings = entry.settings.model_dump() | {"probability": float(entry.settings.probability)}
    return _spelt(entry.model_dump(exclude={"extensions", "settings"}) | settings) | _of_extensions(entry.extensions)


def _of_book(book: Book | None) -> dict[str, str]:
    return _said(book.model_dump(exclude={"entries", "extensions"})) | _of_extensions(book.extensions) if book else {}


def _of_card(card: Card | None) -> dict[str, str]:
    if card is None:
        return {}
    plain = asdict(card)
    more = {f"{name}.{key}": value for name in ("extensions", "fields") for key, value in plain.pop(name).items()}
    del plain["assets"]
    said = _said(plain) | {
        name: value for name, value in _spelt(more).items() if name != "extensions.lorebook" and value != "null"
    }
    return {f"card.{name}": value for name, value in said.items()}


def _of_extensions(extensions: dict[str, Any]) -> dict[str, str]:
    plain = {name: value for name, value in extensions.items() if name != "lorebook"}
    own = extensions.get("lorebook", {})
    found = {
        f"extensions.{name}": value for name, value in _spelt(plain).items() if value not in _NOTHING.get(name, ())
    }
    for part in ("fields", "inert"):
        found |= {f"{part}.{name}": value for name, value in _spelt(own.get(part, {})).items()}
    rest = {name: value for name, value in own.items() if name not in ("fields", "inert", "origin")}
    return found | {f"extensions.lorebook.{name}": value for name, value in _spelt(rest).items()}


def _spelt(values: dict[str, Any]) -> dict[str, str]:
    return {name: json.dumps(value, sort_keys=True) for name, value in values.items()}


def _said(values: dict[str, Any]) -> dict[str, str]:
    return {name: value for name, value in _spelt(values).items() if value not in _EMPTY}


def _files(before: Content, after: Content) -> Iterator[tuple[int | None, str]]:
    """
    Yield what of the assets is not the same; URIs of files are the file's own, and the main icon may be its picture.
    """
    shown = after.card is not None and _shows(before) and _shows(after)
    ours, theirs = (assets(content, without_main=shown) for content in (before, after))
    # What was the file's own picture may become an asset.
    picture = before.files.get(OWN_PICTURE) if len(theirs) > len(ours) else None
    theirs = [(asset, data) for asset, data in theirs if data is None or data != picture]
    for (one, data), (two, other) in zip_longest(ours, theirs, fillvalue=(MAIN_ICON, None)):
        if _named(one) != _named(two) or (one.uri != two.uri and None in (data, other)):
            yield None, "card.assets"
        elif data != other and data is not None:
            yield None, "card.files"


def _shows(content: Content) -> bool:
    """
    Say whether the file shows the character: it is a picture, or has one for the main icon.
    """
    return OWN_PICTURE in content.files or any(is_main(asset) and data for asset, data in assets(content))


def assets(content: Content, *, without_main: bool = False) -> list[tuple[Asset, bytes | None]]:
    named = [asset for asset in (content.card.assets if content.card else ()) if asset != MAIN_ICON]
    return [(asset, content.files.get(asset.uri)) for asset in named if not (without_main and is_main(asset))]


def is_broken(icon: tuple[Asset, bytes | None]) -> bool:
    asset, data = icon
    return is_main(asset) and data is not None and not data.startswith(PICTURE[:8])


def is_main(asset: Asset) -> bool:
    return (asset.kind, asset.name) == ("icon", "main")


def _named(asset: Asset) -> tuple[str, str, str]:
    return asset.kind, asset.name, asset.ext
