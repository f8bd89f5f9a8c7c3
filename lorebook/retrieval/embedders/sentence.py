"""
Any model that sentence-transformers can load, by name or folder.

A name is looked up in the local model cache; only the environment variable LOREBOOK_DOWNLOAD=1 lets it be
downloaded. A folder is known by its name and its content, so that vectors of weights that were trained further
are not taken for those of the old ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lorebook.errors import ModelError
from lorebook.progress import Progress
from lorebook.retrieval.embedders import embeddable
from lorebook.retrieval.loading import folder_digest, load_model

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Vectors

_BATCH = 32
# The library sorts the texts of a call by length, so that a batch is little padded; progress is told after each call.
_CALL = 4 * _BATCH

# The names by which models' own files call the prompts of questions and of passages, the commonest first.
_QUERY_PROMPTS = ("query", "retrieval.query", "search_query", "s2p_query", "Retrieval-query", "web_search_query")
_PASSAGE_PROMPTS = ("document", "passage", "corpus", "retrieval.passage", "search_document", "Retrieval-document")

# What a family was trained with before questions and passages, where its files do not say so themselves; the first
# that is part of the name. Facts of the model cards: e5 wants a prefix before either, its instruct models and
# bge an instruction before questions only, nomic a task before either; gte and bge-m3 want nothing.
_INSTRUCTION = "Represent this sentence for searching relevant passages: "
_PROMPTS = {
    "e5-mistral": ("Instruct: Given a question, retrieve the rules that answer it\nQuery: ", ""),
    "e5-large-instruct": ("Instruct: Given a question, retrieve the rules that answer it\nQuery: ", ""),
    "e5": ("query: ", "passage: "),
    **{f"bge-{size}-en": (_INSTRUCTION, "") for size in ("small", "base", "large")},
    **{f"bge-{size}-zh": ("为这个句子生成表示以用于检索相关文章：", "") for size in ("small", "base", "large")},
    "mxbai-embed": (_INSTRUCTION, ""),
    "snowflake-arctic-embed": (_INSTRUCTION, ""),
    "nomic-embed": ("search_query: ", "search_document: "),
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
        self._model = load_model("SentenceTransformer", model)
        folder = Path(model)
        self.name = f"{folder.resolve().name}@{folder_digest(folder)[:12]}" if folder.is_dir() else model
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
        for start in range(0, len(texts), _CALL):
            part = texts[start : start + _CALL]
            rows[start : start + len(part)] = self._encode(part, self._passage_prompt)
            if progress:
                progress(start + len(part), len(texts))
        return rows

    def _encode(self, texts: Sequence[str], prompt: str) -> Vectors:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        rows = self._model.encode(
            [embeddable(text) for text in texts],
            prompt=prompt,
            batch_size=_BATCH,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.asarray(rows, dtype=np.float32)


def prompts(origin: str, own: Mapping[str, str]) -> tuple[str, str]:
    """
    Return what goes before a question and before a passage: what the model's own files say, or its family's.
    """
    query, passage = (
        next((own[name] for name in names if own.get(name)), "") for names in (_QUERY_PROMPTS, _PASSAGE_PROMPTS)
    )
    if query or passage:
        return query, passage
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
