"""
What our engine is measured against: SillyTavern's own World Info in node, and PyPI's fast-tavern.

Both are optional: where one is not installed, its column stays empty.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.benchmarks.activation_cases import BOOK, Case, loaded
from tests.benchmarks.activation_timing import Runs
from tests.conformance import oracle


class RealEngine:
    """SillyTavern's engine in a process of its own, which times itself."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["node", str(Path(__file__).with_name("activation_real.mjs")), str(oracle.HARNESS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"ST_ROOT": str(oracle.program())},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self, case: Case, *, seconds: float) -> Runs[list[object]]:
        """Run *case* until *seconds* are over, once at least; the answer are the uids that fire."""
        assert self._process.stdin
        assert self._process.stdout
        scenario = {
            "books": {BOOK: case.entries},
            "active": {"global": [BOOK]},
            "chat": loaded(case.chat),
            "settings": case.settings,
            "maxContext": case.max_context,
            "macros": case.macros,
        }
        self._process.stdin.write(json.dumps({"input": scenario, "seconds": seconds}).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the real engine has died"
        return Runs(**json.loads(line))


def real_is_missing() -> str:
    """Say what the real engine lacks; nothing if it can run."""
    return oracle.missing()


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
