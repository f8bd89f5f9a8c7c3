"""
Our pipeline in the benchmark, and its two legs each alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import tomlkit

from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.retrieval.question import Question
from lorebook.retrieval.recipe import Recipe

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Embedder
    from lorebook.retrieval.passages import Passage
    from lorebook.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "rules" / "glossary.yaml"
RECIPE = ROOT / "index" / "recipe.toml"
VECTORS = ROOT / "index" / "vectors"
DEPTH = 10

Weights: TypeAlias = Mapping[str, float]
"""By `section.name`, against the shipped recipe."""
NO_THRESHOLD: Weights = {"calibration.first": 0.0, "calibration.others": 0.0}

Search: TypeAlias = Callable[[str, Collection[str] | None], Sequence[str]]
"""From a question and the rulesets it may look into (None for all) to rules, best first."""


class Ours:
    """
    One index of some rulesets.
    """

    def __init__(self, index: Index, rulesets: Sequence[Ruleset]) -> None:
        """
        Build *index*, whose store is empty, from *rulesets*.
        """
        self.index = index
        self._rulesets = rulesets
        index.build(rulesets)
        self._opened = index._opened()

    @property
    def passages(self) -> Sequence[Passage]:
        """
        What is searched.
        """
        return self._opened.tables.passages

    @property
    def texts(self) -> list[str]:
        """
        What is embedded of each passage.
        """
        return [passage.embedded(keys=self.index.made_of.recipe.cutting.keys) for passage in self.passages]

    def full(self, question: str, rulesets: Collection[str] | None = None) -> list[str]:
        """
        Rank by all evidence, as every caller of the index does.
        """
        return [hit.rule for hit in self.index.search(question, rulesets=rulesets, limit=DEPTH)]

    def lexical(self, question: str, rulesets: Collection[str] | None = None) -> list[str]:
        """
        Rank by words alone.
        """
        tables = self._opened.tables
        read = Question.read(question, self.index.made_of.glossary, self._opened.manifest.languages)
        scores = tables.lexical.scores(read.words)
        if rulesets is not None:
            scores = scores * np.isin(tables.rulesets, sorted(rulesets))
        best = np.maximum.reduceat(scores, tables.starts)
        return [tables.rules[int(n)] for n in np.argsort(-best, kind="stable")[:DEPTH] if best[n] > 0]

    def dense(self, question: str, rulesets: Collection[str] | None = None) -> list[str]:
        """
        Rank by the similarities of the question's own vector alone.
        """
        vector = self.index.made_of.embedder.embed_queries([question])[0]
        found = [
            near
            for language in self._opened.manifest.languages
            for near in self._opened.store.nearest(
                vector, limit=self.index.made_of.recipe.neighbours, language=language, rulesets=rulesets
            )
        ]
        tables = self._opened.tables
        ranked = sorted(found, key=lambda near: -near[1])
        return list(dict.fromkeys(tables.passages[tables.row_of[name]].rule for name, _ in ranked))[:DEPTH]


@contextmanager
def built(
    rulesets: Sequence[Ruleset], embedder: Embedder, folder: Path, weights: Weights | None = None
) -> Iterator[Ours]:
    """
    Yield an index of *rulesets* in the empty *folder*, with the shipped recipe but for *weights*.
    """
    folder.mkdir(parents=True, exist_ok=True)
    recipe = write_recipe(folder / "recipe.toml", weights or {})
    index = Index(Places(recipe, GLOSSARY, folder / "store", (VECTORS,)), embedder=lambda _: embedder)
    try:
        yield Ours(index, rulesets)
    finally:
        index.close()


def write_recipe(path: Path, weights: Weights) -> Path:
    """
    Write the shipped recipe with other *weights* into *path*.

    Raises RetrievalError for a weight that no recipe has.
    """
    plain: Any = tomlkit.parse(RECIPE.read_text("utf-8"))
    for name, value in weights.items():
        section, _, field = name.rpartition(".")
        (plain.setdefault(section, {}) if section else plain)[field] = value
    path.write_text(tomlkit.dumps(plain), "utf-8")
    Recipe.load(path)
    return path
