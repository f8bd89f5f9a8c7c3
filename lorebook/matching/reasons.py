"""
Why an entry fires: data first, its text is made from the data.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from lorebook.records import Frozen


class Constant(Frozen):
    """
    The entry is always on.
    """

    kind: Literal["constant"] = "constant"

    def __str__(self) -> str:
        return "always on"


class Sticky(Frozen):
    """
    The entry stays on from an earlier turn.
    """

    kind: Literal["sticky"] = "sticky"
    until: float | None = Field(description="The chat length at which it ends.")

    def __str__(self) -> str:
        return "sticky" if self.until is None else f"sticky until the chat has {self.until:g} messages"


class Decorator(Frozen):
    """
    A decorator in the entry's content forces it on.
    """

    kind: Literal["decorator"] = "decorator"
    name: Literal["activate", "keep_activate_after_match"] = "activate"

    def __str__(self) -> str:
        if self.name == "activate":
            return "forced on by a decorator"
        return f"on for good since it has fired once (@@{self.name})"


class Scanned(StrEnum):
    """
    What kind of text a key was found in.
    """

    MESSAGE = "message"
    SOURCE = "source"
    INJECTION = "injection"
    ENTRY = "entry"
    ANYWHERE = "anywhere"


class KeyHit(Frozen):
    """
    A key stands in what was scanned.
    """

    kind: Literal["key", "secondary_key"] = "key"
    key: str
    scanned: Scanned = Scanned.MESSAGE
    message: int | None = Field(default=None, description="Index of the message, 0 being the oldest of the chat.")
    fed_by: str | None = Field(default=None, description="The uid of the entry whose text it was found in.")
    start: int | None = Field(default=None, description="Characters of the message before the match.")
    end: int | None = None
    text: str = Field(default="", description="What matched, as it is spelt there.")

    def __str__(self) -> str:
        name = "key" if self.kind == "key" else "secondary key"
        spelt = f" as {self.text!r}" if self.text not in {"", self.key} else ""
        return f"{name} {self.key!r} in {self._place()}{spelt}"

    def _place(self) -> str:
        if self.message is not None:
            return f"message {self.message + 1}"
        return f"the text of entry {self.fed_by}" if self.fed_by else f"the scanned {self.scanned}"


class VectorHit(Frozen):
    """
    The chat means what the entry says, without naming a key.
    """

    kind: Literal["vector"] = "vector"
    score: float
    passage: str = Field(default="", description="The passage of the entry that is nearest.")

    def __str__(self) -> str:
        return f"by meaning, score {self.score:.2f}"


Reason: TypeAlias = Annotated[Constant | Sticky | Decorator | KeyHit | VectorHit, Field(discriminator="kind")]
