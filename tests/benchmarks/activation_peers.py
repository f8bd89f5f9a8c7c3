"""
What our engine is measured against: SillyTavern's own World Info in node, and PyPI's fast-tavern.

Both are optional: where one is not installed, its column stays empty.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from tests.benchmarks.activation_cases import BOOK, Case, loaded
from tests.benchmarks.activation_timing import Runs
from tests.peers import harness
from tests.peers.harness import Scripted


class RealEngine(Scripted):
    """SillyTavern's engine in a process of its own, which times itself."""

    def __init__(self) -> None:
        super().__init__(Path(__file__).with_name("activation_real.mjs"), timeout=None)

    def run(self, case: Case, *, seconds: float) -> Runs[list[object]]:
        """Run *case* until *seconds* are over, once at least; the answer are the uids that fire."""
        scenario = {
            "books": {BOOK: case.entries},
            "active": {"global": [BOOK]},
            "chat": loaded(case.chat),
            "settings": case.settings,
            "maxContext": case.max_context,
            "macros": case.macros,
        }
        return Runs(**self.answer({"input": scenario, "seconds": seconds}))


def real_is_missing() -> str:
    """Say what the real engine lacks; nothing if it can run."""
    return harness.missing()


def fast_tavern_is_missing() -> str:
    """Say so if fast-tavern is not installed."""
    return "" if importlib.util.find_spec("fast_tavern") else "fast-tavern is not installed"


class FastTavern:
    """
    fast-tavern, ready for one case.

    It knows neither whole words nor a token budget, and gets the text that the scan depth leaves. The book is converted
    once, as ours is compiled once; everything else is as the package has it.
    """

    def __init__(self, case: Case) -> None:
        import fast_tavern  # noqa: PLC0415 (an optional peer)

        book = fast_tavern.convert_worldbook_from_silly_tavern(case.entries)
        seen = case.messages[: case.settings["world_info_depth"]]
        self._get_active_entries = fast_tavern.get_active_entries
        self._asked: dict[str, Any] = {
            "contextText": "\n".join(reversed(seen)),
            "globalEntries": fast_tavern.normalize_worldbooks(book),
            "options": {"rng": lambda: 0.5},
        }

    def __call__(self) -> list[object]:
        """Return the uids that fire."""
        return [entry["index"] for entry in self._get_active_entries(self._asked)]


def agreement(answered: list[object], expected: list[int]) -> float:
    """Return the share that two answers have in common of all that either has (Jaccard)."""
    one, other = set(answered), set(expected)
    return len(one & other) / len(one | other) if one | other else 1.0
