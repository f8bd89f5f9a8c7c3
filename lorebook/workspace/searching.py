"""
The index of a workspace: kept current, asked, measured; and the meaning of books that are no ruleset.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from platformdirs import user_cache_path

from lorebook.book import Book
from lorebook.errors import RetrievalError, StorageError, UnreachableError
from lorebook.matching.reasons import VectorHit
from lorebook.retrieval import manifest
from lorebook.retrieval.building import BuildReport
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.condition import Condition
from lorebook.retrieval.evaluation import Report, documents_near, evaluate, read_queries
from lorebook.retrieval.fingerprints import fingerprint
from lorebook.retrieval.hits import Hit
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.ruleset import Ruleset
from lorebook.workspace import location
from lorebook.workspace.books import as_ruleset

if TYPE_CHECKING:
    from lorebook.retrieval.manifest import IndexManifest
    from lorebook.retrieval.nearness import Nearness
    from lorebook.retrieval.vectors import Vault

Progress: TypeAlias = Callable[[int, int], None]

MOST_EMBEDDED = 2000
"""Passages of a book that is no ruleset that are embedded at most: about a minute of two cores."""

_STORE, _VECTORS, _RECIPE, _GLOSSARY = "store", "vectors", "recipe.toml", "glossary.yaml"
# More than the best ten are needed, since entries that a key found already do not count.
_MOST_HITS = 20
_MOST_BOOKS = 40


class Meaning(NamedTuple):
    """
    The entries of a book that a text means, by uid, and what there is to say about the search.
    """

    hits: Mapping[int, VectorHit]
    said: str


class Searching:
    """
    The index of the workspace *root*.
    """

    def __init__(self, root: Path, folders: Callable[[], Mapping[str, Path]], choices: Choices) -> None:
        """
        Look into *root*; *folders* tells its rulesets by name, as they are when it is asked.
        """
        self._choices = choices
        self._root = root
        self._folders = folders
        self._vault: tuple[IndexManifest | None, Vault] | None = None
        self._seen: Mapping[str, str] = {}

    @cached_property
    def index(self) -> Index:
        """
        The index, not opened before it is asked.
        """
        return Index(self._places(self._root / location.INDEX / _STORE), self._choices)

    @cached_property
    def chinese_terms(self) -> frozenset[str]:
        """
        The glossary's Chinese terms, which no shorter key may be cut from.
        """
        return self.index.made_of.glossary.chinese_terms

    def _places(self, store: Path) -> Places:
        """
        The ingredients of an index: the workspace's own, else the shipped ones; a store that can be written.
        """
        shipped = location.shipped()
        recipe = self._root / location.INDEX / _RECIPE
        glossary = self._root / location.RULES / _GLOSSARY
        written = store if store.exists() else store.parent
        if written.is_dir() and not os.access(written, os.W_OK):
            store = _cache_folder("workspaces", str(self._root))
        return Places(
            recipe=recipe if recipe.is_file() else shipped / location.INDEX / _RECIPE,
            glossary=glossary if glossary.is_file() else shipped / location.RULES / _GLOSSARY,
            store=store,
            vectors=tuple(root / location.INDEX / _VECTORS for root in dict.fromkeys((self._root, shipped))),
        )

    def staleness(self) -> str | None:
        """
        Say why the index does not fit the rules, None when it does.
        """
        return self.index.staleness(self._fingerprints())

    def examined(self) -> Condition:
        """
        Say in which condition the index is, after looking at every part of it.
        """
        return self.index.examined(self._fingerprints())

    def seen(self, ruleset: str, folder: Path) -> str:
        """
        Return the fingerprint that *ruleset* in *folder* had when the rules were last looked at: a look at many costs.
        """
        return self._seen.get(ruleset) or fingerprint(folder)

    def _fingerprints(self) -> Mapping[str, str]:
        self._seen = {name: fingerprint(folder) for name, folder in self._folders().items()}
        return self._seen

    def vectors_staleness(self) -> str | None:
        """
        Say why the vectors kept beside the rules are not exactly those of the rules, None when they are.
        """
        return self.index.kept_staleness(self._rulesets(), self._root / location.INDEX / _VECTORS)

    def build(
        self, *, rebuild: bool = False, keep_vectors: bool = False, progress: Progress | None = None
    ) -> BuildReport:
        """
        Make the index fit the rules; with *rebuild* from nothing, with *keep_vectors* write them beside the rules.
        """
        if rebuild:
            self.index.load_models(to_search=False)
            self.index.discard()
        kept = self._root / location.INDEX / _VECTORS if keep_vectors else None
        return self.index.build(self._rulesets(), progress=progress, keep_vectors=kept)

    def ensure(self, progress: Progress | None = None, *, to_search: bool = True) -> None:
        """
        Build the index if it is not current; *to_search*, load the models first that answer a question.

        Raises ModelError when one cannot be loaded, RetrievalError when there is nothing to index.
        """
        if to_search:
            self.index.load_models(to_search=True)
        if self.staleness() is not None:
            self.build(progress=progress)

    def _rulesets(self) -> list[Ruleset]:
        return [Ruleset.load(folder) for folder in self._folders().values()]

    def search(
        self,
        question: str,
        *,
        rulesets: Collection[str] | None = None,
        languages: Collection[str] | None = None,
        limit: int = 10,
        progress: Progress | None = None,
    ) -> list[Hit]:
        """
        Return the rules that answer *question*, best first, after making the index current.
        """
        self.ensure(progress)

        def ask() -> list[Hit]:
            return self.index.search(question, rulesets=rulesets, languages=languages, limit=limit)

        return _mended(ask, self.index, self._rulesets, progress)

    def nearness(self, progress: Progress | None = None) -> Nearness:
        """
        Return the passages of all rulesets held against each other, after making the index current.
        """
        from lorebook.retrieval.nearness import Nearness  # noqa: PLC0415 (brings numpy)

        self.ensure(progress, to_search=False)
        return Nearness.open(self.index.places)

    def vault(self) -> Vault:
        """
        Return the vectors of the index, which stay in memory as long as it is the same.
        """
        from lorebook.retrieval.nearness import open_vault  # noqa: PLC0415 (brings numpy)

        held = manifest.read(self.index.places.store)
        if self._vault is None or self._vault[0] != held:
            self._vault = (held, open_vault(self.index.places))
        return self._vault[1]

    def evaluate(self, queries: Path, *, documents: Path | None = None, progress: Progress | None = None) -> Report:
        """
        Run judged *queries*; *documents* holds source texts, by default the folder `seeds` near the queries.
        """
        asked = read_queries(queries)
        self.ensure()

        def ranker(query: str, wanted: frozenset[str]) -> Sequence[str]:
            return [hit.rule for hit in self.index.search(query, rulesets=wanted, limit=10)]

        folder = documents or documents_near(queries)
        return evaluate(asked, self._rulesets(), ranker, documents=folder, progress=progress)

    def by_meaning(
        self,
        text: str,
        chosen: Ruleset | Book,
        book: Book,
        *,
        most: int = MOST_EMBEDDED,
        progress: Progress | None = None,
    ) -> Meaning:
        """
        Return the entries of *book* that *text* means; *chosen* is what the book was made from.

        A book that is no ruleset is embedded and kept in the user's cache, up to *most* passages.
        """
        if not text:
            return Meaning({}, "meaning not asked for")
        if isinstance(chosen, Ruleset):
            try:
                hits = self.search(text, rulesets={chosen.name}, limit=_MOST_HITS, progress=progress)
            except UnreachableError as error:
                # Nor because a server is away: the keys are matched all the same.
                return Meaning({}, f"meaning left out: {error}")
            uids = {entry.rule: entry.uid for entry in book.entries if entry.rule}
        else:
            made = as_ruleset(chosen)
            if len(made.uids) > most:
                return Meaning({}, f"meaning left out: more than {most} entries would have to be embedded")
            try:
                hits = self._search_book(text, made.ruleset, progress) if made.uids else []
            except StorageError as error:
                # A chat is never held up because a cache cannot be written.
                return Meaning({}, f"meaning left out: {error}")
            uids = dict(made.uids)
        found = {uids[hit.rule]: VectorHit(score=hit.score, passage=hit.text) for hit in hits if hit.rule in uids}
        return Meaning(found, "meaning looked up")

    def _search_book(self, text: str, ruleset: Ruleset, progress: Progress | None) -> list[Hit]:
        _forget_oldest(_cache_folder("books", "").parent)
        # Books come and go by the chat: their vectors stay in this machine's cache.
        choices = self._choices.model_copy(update={"store": ""})
        index = Index(self._places(_cache_folder("books", ruleset.digest)), choices)
        index.load_models(to_search=True)
        try:
            if index.staleness({ruleset.name: ruleset.digest}) is not None:
                index.build([ruleset], progress=progress)
            return _mended(lambda: index.search(text, limit=_MOST_HITS), index, lambda: [ruleset], progress)
        finally:
            index.close()


def _mended(
    search: Callable[[], list[Hit]],
    index: Index,
    rulesets: Callable[[], list[Ruleset]],
    progress: Progress | None,
) -> list[Hit]:
    """
    Return what *search* finds in *index*; where it fails, after mending no more than is needed.

    Another process may have mended it already; what a store has lost is in the vectors kept by content; and a
    store that is damaged otherwise is filled anew from them. A server that does not answer cannot be mended.
    """
    mends = (
        index.close,
        lambda: index.build(rulesets(), progress=progress),
        lambda: index.build(rulesets(), refill=True, progress=progress),
    )
    for mend in mends:
        try:
            return search()
        except UnreachableError:
            raise
        except RetrievalError:
            mend()
    return search()


def _cache_folder(kind: str, identity: str) -> Path:
    name = hashlib.sha256(identity.encode()).hexdigest()[:24]
    return user_cache_path("lorebook", appauthor=False) / kind / name


def _forget_oldest(folder: Path) -> None:
    """
    Leave only the newest indexes of books in the cache; a book that comes again is embedded again.
    """
    if folder.is_dir():
        by_age = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in by_age[_MOST_BOOKS:]:
            shutil.rmtree(path, ignore_errors=True)
