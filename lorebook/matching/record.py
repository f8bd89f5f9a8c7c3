"""
What happened in a scan: the data that results and explanations are made from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from lorebook.matching.entries import CompiledEntry
from lorebook.matching.filters import Check, PassKind
from lorebook.matching.groups import Removal
from lorebook.matching.ledger import Shortage
from lorebook.matching.obstacles import Decorated
from lorebook.matching.scan import Scan, View, Where
from lorebook.matching.timing import TimedEffects, TimedState


class Fired(NamedTuple):
    """
    An accepted entry: its content with macros replaced, what made it a candidate, and in which pass.
    """

    entry: CompiledEntry
    content: str
    cause: Cause
    number: int


CauseKind: TypeAlias = Literal["constant", "sticky", "decorator", "key", "outside"]


class Cause(NamedTuple):
    """
    Why an entry is a candidate: the kind, and for a key which one and where.
    """

    kind: CauseKind
    key: object = None
    where: Where | None = None
    view: View | None = None
    """What the entry saw when its key was found."""
    score: float = 1.0
    """How well the entry is supported, from 0 to 1."""


@dataclass
class Pass:
    """
    One pass: what came in and what became of it.
    """

    number: int
    """Its place among the passes of the scan, 0 being the first."""
    kind: PassKind
    candidates: list[CompiledEntry] = field(default_factory=list)
    accepted: list[str] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)
    fed: list[tuple[str, str]] = field(default_factory=list)
    """What it fed to recursion: identities and contents, one line break between them."""
    next: PassKind = PassKind.NONE
    level: object = 0


class Roll(NamedTuple):
    """
    A draw that went against an entry, in per cent.
    """

    rolled: float
    probability: object


@dataclass
class ScanResult:
    """
    What a scan gives: accepted entries in order of acceptance, the new state, and a record of what was decided.

    Entries are known by their identities.
    """

    timed: TimedEffects
    fired: dict[str, Fired] = field(default_factory=dict)
    passes: list[Pass] = field(default_factory=list)
    budget: int | None = None
    overflowed: bool = False
    scan: Scan | None = None
    """The text and what was found in it; None where there was nothing to scan for."""
    causes: dict[str, Cause] = field(default_factory=dict)
    rolls: dict[str, Roll] = field(default_factory=dict)
    shortages: dict[str, Shortage] = field(default_factory=dict)
    secondary_failed: dict[str, View] = field(default_factory=dict)
    """Entries whose secondary keys said no, and what they saw."""
    vetoes: dict[str, Decorated] = field(default_factory=dict)
    """Entries that the keys of a decorator kept out."""
    waiting: dict[str, Check] = field(default_factory=dict)
    """Entries that a pass left out, and the last check that did."""

    @property
    def timed_state(self) -> TimedState:
        """
        The state of timed effects, to be handed in with the next turn.
        """
        return self.timed.state
