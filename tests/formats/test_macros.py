"""
Macros of cards in files of programs that do not know them.
"""

from __future__ import annotations

import pytest

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, Card, Loss, LossKind
from tests.formats import files

_BOOK = Book(
    name="",
    entries=(
        Entry(uid=0, content="{{user}} opens {{Char}}'s gate for {{user}}."),
        Entry(uid=1, content="{{random:a}}"),
    ),
)


@pytest.mark.parametrize(
    ("name", "program"), [("novelai", "NovelAI"), ("novelai-png", "NovelAI"), ("ai-dungeon", "AI Dungeon")]
)
def test_macros_that_a_program_shows_as_they_stand_are_named(name: str, program: str) -> None:
    losses = [loss for loss in files.made(FORMATS[name], _BOOK).losses if loss.kind is LossKind.UNREAD]
    told = f"{program} puts no names for macros: {{{{user}}}}, {{{{Char}}}}"
    assert losses == [Loss(0, "content", told, LossKind.UNREAD)]


def test_macros_of_a_character_are_named_too() -> None:
    card = Card(name="Mira", first_mes="Mind the step, {{user}}.", personality="{{char}} is dry.")
    losses = files.made(FORMATS["novelai-scenario"], None, card).losses
    assert [loss.field for loss in losses if loss.kind is LossKind.UNREAD] == ["card.first_mes"]
    assert ("card.personality", LossKind.LOST) in [(loss.field, loss.kind) for loss in losses]


@pytest.mark.parametrize("name", ["world-info", "card-v2", "agnai", "byaf", "voxta", "koboldai"])
def test_programs_that_know_macros_lose_none(name: str) -> None:
    card = Card(name="Mira") if FORMATS[name].is_card else None
    book = Book(name="", entries=(Entry(uid=0, content="{{user}} opens {{char}}'s gate."),))
    assert "content" not in [loss.field for loss in files.made(FORMATS[name], book, card).losses]
