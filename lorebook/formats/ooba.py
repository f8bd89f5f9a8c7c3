"""
The characters of text-generation-webui (Oobabooga): YAML files of its own, and JSON files of Pygmalion's kind.

Everything that the model is told of a character is one text, `context`.
https://github.com/oobabooga/text-generation-webui
"""

from __future__ import annotations

from typing import Any

from lorebook.formats import app_fields, gradio
from lorebook.formats.card import Card
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

APP = "oobabooga"
"""Under it in the card's `extensions`: what stood beside the four texts."""

_CALLED = ("name", "bot", "<|bot|>")
_TELLING = ("context", "greeting")
_NAMES = {"greeting": "first_mes", "context": "description", "example_dialogue": "mes_example"}
"""The name of each text here, and the card's."""


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is such a character, or None.
    """
    if not isinstance(raw, dict) or "spec" in raw:
        return None
    named = [name for name in _CALLED if isinstance(raw.get(name), str)]
    telling = [name for name in _TELLING if isinstance(raw.get(name), str)]
    if not named or not telling:
        return None
    return f"it has `{named[0]}` and `{telling[0]}`, as characters of text-generation-webui have"


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read such a character.
    """
    take = Taker(raw, where, notes)
    called = next((name for name in _CALLED if isinstance(take.peek(name), str)), _CALLED[0])
    name = take.text(called)
    texts: dict[str, Any] = {field: take.text(name) for name, field in _NAMES.items()}
    return Content(card=Card(name=name, **texts, extensions=app_fields.keep(APP, take.rest())))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the character's four texts, and what stood beside them.
    """
    card = content.needed_card
    texts = {name: getattr(card, field) for name, field in _NAMES.items()}
    return app_fields.own(card, APP) | {"name": card.name} | texts


SCHEMA = Schema(detect, read, write, gradio.no_entries)
FORMAT = Format(
    name="ooba",
    title="text-generation-webui character in YAML",
    suffix=".yaml",
    container=TEXT,
    slots=(Slot(WHOLE, (SCHEMA, gradio.SCHEMA), yaml=True),),
    read_only="text-generation-webui takes character cards, too",
    is_card=True,
)
GRADIO_FORMAT = Format(
    name="gradio",
    title="Pygmalion character in JSON",
    suffix=".json",
    container=TEXT,
    slots=(Slot(WHOLE, (gradio.SCHEMA, SCHEMA)),),
    read_only="no program of today wants it: all take character cards",
    is_card=True,
)
