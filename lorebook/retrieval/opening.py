"""
A complete index, opened: its parts held against each other before it is asked.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lorebook.errors import ModelError, RetrievalError
from lorebook.retrieval import manifest as manifests
from lorebook.retrieval.condition import CURRENT, Condition, State
from lorebook.retrieval.ranking import Ranker
from lorebook.retrieval.space import Space
from lorebook.retrieval.stores import Shelf
from lorebook.retrieval.tables import Tables

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Embedder
    from lorebook.retrieval.manifest import IndexManifest
    from lorebook.retrieval.recipe import Recipe
    from lorebook.retrieval.stores import Home, Store

_HINT = "`lorebook index` mends it"


class Opened(NamedTuple):
    """
    An index that can be asked.
    """

    manifest: IndexManifest
    tables: Tables
    store: Store
    embedder: Embedder
    ranker: Ranker

    def close(self) -> None:
        """
        Let go of the store.
        """
        self.store.close()

    def examined(self) -> Condition:
        """
        Say whether every passage is in the store and the store can be searched; then close it.

        Raises RetrievalError when it cannot.
        """
        try:
            lost = self.tables.row_of.keys() - self.store.ids()
            vector = self.embedder.embed_queries(["?"])[0]
            self.store.nearest(vector, limit=1, language=self.manifest.languages[0])
        finally:
            self.close()
        why = f"the vector store lacks {len(lost)} of {self.manifest.passages} passages"
        return Condition(state=State.CORRUPT, why=why) if lost else CURRENT


def opened(folder: Path, manifest: IndexManifest, recipe: Recipe, embedder: Embedder, home: Home) -> Opened:
    """
    Open the index in *folder* that *manifest* describes.

    Raises ModelError when *embedder* makes other vectors, RetrievalError when a part is damaged or lost.
    """
    space = Space(embedder.name, embedder.dimension)
    if space.title != manifest.space:
        what = f"the index holds vectors of {manifest.space}, the model makes {space.title}"
        raise ModelError(what, where=str(folder), hint=_HINT)
    tables = Tables.load(folder / manifest.tables)
    if manifests.content_of(tables.row_of) != manifest.content:
        raise RetrievalError("the tables are not those of the index", where=str(folder), hint=_HINT)
    store = home.open(Shelf(space, manifest.content))
    if (held := store.count()) < manifest.passages:
        store.close()
        what = f"the vector store holds {held} of {manifest.passages} passages"
        raise RetrievalError(what, where=home.address or str(folder), hint=_HINT)
    return Opened(manifest, tables, store, embedder, Ranker(tables, store, embedder, recipe))
