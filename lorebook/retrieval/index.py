"""
An index in its folder: built, asked, and known for stale.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lorebook.errors import RetrievalError, StorageError, UnreachableError
from lorebook.progress import Progress
from lorebook.retrieval import condition as conditions
from lorebook.retrieval import manifest as manifests
from lorebook.retrieval.calibration import Signs
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.condition import Condition, State
from lorebook.retrieval.embedders import open_embedder
from lorebook.retrieval.ingredients import Ingredients, OpenEmbedder, OpenHome, Places
from lorebook.retrieval.locking import locked
from lorebook.retrieval.manifest import IndexManifest
from lorebook.retrieval.question import Question
from lorebook.retrieval.reranking import reordered
from lorebook.retrieval.space import Space
from lorebook.retrieval.stores import Shelf, open_home
from lorebook.ruleset import Ruleset

if TYPE_CHECKING:
    from lorebook.retrieval.building import BuildReport
    from lorebook.retrieval.hits import Hit
    from lorebook.retrieval.opening import Opened
    from lorebook.retrieval.passages import Passage

# A build that takes longer is no reason to start a second one.
_PATIENCE = 600.0
_LOCK = "lock"


class Index:
    """
    Passages of rulesets, ready to be asked.
    """

    def __init__(
        self,
        places: Places,
        choices: Choices | None = None,
        *,
        embedder: OpenEmbedder = open_embedder,
        home: OpenHome = open_home,
    ) -> None:
        """
        Use the index in *places*; *choices* overrule the recipe. Nothing is read before it is needed.
        """
        self.places = places
        self.made_of = Ingredients(places, choices, embedder=embedder, home=home)
        self._ready: Opened | None = None
        # Threads of one process take turns: neither the embedded model nor a store being reopened can be shared.
        self._turn = threading.RLock()

    def staleness(self, fingerprints: Mapping[str, str]) -> str | None:
        """
        Say why the index does not fit the rulesets with *fingerprints*, None when it does.
        """
        return self.condition(fingerprints).why

    def condition(self, fingerprints: Mapping[str, str]) -> Condition:
        """
        Say how the index stands to the rulesets with *fingerprints*, as far as that can be seen at once.
        """
        held = manifests.read(self.places.store)
        if held is None:
            return conditions.without_manifest(self.places.store, lock=_LOCK)
        wanted = self.made_of.manifest(
            fingerprints, space=held.space, languages=held.languages, passages=held.passages, content=held.content
        )
        return conditions.compared(held, wanted)

    def examined(self, fingerprints: Mapping[str, str]) -> Condition:
        """
        Say the same after loading the model and looking at every part.

        Raises ModelError when the model cannot be loaded.
        """
        seen = self.condition(fingerprints)
        if not seen.is_current:
            return seen
        with self._turn:
            self.close()
            held = manifests.complete(self.places.store)
            fits = conditions.compared_spaces(Space.titled(held.space), self.made_of.space)
            try:
                return self._load(held).examined() if fits.is_current else fits
            except UnreachableError as error:
                return Condition(state=State.UNREACHABLE, why=str(error))
            except RetrievalError as error:
                return Condition(state=State.CORRUPT, why=error.what)

    def load_models(self, *, to_search: bool) -> None:
        """
        Load the model, and *to_search* the reranker too: before anything is built or removed that needs them.

        Raises ModelError when one cannot be loaded.
        """
        with self._turn:
            _ = self.made_of.embedder, self.made_of.reranker if to_search else None

    def build(
        self,
        rulesets: Iterable[Ruleset],
        *,
        refill: bool = False,
        progress: Progress | None = None,
        keep_vectors: Path | None = None,
    ) -> BuildReport:
        """
        Make the index fit *rulesets*, embedding only passages that are new; other processes wait their turn.

        *keep_vectors* is a folder that gets the vectors of exactly these passages, for a repository to keep.
        With *refill*, the store is filled anew from vectors already made: it is damaged in a way not seen before.
        Raises RetrievalError when another build does not end, ModelError when the model cannot be loaded.
        """
        held = list(rulesets)
        self.load_models(to_search=False)
        with self._turn, locked(self.places.store / _LOCK, patience=_PATIENCE):
            return self._build(held, progress, keep_vectors, refill=refill)

    def _build(
        self, rulesets: list[Ruleset], progress: Progress | None, keep_vectors: Path | None, *, refill: bool
    ) -> BuildReport:
        from lorebook.retrieval import building  # noqa: PLC0415 (brings numpy)

        self.close()
        made_of, store = self.made_of, self.places.store
        passages = made_of.passages(rulesets)
        if not passages:
            hint = "`lorebook import FILE` makes rules of a document"
            raise RetrievalError("there is no rule to index", where=str(store), hint=hint)
        builder = building.Builder(store, made_of.recipe, made_of.glossary, made_of.embedder, made_of.home)
        return builder.build(
            passages,
            made_of.manifest_of(rulesets, passages),
            vectors=self.places.vectors,
            keep_vectors=keep_vectors,
            # What another version left in the store is laid out in another way.
            refill=refill or manifests.is_of_another_version(store),
            progress=progress,
        )

    def kept_staleness(self, rulesets: Iterable[Ruleset], folder: Path) -> str | None:
        """
        Say why the vectors kept in *folder* are not exactly those of *rulesets*, None when they are.
        """
        from lorebook.retrieval.building import texts_of  # noqa: PLC0415 (brings numpy)
        from lorebook.retrieval.vectors import kept_keys  # noqa: PLC0415 (likewise)

        wanted = texts_of(self.made_of.passages(rulesets), keys=self.made_of.recipe.cutting.keys).keys()
        kept = kept_keys(self.made_of.space, folder)
        if kept is None:
            return f"no vectors of {self.made_of.space.title} are kept"
        missing, spare = len(wanted - kept), len(kept - wanted)
        return f"{missing} vectors are missing, {spare} belong to no passage" if missing or spare else None

    def signs(self, query: str, *, rulesets: Collection[str], limit: int) -> list[tuple[str, Signs]]:
        """
        Return the best rules for *query* whether they answer or not, and the signs of it that a score is made of.
        """
        with self._turn:
            opened, question = self._asked(query)
            return opened.ranker.signs(question, rulesets=rulesets, limit=limit)

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
            opened, question = self._asked(query)
            reranker, best = self.made_of.reranker, self.made_of.recipe.reranker.best
            wanted = max(limit, best) if reranker else limit
            hits = opened.ranker.rank(question, rulesets=rulesets, languages=languages, limit=wanted)
            if reranker:
                hits = reordered(question, hits, reranker, opened.tables.title_of, best=best)
            return hits[:limit]

    def nearest(
        self,
        query: str,
        *,
        rulesets: Collection[str] | None = None,
        languages: Collection[str] | None = None,
        limit: int = 3,
    ) -> list[Hit]:
        """
        Return at most *limit* rules that come nearest to *query*, best first, though none of them may answer it.
        """
        if not any(map(str.isalnum, query)):
            return []
        with self._turn:
            opened, question = self._asked(query)
            return opened.ranker.nearest(question, rulesets=rulesets, languages=languages, limit=limit)

    def passages(self) -> Sequence[Passage]:
        """
        Return the passages that are searched: the same list as long as the index is the same.
        """
        with self._turn:
            return self._opened().tables.passages

    def close(self) -> None:
        """
        Let go of the store's files; the next search opens them again.
        """
        with self._turn:
            held, self._ready = self._ready, None
            if held:
                held.close()

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
            held = manifests.read(store)
            manifests.withdraw(store)
            if held and held.store and held.store == self.made_of.address:
                self.made_of.home.discard(Shelf(Space.titled(held.space), held.content))
            _empty(store)

    def _asked(self, query: str) -> tuple[Opened, Question]:
        opened = self._opened()
        return opened, Question.read(query, self.made_of.glossary, opened.manifest.languages)

    def _opened(self) -> Opened:
        """
        The index as it is now: another process may have rebuilt it since the last search, or just now.
        """
        manifest = manifests.complete(self.places.store)
        while self._ready is None or self._ready.manifest != manifest:
            self.close()
            try:
                self._ready = self._load(manifest)
            except RetrievalError:
                newer = manifests.complete(self.places.store)
                if newer == manifest:
                    raise
                manifest = newer
        return self._ready

    def _load(self, manifest: IndexManifest) -> Opened:
        from lorebook.retrieval.opening import opened  # noqa: PLC0415 (brings numpy)

        return opened(self.places.store, manifest, self.made_of.recipe, self.made_of.embedder, self.made_of.home)


def _empty(store: Path) -> None:
    try:
        # The lock itself stays: a process that waits for it must find the same file.
        for path in store.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name != _LOCK:
                path.unlink()
    except OSError as error:
        raise StorageError(f"cannot remove: {error.strerror}", where=str(store)) from error
