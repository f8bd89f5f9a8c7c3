"""
A model that remembers: what it embedded once stays in the tests' cache, by content.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lorebook.progress import Progress
from lorebook.retrieval.passages import text_key
from lorebook.retrieval.space import Space
from lorebook.retrieval.vectors import Vault, kept_keys
from tests.benchmarks.formats_peers import CACHE

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Embedder, Vectors

FOLDER = CACHE / "retrieval-vectors"
# About a minute of two busy cores: what a run that is stopped loses at most.
_CHUNK = 256
_QUERY = "query: "


class Remembering:
    """
    *model*, with what it embedded before in *folder*; every peer is given the same rows, rounded as ours are.
    """

    def __init__(self, model: Embedder, folder: Path = FOLDER, *, spare: Sequence[Path] = ()) -> None:
        """
        Read *folder*, and *spare* ones that are not written.
        """
        self.name, self.dimension = model.name, model.dimension
        self._model = model
        self._folder = folder
        self._spare = spare
        self._space = Space(model.name, model.dimension)
        self._vault = self._read()

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """
        Return one row a question.
        """
        return self._rows({text_key(_QUERY + text): text for text in texts}, asked=True, order=texts)

    def embed_passages(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """
        Return one row a passage, and tell *progress* once.
        """
        rows = self._rows({text_key(text): text for text in texts}, asked=False, order=texts)
        if progress:
            progress(len(texts), len(texts))
        return rows

    def _rows(self, texts: dict[str, str], *, asked: bool, order: Sequence[str]) -> Vectors:
        missing = self._vault.missing(texts)
        for start in range(0, len(missing), _CHUNK):
            chunk = missing[start : start + _CHUNK]
            held = [texts[key] for key in chunk]
            rows = self._model.embed_queries(held) if asked else self._model.embed_passages(held)
            # Another run may have added to the folder meanwhile.
            self._vault = self._read()
            self._vault.add(chunk, rows)
            self._vault.save(self._folder, {*(kept_keys(self._space, self._folder) or ()), *chunk})
        if not order:
            return np.empty((0, self.dimension), dtype=np.float32)
        return self._vault.rows([text_key(_QUERY + text if asked else text) for text in order])

    def _read(self) -> Vault:
        return Vault(self._space, [self._folder, *self._spare])
