"""
What each format can hold, found by writing it: the table that people choose a format by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats.card import OWN_PICTURE, Card
from lorebook.formats.format import Content, Format, LossKind
from lorebook.formats.writing import DOT, export
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic


class Held(StrEnum):
    """
    How a format holds something.
    """

    YES = "yes"
    UNREAD = "ours"
    """It is in the file, but readers of the format other than ours (and mostly SillyTavern) may pass over it."""
    PARTLY = "partly"
    """Only some of it, or something near to it."""
    NO = "no"


@dataclass(frozen=True)
class Feature:
    """
    Something that a book or card may say.
    """

    name: str
    content: Content
    """A content that says it, and nothing else that is out of the ordinary."""
    fields: tuple[str, ...]
    """The fields of losses that mean that it is not held; a part up to a dot stands for all that begin so."""


def _entry(name: str, *fields: str, **said: Any) -> Feature:  # noqa: ANN401 (pydantic checks it)
    plain: dict[str, Any] = {"uid": 0, "name": "Salt gate", "keys": ("salt gate",), "content": "It opens at low water."}
    entry = Entry(**plain | {name: value for name, value in said.items() if name in Entry.model_fields})
    chosen = {name: value for name, value in said.items() if name in EntrySettings.model_fields}
    whole = entry.model_copy(update={"settings": EntrySettings(**chosen)}) if chosen else entry
    return Feature(name, Content(Book(name="Tide archive", entries=(whole,)), Card(name="Mira Vell")), fields)


def _book(name: str, *fields: str, **said: Any) -> Feature:  # noqa: ANN401 (pydantic checks it)
    plain = _entry("", "")
    book = plain.content.needed_book.model_copy(update=said)
    return Feature(name, replace(plain.content, book=book), fields)


_TIMED: Mapping[str, Any] = MappingProxyType(
    {"group": "tides", "group_weight": 50, "sticky": 2, "cooldown": 3, "delay": 1, "prevent_recursion": True}
)
_WITH_CARD = _entry("", "").content

_PICTURE = "card.picture"

FEATURES: tuple[Feature, ...] = (
    _entry("keys", "keys"),
    _entry("keys with a comma", "keys", keys=("gate, salt",)),
    _entry("patterns as keys", "keys", keys=("/salt (gate|door)/i",)),
    _entry("secondary keys", "secondary_keys", secondary_keys=("tide",)),
    _entry("AND ALL, NOT", "secondary_", secondary_keys=("tide", "moon"), secondary_logic=SecondaryLogic.NOT_ALL),
    _entry("title", "name"),
    _entry("switched off", "enabled", enabled=False),
    _entry("constant", "constant", constant=True),
    _entry("order", "insertion_order", insertion_order=7),
    _entry("place, depth, role", "position", "depth", "role", position=Position.AT_DEPTH, depth=2, role=Role.USER),
    _entry("probability", "probability", probability=40),
    _entry("case, whole words", "case_sensitive", "match_whole_words", case_sensitive=True, match_whole_words=True),
    _entry("groups, timing, recursion", "extensions", extensions=dict(_TIMED)),
    _book("scan depth, budget", "scan_depth", "token_budget", scan_depth=4, token_budget=800),
    _book("book's name", "name"),
    Feature(
        "character",
        replace(
            _WITH_CARD, card=Card(name="Mira Vell", description="Keeper.", first_mes="Hi.", creator_notes="Notes.")
        ),
        ("card",),
    ),
    Feature("picture", _WITH_CARD, (_PICTURE,)),
)


def held(form: Format, feature: Feature) -> Held:
    """
    Return how *form* holds *feature*.

    Raises FormatError where *form* is only read.
    """
    content = replace(feature.content, files={OWN_PICTURE: DOT})
    losses = [loss for loss in export(form, content).losses if _is_of(loss.field, loss.entry, feature)]
    found = [loss.kind for loss in losses]
    if LossKind.LOST in found:
        # A character is one without its author's notes, too.
        is_there = feature.name == "character" and all(loss.field != "card.description" for loss in losses)
        return Held.PARTLY if is_there else Held.NO
    if LossKind.CHANGED in found:
        return Held.PARTLY
    return Held.UNREAD if found else Held.YES


def table(forms: Iterable[Format]) -> list[list[str]]:
    """
    Return a row for every feature: its name, and how each of *forms* holds it.
    """
    forms = list(forms)
    return [[feature.name, *(held(form, feature) for form in forms)] for feature in FEATURES]


def _is_of(field: str, entry: int | None, feature: Feature) -> bool:
    if _PICTURE in (field, *feature.fields):
        return field in feature.fields
    if field in ("entry", "entries"):
        return not feature.name.startswith(("book", "scan", "character"))
    of_book = feature.name.startswith(("book", "scan"))
    is_card = field.startswith("card")
    if is_card or feature.name == "character":
        return is_card and feature.name == "character"
    return of_book == (entry is None) and any(field.startswith(name) for name in feature.fields)
