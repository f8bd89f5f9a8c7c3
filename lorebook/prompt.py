"""
An activation becomes prompt text.

Each position gets its entries' texts, joined by line breaks in prompt order; entries at a depth become
messages to be inserted so many messages from the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lorebook.matching.activation import ActivatedEntry, Activation
from lorebook.matching.chat import Message
from lorebook.records import Frozen, Position, Role

_SEPARATOR = "\n\n"


class Injection(Frozen):
    """
    A text to be inserted as a message of *role*, *depth* messages from the end of the chat.
    """

    depth: int
    role: Role
    text: str


class Prompt(Frozen):
    """
    The text of an activation, by the place where it goes.
    """

    positions: dict[Position, str]
    injections: tuple[Injection, ...] = ()
    outlets: dict[str, str] = {}
    """By the name under which a prompt template asks for it."""

    @property
    def system_text(self) -> str:
        """
        All text that has a named place, in prompt order: what goes into a single system message.
        """
        return _SEPARATOR.join(self.positions[position] for position in Position if position in self.positions)


def render(activation: Activation) -> Prompt:
    """
    Return the prompt text of *activation*.
    """
    by_position: dict[Position, list[str]] = {}
    outlets: dict[str, list[str]] = {}
    for entry in activation.entries:
        if entry.position is Position.OUTLET and entry.content and entry.outlet:
            # Outlets run the other way: the highest insertion order first.
            outlets.setdefault(entry.outlet, []).insert(0, entry.content)
        elif entry.position not in {Position.AT_DEPTH, Position.OUTLET} and entry.content:
            by_position.setdefault(entry.position, []).append(entry.content)
    return Prompt(
        positions={
            position: _SEPARATOR.join(by_position[position]) for position in Position if position in by_position
        },
        injections=_injections(activation.entries),
        outlets={name: _SEPARATOR.join(texts) for name, texts in outlets.items()},
    )


def insert(chat: Sequence[Message], prompt: Prompt) -> list[Message]:
    """
    Return *chat* with the prompt's text in it: named places as a first system message, injections at their depth.
    """
    messages = list(chat)
    for injection in prompt.injections:
        at = max(0, len(chat) - injection.depth)
        messages.insert(at, Message(role=injection.role, content=injection.text))
    if text := prompt.system_text:
        messages.insert(0, Message(role=Role.SYSTEM, content=text))
    return messages


def _injections(entries: Sequence[ActivatedEntry]) -> tuple[Injection, ...]:
    at_depth = [entry for entry in entries if entry.position is Position.AT_DEPTH and entry.content]
    at_depth.sort(key=lambda entry: (entry.depth, entry.role))
    return tuple(
        Injection(depth=depth, role=role, text=_SEPARATOR.join(entry.content for entry in group))
        for (depth, role), group in groupby(at_depth, key=lambda entry: (entry.depth, entry.role))
    )
