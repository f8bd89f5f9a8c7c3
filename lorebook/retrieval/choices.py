"""
What a caller chooses once, whatever the recipe says.
"""

from __future__ import annotations

from lorebook.records import Frozen


class Choices(Frozen):
    """
    What goes before the recipe: None leaves what the recipe says, an empty text means what holds without a recipe.
    """

    model: str | None = None
    store: str | None = None
    reranker: str | None = None
