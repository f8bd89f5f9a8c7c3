"""
What a match says: which entries fire, and for every entry of the book what made it fire or kept it out.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator

from lorebook.matching import javascript as js
from lorebook.matching.decorators import DecoratorLine
from lorebook.matching.obstacles import Obstacle
from lorebook.matching.reasons import Reason
from lorebook.records import Frozen, Position, Role

_DECORATORS = "The decorators at the head of its content, in order, and why those do nothing that do nothing."


class State(Frozen):
    """
    What the next match of the same chat must be given.
    """

    timed: dict[str, dict[str, Any]] = Field(default={}, description="SillyTavern's timedWorldInfo.")
    injected: tuple[str, ...] = Field(default=(), description="What fired, in prompt order: book and uid.")
    matched: tuple[str, ...] = Field(
        default=(), description="What has ever fired and has a decorator that minds (`..._after_match`): book and uid."
    )


class ActivatedEntry(Frozen):
    """
    An entry that fires.
    """

    uid: int
    name: str
    rule: str | None
    content: str
    position: Position
    depth: int
    role: Role
    insertion_order: int
    outlet: str | None = Field(default=None, description="The outlet's name, for that position.")
    scan_pass: int = Field(default=0, description="The pass of the scan in which it fired, 0 being the first.")
    tokens: int
    reasons: tuple[Reason, ...]
    decorators: tuple[DecoratorLine, ...] = Field(default=(), description=_DECORATORS)

    @field_validator("outlet", mode="before")
    @classmethod
    def _name(cls, value: object) -> object:
        # Books are read by a program that never checks types: a number names what its text names.
        return value if value is None else js.text(value)


class HeldBackEntry(Frozen):
    """
    An entry that does not fire, what kept it out, and what spoke for it.
    """

    uid: int
    name: str
    rule: str | None
    obstacle: Obstacle
    reasons: tuple[Reason, ...] = ()
    decorators: tuple[DecoratorLine, ...] = Field(default=(), description=_DECORATORS)


class Activation(Frozen):
    """
    What a chat does to a book.
    """

    book: str
    entries: tuple[ActivatedEntry, ...] = Field(description="In prompt order within each position.")
    held_back: tuple[HeldBackEntry, ...] = Field(description="In the book's order.")
    messages_scanned: int
    tokens: int
    token_budget: int
    disabled_prompts: tuple[str, ...] = Field(
        default=(), description="Prompts of the frontend that entries which fire ask to leave out."
    )
    state: State = Field(default=State(), description="To be handed in with the next turn.")
