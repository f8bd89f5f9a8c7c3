"""
Any model that sentence-transformers can load, by name or folder.

Importing the library takes seconds and brings torch, so this module is imported only when such a model
is asked for. A name is looked up in the local model cache; only the environment variable LOREBOOK_DOWNLOAD=1
lets it be downloaded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lorebook.errors import ModelError
from lorebook.retrieval.embedders import embeddable

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from lorebook.retrieval.embedders import Progress, Vectors

_BATCH = 32
_DOWNLOAD = "LOREBOOK_DOWNLOAD"

# What a family was trained with before questions and passages, where its files do not say so themselves.
# e5: the model card's "each input text should start with query: or passage: "; the instruct models take an
# instruction before questions only. bge: "Represent this sentence …" before English questions only.
_PROMPTS = {
    "e5-mistral": ("Instruct: Given a question, retrieve the rules that answer it\nQuery: ", ""),
    "e5-large-instruct": ("Instruct: Given a question, retrieve the rules that answer it\nQuery: ", ""),
    "e5": ("query: ", "passage: "),
    "bge-small-en": ("Represent this sentence for searching relevant passages: ", ""),
    "bge-base-en": ("Represent this sentence for searching relevant passages: ", ""),
    "bge-large-en": ("Represent this sentence for searching relevant passages: ", ""),
}


class SentenceTransformerModel:
    """
    A sentence-transformers model with the prompts of its family.
    """

    def __init__(self, model: str) -> None:
        """
        Load *model*, the name of a cached model (with LOREBOOK_DOWNLOAD=1, of any) or its folder.

        Raises ModelError when the library or the model cannot be loaded.
        """
        self._model = _load(model)
        self.name = Path(model).name if Path(model).is_dir() else model
        size = self._model.get_embedding_dimension()
        if not size:
            raise ModelError("the model does not say how long its vectors are", where=model)
        self.dimension = int(size)
        self._query_prompt, self._passage_prompt = prompts(_origin(model), dict(self._model.prompts or {}))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """
        Return one row a question.
        """
        return self._encode(texts, self._query_prompt)

    def embed_passages(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """
        Return one row a passage, and tell *progress* after every batch.
        """
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            rows[start : start + len(batch)] = self._encode(batch, self._passage_prompt)
            if progress:
                progress(start + len(batch), len(texts))
        return rows

    def _encode(self, texts: Sequence[str], prompt: str) -> Vectors:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        rows = self._model.encode(
            [embeddable(text) for text in texts], prompt=prompt, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(rows, dtype=np.float32)


def prompts(origin: str, own: dict[str, str]) -> tuple[str, str]:
    """
    Return what goes before a question and before a passage: what the model's own files say, or its family's.
    """
    if own.get("query") or own.get("passage") or own.get("document"):
        return own.get("query", ""), own.get("passage") or own.get("document") or ""
    name = origin.lower()
    return next((pair for family, pair in _PROMPTS.items() if family in name), ("", ""))


def _origin(model: str) -> str:
    """
    Return the name by which the family of *model* is known; a folder's own name may say nothing.
    """
    config = Path(model) / "config.json"
    if not config.is_file():
        return model
    try:
        stated = json.loads(config.read_text("utf-8")).get("_name_or_path", "")
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(f"config.json is not readable: {error}", where=model) from error
    return f"{stated} {Path(model).name}"


def _load(model: str) -> SentenceTransformer:
    try:
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    except ImportError as error:
        hint = "pip install sentence-transformers"
        raise ModelError("sentence-transformers is not installed", where=model, hint=hint) from error
    offline = os.environ.get(_DOWNLOAD) != "1"
    try:
        return SentenceTransformer(model, device="cpu", local_files_only=offline)
    except Exception as error:  # the library passes on whatever torch, a hub client or a parser raises
        hint = "give the name of a sentence-transformers model or a folder that holds one"
        hint += f"; {_DOWNLOAD}=1 downloads a model that is not on this machine" if offline else ""
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise ModelError(f"the model does not load: {reason}", where=model, hint=hint) from error
