"""
The scenarios in Backyard's archive: what a card says of its scenario, how the model is set, and the greetings.

Backyard has one first message a scenario, so every other greeting of a card is a scenario of its own, like the first
in all else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lorebook.formats import backyard
from lorebook.formats.backyard import to_backyard, to_card
from lorebook.formats.card import Card
from lorebook.formats.format import Json
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

_DEFAULTS: Mapping[str, Any] = {
    "canDeleteExampleMessages": True,
    "minP": 0.1,
    "minPEnabled": True,
    "temperature": 1.2,
    "repeatPenalty": 1.05,
    "repeatLastN": 256,
    "topK": 30,
    "topP": 0.9,
    "promptTemplate": None,
    "grammar": None,
}
"""What a scenario must have beside the fields of a card."""
_SHARED = ("formattingInstructions", "exampleMessages", "narrative")
_NAMES = {*_DEFAULTS, *_SHARED, "schemaVersion", "$schema", "title", "model", "backgroundImage", "firstMessages"}
_SILENT = "silent"
"""Our mark on a further scenario that has no first message and so stands for no greeting."""


def read(card: Card, scenarios: list[tuple[str, Json]], notes: Notes) -> tuple[Card, list[dict[str, Any]]]:
    """
    Return *card* with what the *scenarios* say, and what else is in each.
    """
    takes = [Taker(raw, f"`{path}` $", notes) for path, raw in scenarios]
    if not takes:
        return card, []
    shared = {name: scenarios[0][1].get(name) for name in _SHARED}
    first, *greetings = [_greeting(take) for take in takes]
    told: dict[str, Any] = {
        "system_prompt": to_card(takes[0].text("formattingInstructions")),
        "scenario": to_card(takes[0].text("narrative")),
        "mes_example": backyard.examples_to_card(_examples(takes[0])),
        "first_mes": first or "",
        "alternate_greetings": tuple(text for text in greetings if text is not None),
    }
    kept = [_kept(takes[0], {}), *(_kept(take, shared) for take in takes[1:])]
    for rest, greeting in zip(kept[1:], greetings, strict=True):
        rest.update({_SILENT: True} if greeting is None else {})
    while kept and not kept[-1]:
        kept.pop()
    return replace(card, **told), kept


def _greeting(take: Taker) -> str | None:
    """
    Take the first message; None where there is none.
    """
    texts = list(_texts(take, "firstMessages"))
    if len(texts) > 1:
        take.notes.add(take.at("firstMessages"), f"are {len(texts)}; the first counts")
    return to_card(texts[0]) if texts else None


def _examples(take: Taker) -> list[str]:
    return list(_texts(take, "exampleMessages"))


def _texts(take: Taker, name: str) -> Iterator[str]:
    held = take.raw(name)
    for item in held if isinstance(held, list) else ():
        if isinstance(item, dict) and isinstance(item.get("text"), str):
            yield item["text"]


def _kept(take: Taker, shared: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return what is left in a scenario and is not as it would be written anyway; a chat is no part of the character.
    """
    take.raw("schemaVersion")
    usual = {**_DEFAULTS, **shared}
    rest = {name: value for name, value in take.rest().items() if name != "messages"}
    return {name: value for name, value in rest.items() if name not in usual or usual[name] != value}


def count(card: Card) -> int:
    """
    Return how many scenarios *card* is written as.
    """
    return 1 + len(list(_further(card)))


def write(card: Card, own_id: str, *, strict: bool) -> list[dict[str, Any]]:
    """
    Return the scenarios of *card*, whose character is *own_id*; *strict* leaves out what the schema does not allow.
    """
    shared = {
        "formattingInstructions": to_backyard(card.system_prompt),
        "exampleMessages": _messages(own_id, backyard.examples_to_backyard(card.mes_example)),
        "narrative": to_backyard(card.scenario),
    }
    kept = _known(card)
    first = _scenario(kept[0] if kept else {}, {}, shared, _greetings(own_id, card.first_mes or None))
    others = [_scenario(rest, shared, {}, _greetings(own_id, greeting)) for rest, greeting in _further(card)]
    return [
        {name: value for name, value in each.items() if not strict or name in {*_NAMES, "messages"}}
        for each in (first, *others)
    ]


def _further(card: Card) -> Iterator[tuple[dict[str, Any], str | None]]:
    """
    Yield the scenarios after the first: what is kept of each, and its greeting.
    """
    greetings = iter(card.alternate_greetings)
    for rest in _known(card)[1:]:
        if rest.get(_SILENT) is True:
            yield {name: value for name, value in rest.items() if name != _SILENT}, None
        elif (greeting := next(greetings, None)) is not None:
            yield rest, greeting
    yield from (({}, greeting) for greeting in greetings)


def _known(card: Card) -> list[dict[str, Any]]:
    kept = backyard.said(card.extensions).get("scenarios")
    return [dict(item) if isinstance(item, dict) else {} for item in kept] if isinstance(kept, list) else []


def _scenario(
    kept: dict[str, Any], shared: Mapping[str, Any], own: Mapping[str, Any], first: list[dict[str, str]]
) -> dict[str, Any]:
    said = {**_DEFAULTS, **shared, **kept, **own}
    return {"schemaVersion": 1, **said, "firstMessages": first, "messages": []}


def _greetings(own_id: str, text: str | None) -> list[dict[str, str]]:
    return [] if text is None else _messages(own_id, [to_backyard(text)])


def _messages(own_id: str, texts: list[str]) -> list[dict[str, str]]:
    return [{"characterID": own_id, "text": text} for text in texts]
