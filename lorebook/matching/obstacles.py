"""
What keeps an entry out of the prompt: data first, its text is made from the data.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from lorebook.records import Frozen, SecondaryLogic


class Disabled(Frozen):
    """
    The entry is switched off.
    """

    kind: Literal["disabled"] = "disabled"

    def __str__(self) -> str:
        return "disabled"


class Filtered(Frozen):
    """
    A filter lets the entry in for other generations, characters or tags only.
    """

    kind: Literal["filter"] = "filter"
    by: Literal["trigger", "character", "tag"]
    listed: tuple[str, ...] = Field(default=(), description="The characters or tags that the filter names.")
    excludes: bool = Field(default=False, description="Whether the filter lets in all but those.")
    found: tuple[str, ...] = Field(default=(), description="The character, or its tags, where they are known.")

    def __str__(self) -> str:
        if self.by == "trigger":
            return "its trigger filter leaves this chat out"
        lets_in = f"its {self.by} filter lets in {'all but' if self.excludes else 'only'} {', '.join(self.listed)}"
        return f"{lets_in}, and {self._who()} (--{self.by})"

    def _who(self) -> str:
        names = ", ".join(self.found)
        if self.by == "tag":
            return f"the character's tags are {names}" if names else "the character has no tag"
        return f"this is {names}" if names else "no character is named"


class Delayed(Frozen):
    """
    The chat is too short yet.
    """

    kind: Literal["delay"] = "delay"
    until: float = Field(description="The chat length from which the entry may fire.")
    length: int

    def __str__(self) -> str:
        return f"delayed until the chat has {self.until:g} messages, it has {self.length}"


class CoolingDown(Frozen):
    """
    The entry fired not long ago.
    """

    kind: Literal["cooldown"] = "cooldown"
    until: float | None

    def __str__(self) -> str:
        return "cooling down" if self.until is None else f"cooling down until the chat has {self.until:g} messages"


class Decorated(Frozen):
    """
    A decorator in the entry's content keeps it out.
    """

    kind: Literal["decorator"] = "decorator"
    name: str = Field(default="dont_activate", description="The decorator, without its sign.")
    value: str = ""
    found: str = Field(default="", description="What there was instead: a number of messages, a greeting, keys.")

    def __str__(self) -> str:
        return _DECORATED[self.name].format(value=self.value, found=self.found)


_DECORATED = {
    "dont_activate": "forced off by a decorator",
    "dont_activate_after_match": "has fired once, which is all it wants (@@dont_activate_after_match)",
    "activate_only_after": "waits until the assistant has written {value} messages, it has written {found}",
    "activate_only_every": "comes when the assistant's number of messages is a multiple of {value}, it is {found}",
    "is_greeting": "belongs to greeting {value}, and {found} is in use",
    "is_user_icon": "belongs to the user icon {value!r}, and {found!r} is in use",
    "additional_keys": "none of its additional keys ({value}) is in what it scans",
    "exclude_keys": "kept out by {found}, of its excluded keys ({value})",
    "exclude_keys_all": "kept out because all of its excluded keys ({value}) are there",
}


class RecursionOnly(Frozen):
    """
    The entry takes part in other passes than those that were made.
    """

    kind: Literal["recursion"] = "recursion"
    why: Literal["waits_for_recursion", "waits_for_level", "excluded_from_recursion"]

    def __str__(self) -> str:
        return {
            "waits_for_recursion": "waits for a recursion pass, and there was none",
            "waits_for_level": "waits for a deeper level of recursion",
            "excluded_from_recursion": "its key is only in the text of entries, and it takes no part in recursion",
        }[self.why]


class LostGroup(Frozen):
    """
    Another entry of its inclusion group was chosen.
    """

    kind: Literal["group"] = "group"
    group: str
    how: str
    winner: str | None = Field(description="The uid of the entry that won.")

    def __str__(self) -> str:
        winner = f" to entry {self.winner}" if self.winner else ""
        return f"lost in group {self.group!r}{winner} by {self.how}"


class NoKey(Frozen):
    """
    No primary key stands in the scanned messages.
    """

    kind: Literal["no_key"] = "no_key"
    keys: int = Field(description="How many keys were looked for.")
    messages: int = Field(description="How many messages were scanned for them.")

    def __str__(self) -> str:
        if not self.keys:
            return "has no keys"
        return f"none of {self.keys} keys in the last {self.messages} messages"


class KeyStopped(Frozen):
    """
    A regular expression among its keys took longer than it may, and counts as not there.
    """

    kind: Literal["key_stopped"] = "key_stopped"
    key: str

    def __str__(self) -> str:
        return f"its regex key {self.key[:80]!r} takes too long: make it match in one way only"


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


class VectorFloor(Frozen):
    """
    The chat comes near to what the entry says, but not near enough.
    """

    kind: Literal["vector_floor"] = "vector_floor"
    score: float
    floor: float

    def __str__(self) -> str:
        return f"by meaning its score {self.score:.2f} is below {self.floor:.2f}"


Obstacle: TypeAlias = Annotated[
    Disabled
    | Filtered
    | Delayed
    | CoolingDown
    | Decorated
    | RecursionOnly
    | NoKey
    | KeyStopped
    | SecondaryFailed
    | LostGroup
    | RollFailed
    | OverBudget
    | VectorLimit
    | VectorFloor,
    Field(discriminator="kind"),
]
