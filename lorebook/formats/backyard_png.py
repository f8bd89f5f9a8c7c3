"""
A character of Backyard (once Faraday) as a picture: JSON in the comment of its Exif data.

Versions 1 and 2 wrote the JSON itself, version 4 writes it in base64; both are read, and stay as they are. New ones
are of version 4. https://github.com/ahoylabs/byaf (`character-image`)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from lorebook.formats import backyard, identity, stories
from lorebook.formats.backyard import to_backyard, to_card
from lorebook.formats.card import MAIN_ICON, OWN_PICTURE, Card
from lorebook.formats.containers.container import Data
from lorebook.formats.containers.parts import Parts
from lorebook.formats.containers.png import EXIF_PART, PNG
from lorebook.formats.format import Content, Format, Json, Loss, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

_VERSION = 4
_INSIDE = "character"
# What version 4 must have beside the fields of a card, as the program fills it in.
_DEFAULTS: Mapping[str, Any] = {
    "Chat": [],
    "model": "",
    "isNSFW": False,
    "temperature": 1.2,
    "topP": 0.9,
    "topK": 30,
    "minP": 0.1,
    "minPEnabled": True,
    "repeatPenalty": 1.05,
    "repeatLastN": 256,
    "promptTemplate": None,
    "grammar": None,
    "canDeleteCustomDialogue": True,
}


def detect(raw: Json) -> str | None:
    """
    Say why *raw* is a character of Backyard, or None.
    """
    inner = raw.get(_INSIDE) if isinstance(raw, dict) else None
    if isinstance(inner, dict) and ("aiName" in inner or "aiDisplayName" in inner):
        return "it has `character.aiName`, as Backyard's pictures have"
    return None


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read the character and its lore.
    """
    take = Taker(raw, where, notes).inner(_INSIDE)
    short, full, dialogue = take.text("aiName"), take.text("aiDisplayName"), take.text("customDialogue")
    book, name = backyard.read_book(take), full or short
    created, modified = identity.take_dates(take)
    card = Card(
        name=name,
        nickname="" if short == full or not full else short,
        description=to_card(take.text("aiPersona")),
        scenario=to_card(take.text("scenario")),
        first_mes=to_card(take.text("firstMessage")),
        mes_example=backyard.examples_to_card([dialogue] if dialogue else []),
        system_prompt=to_card(take.text("basePrompt")),
        creation_date=created,
        modification_date=modified,
    )
    # A chat is no part of the character: it stays in the file and is taken nowhere else.
    rest = {key: value for key, value in take.rest().items() if key != "Chat" and _DEFAULTS.get(key) != value}
    own_id = str(rest.get("id"))
    if own_id == identity.make_id(name):
        del rest["id"]
    card = replace(card, extensions=backyard.kept(character=rest))
    return Content(book and backyard.without_ids(book, lambda uid: _item_id(own_id, uid)), card)


def _item_id(character_id: str, uid: int) -> str:
    return identity.make_id(character_id, str(uid))


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: FBT001 (the protocol's)
    """
    Return the character as version 4 has it; *strict* leaves out what that has not.
    """
    card = content.needed_card
    rest = backyard.said(card.extensions).get("character")
    known = {name: value for name, value in rest.items() if name != "Chat"} if isinstance(rest, dict) else {}
    own = {
        "id": str(known.get("id") or identity.make_id(card.name)),
        **identity.dates(card),
        "aiName": card.nickname or card.name,
        "aiDisplayName": card.name,
        "aiPersona": to_backyard(card.description),
        "scenario": to_backyard(card.scenario),
        "firstMessage": to_backyard(card.first_mes),
        "customDialogue": "\n<START>\n".join(backyard.examples_to_backyard(card.mes_example)),
        "basePrompt": to_backyard(card.system_prompt),
    }
    found = {**_DEFAULTS, **known, **own}
    names = {*_DEFAULTS, *own} if strict else set(found)
    items = backyard.write_items(content.book, strict=strict)
    named = [{"id": _item_id(own["id"], uid), **item} for uid, item in enumerate(items)]
    shown = {name: value for name, value in found.items() if name in names}
    return {_INSIDE: shown | {"loreItems": named}, "version": _VERSION}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the lore is.
    """
    inner = raw.get(_INSIDE) if isinstance(raw, dict) else None
    there = isinstance(inner, dict) and isinstance(inner.get("loreItems"), list | dict)
    return ((_INSIDE, "loreItems"),) if there else ()


def left(raw: Json) -> Iterator[Loss]:
    """
    Yield the chats that were had with the character.
    """
    chats = raw[_INSIDE].get("Chat")
    held = chats if isinstance(chats, list) else ()
    return stories.chat(*(each.get("ChatItems") for each in held if isinstance(each, dict)))


def _pack(content: Content) -> tuple[Content, Mapping[str, bytes]]:
    """
    Return *content* with its main icon named as the picture that the file itself will be.
    """
    card = content.needed_card
    others = tuple(asset for asset in card.assets if (asset.kind, asset.name) != ("icon", "main"))
    return replace(content, card=replace(card, assets=(MAIN_ICON, *others))), {}


def _files(_content: Content, _parts: Mapping[str, bytes], data: Data) -> Mapping[str, bytes]:
    return Parts({OWN_PICTURE: partial(_picture, data)})


def _picture(data: Data) -> bytes:
    return b"".join(PNG.without(data[:], (EXIF_PART,)))


_WHY = backyard.WHY | {"card.alternate_greetings": "Backyard's pictures have one first message"}
SCHEMA = Schema(detect, read, write, entries_at, why=_WHY, remarks=backyard.remarks, left=left)
FORMAT = Format(
    name="backyard-png",
    title="Backyard character in a PNG picture",
    suffix=".png",
    container=PNG,
    slots=(Slot(EXIF_PART, (SCHEMA,), base64=True, plain_too=True),),
    written={EXIF_PART: SCHEMA},
    app=backyard.OWN,
    is_listed=True,
    is_card=True,
    shows_picture=True,
    pack=_pack,
    assets=_files,
)
