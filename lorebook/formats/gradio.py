"""
The character of Pygmalion's Gradio pages, which text-generation-webui took over: five texts under names of its own.
"""

from __future__ import annotations

from typing import Any

from lorebook.formats import app_fields
from lorebook.formats.card import Card
from lorebook.formats.format import Content, Json, Place, Schema
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

APP = "pygmalion"
"""Under it in the card's `extensions`: what stood beside the five texts."""

_NAMES = {
    "char_name": "name",
    "char_persona": "description",
    "char_greeting": "first_mes",
    "world_scenario": "scenario",
    "example_dialogue": "mes_example",
}
"""The name of each text here, and the card's."""


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is such a character, or None.
    """
    if not isinstance(raw, dict) or "spec" in raw or "char_name" not in raw:
        return None
    other = next((name for name in _NAMES if name != "char_name" and name in raw), None)
    return f"it has `char_name` and `{other}`, as Pygmalion's characters have" if other else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read such a character.
    """
    take = Taker(raw, where, notes)
    texts: dict[str, Any] = {field: take.text(name) for name, field in _NAMES.items()}
    return Content(card=Card(**texts, extensions=app_fields.keep(APP, take.rest())))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the character's five texts, and what stood beside them.
    """
    card = content.needed_card
    return app_fields.own(card, APP) | {name: getattr(card, field) for name, field in _NAMES.items()}


def no_entries(_raw: Json) -> tuple[Place, ...]:
    """
    Return nothing: there is no book.
    """
    return ()


SCHEMA = Schema(detect, read, write, no_entries)
