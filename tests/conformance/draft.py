"""A random scenario while it is being made: what features change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from tests.conformance.wording import NAMES, Wording

Entry: TypeAlias = dict[str, Any]
Choices: TypeAlias = Mapping[str, tuple[object, ...]]
"""Values that a field or setting may take, by name."""


@dataclass
class Draft:
    """A scenario of the vectors' form, and what draws it."""

    rng: Random
    words: Wording
    given: dict[str, Any]

    @property
    def books(self) -> dict[str, dict[str, Any]]:
        books: dict[str, dict[str, Any]] = self.given["books"]
        return books

    @property
    def settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = self.given["settings"]
        return settings

    def set(self, **choices: tuple[object, ...]) -> None:
        for name, values in choices.items():
            self.settings[f"world_info_{name}"] = self.rng.choice(values)

    def entries(self) -> Iterator[Entry]:
        for book in self.books.values():
            yield from book["entries"].values()

    def some(self, share: float) -> list[Entry]:
        """Return a random part of the entries, at least one."""
        held = list(self.entries())
        return [entry for entry in held if self.rng.random() < share] or [self.rng.choice(held)]

    def put(self, share: float, choices: Choices) -> None:
        """Give some entries the fields of *choices*, each with one of its values."""
        for entry in self.some(share):
            for name, values in choices.items():
                entry[name] = self.rng.choice(values)

    def mention(self) -> str:
        return self.words.sentence() if self.rng.random() < 0.8 else ""


Feature: TypeAlias = Callable[[Draft], None]


def message(rng: Random, words: Wording) -> dict[str, str]:
    return {"name": rng.choice(NAMES), "mes": words.message()}
