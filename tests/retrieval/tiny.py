"""
Models that have learnt nothing, a few kilobytes each: real files for the real loading code, made on the spot.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import BertConfig

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] pawn king rook stone move moves two squares a the".split()


def tiny_reranker(folder: Path, *, outputs: int = 1) -> Path:
    """
    Save a cross-encoder with *outputs* outputs into *folder*.
    """
    from transformers import BertForSequenceClassification  # noqa: PLC0415 (seconds)

    _save_tokenizer(folder)
    BertForSequenceClassification(_config(seed=3, outputs=outputs)).save_pretrained(folder)
    return folder


def tiny_encoder(folder: Path, own: Mapping[str, str], *, seed: int) -> Path:
    """
    Save a sentence-transformers model whose files name the prompts *own* into *folder*.
    """
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 (seconds)
    from transformers import BertModel  # noqa: PLC0415

    bare = folder.with_name(f"{folder.name}-bare")
    _save_tokenizer(bare)
    BertModel(_config(seed=seed, outputs=1)).save_pretrained(bare)
    SentenceTransformer(str(bare), device="cpu", prompts=dict(own)).save(str(folder))
    return folder


def _config(*, seed: int, outputs: int) -> BertConfig:
    import torch  # noqa: PLC0415 (seconds)
    from transformers import BertConfig  # noqa: PLC0415

    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        # Weights so large that texts differ in spite of them.
        initializer_range=1.0,
    )
    config.num_labels = outputs
    return config


def _save_tokenizer(folder: Path) -> None:
    from transformers import BertTokenizer  # noqa: PLC0415 (seconds)

    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizer(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
