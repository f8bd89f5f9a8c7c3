"""
What happened in a scan: the data that results and explanations are made from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lorebook.matching.entries import CompiledEntry
from lorebook.matching.filters import PassKind
from lorebook.matching.groups import Removal
from lorebook.matching.ledger import Shortage
from lorebook.matching.scan import Where
from lorebook.matching.timing import State


class Fired(NamedTuple):
    """
    An accepted entry: its content with macros replaced, what made it a candidate, and in which pass.
    """

    entry: CompiledEntry
    content: str
    cause: Cause
    number: int


class Cause(NamedTuple):
    """
    Why an entry is a candidate: the kind, and for a key which one and where.
    """

    kind: str
    key: object = None
    where: Where | None = None
    score: float = 1.0
    """How well the entry is supported, from 0 to 1."""


@dataclass
class Pass:
    """
    One pass: what came in and what became of it.
    """

    kind: PassKind
    candidates: list[CompiledEntry] = field(default_factory=list)
    accepted: list[str] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)
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
    """

    fired: dict[str, Fired]
    timed_state: State
    budget: int | None
    overflowed: bool
    passes: list[Pass]
    rolls: dict[str, Roll]
    shortages: dict[str, Shortage]
    causes: dict[str, Cause]
