"""
What the user of a match may choose.
"""

from __future__ import annotations

from typing import Self

from pydantic import Field

from lorebook.matching.presets import Preset
from lorebook.records import Frozen


class MatchSettings(Frozen):
    """
    How a chat is scanned and how much may enter the prompt; a book's own settings go before these.
    """

    preset: Preset = Field(
        default=Preset.LOREBOOK, description="How keys, budget and order work: ours, or exactly SillyTavern's."
    )
    scan_depth: int = Field(default=4, ge=0, le=1000, description="Messages scanned, counted from the newest.")
    token_budget: int = Field(default=2048, ge=0, description="Tokens that all entries together may take.")
    tokenizer: str = Field(default="o200k_base", description="Whose tokens are counted.")
    recursive: bool = Field(default=False, description="Whether the texts of entries that fire are scanned, too.")
    min_activations: int = Field(default=0, ge=0, description="Look further back until so many entries fire.")
    case_sensitive: bool = Field(default=False, description="For keys whose entry does not say.")
    match_whole_words: bool = Field(default=True, description="For keys whose entry does not say.")
    include_names: bool = Field(default=False, description="Whether the names of speakers are scanned, too.")
    decorators: bool = Field(
        default=True,
        description="Whether Character Card V3's decorators (`@@depth 4`) at the head of a content count; with the"
        " preset `sillytavern` they never do, but for the two that it knows, which always count.",
    )
    vector_limit: int = Field(default=3, ge=0, description="Entries that may come in by meaning alone.")
    vector_floor: float = Field(default=0, ge=0, le=1, description="The least score of those.")
    seed: int = Field(default=0, description="Draws for entries that fire with a probability.")

    @classmethod
    def of_preset(cls, preset: Preset) -> Self:
        """
        Return the settings that *preset* begins with; SillyTavern's are those of its shipped settings file.
        """
        if preset is Preset.SILLYTAVERN:
            return cls(preset=preset, scan_depth=2, recursive=True, include_names=True)
        return cls(preset=preset)
