"""
What SillyTavern's page does with lorebooks before its server gets them.

Files of other programs, and the book inside a card, are made into World Info by the page; the server only stores it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.peers.harness import Scripted


class Page(Scripted):
    """
    The page's own conversions.
    """

    def __init__(self) -> None:
        super().__init__(Path(__file__).with_name("page.mjs"), timeout=60)

    def converted(self, file_name: str, data: bytes) -> dict[str, Any] | None:
        """
        Return the World Info that a chosen file is made into; None where it is sent as it is.
        """
        return self._world({"name": file_name, "base64": base64.b64encode(data).decode()})

    def world_of(self, book: Mapping[str, Any]) -> dict[str, Any]:
        """
        Return the World Info that the *book* in a card is made into.
        """
        world = self._world({"book": book})
        assert world is not None
        return world

    def _world(self, request: Mapping[str, Any]) -> dict[str, Any] | None:
        answer: dict[str, Any] = self.answer(request)
        assert "refused" not in answer, f"the page refuses it: {answer['refused']}"
        world: dict[str, Any] | None = answer["world"]
        return world
