"""
The routes about the rules of a workspace: each calls the workspace and returns what it gets.

They are plain functions, not coroutines: FastAPI runs them in threads, so that a query does not hold up others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, Request

from lorebook import __version__
from lorebook.records import Rule
from lorebook.service.requests import AskRequest, CompareRequest, Health, MatchRequest
from lorebook.workspace import Workspace
from lorebook.workspace.matching import MatchOptions
from lorebook.workspace.views import Answer, Comparison, MatchResult, RulesetView

router = APIRouter()


@dataclass(frozen=True)
class Served:
    """
    What is asked: a workspace, and the ruleset that is preferred where an asker names none.
    """

    workspace: Workspace
    prefer: str | None


async def _served(request: Request) -> Served:
    served: Served = request.app.state.served
    return served


FromServed: TypeAlias = Annotated[Served, Depends(_served)]


@router.post("/v1/ask")
def ask(request: AskRequest, served: FromServed) -> Answer:
    """
    Find the rules that answer a question, and say where rulesets disagree on it.
    """
    return served.workspace.ask(
        request.question,
        rulesets=request.rulesets,
        languages=request.languages,
        limit=request.limit,
        prefer=request.prefer or served.prefer,
    )


@router.post("/v1/compare")
def compare(request: CompareRequest, served: FromServed) -> Comparison:
    """
    Say where two rulesets differ, where no difference is seen, and what only one of them has.
    """
    return served.workspace.compare(
        request.one, request.other, topic=request.topic, language=request.language, limit=request.limit
    )


@router.post("/v1/match")
def match(request: MatchRequest, served: FromServed) -> MatchResult:
    """
    Say what a chat activates in a book, with the reasons of every entry and the prompt text.
    """
    options = MatchOptions(**request.model_dump(include=set(MatchOptions.model_fields)))
    return served.workspace.match_messages(request.messages, request.book, options=options)


@router.get("/v1/rules/{ruleset}/{slug}")
def rule(ruleset: str, slug: str, served: FromServed) -> Rule:
    """
    Return one rule whole.
    """
    return served.workspace.rule(f"{ruleset}/{slug}")


@router.get("/v1/rulesets")
def rulesets(served: FromServed) -> list[RulesetView]:
    """
    List the rulesets.
    """
    return served.workspace.ruleset_views()


@router.get("/healthz")
def healthz(served: FromServed) -> Health:
    """
    Say whether the service can answer.
    """
    why = served.workspace.index_staleness()
    return Health(
        status="ok" if why is None else "stale",
        version=__version__,
        rulesets=len(served.workspace.rulesets),
        index=why or "current",
    )
