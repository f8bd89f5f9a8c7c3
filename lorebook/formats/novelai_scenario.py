"""
NovelAI's scenario, a story yet to be begun, and story: a lorebook and what the tale starts from.

As a card a scenario's prompt is the first message, its blurb the creator's notes, and its memory, which the model
always sees, the description. A card that is written has its personality and its scenario in the memory, too. All
else stands in the card's `extensions["novelai"]`. A story's text is its own and stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from lorebook.book import Book
from lorebook.formats import app_fields, novelai, stories
from lorebook.formats.card import Card
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.format import Content, Format, Json, Loss, Place, Schema, Slot
from lorebook.formats.notes import Notes, step
from lorebook.formats.novelai import OWN
from lorebook.formats.taker import Taker, kind

_MEMORY: Mapping[str, Any] = {
    "prefix": "",
    "suffix": "\n",
    "tokenBudget": 2048,
    "reservedTokens": 0,
    "budgetPriority": 800,
    "trimDirection": "trimBottom",
    "insertionType": "newline",
    "maximumTrimType": "sentence",
    "insertionPosition": 0,
}
_NOTE = {**_MEMORY, "reservedTokens": 2048, "budgetPriority": -400, "insertionPosition": -4}
_STORY = {
    **_MEMORY,
    "suffix": "",
    "reservedTokens": 512,
    "budgetPriority": 0,
    "trimDirection": "trimTop",
    "insertionPosition": -1,
    "allowInsertionInside": True,
}
_CONTEXT = [{"text": "", "contextConfig": dict(_MEMORY)}, {"text": "", "contextConfig": _NOTE}]
_TELLING = ("prompt", "lorebook", "context")
_SCENARIO: Mapping[str, Any] = {
    "scenarioVersion": 3,
    "context": _CONTEXT,
    "ephemeralContext": [],
    "placeholders": [],
    "settings": {"parameters": {}, "trimResponses": True, "banBrackets": True},
    "storyContextConfig": _STORY,
    "contextDefaults": {"ephemeralDefaults": [], "loreDefaults": []},
}


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a scenario of NovelAI, or None.
    """
    found = isinstance(raw, dict) and "scenarioVersion" in raw and any(name in raw for name in _TELLING)
    return "it has `scenarioVersion`" if found else None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a scenario of NovelAI.
    """
    take = Taker(raw, where, notes)
    book, memory, context = _lorebook(take), _memory(take), _context_beside(take)
    card = Card(
        name=take.text("title"),
        description=memory,
        first_mes=take.text("prompt"),
        creator_notes=take.text("description"),
        tags=take.texts("tags"),
        creator=take.text("author"),
    )
    return Content(book, replace(card, extensions=app_fields.keep(OWN, take.rest() | context, _SCENARIO)))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return the card with its book as a scenario of NovelAI.
    """
    card = content.needed_card
    own = {**_SCENARIO, **app_fields.own(card, OWN)}
    said = {
        "scenarioVersion": own["scenarioVersion"],
        "title": card.name,
        "description": card.creator_notes,
        "prompt": card.first_mes,
        "tags": list(card.tags),
        "context": _context(card),
        "lorebook": _lorebook_of(content),
        "author": card.creator,
    }
    return said | {name: value for name, value in own.items() if name not in said}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries of a scenario are.
    """
    return _entries_in(raw, ())


def detect_story(raw: Json) -> str | None:
    """
    Say why *raw* is a story of NovelAI, or None.
    """
    found = isinstance(raw, dict) and "storyContainerVersion" in raw and isinstance(raw.get("content"), dict)
    return "it has `storyContainerVersion`" if found else None


def read_story(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read a story of NovelAI.
    """
    take = Taker(raw, where, notes)
    about, inside = take.inner("metadata"), take.inner("content")
    book, memory, context = _lorebook(inside), _memory(inside), _context_beside(inside)
    card = Card(
        name=about.text("title"),
        description=memory,
        creator_notes=about.text("description"),
        tags=about.texts("tags"),
    )
    return Content(book, replace(card, extensions=app_fields.keep(OWN, context, _SCENARIO)))


def write_story(content: Content, strict: bool) -> dict[str, Any]:  # noqa: ARG001, FBT001 (there is no specification)
    """
    Return what of a story a card with its book says.
    """
    card = content.needed_card
    return {
        "storyContainerVersion": 1,
        "metadata": {"title": card.name, "description": card.creator_notes, "tags": list(card.tags)},
        "content": {"context": _context(card), "lorebook": _lorebook_of(content)},
    }


def story_entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the entries of a story are.
    """
    return _entries_in(raw, ("content",))


def story_left(raw: Json) -> Iterator[Loss]:
    """
    Yield the text of a story, which later versions have as a packed document.
    """
    return stories.story(raw["content"], ("story", "document"))


def _lorebook(take: Taker) -> Book | None:
    """
    Take the lorebook; every scenario has one, and an empty one is none.
    """
    inside = take.raw("lorebook")
    if inside is None:
        return None
    if not isinstance(inside, dict) or not isinstance(inside.get("entries"), dict | list):
        take.notes.add(take.at("lorebook"), f"{_what(inside)}; read as if there were no lorebook")
        return None
    book = novelai.read_book(inside, take.at("lorebook"), take.notes)
    return book if book.entries or book.extensions else None


def _what(inside: object) -> str:
    if not isinstance(inside, dict):
        return f"is {kind(inside)}, not an object"
    held = inside.get("entries")
    return "has no list of `entries`" if held is None else f"has {kind(held)} as its `entries`, not a list"


def _lorebook_of(content: Content) -> dict[str, Any]:
    return novelai.write_book(content.book or Book(name=""))


def _memory(take: Taker) -> str:
    """
    Return the text of the memory, which is the first of the context.
    """
    held = take.peek("context")
    if not _has_memory(held):
        return ""
    return Taker(held[0], step(take.at("context"), 0), take.notes).text("text")


def _context_beside(take: Taker) -> dict[str, Any]:
    """
    Take the context without the text of the memory; one without a memory is as usual.
    """
    held = take.raw("context")
    if not _has_memory(held):
        if held:
            take.notes.add(take.at("context"), "does not begin with a memory; read as if it were missing")
        return {}
    return {"context": [{**held[0], "text": ""}, *held[1:]]}


def _context(card: Card) -> list[Any]:
    """
    Return the context of *card*, its memory first.
    """
    memory = "\n".join(filter(None, (card.description, card.personality, card.scenario)))
    held = app_fields.own(card, OWN).get("context")
    context: list[Any] = held if _has_memory(held) else _CONTEXT
    return [{**context[0], "text": memory}, *context[1:]]


def _has_memory(context: object) -> TypeGuard[list[Any]]:
    return isinstance(context, list) and bool(context) and isinstance(context[0], dict)


def _entries_in(raw: Json, inside: Place) -> tuple[Place, ...]:
    for name in (*inside, "lorebook"):
        raw = raw.get(name) if isinstance(raw, dict) else None
    return tuple((*inside, "lorebook", *place) for place in novelai.entries_at(raw))


_WHY = {
    **novelai.WHY,
    "name": "the lorebook in a scenario of NovelAI has no name",
    "card": "a scenario of NovelAI has no place for it",
    "card.description": "a scenario of NovelAI has one memory for all that is always known",
    "card.personality": "it stands in the memory, which is read as the description",
    "card.scenario": "it stands in the memory, which is read as the description",
}
SCENARIO = Schema(detect, read, write, entries_at, why=_WHY, remarks=novelai.REMARKS)
STORY = Schema(detect_story, read_story, write_story, story_entries_at, why=_WHY, left=story_left)
FORMAT = Format(
    name="novelai-scenario",
    title="NovelAI scenario or story",
    suffix=".scenario",
    container=TEXT,
    slots=(Slot(WHOLE, (SCENARIO, STORY)),),
    written={WHOLE: SCENARIO},
    app=OWN,
    is_card=True,
)
