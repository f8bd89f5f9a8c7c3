"""
Agnai's character: `{"kind": "character", …}`, its memory book inside.

The description is what Agnai tells the model of the persona. The persona itself, by its attributes, and whatever else
Agnai has stand in the card's `extensions["agnai"]`, where Agnai's own cards have them; it is written again for as
long as it says what the description says.
"""

from __future__ import annotations

from typing import Any

from lorebook.book import Book
from lorebook.formats import agnai, agnai_persona
from lorebook.formats.agnai import OWN, read_extensions, written_extensions
from lorebook.formats.card import Card
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.patching import same
from lorebook.formats.taker import Taker

_BOOK = "characterBook"
_DEPTH_PROMPT = "depth_prompt"
"""SillyTavern's name for what is put into the chat at a depth; Agnai's is `insert`."""
_TELLING = ("persona", "greeting", "sampleChat")
_OF_V1 = ("first_mes", "mes_example")
_TEXTS = {
    "scenario": "scenario",
    "first_mes": "greeting",
    "mes_example": "sampleChat",
    "creator_notes": "description",
    "system_prompt": "systemPrompt",
    "post_history_instructions": "postHistoryInstructions",
    "creator": "creator",
    "character_version": "characterVersion",
}
_MANDATORY = ("scenario", "greeting", "sampleChat")


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a character of Agnai, or None.
    """
    if not isinstance(raw, dict) or "spec" in raw:
        return None
    telling = [name for name in _TELLING if name in raw]
    if raw.get("kind") == "character" and telling:
        return "its `kind` is character"
    # The persona may be left out; what V1 calls otherwise is never Agnai's.
    found = "sampleChat" in telling and len(telling) > 1 and not any(name in raw for name in _OF_V1)
    return f"it has {' and '.join(f'`{name}`' for name in telling)}, as in Agnai" if found else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a character of Agnai.
    """
    take = Taker(raw, where, notes)
    book = _book(take)
    name, persona = take.text("name"), take.raw("persona")
    description = agnai_persona.told(persona, name)
    texts: dict[str, Any] = {ours: take.text(theirs) for ours, theirs in _TEXTS.items()}
    greetings, tags, insert = take.texts("alternateGreetings"), take.texts("tags"), take.raw("insert")
    take.raw("kind")
    extensions = read_extensions(take)
    if insert is not None:
        extensions[_DEPTH_PROMPT] = insert
    if persona is not None and not same(persona, agnai_persona.as_text(description)):
        extensions[OWN] = {"persona": persona, **extensions.get(OWN, {})}
    return Content(
        book,
        Card(
            name=name,
            description=description,
            alternate_greetings=greetings,
            tags=tags,
            extensions=extensions,
            **texts,
        ),
    )


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the card with its book as a character of Agnai.
    """
    card = content.needed_card
    extensions, own = written_extensions(card)
    texts = {theirs: getattr(card, ours) for ours, theirs in _TEXTS.items()}
    more = {
        "alternateGreetings": list(card.alternate_greetings) or None,
        "tags": list(card.tags) or None,
        "insert": extensions.pop(_DEPTH_PROMPT, None),
        "extensions": extensions or None,
        _BOOK: None if content.book is None else agnai.write_book(content.book),
    }
    said = {
        "kind": "character",
        "name": card.name,
        "persona": _persona(card, own.pop("persona", None)),
        **{name: text for name, text in texts.items() if text or name in _MANDATORY},
        **{name: value for name, value in more.items() if value is not None},
    }
    return said | {name: value for name, value in own.items() if name not in said}


def _book(take: Taker) -> Book | None:
    inside = take.raw(_BOOK)
    if inside is None:
        return None
    if not isinstance(inside, dict) or not isinstance(inside.get("entries"), dict | list):
        take.notes.add(take.at(_BOOK), "is no memory book; the character has none")
        return None
    return agnai.read_book(inside, take.at(_BOOK), take.notes)


def _persona(card: Card, own: object) -> object:
    """
    Return the persona that was kept where it still says what the card says, or else what the card says, as a text.
    """
    if own is not None and not card.personality and agnai_persona.told(own, card.name) == card.description:
        return own
    return agnai_persona.as_text("\n".join(filter(None, (card.description, card.personality))))


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries are.
    """
    inside = raw.get(_BOOK) if isinstance(raw, dict) else None
    return tuple((_BOOK, *place) for place in agnai.entries_at(inside))


_WHY = {
    **agnai.WHY,
    "card": "Agnai's characters have no field for it",
    "card.description": "Agnai has one persona for the description and the personality",
    "card.extensions.agnai": "the persona by its attributes no longer says what the description says",
    "card.personality": "it stands in the persona, which is read as the description",
}
SCHEMA = Schema(detect, read, write, entries_at, why=_WHY, remarks=agnai.remarks)
FORMAT = Format(
    name="agnai-character",
    title="Agnai character",
    suffix=".json",
    container=TEXT,
    slots=(Slot(WHOLE, (SCHEMA,)),),
    written={WHOLE: SCHEMA},
    app=OWN,
    is_card=True,
)
