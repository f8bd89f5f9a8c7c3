"""
What a caller hands over for one scan, in World Info's terms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lorebook.matching.macros import Macros


@dataclass(frozen=True)
class WorldInfoSettings:
    """
    SillyTavern's thirteen settings of World Info; values may be of any JSON type, as its settings file holds them.
    """

    depth: Any = 2
    min_activations: Any = 0
    min_activations_depth_max: Any = 0
    budget: Any = 25
    """Per cent of the context."""
    budget_cap: Any = 0
    include_names: Any = True
    recursive: Any = False
    overflow_alert: Any = False
    case_sensitive: Any = False
    match_whole_words: Any = False
    use_group_scoring: Any = False
    character_strategy: Any = 1
    max_recursion_steps: Any = 0


@dataclass(frozen=True)
class Character:
    """
    The character that is open: its avatar's file name without ending, None where only its tags are known, and its tags;
    None where it has no list of tags.
    """

    stem: str | None
    tags: Sequence[str] | None = None


@dataclass(frozen=True)
class Outside:
    """
    An entry that is activated from outside: by identity, with the fields that replace its own.
    """

    world: str
    uid: object
    changes: Mapping[str, Any] = field(default_factory=dict)
    score: float = 1.0
    """How surely it is meant, from 0 to 1."""


@dataclass(frozen=True)
class ScanRequest:
    """
    The chat and everything around it.
    """

    messages: Sequence[str]
    """Newest first, with names where they are to be scanned."""
    max_context: int
    """Tokens."""
    count_tokens: Callable[[str], int]
    draw: Callable[[], float]
    """Gives the next random number from 0 to 1."""
    macros: Macros = field(default_factory=Macros)
    trigger: str = "normal"
    """What asks for a generation: `normal`, `continue`, `impersonate`, `swipe`, `regenerate` or `quiet`."""
    dry_run: bool = False
    sources: Sequence[str] = ("", "", "", "", "", "")
    """The six extra texts, in the order of `entries.SOURCES`."""
    injections: Sequence[str] = ()
    character: Character | None = None
    timed_state: Mapping[str, Any] | None = None
    outside: Sequence[Outside] = ()
    assistant_messages: int = 0
    """How many messages the assistant has written."""
    greeting: int | None = None
    """The number of the greeting in use, 0 being the card's first; None where that is not known."""
    user_icon: str | None = None
    """The name of the user icon in use."""
    matched: frozenset[str] = frozenset()
    """Entries that have fired in an earlier turn and whose decorators mind, by identity."""
    outside_limit: int | None = None
    """How many entries may come in from outside alone, the surest first; None lets all in."""
