"""
An index in its folder: built, asked, and known for stale.
"""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from lorebook.errors import ModelError, RetrievalError, StorageError
from lorebook.retrieval import manifest as manifests
from lorebook.retrieval.embedders import Embedder, default_model, open_embedder
from lorebook.retrieval.glossary import Glossary
from lorebook.retrieval.locking import locked
from lorebook.retrieval.manifest import IndexManifest
from lorebook.retrieval.passages import Passage, passages_of
from lorebook.retrieval.question import Question
from lorebook.retrieval.recipe import Recipe
from lorebook.ruleset import Ruleset

if TYPE_CHECKING:
    from lorebook.retrieval.building import BuildReport, OpenStore
    from lorebook.retrieval.embedders import Progress
    from lorebook.retrieval.hits import Hit
    from lorebook.retrieval.ranking import Ranker
    from lorebook.retrieval.stores import Store
    from lorebook.retrieval.vectors import Space

OpenEmbedder: TypeAlias = Callable[[str | None], Embedder]

# A build that takes longer is no reason to start a second one.
_PATIENCE = 600.0
_LOCK = "lock"


@dataclass(frozen=True)
class Places:
    """
    Where an index finds its ingredients and keeps what it makes.

    *store* is disposable; *vectors* are further folders of vectors by content, which are only read.
    """

    recipe: Path
    glossary: Path
    store: Path
    vectors: tuple[Path, ...] = ()


class Index:
    """
    Passages of rulesets, ready to be asked.
    """

    def __init__(
        self,
        places: Places,
        *,
        model: str | None = None,
        embedder: OpenEmbedder = open_embedder,
        store: OpenStore | None = None,
    ) -> None:
        """
        Use the index in *places*; *model* overrules the recipe's. Nothing is read before it is needed.
        """
        self.places = places
        self._model = model
        self._open_embedder = embedder
        self._store_opener = store
        self._ready: tuple[IndexManifest, Ranker] | None = None
        # Threads of one process take turns: neither the embedded model nor a store being reopened can be shared.
        self._turn = threading.RLock()

    @cached_property
    def recipe(self) -> Recipe:
        """
        The recipe, as the file says it.
        """
        return Recipe.load(self.places.recipe)

    @cached_property
    def glossary(self) -> Glossary:
        """
        The glossary; an empty one where there is no file.
        """
        return Glossary.load(self.places.glossary) if self.places.glossary.is_file() else Glossary(())

    @cached_property
    def embedder(self) -> Embedder:
        """
        The model, loaded.
        """
        return self._open_embedder(self.model)

    @property
    def model(self) -> str:
        """
        The name of the model that is asked for.
        """
        return self._model or self.recipe.model or default_model()

    def staleness(self, fingerprints: Mapping[str, str]) -> str | None:
        """
        Say why the index does not fit the rulesets with *fingerprints*, None when it does.
        """
        held = manifests.read(self.places.store)
        if held is None:
            return "an earlier build did not finish" if self._has_remains() else "it was never built"
        wanted = self._manifest(fingerprints, held.space, held.languages, held.passages)
        return manifests.difference(held, wanted)

    def build(
        self, rulesets: Iterable[Ruleset], *, progress: Progress | None = None, keep_vectors: Path | None = None
    ) -> BuildReport:
        """
        Make the index fit *rulesets*, embedding only passages that are new; other processes wait their turn.

        *keep_vectors* is a folder that gets the vectors of exactly these passages, for a repository to keep.
        Raises RetrievalError when another build does not end, ModelError when the model cannot be loaded.
        """
        held = list(rulesets)
        with self._turn, locked(self.places.store / _LOCK, patience=_PATIENCE):
            return self._build(held, progress, keep_vectors)

    def _build(self, rulesets: list[Ruleset], progress: Progress | None, keep_vectors: Path | None) -> BuildReport:
        from lorebook.retrieval import building  # noqa: PLC0415 (brings numpy)

        self.close()
        passages = self._passages(rulesets)
        if not passages:
            raise RetrievalError("there is no rule to index", where=str(self.places.store), hint="import a document")
        fingerprints = {ruleset.name: manifests.fingerprint_of(ruleset) for ruleset in rulesets}
        builder = building.Builder(self.places.store, self.recipe, self.glossary, self.embedder, self._open_store)
        languages = tuple(sorted({passage.language for passage in passages}))
        manifest = self._manifest(fingerprints, builder.space.title, languages, len(passages))
        return builder.build(
            passages, manifest, vectors=self.places.vectors, keep_vectors=keep_vectors, progress=progress
        )

    def kept_staleness(self, rulesets: Iterable[Ruleset], folder: Path) -> str | None:
        """
        Say why the vectors kept in *folder* are not exactly those of *rulesets*, None when they are.
        """
        from lorebook.retrieval.building import texts_of  # noqa: PLC0415 (brings numpy)
        from lorebook.retrieval.vectors import kept_keys  # noqa: PLC0415

        wanted = texts_of(self._passages(rulesets), keys=self.recipe.cutting.keys).keys()
        kept = kept_keys(self._space, folder)
        if kept is None:
            return f"no vectors of {self._space.title} are kept"
        missing, spare = len(wanted - kept), len(kept - wanted)
        return f"{missing} vectors are missing, {spare} belong to no passage" if missing or spare else None

    def search(
        self,
        query: str,
        *,
        rulesets: Collection[str] | None = None,
        languages: Collection[str] | None = None,
        limit: int = 10,
    ) -> list[Hit]:
        """
        Return at most *limit* rules for *query*, best first; none when no rule seems to answer.

        Only passages of *rulesets* and in *languages* are looked at; None allows all.
        Raises RetrievalError when there is no index or it is damaged.
        """
        if not any(map(str.isalnum, query)):
            return []
        with self._turn:
            manifest, ranker = self._opened()
            question = Question.read(query, self.glossary, manifest.languages)
            return ranker.rank(question, rulesets=rulesets, languages=languages, limit=limit)

    def close(self) -> None:
        """
        Let go of the store's files; the next search opens them again.
        """
        with self._turn:
            held, self._ready = self._ready, None
            if held:
                held[1].close()

    def discard(self) -> None:
        """
        Remove all that was built; vectors beside the rules stay.

        Raises RetrievalError when a build does not end, StorageError when the disk refuses.
        """
        store = self.places.store
        if not store.is_dir():
            return
        with self._turn, locked(store / _LOCK, patience=_PATIENCE):
            self.close()
            try:
                # The lock itself stays: a process that waits for it must find the same file.
                for path in store.iterdir():
                    if path.is_dir():
                        shutil.rmtree(path)
                    elif path.name != _LOCK:
                        path.unlink()
            except OSError as error:
                raise StorageError(f"cannot remove: {error.strerror}", where=str(store)) from error

    def _opened(self) -> tuple[IndexManifest, Ranker]:
        """
        The index as it is now: another process may have rebuilt it since the last search, or just now.
        """
        manifest = self._complete()
        while self._ready is None or self._ready[0] != manifest:
            self.close()
            try:
                self._ready = manifest, self._load(manifest)
            except RetrievalError:
                newer = self._complete()
                if newer == manifest:
                    raise
                manifest = newer
        return self._ready

    def _complete(self) -> IndexManifest:
        manifest = manifests.read(self.places.store)
        if manifest is None:
            where, hint = str(self.places.store), "`lorebook index` builds it"
            raise RetrievalError("there is no complete index", where=where, hint=hint)
        return manifest

    def _passages(self, rulesets: Iterable[Ruleset]) -> list[Passage]:
        return [passage for ruleset in rulesets for passage in passages_of(ruleset, self.recipe.cutting)]

    @property
    def _space(self) -> Space:
        from lorebook.retrieval.vectors import Space  # noqa: PLC0415 (brings numpy)

        return Space(self.embedder.name, self.embedder.dimension)

    def _load(self, manifest: IndexManifest) -> Ranker:
        from lorebook.retrieval.building import STORE  # noqa: PLC0415 (brings numpy)
        from lorebook.retrieval.ranking import Ranker  # noqa: PLC0415
        from lorebook.retrieval.tables import Tables  # noqa: PLC0415

        space = self._space
        if space.title != manifest.space:
            what = f"the index holds vectors of {manifest.space}, the model makes {space.title}"
            raise ModelError(what, where=str(self.places.store), hint="`lorebook index` rebuilds it")
        tables = Tables.load(self.places.store / manifest.tables)
        return Ranker(tables, self._open_store(self.places.store / STORE, space), self.embedder, self.recipe)

    def _open_store(self, folder: Path, space: Space) -> Store:
        if self._store_opener:
            return self._store_opener(folder, space)
        from lorebook.retrieval.stores.chroma import ChromaStore  # noqa: PLC0415 (brings numpy)

        return ChromaStore(folder, space)

    def _manifest(
        self, fingerprints: Mapping[str, str], space: str, languages: tuple[str, ...], passages: int
    ) -> IndexManifest:
        glossary = self.places.glossary
        return IndexManifest(
            model=self.model,
            space=space,
            recipe=self.recipe.digest,
            glossary=hashlib.sha256(glossary.read_bytes()).hexdigest() if glossary.is_file() else "",
            rulesets=dict(sorted(fingerprints.items())),
            languages=languages,
            passages=passages,
        )

    def _has_remains(self) -> bool:
        store = self.places.store
        return store.is_dir() and any(path.name != _LOCK for path in store.iterdir())
