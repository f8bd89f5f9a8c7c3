"""
How passages are cut and evidence is weighed: `index/recipe.toml`, with defaults for all that it leaves out.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Self

from pydantic import ConfigDict, Field, ValidationError

from lorebook.errors import RetrievalError
from lorebook.records import Frozen, faults


class _Part(Frozen):
    # Against "not a number" every comparison is false, so nothing would ever be found.
    model_config = ConfigDict(allow_inf_nan=False)


class Cutting(_Part):
    """
    The size of passages in columns (a Chinese character takes two), and how many keys are embedded with each.
    """

    longest: int = Field(default=500, ge=100)
    shortest: int = Field(default=60, ge=1)
    keys: int = Field(default=8, ge=0)


class Words(_Part):
    """
    BM25's two constants, and what a word counts in each field; in the text it counts 1.
    """

    k1: float = Field(default=1.2, gt=0)
    b: float = Field(default=0.75, ge=0, le=1)
    title: float = Field(default=1.0, ge=0)
    section: float = Field(default=0.5, ge=0)
    keys: float = Field(default=0.5, ge=0)


class Fusion(_Part):
    """
    The weight of each kind of evidence, against a dense similarity that counts 1 a standard deviation.
    """

    lexical: float = Field(default=0.15, ge=0, description="Words of the query, as BM25 counts them.")
    synonyms: float = Field(default=0.05, ge=0, description="Other words for the query's concepts.")
    concepts: float = Field(default=0.2, ge=0, description="Concepts of the glossary, in any language.")
    keys: float = Field(default=1.0, ge=0, description="Share of the query that is a key or title of the rule.")
    other_language: float = Field(
        default=0.2, ge=0, le=1, description="Part of a wording in another language where the query's own is there."
    )
    parts: float = Field(
        default=0.5, ge=0, le=1, description="Part of a scene's single sentences, where the whole scene is the rest."
    )
    terms: float = Field(
        default=0.7, ge=0, lt=1, description="Part of the glossary's terms in another language's similarity, at most."
    )
    familiar: float = Field(
        default=0.25,
        gt=0,
        le=1,
        description="Share of a ruleset's letters that name concepts from which on the glossary counts in full there.",
    )


class Calibration(_Part):
    """
    The coefficients of the score (see `calibration`), and the least score of a list's first hit and of the others.
    """

    bias: float = -6.07
    total: float = 0.474
    words: float = 1.239
    concepts: float = 4.054
    length: float = 0.034
    asked: float = -2.103
    first: float = Field(default=0.2, ge=0, le=1)
    others: float = Field(default=0.01, ge=0, le=1)


class Reranking(_Part):
    """
    A second look at the best of the fused list, by a model that reads question and passage together.
    """

    model: str | None = Field(
        default=None,
        description="None for no second look; else a cross-encoder's name or folder, loaded as `model` is.",
    )
    best: int = Field(default=20, ge=2, le=200, description="How many of the best rules it reads and puts in order.")


class Recipe(_Part):
    """
    Everything that decides what is found, apart from the rules, the glossary and the model's weights.
    """

    model: str | None = Field(
        default=None,
        description="None for the model that comes with the package; else a name or folder, loaded offline unless the"
        " environment variable LOREBOOK_DOWNLOAD is 1.",
    )
    store: str | None = Field(
        default=None,
        description="None for vectors in the index's own folder; else a Chroma server, `chroma://host:port`, or"
        " `chromas://host:port` for TLS.",
    )
    neighbours: int = Field(default=200, ge=10, description="Nearest passages that are read a language.")
    cutting: Cutting = Cutting()
    lexical: Words = Words()
    concepts: Words = Words(b=0.5)
    fusion: Fusion = Fusion()
    calibration: Calibration = Calibration()
    reranker: Reranking = Reranking()

    @classmethod
    def load(cls, path: Path) -> Self:
        """
        Read a recipe; a missing file is the default one.

        Raises RetrievalError, naming the field, for one that cannot be used.
        """
        try:
            plain = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError) as error:
            raise RetrievalError(f"not readable as TOML: {error}", where=str(path)) from error
        except RecursionError as error:
            raise RetrievalError("not readable as TOML: nested too deeply", where=str(path)) from error
        try:
            return cls.model_validate(plain)
        except ValidationError as error:
            raise RetrievalError(faults(error)[0], where=str(path)) from error

    @property
    def digest(self) -> str:
        """
        The sha256 of what decides the content of an index; weights that are only used to rank are left out.
        """
        built = self.model_dump_json(include={"cutting", "lexical", "concepts"})
        return hashlib.sha256(built.encode()).hexdigest()
