"""
The inputs of the activation benchmark: one book, one chat and one set of settings a case.

Books of 100 to 10,000 entries, chats of 4 and 100 kB, scan depths of 4 and 50, keys as whole words or anywhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.conftest import SHARED

FOLDER = SHARED / "activation" / "bench"
BOOK = "Bench"
"""The book's name in every case."""


@dataclass(frozen=True)
class Case:
    """One case, with the uids that the real engine activates, in order of acceptance."""

    id: str
    book: str
    chat: str
    settings: dict[str, Any]
    max_context: int
    macros: dict[str, str]
    expected: list[int]

    @property
    def entries(self) -> dict[str, Any]:
        """The book as a World Info file has it."""
        return loaded(self.book)  # type: ignore[no-any-return]

    @property
    def messages(self) -> list[str]:
        """What is scanned, newest first."""
        names = self.settings["world_info_include_names"]
        return [f"{said['name']}: {said['mes']}" if names else said["mes"] for said in loaded(self.chat)]


def cases(part: str = "") -> list[Case]:
    """Return the cases whose id contains *part*."""
    expected = loaded("expected.json")
    return [
        Case(
            id=case["id"],
            book=case["book"],
            chat=case["chat"],
            settings=case["settings"],
            max_context=case["maxContext"],
            macros=case["macros"],
            expected=[held["uid"] for held in expected[case["id"]]["activationOrder"]],
        )
        for case in loaded("cases.json")
        if part in case["id"]
    ]


def known_milliseconds() -> dict[str, float]:
    """Return how long the real engine took where the cases were made; a hint of what is slow."""
    return {row["id"]: row["ms"] for row in loaded("results.json")["rows"]}


@cache
def loaded(name: str) -> Any:
    """Return a file of the folder, read once."""
    return json.loads(Path(FOLDER, name).read_text(encoding="utf-8"))
