"""
What only the program of the old file uses: named in a conversion, once an entry, and never where it is lost or kept.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook.book import Book
from lorebook.formats import FORMATS, Card, Content, Document, Loss, LossKind, asides, convert, open_document

NOVELAI: dict[str, Any] = {
    "lorebookVersion": 6,
    "entries": [
        {"text": "Opens.", "displayName": "Gate", "keys": ["gate"], "id": "x", "lastUpdatedAt": 1, "searchRange": 500},
        {"text": "Shut.", "displayName": "Door", "keys": ["door"], "id": "y", "hidden": False, "loreBiasGroups": []},
    ],
    "categories": [],
    "order": ["x", "y"],
}
AI_DUNGEON = [{"keys": "gate", "value": "Opens.", "title": "Gate", "type": "place", "description": "", "id": "1"}]
KOBOLDAI = {
    "gamestarted": True,
    "worldinfo": [{"key": "gate", "keysecondary": "tide", "keyanti": "moon", "selective": True, "content": "Opens."}],
}
AGNAI = {
    "kind": "character",
    "name": "Mira",
    "persona": {"kind": "sbf", "attributes": {"mood": ["dry"]}},
    "greeting": "Hi.",
    "sampleChat": "",
    "appearance": "Grey coat.",
    "_id": "x",
}
RISUAI = {"type": "risu", "ver": 1, "data": [{"key": "gate", "content": "Opens.", "folder": "f", "id": "x"}]}


def opened(value: object) -> Document:
    return open_document(json.dumps(value).encode(), file_name="file")


def named(value: object, name: str) -> list[tuple[int | None, str, str]]:
    losses = convert(opened(value), FORMATS[name], origin=False).losses
    return [(loss.entry, loss.field, loss.why) for loss in losses if loss.why.startswith("only ")]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (NOVELAI, (0, "extensions.novelai", "only NovelAI uses it: searchRange")),
        (AI_DUNGEON, (0, "extensions.aidungeon", "only AI Dungeon uses it: type")),
        (KOBOLDAI, (0, "extensions.koboldai", "only KoboldAI uses it: keyanti")),
        (RISUAI, (0, "extensions.risuai", "only RisuAI uses it: folder")),
    ],
    ids=["NovelAI", "AI Dungeon", "KoboldAI", "RisuAI"],
)
@pytest.mark.parametrize("name", ["world-info", "card-v2", "card-v3"])
def test_what_the_new_files_readers_pass_over_is_named_once(
    value: object, name: str, found: tuple[int, str, str]
) -> None:
    assert named(value, name) == [found]


def test_what_a_character_has_beyond_a_card_is_named() -> None:
    assert named(AGNAI, "card-v2") == [(None, "card.extensions.agnai", "only Agnai uses it: appearance")]


@pytest.mark.parametrize("name", ["novelai", "novelai-png", "novelai-scenario"])
def test_the_programs_own_formats_lose_nothing_of_it(name: str) -> None:
    assert named(NOVELAI, name) == []


def test_what_is_lost_is_not_named_again() -> None:
    losses = convert(opened(NOVELAI), FORMATS["ai-dungeon"], origin=False).losses
    kinds = [(loss.entry, loss.kind) for loss in losses if loss.field == "extensions.novelai"]
    assert kinds == [(None, LossKind.LOST), (0, LossKind.LOST), (1, LossKind.LOST)]


def test_a_file_of_another_program_has_it_from_elsewhere() -> None:
    """A card that brings along what RisuAI keeps says the same in PNG: nothing changes for its readers."""
    card = {"spec": "chara_card_v2", "data": {"name": "Mira", "extensions": {"risuai": {"bias": [["a", 1]]}}}}
    assert named(card, "card-v3") == []


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        ({"categories": [{"id": "x", "name": "places"}]}, "only NovelAI uses it: categories (name)"),
        (
            {"contextConfig": {"insertionPosition": 0}, "category": "c"},
            "only NovelAI uses it: contextConfig (insertionPosition), category",
        ),
        (
            {"settings": {"a": 1, "b": "", "c": {"d": 2}, "e": True, "f": [3], "g": 4}},
            "only NovelAI uses it: settings (a, c, e, f, …)",
        ),
        ({"categories": [{"id": "x", "name": ""}], "id": "y", "keyRelative": False, "settings": {}}, None),
        ("text", None),
    ],
    ids=["a list", "a number", "many", "ids and what is empty", "no object"],
)
def test_ids_times_and_what_is_empty_say_nothing(kept: object, why: str | None) -> None:
    found = list(asides.remarks(Content(Book(name="", extensions={"novelai": kept})), "novelai"))
    assert found == ([Loss(None, "extensions.novelai", why, LossKind.UNREAD)] if why else [])


def test_of_programs_that_keep_nothing_nothing_is_named() -> None:
    kept = {"oobabooga": {"your_name": "You"}}
    assert not list(asides.remarks(Content(card=Card(name="Mira", extensions=kept)), ""))


DECORATED: dict[str, Any] = {
    "spec": "lorebook_v3",
    "data": {
        "extensions": {},
        "entries": [
            {"keys": ["gate"], "content": "@@activate\n@@depth 4\n@@@end\nOpens.\n@@role user"},
            {"keys": ["door"], "content": "Shut.\n@@depth 2"},
        ],
    },
}


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("world-info", "@@depth, @@end"),
        ("card-v2", "@@depth, @@end"),
        ("novelai", "@@activate, @@depth, @@end"),
        ("ai-dungeon", "@@activate, @@depth, @@end"),
        ("card-v3", None),
        ("risu-lorebook", None),
    ],
)
def test_decorators_are_named_where_they_are_text(name: str, names: str | None) -> None:
    losses = [loss for loss in convert(opened(DECORATED), FORMATS[name]).losses if loss.field == "content"]
    told = "the decorators above the text are part of it for readers that do not know them"
    assert losses == ([Loss(0, "content", f"{told}: {names}", LossKind.UNREAD)] if names else [])


def test_decorators_of_a_file_whose_readers_do_not_know_them_are_text_already() -> None:
    world = convert(opened(DECORATED), FORMATS["world-info"], origin=False).data
    losses = convert(open_document(world, file_name="x"), FORMATS["novelai"]).losses
    assert "content" not in [loss.field for loss in losses]
