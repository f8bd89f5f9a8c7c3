"""An activation becomes prompt text."""

from __future__ import annotations

from lorebook.book import Book, Entry
from lorebook.matching.chat import Message
from lorebook.matching.engine import match
from lorebook.prompt import insert, render
from lorebook.records import EntrySettings, Position, Role


def message(text: str) -> Message:
    return Message(role=Role.USER, content=text)


def constant(uid: int, content: str, **settings: object) -> Entry:
    return Entry(uid=uid, content=content, settings=EntrySettings.model_validate({"constant": True, **settings}))


BOOK = Book(
    name="test",
    entries=(
        constant(0, "after", position=Position.AFTER_CHAR),
        constant(1, "second", insertion_order=2),
        constant(2, "first", insertion_order=1),
        constant(3, "deep", position=Position.AT_DEPTH, depth=2),
        constant(4, "last", position=Position.AT_DEPTH, depth=0, role=Role.USER),
        constant(5, "far", position=Position.AT_DEPTH, depth=99),
    ),
)
CHAT = [message("one"), message("two"), message("three")]


def test_every_position_gets_its_texts_in_prompt_order() -> None:
    prompt = render(match(CHAT, BOOK))
    assert prompt.positions == {Position.BEFORE_CHAR: "first\n\nsecond", Position.AFTER_CHAR: "after"}
    assert [(item.depth, item.text) for item in prompt.injections] == [(0, "last"), (2, "deep"), (99, "far")]


def test_injections_stand_so_many_messages_from_the_end() -> None:
    texts = [item.content for item in insert(CHAT, render(match(CHAT, BOOK)))]
    assert texts == ["first\n\nsecond\n\nafter", "far", "one", "deep", "two", "three", "last"]


def test_nothing_that_fires_leaves_the_chat_as_it_is() -> None:
    assert insert(CHAT, render(match(CHAT, Book(name="empty")))) == CHAT
