"""
An activation becomes prompt text.

Each position gets its entries' texts in prompt order, an empty line between them; entries at a depth become
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
    told = [entry for entry in activation.entries if entry.content]
    return Prompt(positions=_positions(told), injections=_injections(told), outlets=_outlets(told))


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


def _positions(entries: Sequence[ActivatedEntry]) -> dict[Position, str]:
    texts: dict[Position, list[str]] = {}
    for entry in entries:
        texts.setdefault(entry.position, []).append(entry.content)
    named = (position for position in Position if position not in {Position.AT_DEPTH, Position.OUTLET})
    return {position: _SEPARATOR.join(texts[position]) for position in named if position in texts}


def _outlets(entries: Sequence[ActivatedEntry]) -> dict[str, str]:
    texts: dict[str, list[str]] = {}
    for entry in entries:
        if entry.position is Position.OUTLET and entry.outlet:
            texts.setdefault(entry.outlet, []).append(entry.content)
    # Outlets run the other way: the highest insertion order first.
    return {name: _SEPARATOR.join(reversed(held)) for name, held in texts.items()}


def _injections(entries: Sequence[ActivatedEntry]) -> tuple[Injection, ...]:
    at_depth = [entry for entry in entries if entry.position is Position.AT_DEPTH]
    at_depth.sort(key=lambda entry: (entry.depth, entry.role))
    return tuple(
        Injection(depth=depth, role=role, text=_SEPARATOR.join(entry.content for entry in group))
        for (depth, role), group in groupby(at_depth, key=lambda entry: (entry.depth, entry.role))
    )
