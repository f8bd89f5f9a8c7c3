"""
In which condition an index is, and why.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from lorebook.records import Frozen
from lorebook.retrieval import fingerprints
from lorebook.retrieval import manifest as manifests
from lorebook.retrieval.manifest import IndexManifest
from lorebook.retrieval.space import Space


class State(StrEnum):
    """
    The conditions that are told apart. `lorebook index` makes every other one CURRENT, as does the next question.
    """

    CURRENT = "current"
    ABSENT = "absent"
    """It was never built."""
    HALF_BUILT = "half-built"
    """A build began and did not finish."""
    STALE = "stale"
    """It was made from other rules, glossary or recipe, or its vectors are in another store."""
    WRONG_MODEL = "wrong-model"
    """Its vectors are of another model than the one that is asked for."""
    WRONG_DIMENSION = "wrong-dimension"
    """The model has the same name, and makes vectors of another length."""
    CORRUPT = "corrupt"
    """A part of it is damaged or lost."""
    UNREACHABLE = "unreachable"
    """The server that holds its vectors does not answer."""


class Condition(Frozen):
    """
    A state, and what there is to say of it.
    """

    state: State
    why: str | None = None

    @property
    def is_current(self) -> bool:
        """
        Whether the index can be asked as it is.
        """
        return self.state is State.CURRENT


CURRENT = Condition(state=State.CURRENT)


def without_manifest(store: Path, *, lock: str) -> Condition:
    """
    Say what is in *store*, where no index with its tables can be read; *lock* is no part of one.
    """
    if (store / manifests.FILE).is_file():
        if manifests.is_of_another_version(store):
            return Condition(state=State.STALE, why="another version of lorebook built it")
        return Condition(state=State.CORRUPT, why="its manifest or its tables cannot be read")
    if store.is_dir() and any(path.name != lock for path in store.iterdir()):
        return Condition(state=State.HALF_BUILT, why="an earlier build did not finish")
    return Condition(state=State.ABSENT, why="it was never built")


def compared(held: IndexManifest, wanted: IndexManifest) -> Condition:
    """
    Say why *held* is not *wanted*, as far as that can be seen without loading the model or opening the store.
    """
    if held.model != wanted.model:
        return Condition(state=State.WRONG_MODEL, why="the model changed")
    for field in ("recipe", "glossary", "store"):
        if getattr(held, field) != getattr(wanted, field):
            return Condition(state=State.STALE, why=f"the {field} changed")
    why = fingerprints.difference(held.rulesets, wanted.rulesets)
    return Condition(state=State.STALE, why=why) if why else CURRENT


def compared_spaces(held: Space, wanted: Space) -> Condition:
    """
    Say whether vectors of the space *held* can be compared with those that the model makes, of the space *wanted*.
    """
    if held.model != wanted.model:
        why = f"it holds vectors of {held.model}, the model is {wanted.model}"
        return Condition(state=State.WRONG_MODEL, why=why)
    if held.dimension != wanted.dimension:
        why = f"it holds vectors of length {held.dimension}, the model makes {wanted.dimension}"
        return Condition(state=State.WRONG_DIMENSION, why=why)
    return CURRENT
