"""
Backyard's archive (BYAF): a manifest, one character with its lore and pictures, and one scenario or more.

The first scenario has the card's scenario and first message, each further one another greeting. A new file keeps to
the schemas of https://github.com/ahoylabs/byaf (`schemas/v1`); chats in a scenario stay in the file they are in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lorebook.errors import FormatError
from lorebook.formats import assets, backyard, byaf_scenarios, identity, stories
from lorebook.formats.backyard import to_backyard, to_card
from lorebook.formats.byaf_members import CHARACTERS, MANIFEST, SCENARIOS, Members, found, unusual, wanted
from lorebook.formats.byaf_pictures import into_members, read_images, write_images
from lorebook.formats.card import Card
from lorebook.formats.containers.archive import ZIP
from lorebook.formats.containers.container import Data
from lorebook.formats.format import Content, Format, Json, Loss, Place, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.taker import Taker

_NAMES = frozenset(
    {
        *("schemaVersion", "$schema", "id", "name", "displayName", "isNSFW", "persona", "createdAt", "updatedAt"),
        *("loreItems", "images"),
    }
)
"""What the schema allows in a character."""


def detect(raw: Json) -> str | None:
    """
    Say why *raw*, the JSON of an archive's members, is Backyard's, or None.
    """
    path = found(raw).character
    return None if path is None else f"it has `{path}`, as Backyard's archives have"


def read(raw: Json, where: str, notes: Notes) -> Content:
    """
    Read the character, its lore and its scenarios.

    Raises FormatError where there is no character.
    """
    members = found(raw)
    if members.character is None:
        raise FormatError("there is no character in the archive", where=where)
    members.note_others(raw, notes)
    take = Taker(raw[members.character], f"`{members.character}` $", notes)
    own_id, short, full = take.text("id"), take.text("name"), take.text("displayName")
    name, book = full or short, backyard.read_book(take)
    images, labels = read_images(take, members.character)
    author = _author(raw)
    created, modified = identity.take_dates(take)
    card = Card(
        name=name,
        nickname="" if short == full or not full else short,
        description=to_card(take.text("persona")),
        creator=str(author.get("name", "")),
        creation_date=created,
        modification_date=modified,
        assets=images,
    )
    card, scenarios = byaf_scenarios.read(card, [(path, raw[path]) for path in members.scenarios], notes)
    take.raw("schemaVersion")
    known = {} if own_id in ("", identity.make_id(name)) else {"id": own_id}
    rest = known | {key: value for key, value in take.rest().items() if (key, value) != ("isNSFW", False)}
    author = {key: value for key, value in author.items() if key != "name"}
    kept = backyard.kept(
        character=rest, scenarios=scenarios, paths=unusual(own_id, members), author=author, labels=labels
    )
    return Content(book, replace(card, extensions=kept))


def _author(raw: Json) -> dict[str, Any]:
    manifest = raw.get(MANIFEST)
    author = manifest.get("author") if isinstance(manifest, dict) else None
    return dict(author) if isinstance(author, dict) else {}


def write(content: Content, strict: bool) -> dict[str, Any]:  # noqa: FBT001 (the protocol's)
    """
    Return the members; *strict* leaves out what the schemas do not allow.
    """
    card = content.needed_card
    own_id, members = _members(card)
    scenarios = byaf_scenarios.write(card, own_id, strict=strict)
    return {
        MANIFEST: _manifest(card, members),
        str(members.character): _character(content, own_id, str(members.character), strict=strict),
        **dict(zip(members.scenarios, scenarios, strict=True)),
    }


def _members(card: Card) -> tuple[str, Members]:
    said = backyard.said(card.extensions)
    character = said.get("character")
    own_id = str((character.get("id") if isinstance(character, dict) else "") or identity.make_id(card.name))
    count = byaf_scenarios.count(card)
    return own_id, wanted(own_id, count, said.get("paths"))


def pinned(before: Content, after: Content) -> Content:
    """
    Return *after* with the id and the members that *before* has.
    """
    card = after.needed_card
    old_id, old = _members(before.needed_card)
    said = backyard.said(card.extensions)
    character = said.get("character")
    character = dict(character) if isinstance(character, dict) else {}
    own_id = str(character.get("id") or old_id)
    if own_id != identity.make_id(card.name):
        character["id"] = own_id
    members = wanted(own_id, byaf_scenarios.count(card), [str(old.character), *old.scenarios])
    kept = backyard.kept(**{**said, "character": character, "paths": unusual(own_id, members)})
    others = {name: value for name, value in card.extensions.items() if name != backyard.OWN}
    return replace(after, card=replace(card, extensions=others | kept))


def _manifest(card: Card, members: Members) -> dict[str, Any]:
    kept = backyard.said(card.extensions).get("author")
    # Backyard's own reader wants both of an author's fields, or no author.
    author = {"name": card.creator, **kept} if isinstance(kept, dict) and kept.get("backyardURL") else None
    return {
        "schemaVersion": 1,
        "createdAt": identity.dates(card)["updatedAt"],
        **({"author": author} if author else {}),
        "characters": [members.character],
        "scenarios": list(members.scenarios),
    }


def _character(content: Content, own_id: str, path: str, *, strict: bool) -> dict[str, Any]:
    card = content.needed_card
    said = backyard.said(card.extensions)
    kept = said.get("character")
    labels = said.get("labels")
    own = {
        "schemaVersion": 1,
        "id": own_id,
        "name": card.nickname or card.name,
        "displayName": card.name,
        "persona": to_backyard(card.description),
        **identity.dates(card),
        "loreItems": backyard.write_items(content.book, strict=strict),
        "images": write_images(card, path, labels if isinstance(labels, dict) else {}),
    }
    found = {"isNSFW": False, **(kept if isinstance(kept, dict) else {}), **own}
    return {name: value for name, value in found.items() if not strict or name in _NAMES}


def entries_at(raw: Json) -> tuple[Place, ...]:
    """
    Return where the lore is.
    """
    path = found(raw).character
    there = path is not None and isinstance(raw[path].get("loreItems"), list | dict)
    return ((str(path), "loreItems"),) if there else ()


def left(raw: Json) -> Iterator[Loss]:
    """
    Yield the chats in the scenarios.
    """
    return stories.chat(*(raw[path].get("messages") for path in found(raw).scenarios))


def _pack(content: Content) -> tuple[Content, Mapping[str, bytes]]:
    return into_members(content, str(_members(content.needed_card)[1].character))


def _files(content: Content, parts: Mapping[str, bytes], _data: Data) -> Mapping[str, bytes]:
    return assets.in_members(content, parts)


_WHY = backyard.WHY | {"card.creator": "Backyard wants the author's page, too, which the card does not name"}
SCHEMA = Schema(detect, read, write, entries_at, why=_WHY, remarks=backyard.remarks, left=left, pinned=pinned)
FORMAT = Format(
    name="byaf",
    title="Backyard archive",
    suffix=".byaf",
    container=ZIP,
    slots=(Slot(MANIFEST, (SCHEMA,), together=True, more=(CHARACTERS, SCENARIOS)),),
    written={MANIFEST: SCHEMA},
    app=backyard.OWN,
    is_listed=True,
    is_card=True,
    ready_made="Backyard, whose own archive brings the picture along",
    pack=_pack,
    assets=_files,
)
