"""
What the user of a match may choose.
"""

from __future__ import annotations

from pydantic import Field

from lorebook.records import Frozen


class MatchSettings(Frozen):
    """
    How a chat is scanned and how much may enter the prompt; a book's own settings go before these.
    """

    scan_depth: int = Field(default=4, ge=0, le=1000, description="Messages scanned, counted from the newest.")
    token_budget: int = Field(default=2048, ge=0, description="Tokens that all entries together may take.")
    tokenizer: str = Field(default="o200k_base", description="Whose tokens are counted.")
    case_sensitive: bool = Field(default=False, description="For keys whose entry does not say.")
    match_whole_words: bool = Field(default=True, description="For keys whose entry does not say.")
    vector_limit: int = Field(default=3, ge=0, description="Entries that may come in by meaning alone.")
    seed: int = Field(default=0, description="Draws for entries that fire with a probability.")
