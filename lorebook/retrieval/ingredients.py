"""
What an index is made from: recipe, glossary, models and a home for vectors, each loaded when it is first needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from lorebook.retrieval.choices import Choices
from lorebook.retrieval.embedders import Embedder, default_model
from lorebook.retrieval.fingerprints import fingerprint_of
from lorebook.retrieval.glossary import Glossary
from lorebook.retrieval.manifest import IndexManifest, content_of
from lorebook.retrieval.passages import Passage, passages_of
from lorebook.retrieval.recipe import Recipe
from lorebook.retrieval.reranking import Reranker, open_reranker
from lorebook.retrieval.space import Space
from lorebook.retrieval.stores import Home
from lorebook.retrieval.stores.address import Address
from lorebook.ruleset import Ruleset

OpenEmbedder: TypeAlias = Callable[[str | None], Embedder]
OpenHome: TypeAlias = Callable[[str | None, Path], Home]

_STORE = "vectors.chroma"


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


class Ingredients:
    """
    What the recipe says, where *choices* do not overrule it.
    """

    def __init__(
        self,
        places: Places,
        choices: Choices | None,
        *,
        embedder: OpenEmbedder,
        home: OpenHome,
    ) -> None:
        self._places = places
        self._choices = choices or Choices()
        self._open_embedder = embedder
        self._open_home = home

    @cached_property
    def recipe(self) -> Recipe:
        """
        The recipe, as the file says it.
        """
        return Recipe.load(self._places.recipe)

    @cached_property
    def glossary(self) -> Glossary:
        """
        The glossary; an empty one where there is no file.
        """
        return Glossary.load(self._places.glossary) if self._places.glossary.is_file() else Glossary(())

    @cached_property
    def embedder(self) -> Embedder:
        """
        The model, loaded.
        """
        return self._open_embedder(self.model)

    @cached_property
    def reranker(self) -> Reranker | None:
        """
        The model that takes a second look, loaded; None where none is asked for.
        """
        name = _chosen(self._choices.reranker, self.recipe.reranker.model)
        return open_reranker(name) if name else None

    @cached_property
    def model(self) -> str:
        """
        The name of the model that is asked for; a folder's whole path.
        """
        name = _chosen(self._choices.model, self.recipe.model) or default_model()
        return str(Path(name).resolve()) if Path(name).is_dir() else name

    @cached_property
    def address(self) -> str:
        """
        The Chroma server that is asked for; empty for none.

        Raises InputError for what is no address.
        """
        wanted = _chosen(self._choices.store, self.recipe.store)
        return str(Address.parse(wanted)) if wanted else ""

    @cached_property
    def home(self) -> Home:
        """
        Where the vectors are.
        """
        return self._open_home(self.address or None, self._places.store / _STORE)

    @property
    def space(self) -> Space:
        """
        The space of the model's vectors.
        """
        return Space(self.embedder.name, self.embedder.dimension)

    def passages(self, rulesets: Iterable[Ruleset]) -> list[Passage]:
        """
        Return the passages of *rulesets*, in their order.
        """
        return [passage for ruleset in rulesets for passage in passages_of(ruleset, self.recipe.cutting)]

    def manifest_of(self, rulesets: Iterable[Ruleset], passages: Sequence[Passage]) -> IndexManifest:
        """
        Return the manifest of an index of *rulesets*, which were cut into *passages*.
        """
        return self.manifest(
            {ruleset.name: fingerprint_of(ruleset) for ruleset in rulesets},
            space=self.space.title,
            languages=tuple(sorted({passage.language for passage in passages})),
            passages=len(passages),
            content=content_of(passage.id for passage in passages),
        )

    def manifest(
        self, fingerprints: Mapping[str, str], *, space: str, languages: tuple[str, ...], passages: int, content: str
    ) -> IndexManifest:
        """
        Return the manifest of an index of the rulesets with *fingerprints*.
        """
        glossary = self._places.glossary
        return IndexManifest(
            model=self.model,
            space=space,
            store=self.address,
            content=content,
            recipe=self.recipe.digest,
            glossary=hashlib.sha256(glossary.read_bytes()).hexdigest() if glossary.is_file() else "",
            rulesets=dict(sorted(fingerprints.items())),
            languages=languages,
            passages=passages,
        )


def _chosen(choice: str | None, recipe: str | None) -> str | None:
    return recipe if choice is None else choice
