"""
What a caller chooses for once, against the recipe.
"""

from __future__ import annotations

from lorebook.records import Frozen


class Choices(Frozen):
    """
    What overrules the recipe; None leaves it, an empty text is the default that a recipe without it has.
    """

    model: str | None = None
    store: str | None = None
    reranker: str | None = None
