"""
All of an index but its vectors: passages, the columns of words and concepts, keys, and how similarities spread.

One file, written at once and read at once, so that its parts always belong together.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
import pydantic_core

from lorebook import atomic
from lorebook.errors import RetrievalError
from lorebook.retrieval.citations import CitationIndex
from lorebook.retrieval.familiarity import familiarity
from lorebook.retrieval.keys import KeyIndex
from lorebook.retrieval.lexical import Bm25, Document
from lorebook.retrieval.passages import Passage, PassageKind
from lorebook.retrieval.question import weigh_concepts
from lorebook.retrieval.rolling import RollUp
from lorebook.retrieval.spread import Spread
from lorebook.retrieval.words import is_pair_or_word, terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lorebook.retrieval.glossary import Glossary
    from lorebook.retrieval.recipe import Recipe, Words

    Arrays = Mapping[str, NDArray[Any]]

Count: TypeAlias = Callable[[str], Mapping[str, float]]
"""From a text to what is counted in it, and how much each counts."""

_REMEMBERED = 1000


@dataclass(frozen=True)
class Tables:
    """
    Passages in the order of their rules, and what is counted over them; row n is passage n.
    """

    passages: list[Passage]
    lexical: Bm25
    concepts: Bm25
    keys: KeyIndex
    spreads: dict[str, Spread]
    familiarity: dict[str, float]
    """By ruleset: how far it is written in the glossary's words."""

    @classmethod
    def build(
        cls,
        passages: list[Passage],
        spreads: dict[str, Spread],
        recipe: Recipe,
        glossary: Glossary,
    ) -> Self:
        """
        Count *passages*, and the concepts of *glossary* in them.
        """
        return cls(
            passages,
            _counted(passages, recipe.lexical, _count_words),
            _counted(passages, recipe.concepts, lambda text: weigh_concepts(text, glossary)),
            KeyIndex.build(enumerate(_keys_by_rule(passages))),
            spreads,
            familiarity(passages, glossary),
        )

    @cached_property
    def rules(self) -> list[str]:
        """
        The ids of the rules, in the order of their passages.
        """
        return [self.passages[start].rule for start in self.starts]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """
        The row of each rule's first passage.
        """
        rules = [passage.rule for passage in self.passages]
        return np.asarray([row for row, rule in enumerate(rules) if row == 0 or rule != rules[row - 1]], dtype=np.int64)

    @cached_property
    def roll_up(self) -> RollUp:
        """
        How evidence for passages becomes evidence for rules.
        """
        asked = np.asarray([passage.kind is PassageKind.ASKED for passage in self.passages], dtype=np.bool_)
        return RollUp(self.starts, asked)

    def rows_of(self, rule: int) -> range:
        """
        Return the rows of the passages of rule number *rule*.
        """
        ends = [*self.starts[rule + 1 : rule + 2], len(self.passages)]
        return range(int(self.starts[rule]), int(ends[0]))

    def allowed_rows_of(self, rule: int, allowed: NDArray[np.bool_]) -> list[int]:
        """
        Return those of them that are *allowed*, which says it of every row.
        """
        return [row for row in self.rows_of(rule) if allowed[row]]

    @cached_property
    def row_of(self) -> dict[str, int]:
        """
        The row of each passage, by its id in the vector store.
        """
        return {passage.id: row for row, passage in enumerate(self.passages)}

    @cached_property
    def citations(self) -> CitationIndex:
        """
        The numbers and ids of the rules.
        """
        first = [self.passages[start] for start in self.starts]
        return CitationIndex([each.rule_number for each in first], self.rules, [each.section for each in first])

    @cached_property
    def title_of(self) -> dict[tuple[str, str], str]:
        """
        The title of each rule in each language.
        """
        return {(passage.rule, passage.language): passage.title for passage in self.passages}

    @cached_property
    def languages(self) -> NDArray[np.str_]:
        """
        The language of each row.
        """
        return np.asarray([passage.language for passage in self.passages], dtype=np.str_)

    @cached_property
    def rulesets(self) -> NDArray[np.str_]:
        """
        The ruleset of each row.
        """
        return np.asarray([passage.ruleset for passage in self.passages], dtype=np.str_)

    def trust(self, familiar: float) -> NDArray[np.float32]:
        """
        Return for each row how far the glossary counts in its ruleset: in full where that is *familiar* or more so.
        """
        names, of_row = np.unique(self.rulesets, return_inverse=True)
        shares = [min(1.0, self.familiarity[str(name)] / familiar) for name in names]
        return np.asarray(shares, dtype=np.float32)[of_row]

    def save(self, path: Path) -> None:
        """
        Write the tables, all or nothing.

        Raises StorageError when the disk refuses.
        """
        arrays: dict[str, NDArray[Any]] = {
            "passages": _to_json([astuple(passage) for passage in self.passages]),
            "keys": _to_json(self.keys.owners),
            "languages": _to_json(list(self.spreads)),
            "familiarity": _to_json(self.familiarity),
        }
        for name, part in (("lexical", self.lexical), ("concepts", self.concepts)):
            arrays |= {f"{name}.{key}": value for key, value in part.arrays().items()}
        for language, spread in self.spreads.items():
            arrays |= {f"mean.{language}": spread.mean, f"covariance.{language}": spread.covariance}
        file = io.BytesIO()
        np.savez(file, allow_pickle=False, **arrays)
        atomic.write_file(path, file.getvalue())

    @classmethod
    def load(cls, path: Path) -> Self:
        """
        Read what `save` wrote.

        Raises RetrievalError when it is missing or damaged.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return cls._from_arrays(dict(arrays))
        except Exception as error:  # a damaged file makes zipfile, zlib, NumPy or JSON raise what they like
            raise RetrievalError(
                f"the index is damaged: {error or type(error).__name__}",
                where=str(path),
                hint="`lorebook index` rebuilds it",
            ) from error

    @classmethod
    def _from_arrays(cls, arrays: Arrays) -> Self:
        spreads = {
            language: Spread(arrays[f"mean.{language}"], arrays[f"covariance.{language}"])
            for language in _from_json(arrays["languages"])
        }
        lexical, concepts = (
            Bm25.from_arrays(
                {key.removeprefix(f"{name}."): value for key, value in arrays.items() if key.startswith(f"{name}.")}
            )
            for name in ("lexical", "concepts")
        )
        passages = [_passage(row) for row in _from_json(arrays["passages"])]
        keys = KeyIndex(_from_json(arrays["keys"]))
        return cls(passages, lexical, concepts, keys, spreads, _from_json(arrays["familiarity"]))


def _counted(passages: Iterable[Passage], fields: Words, count: Count) -> Bm25:
    # Passages of one rule share all fields but the text.
    remembered = lru_cache(maxsize=_REMEMBERED)(count)
    return Bm25.build((_document(passage, fields, remembered) for passage in passages), k1=fields.k1, b=fields.b)


def _document(passage: Passage, fields: Words, count: Count) -> Document:
    weights: dict[str, float] = {}
    for text, weight in _fields(passage, fields):
        for term, times in count(text).items() if weight else ():
            weights[term] = weights.get(term, 0.0) + times * weight
    length = sum(weight for term, weight in weights.items() if is_pair_or_word(term))
    return Document(weights, length, f"{passage.language}.{passage.kind is PassageKind.ASKED}")


def _fields(passage: Passage, fields: Words) -> Iterator[tuple[str, float]]:
    yield passage.text, 1.0
    if passage.kind is not PassageKind.ASKED:
        yield passage.title, fields.title
        yield "\n\n".join((passage.ruleset_title, *passage.section)), fields.section
        yield "\n\n".join(passage.keys), fields.keys


def _count_words(text: str) -> Mapping[str, float]:
    return Counter(terms(text))


def _keys_by_rule(passages: Sequence[Passage]) -> Iterable[set[str]]:
    for _, group in groupby(passages, key=lambda passage: passage.rule):
        yield {key for passage in group for key in (passage.title, *passage.keys)}


def _passage(row: Sequence[Any]) -> Passage:
    rule, language, number, kind, text, title, section, keys, ruleset_title, key, rule_number = row
    fields = (text, title, tuple(section), tuple(keys), ruleset_title, key, rule_number)
    return Passage(rule, language, number, PassageKind(kind), *fields)


def _to_json(value: object) -> NDArray[np.uint8]:
    return np.frombuffer(pydantic_core.to_json(value), dtype=np.uint8)


def _from_json(array: NDArray[Any]) -> Any:  # noqa: ANN401 (what JSON holds)
    return pydantic_core.from_json(array.tobytes())
