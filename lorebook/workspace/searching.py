"""
The index of a workspace: kept current, asked and measured.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lorebook.progress import Progress
from lorebook.retrieval import manifest
from lorebook.retrieval.building import BuildReport
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.condition import Condition
from lorebook.retrieval.evaluation import Report, documents_near, evaluate, read_queries
from lorebook.retrieval.fingerprints import fingerprint
from lorebook.retrieval.hits import Hit
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.retrieval.mending import mended
from lorebook.ruleset import Ruleset
from lorebook.workspace import cache, location

if TYPE_CHECKING:
    from lorebook.retrieval.manifest import IndexManifest
    from lorebook.retrieval.nearness import Nearness
    from lorebook.retrieval.passages import Passage
    from lorebook.retrieval.vectors import Vault

_STORE, _VECTORS, _RECIPE, _GLOSSARY = "store", "vectors", "recipe.toml", "glossary.yaml"
# Passages whose nearest ones a question waits for: of twice as many, the first one waits a tenth of a second.
_MOST_HELD = 20_000


class _Held(NamedTuple):
    """
    What was made of which passages and vectors.
    """

    passages: Sequence[Passage]
    vault: Vault
    nearness: Nearness | None


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
        self._held: _Held | None = None
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

    @property
    def least_score(self) -> float:
        """
        The score below which nothing is taken for an answer, of the workspace's rules or of any book's entries.
        """
        return self.index.made_of.recipe.calibration.first

    def _places(self, store: Path) -> Places:
        """
        The ingredients of an index: the workspace's own, else the shipped ones; a store that can be written.
        """
        shipped = location.shipped()
        recipe = self._root / location.INDEX / _RECIPE
        glossary = self._root / location.RULES / _GLOSSARY
        written = next(folder for folder in (store, *store.parents) if folder.exists())
        if written.is_dir() and not os.access(written, os.W_OK):
            store = cache.folder(cache.WORKSPACES, str(self._root))
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

        return mended(ask, self.index, self._rulesets, progress)

    def nearness(self, progress: Progress | None = None) -> Nearness:
        """
        Return the passages of all rulesets held against each other, after making the index current.
        """
        from lorebook.retrieval.nearness import Nearness  # noqa: PLC0415 (brings numpy)

        self.ensure(progress, to_search=False)
        return Nearness.open(self.index.places)

    def nearness_as_asked(self) -> Nearness | None:
        """
        Return the same of the index that was just asked, kept in memory; None where that would take long.
        """
        from lorebook.retrieval.nearness import Nearness  # noqa: PLC0415 (brings numpy)

        passages, vault = self.index.passages(), self.vault()
        if self._held is None or self._held.passages is not passages or self._held.vault is not vault:
            nearness = Nearness.of(passages, vault) if len(passages) <= _MOST_HELD else None
            self._held = _Held(passages, vault, nearness)
        return self._held.nearness

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

    def index_of(self, book: Ruleset) -> Index:
        """
        Return the index of a *book* that is no ruleset of the workspace.

        Books come and go by the chat: it is in this machine's cache, never on a server, and the oldest are forgotten.
        """
        cache.forget_oldest_books()
        choices = self._choices.model_copy(update={"store": ""})
        return Index(self._places(cache.folder(cache.BOOKS, book.digest)), choices)
