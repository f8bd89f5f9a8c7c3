"""
The making of an index, in an order that a crash at any instant cannot spoil.

Vectors first, by content, so that none is made twice. Then rows are added to the store, which no reader
minds, because a reader takes only the passages of its own tables. Then the tables, under a new name; then
the manifest, which makes all this the index; last, what only the old index needed is removed. A store can
always be filled again from the vectors that are kept by content, without the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lorebook.errors import RetrievalError, UnreachableError
from lorebook.progress import Progress
from lorebook.records import Frozen
from lorebook.retrieval import manifest as manifests
from lorebook.retrieval.background import sentences_for
from lorebook.retrieval.passages import Passage, text_key
from lorebook.retrieval.space import Space
from lorebook.retrieval.spread import Spread
from lorebook.retrieval.stores import Home, Row, Shelf, Store
from lorebook.retrieval.tables import Tables
from lorebook.retrieval.vectors import FOLDER, Vault, recover

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Embedder
    from lorebook.retrieval.glossary import Glossary
    from lorebook.retrieval.manifest import IndexManifest
    from lorebook.retrieval.recipe import Recipe

# Vectors are saved after so many, a minute's work at most.
_CHUNK = 1024


class BuildReport(Frozen):
    """
    What a build did.
    """

    rules: int
    passages: int
    embedded: int
    added: int
    removed: int

    def __str__(self) -> str:
        return (
            f"{self.rules} rules in {self.passages} passages: {self.embedded} embedded, "
            f"{self.added} added to the index, {self.removed} removed"
        )


class Builder:
    """
    Makes one index in a folder of its own.
    """

    def __init__(self, folder: Path, recipe: Recipe, glossary: Glossary, embedder: Embedder, home: Home) -> None:
        self.space = Space(embedder.name, embedder.dimension)
        self._folder, self._vectors = folder, folder / FOLDER
        self._recipe = recipe
        self._glossary = glossary
        self._embedder = embedder
        self._home = home

    def build(
        self,
        passages: list[Passage],
        manifest: IndexManifest,
        *,
        vectors: Sequence[Path],
        keep_vectors: Path | None,
        refill: bool,
        progress: Progress | None,
    ) -> BuildReport:
        """
        Make *passages* the index that *manifest* describes; *vectors* are folders of vectors already made.

        With *refill*, nothing in the store is trusted: it is emptied first.
        """
        self._home.reach()
        recover(self.space, self._vectors)
        vault = Vault(self.space, [self._vectors, *vectors])
        texts = texts_of(passages, keys=self._recipe.cutting.keys)
        embedded = self._embed(vault, texts, progress)
        if keep_vectors:
            vault.save(keep_vectors, texts)
        store, added = self._filled(vault, passages, Shelf(self.space, manifest.content), refill=refill)
        try:
            self._tables(vault, passages).save(self._folder / manifest.tables)
            manifest.save(self._folder)
            removed = self._clear(store, passages, manifest)
        finally:
            store.close()
        rules = len({passage.rule for passage in passages})
        return BuildReport(rules=rules, passages=len(passages), embedded=embedded, added=added, removed=removed)

    def _embed(self, vault: Vault, texts: dict[str, str], progress: Progress | None) -> int:
        """
        Embed what *vault* lacks, saving as it goes: a build that is killed goes on where it was.
        """
        missing = vault.missing(texts)
        for start in range(0, len(missing), _CHUNK):
            chunk = missing[start : start + _CHUNK]

            def tell(done: int, _: int, start: int = start) -> None:
                if progress:
                    progress(start + done, len(missing))

            vault.add(chunk, self._embedder.embed_passages([texts[key] for key in chunk], progress=tell))
            vault.save(self._vectors, [key for key in texts if key in vault])
        vault.save(self._vectors, texts)
        return len(missing)

    def _filled(self, vault: Vault, passages: list[Passage], shelf: Shelf, *, refill: bool) -> tuple[Store, int]:
        """
        The store with all *passages* in it; one that fails is made anew, but not for want of an answer.
        """
        if refill:
            self._empty(shelf)
        try:
            return self._fill(self._home.open(shelf), vault, passages)
        except UnreachableError:
            raise
        except RetrievalError:
            self._empty(shelf)
            return self._fill(self._home.open(shelf), vault, passages)

    def _empty(self, shelf: Shelf) -> None:
        manifests.withdraw(self._folder)
        self._home.discard(shelf)

    def _fill(self, store: Store, vault: Vault, passages: list[Passage]) -> tuple[Store, int]:
        try:
            have = store.ids()
            new = [passage for passage in passages if passage.id not in have]
            if new:
                rows = [Row(passage.id, passage.ruleset, passage.language) for passage in new]
                store.add(rows, vault.rows([passage.key for passage in new]))
        except RetrievalError:
            store.close()
            raise
        return store, len(new)

    def _tables(self, vault: Vault, passages: list[Passage]) -> Tables:
        keys: dict[str, list[str]] = {}
        for passage in passages:
            keys.setdefault(passage.language, []).append(passage.key)
        spreads = {
            language: Spread.of(vault.rows([*own, *map(text_key, sentences_for(language))]))
            for language, own in sorted(keys.items())
        }
        return Tables.build(passages, spreads, self._recipe, self._glossary)

    def _clear(self, store: Store, passages: list[Passage], manifest: IndexManifest) -> int:
        old = store.ids() - {passage.id for passage in passages}
        store.remove(old)
        for path in self._folder.glob("tables-*.npz"):
            if path.name != manifest.tables:
                path.unlink(missing_ok=True)
        with suppress(RetrievalError):  # the index is complete; what is left over waits for the next build
            self._home.sweep()
        return len(old)


def texts_of(passages: Iterable[Passage], *, keys: int) -> dict[str, str]:
    """
    Return what is to be embedded, by its key: the passages with *keys* keys, and their languages' background.
    """
    held = list(passages)
    texts = {passage.key: passage.embedded(keys=keys) for passage in held}
    for language in sorted({passage.language for passage in held}):
        texts |= {text_key(sentence): sentence for sentence in sentences_for(language)}
    return texts
