"""
How common a word of English is, asked of a tokenizer's vocabulary.

It holds the commonest words of a very large amount of text as one token each, in the order in which they were merged,
which is nearly that of how often they stand there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

UNSEEN = 100_000
"""The rank of what is no word of the vocabulary, which has a hundred thousand tokens."""

_ENCODING = "cl100k_base"


@cache
def ranks() -> Mapping[str, int]:
    """
    Return every word that is one token, as it is written, with its rank: the commonest have the lowest.
    """
    # Half a second, which only English documents have to pay.
    import bpe_openai  # noqa: PLC0415

    tokens = enumerate(bpe_openai.get_encoding(_ENCODING).token_byte_values())
    return {token[1:].decode(): rank for rank, token in tokens if token[:1] == b" " and token[1:].isalpha()}


@lru_cache(maxsize=50_000)
def rank(word: str) -> int:
    """
    Return the rank of *word* as it is written, UNSEEN for one that is no token.
    """
    return ranks().get(word, UNSEEN)
