"""
How many tokens a text takes, by the tokenizers that models use; they work offline.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from lorebook.errors import UnknownNameError

_LONGEST = 50_000
TOKENIZERS = ("o200k_base", "cl100k_base")


@lru_cache
def token_counter(name: str) -> Callable[[str], int]:
    """
    Return the function that counts the tokens of a text with the tokenizer *name*.

    Raises UnknownNameError for a name that is not in TOKENIZERS.
    """
    if name not in TOKENIZERS:
        raise UnknownNameError.among("tokenizer", name, TOKENIZERS)
    # Loading a vocabulary takes tens of milliseconds: only what counts tokens pays for it.
    import bpe_openai  # noqa: PLC0415

    encoding = bpe_openai.get_encoding(name)

    def count(text: str) -> int:
        # The tokenizer refuses longer texts; each cut adds a token at the most.
        return sum(len(encoding.encode_ordinary(text[at : at + _LONGEST])) for at in range(0, len(text), _LONGEST))

    return count
