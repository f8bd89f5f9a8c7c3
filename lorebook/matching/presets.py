"""
Named ways to scan: SillyTavern's, exactly, and ours, which mends what its users complain of.

Every difference is a field of `Behaviour`, so each can be switched by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lorebook.matching.keystyle import LOREBOOK, SILLYTAVERN, KeyStyle


class Preset(StrEnum):
    """
    The name of a way to scan.
    """

    LOREBOOK = "lorebook"
    SILLYTAVERN = "sillytavern"


@dataclass(frozen=True)
class Behaviour:
    """
    What a preset decides.
    """

    key_style: KeyStyle
    """How keys are compared with texts."""
    skips_over_budget: bool
    """What does not fit is passed over and smaller entries still come in; else the first one ends it."""
    claims_by_score: bool
    """Among entries of equal order, the best supported one claims the budget first; else scan order decides."""
    keys_before_outside: bool
    """A key that matches counts even where the entry is activated from outside too."""
    only_fired_feed: bool
    """Recursion reads what fired; else also what the budget shut out."""
    ties_in_reading_order: bool
    """Entries of equal order stand as in the book, those of the last turn first; else they come out reversed."""
    reads_decorators: bool
    """
    Character Card V3's decorators count (`@@depth 4` above a content puts it four messages from the end); else
    `@@activate` and `@@dont_activate` alone.
    """


PRESETS = {
    Preset.SILLYTAVERN: Behaviour(
        key_style=SILLYTAVERN,
        skips_over_budget=False,
        claims_by_score=False,
        keys_before_outside=False,
        only_fired_feed=False,
        ties_in_reading_order=False,
        reads_decorators=False,
    ),
    Preset.LOREBOOK: Behaviour(
        key_style=LOREBOOK,
        skips_over_budget=True,
        claims_by_score=True,
        keys_before_outside=True,
        only_fired_feed=True,
        ties_in_reading_order=True,
        reads_decorators=True,
    ),
}
