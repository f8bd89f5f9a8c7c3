"""
What a match says: which entries fire, and for every entry of the book what made it fire or kept it out.

An explanation is data first; its text is made from the data.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from lorebook.records import Frozen, Position, Role, SecondaryLogic


class Constant(Frozen):
    """
    The entry is always on.
    """

    kind: Literal["constant"] = "constant"

    def __str__(self) -> str:
        return "always on"


class KeyHit(Frozen):
    """
    A key stands in the chat.
    """

    kind: Literal["key", "secondary_key"] = "key"
    key: str
    message: int = Field(description="Index of the message, 0 being the oldest of the chat.")
    start: int = Field(description="Characters of the message before the match.")
    end: int
    text: str = Field(description="What matched, as the message spells it.")

    def __str__(self) -> str:
        name = "key" if self.kind == "key" else "secondary key"
        spelt = "" if self.text == self.key else f" as {self.text!r}"
        return f"{name} {self.key!r} in message {self.message + 1}{spelt}"


class VectorHit(Frozen):
    """
    The chat means what the entry says, without naming a key.
    """

    kind: Literal["vector"] = "vector"
    score: float
    passage: str = Field(default="", description="The passage of the entry that is nearest.")

    def __str__(self) -> str:
        return f"by meaning, score {self.score:.2f}"


class Disabled(Frozen):
    """
    The entry is switched off.
    """

    kind: Literal["disabled"] = "disabled"

    def __str__(self) -> str:
        return "disabled"


class NoKey(Frozen):
    """
    No primary key stands in the scanned messages.
    """

    kind: Literal["no_key"] = "no_key"
    keys: int = Field(description="How many keys were looked for.")
    messages: int = Field(description="How many messages were scanned.")

    def __str__(self) -> str:
        if not self.keys:
            return "has no keys"
        return f"none of {self.keys} keys in the last {self.messages} messages"


class SecondaryFailed(Frozen):
    """
    A primary key matched, and the secondary keys said no.
    """

    kind: Literal["secondary_logic"] = "secondary_logic"
    logic: SecondaryLogic
    matched: tuple[str, ...]
    unmatched: tuple[str, ...]

    def __str__(self) -> str:
        return f"secondary keys ({self.logic}): matched {list(self.matched)}, not {list(self.unmatched)}"


class RollFailed(Frozen):
    """
    The draw went against the entry's probability.
    """

    kind: Literal["probability"] = "probability"
    rolled: float
    probability: float

    def __str__(self) -> str:
        return f"rolled {self.rolled:.1f}, needed at most {self.probability:g}"


class OverBudget(Frozen):
    """
    The entry would not fit into what was left of the token budget.
    """

    kind: Literal["budget"] = "budget"
    tokens: int
    left: int
    budget: int

    def __str__(self) -> str:
        return f"needs {self.tokens} tokens, {self.left} of {self.budget} are left"


class VectorLimit(Frozen):
    """
    Other entries were nearer in meaning, and only so many may come in that way.
    """

    kind: Literal["vector_limit"] = "vector_limit"
    score: float
    limit: int

    def __str__(self) -> str:
        return f"by meaning (score {self.score:.2f}) behind the {self.limit} nearest"


Reason: TypeAlias = Annotated[Constant | KeyHit | VectorHit, Field(discriminator="kind")]
Obstacle: TypeAlias = Annotated[
    Disabled | NoKey | SecondaryFailed | RollFailed | OverBudget | VectorLimit, Field(discriminator="kind")
]


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
    tokens: int
    reasons: tuple[Reason, ...]


class HeldBackEntry(Frozen):
    """
    An entry that does not fire, what kept it out, and what spoke for it.
    """

    uid: int
    name: str
    rule: str | None
    obstacle: Obstacle
    reasons: tuple[Reason, ...] = ()


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
