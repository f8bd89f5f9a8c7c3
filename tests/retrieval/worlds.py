"""
Small rulesets and a model without weights: what the tests of retrieval are played on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lorebook.progress import Progress
from lorebook.records import Rule, Source, Span, Wording
from lorebook.retrieval.stores import Shelf
from lorebook.retrieval.stores.memory import MemoryStore
from lorebook.retrieval.words import terms
from lorebook.ruleset import Document, Manifest, Ruleset

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Vectors

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"

DOCUMENT = "900_rules.txt"


class HashedWords:
    """
    A model that knows words but no meaning: each term is a direction, so texts that share terms are near.
    """

    name = "hashed-words"
    dimension = 64

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._rows(texts)

    def embed_passages(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        self.embedded += texts
        if progress:
            progress(len(texts), len(texts))
        return self._rows(texts)

    def _rows(self, texts: Sequence[str]) -> Vectors:
        rows = np.full((len(texts), self.dimension), 0.01, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in terms(text):
                row[int(hashlib.sha256(term.encode()).hexdigest(), 16) % self.dimension] += 1
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


class MemoryHome:
    """
    Stores that live as long as this: what is measured by the others is measured by this one.
    """

    address = ""

    def __init__(self) -> None:
        self._stores: dict[Shelf, MemoryStore] = {}

    def reach(self) -> None:
        """
        It is always there.
        """

    def open(self, shelf: Shelf) -> MemoryStore:
        return self._stores.setdefault(shelf, MemoryStore())

    def discard(self, shelf: Shelf) -> None:
        self._stores.pop(shelf, None)

    def sweep(self) -> None:
        """
        Nothing is left over.
        """


def rule(rule_id: str, en: str = "", zh: str = "", *, order: int = 0, lines: tuple[int, int] | None = None) -> Rule:
    """
    A rule with a text in one or both languages; the first line is its title.
    """
    wordings = {}
    for language, text in (("en", en), ("zh", zh)):
        if text:
            title, _, body = text.partition("\n")
            wordings[language] = Wording(title=title, text=body or title, keys=(title,))
    source = Source(document=DOCUMENT, lines=(Span(*lines),)) if lines else None
    return Rule(id=rule_id, order=order, original=next(iter(wordings)), wordings=wordings, source=source)


def ruleset(name: str, *rules: Rule) -> Ruleset:
    """
    A ruleset of *rules*.
    """
    document = Document(name=DOCUMENT, sha256="0" * 64, line_count=10)
    manifest = Manifest(
        title={"en": name.title()},
        game="Any",
        edition="1",
        languages=("en",),
        authority="The table",
        licence="MIT",
        documents=(document,),
    )
    return Ruleset(name, manifest, rules)


CHESS = ruleset(
    "chess",
    rule("chess/castling", "Castling\nThe king moves two squares towards a rook, and the rook jumps over it.", order=0),
    rule("chess/pawn", "Pawn moves\nA pawn moves one square ahead, or two from where it starts.", order=1),
    rule("chess/en-passant", "En passant\nA pawn that moved two squares can be taken as if it had moved one.", order=2),
)
GO = ruleset(
    "go",
    rule(
        "go/ko",
        "Ko\nA move may not repeat the position before the last move.",
        "打劫\n不能立即恢复上一手之前的局面。",
        order=0,
    ),
    rule(
        "go/liberty",
        "Liberty\nA stone without a free neighbour is taken off.",
        "气\n没有气的棋子要从棋盘上提走。",
        order=1,
    ),
)
