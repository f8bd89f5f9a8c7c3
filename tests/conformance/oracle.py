"""
SillyTavern itself, asked what it would answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.peers.harness import Scripted


class Peer(Scripted):
    """The real engine in a process of its own."""

    def __init__(self) -> None:
        super().__init__(Path(__file__).with_name("peer.mjs"))

    def ask(self, inputs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers to *inputs*, in their order; `refused` for a scenario that cannot be set up."""
        answers: list[dict[str, Any]] = self.answer(inputs)
        return answers
