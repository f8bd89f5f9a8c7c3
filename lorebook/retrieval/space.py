"""
The space that vectors are in: only those of one space can be compared.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Self


class Space(NamedTuple):
    """
    What makes vectors comparable: the model that made them, and their length.
    """

    model: str
    dimension: int

    @classmethod
    def titled(cls, title: str) -> Self:
        """
        Return the space with *title*.
        """
        model, _, dimension = title.rpartition(" ")
        return cls(model, int(dimension))

    @property
    def slug(self) -> str:
        """
        The space as a file name.
        """
        return re.sub(r"[^a-z0-9]+", "-", f"{self.model}-{self.dimension}".lower()).strip("-")

    @property
    def title(self) -> str:
        """
        The space as a reader is told of it.
        """
        return f"{self.model} {self.dimension}"
