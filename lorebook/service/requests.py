"""
What the service is asked; the examples become the documentation's.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from lorebook.records import Frozen, Language
from lorebook.retrieval.question import MAX_QUESTION
from lorebook.workspace.fileviews import ConversionView
from lorebook.workspace.matching import MatchOptions


class AskRequest(Frozen):
    """
    A question for the rules.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"question": "can I summon twice in one turn?", "limit": 3},
                {"question": "手牌上限", "rulesets": ["ygo-classic", "ocg-zh"], "languages": ["zh"]},
            ]
        }
    )

    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION)]
    rulesets: tuple[str, ...] | None = Field(default=None, description="Only these rulesets.")
    languages: tuple[Language, ...] | None = Field(default=None, description="Only wordings in these languages.")
    limit: int = Field(default=5, ge=1, le=100)
    prefer: str | None = Field(
        default=None,
        description="The ruleset played by: first among rules that answer about as well, and the ruling where they "
        "disagree. Default: the service's own, if it was started with one.",
    )


class CompareRequest(Frozen):
    """
    Two rulesets to be compared.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"one": "ygo-classic", "other": "mutegannu-ekrats", "topic": "hand limit"},
                {"one": "bfm-v2", "other": "ocg-zh", "language": "zh", "limit": 5},
            ]
        }
    )

    one: str
    other: str
    topic: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION)] | None = Field(
        default=None, description="Only rules that this question or term finds."
    )
    language: Language | None = Field(
        default=None, description="Compare and show the wordings in it; default: the topic's."
    )
    limit: int | None = Field(default=None, ge=0, le=1000, description="Rules of each kind at most.")


class MatchRequest(MatchOptions):
    """
    A chat to be matched against a ruleset (by name) or a lorebook (inline, in any JSON format that is read).
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "messages": [{"role": "user", "content": "I Tribute Summon my level 7 monster.", "name": "Kai"}],
                    "book": "bfm-v2",
                    "token_budget": 800,
                },
                {
                    "messages": [{"role": "user", "content": "The dragon wakes."}],
                    "book": {"entries": [{"keys": ["dragon"], "content": "Dragons sleep by day.",
                                          "extensions": {}, "enabled": True, "insertion_order": 10}]},
                },
            ]
        }
    )  # fmt: skip

    messages: list[dict[str, Any]] = Field(description="Oldest first: {role, content, name?}.")
    book: str | dict[str, Any] = Field(description="A ruleset's name, or a lorebook or card as JSON.")


class Health(Frozen):
    """
    What a supervisor wants to know.
    """

    status: str = Field(description="`ok`, or `stale` when the index is not what the rules would give.")
    version: str
    rulesets: int
    index: str


class Converted(Frozen):
    """
    A file that was converted.
    """

    view: ConversionView
    data: str = Field(description="The new file in base64.")
