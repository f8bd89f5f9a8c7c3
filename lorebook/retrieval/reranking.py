"""
A second look at the best rules: a cross-encoder reads question and passage together and puts them in order.

It costs a model's pass a passage, where an embedding costs one a question; so it sees only the best of the
fused list. It reorders and never adds: what is found, and whether anything is, is decided before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from lorebook.errors import ModelError
from lorebook.retrieval.embedders import embeddable
from lorebook.retrieval.loading import load_model
from lorebook.retrieval.passages import embedded_text
from lorebook.retrieval.question import Question

if TYPE_CHECKING:
    from lorebook.retrieval.hits import Hit

_BATCH = 16
# Of a long question only the beginning is read, as it is when questions are embedded.
_LONGEST = 1_500


class Reranker(Protocol):
    """
    A model that says how well passages answer a question.
    """

    def relevance(self, question: str, passages: Sequence[str]) -> list[float]:
        """
        Return a number between 0 and 1 a passage, more for a better answer.
        """


class CrossEncoderModel:
    """
    A cross-encoder that sentence-transformers can load, with one output.
    """

    def __init__(self, model: str) -> None:
        """
        Load *model*, the name of a cached model (with LOREBOOK_DOWNLOAD=1, of any) or its folder.

        Raises ModelError when the library or the model cannot be loaded, or the model classifies.
        """
        self._model = load_model("CrossEncoder", model)
        if self._model.num_labels != 1:
            what = f"the model has {self._model.num_labels} outputs where a reranker has one"
            raise ModelError(what, where=model, hint="give a cross-encoder that was trained to rank")

    def relevance(self, question: str, passages: Sequence[str]) -> list[float]:
        """
        Return a number between 0 and 1 a passage, more for a better answer.
        """
        from torch.nn import Sigmoid  # noqa: PLC0415 (loaded with the model)

        pairs = [(embeddable(question), embeddable(passage)) for passage in passages]
        if not pairs:
            return []
        scores = self._model.predict(pairs, batch_size=_BATCH, show_progress_bar=False, activation_fn=Sigmoid())
        return [float(score) for score in scores]


def open_reranker(model: str) -> Reranker:
    """
    Load *model*.

    Raises ModelError when it cannot be loaded.
    """
    return CrossEncoderModel(model)


def reordered(
    question: Question, hits: Sequence[Hit], reranker: Reranker, titles: Mapping[tuple[str, str], str], *, best: int
) -> list[Hit]:
    """
    Return *hits* with the first *best* in the order of their relevance; a place keeps the score that it had.
    """
    seen, rest = hits[:best], hits[best:]
    texts = [embedded_text(titles.get((hit.rule, hit.language), ""), hit.text, ()) for hit in seen]
    relevance = reranker.relevance(question.text[:_LONGEST], texts)
    order = sorted(range(len(seen)), key=lambda at: (-relevance[at], at))
    moved = [_moved(seen[at], seen[place].score, relevance[at], at + 1) for place, at in enumerate(order)]
    return [*moved, *rest]


def _moved(hit: Hit, score: float, relevance: float, rank: int) -> Hit:
    evidence = hit.evidence.model_copy(update={"relevance": round(relevance, 6), "fused_rank": rank})
    return hit.model_copy(update={"score": score, "evidence": evidence})
