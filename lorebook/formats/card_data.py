"""
The fields of a character, as the V1, V2 and V3 specifications share them, read and written one way.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from lorebook.formats import vocabulary
from lorebook.formats.card import Asset, Card
from lorebook.formats.notes import step
from lorebook.formats.taker import Taker

V1_TEXTS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
V2_TEXTS = (*V1_TEXTS, "creator_notes", "system_prompt", "post_history_instructions", "creator", "character_version")
_LISTS = ("alternate_greetings", "tags", "group_only_greetings", "source")
_DATES = ("creation_date", "modification_date")
_MILLISECONDS = 10**11
"""A time above this many seconds would be in the year 5138; it is told in something smaller."""


def read(take: Taker) -> Card:
    """
    Read the character in *take*, of whatever version; what is left there goes along as `fields`.
    """
    values: dict[str, Any] = {name: take.text(name) for name in V2_TEXTS}
    values |= {name: _listed(take, name) for name in _LISTS}
    values |= {name: _seconds(take, name) for name in _DATES}
    extensions = take.mapping("extensions")
    return Card(
        **values,
        nickname=take.text("nickname"),
        creator_notes_multilingual=_texts_by_language(take),
        assets=_assets(take),
        extensions=vocabulary.keep(extensions),
        fields=take.rest(),
    )


def write_v2(card: Card) -> dict[str, Any]:
    """
    Return the fields that a V2 card must have.
    """
    return {
        **{name: getattr(card, name) for name in V2_TEXTS},
        "alternate_greetings": list(card.alternate_greetings),
        "tags": list(card.tags),
        "extensions": dict(card.extensions),
    }


def write_v3(card: Card) -> dict[str, Any]:
    """
    Return the fields that V3 adds, those that may be missing only where they say something.
    """
    wanted: dict[str, Any] = {
        "nickname": card.nickname,
        "creator_notes_multilingual": dict(card.creator_notes_multilingual),
        "source": list(card.source),
        **{name: getattr(card, name) for name in _DATES},
    }
    always = {
        "group_only_greetings": list(card.group_only_greetings),
        "assets": [{"type": item.kind, "uri": item.uri, "name": item.name, "ext": item.ext} for item in card.assets],
    }
    return {name: value for name, value in wanted.items() if value or (value == 0 and value is not False)} | always


def _listed(take: Taker, name: str) -> tuple[str, ...]:
    """
    Take a list of texts; one text is one item of it, for greetings have commas. Tags are split at them.
    """
    value = take.peek(name)
    if isinstance(value, str) and name != "tags":
        take.raw(name)
        take.notes.add(take.at(name), "is a text, not a list; read as a list of one" if value else "is an empty text")
        return (value,) if value else ()
    return take.texts(name)


def _seconds(take: Taker, name: str) -> int | None:
    """
    Take a time in seconds; tools also write milliseconds, microseconds and ISO 8601.
    """
    value = take.peek(name)
    if isinstance(value, str) and not value.strip().isdecimal():
        take.raw(name)
        try:
            found = int(datetime.fromisoformat(value).timestamp())
        except (ValueError, OverflowError, OSError):
            take.notes.add(take.at(name), f"is the text {value[:30]!r} and no time; read as if it were missing")
            return None
        take.notes.add(take.at(name), f"is the text {value[:30]!r}; read as {found} seconds")
        return found
    number = take.whole(name, None)
    if number is None or abs(number) < _MILLISECONDS:
        return number
    seconds = number
    while abs(seconds) >= _MILLISECONDS:
        seconds = int(seconds / 1000)
    take.notes.add(take.at(name), f"is {number}, which is finer than seconds; read as {seconds}")
    return seconds


def _texts_by_language(take: Taker) -> Mapping[str, str]:
    inner = take.inner("creator_notes_multilingual") if take.peek("creator_notes_multilingual") else None
    if inner is None:
        take.raw("creator_notes_multilingual")
        return {}
    return {name: inner.text(name) for name in inner.rest()}


def _assets(take: Taker) -> tuple[Asset, ...]:
    held = take.raw("assets")
    if held is None:
        return ()
    if not isinstance(held, list):
        take.notes.add(take.at("assets"), "is no list; read as if it were missing")
        return ()
    items = [(n, raw) for n, raw in enumerate(held) if isinstance(raw, dict)]
    takes = [Taker(raw, step(take.at("assets"), n), take.notes) for n, raw in items]
    return tuple(Asset(t.text("type"), t.text("uri"), t.text("name"), t.text("ext")) for t in takes)
