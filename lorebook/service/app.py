"""
The routes: each calls the workspace and returns what it gets.
"""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi_offline import FastAPIOffline
from starlette.requests import ClientDisconnect

from lorebook import __version__
from lorebook.errors import DataError, InputError, LorebookError, UnknownNameError, UnreachableError
from lorebook.records import Rule
from lorebook.service import files
from lorebook.service.requests import AskRequest, CompareRequest, Health, MatchRequest
from lorebook.workspace import Workspace
from lorebook.workspace.matching import MatchOptions
from lorebook.workspace.views import Answer, Comparison, MatchResult, RulesetView

# A chat of the largest context windows is some megabytes, a card with pictures a few more; more is a mistake or an
# attack: larger files are for the command line.
MAX_BODY_BYTES = 16 * 1024 * 1024


def create_app(workspace: Workspace, *, prefer: str | None = None) -> FastAPI:
    """
    Return the application that serves *workspace*; *prefer* is the ruleset of askers who name none.
    """
    # Documentation pages whose scripts come from here, not from a network that may not be there.
    app = FastAPIOffline(title="lorebook", version=__version__, summary="Rulings of card games for chat frontends.")
    app.middleware("http")(_limit_body)
    app.add_exception_handler(LorebookError, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_request)
    app.add_exception_handler(ClientDisconnect, _gone)
    _add_routes(app, workspace, prefer)
    files.add_routes(app)
    return app


def _add_routes(app: FastAPI, workspace: Workspace, prefer: str | None) -> None:
    # Plain functions, not coroutines: FastAPI runs them in threads, so that a query does not hold up others.

    @app.post("/v1/ask")
    def ask(request: AskRequest) -> Answer:
        """Find the rules that answer a question, and say where rulesets disagree on it."""
        return workspace.ask(
            request.question,
            rulesets=request.rulesets,
            languages=request.languages,
            limit=request.limit,
            prefer=request.prefer or prefer,
        )

    @app.post("/v1/compare")
    def compare(request: CompareRequest) -> Comparison:
        """Say where two rulesets differ, where no difference is seen, and what only one of them has."""
        return workspace.compare(
            request.one, request.other, topic=request.topic, language=request.language, limit=request.limit
        )

    @app.post("/v1/match")
    def match(request: MatchRequest) -> MatchResult:
        """Say what a chat activates in a book, with the reasons of every entry and the prompt text."""
        options = MatchOptions(**request.model_dump(include=set(MatchOptions.model_fields)))
        return workspace.match_messages(request.messages, request.book, options=options)

    @app.get("/v1/rules/{ruleset}/{slug}")
    def rule(ruleset: str, slug: str) -> Rule:
        """Return one rule whole."""
        return workspace.rule(f"{ruleset}/{slug}")

    @app.get("/v1/rulesets")
    def rulesets() -> list[RulesetView]:
        """List the rulesets."""
        return workspace.ruleset_views()

    @app.get("/healthz")
    def healthz() -> Health:
        """Say whether the service can answer."""
        why = workspace.index_staleness()
        return Health(
            status="ok" if why is None else "stale",
            version=__version__,
            rulesets=len(workspace.rulesets),
            index=why or "current",
        )


async def _limit_body(request: Request, call_next):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    length = request.headers.get("content-length", "0")
    if request.headers.get("transfer-encoding") or (length.isdigit() and int(length) > MAX_BODY_BYTES):
        detail = f"a request needs a content-length of at most {MAX_BODY_BYTES} bytes"
        return JSONResponse({"error": "too_large", "detail": detail}, status_code=413)
    return await call_next(request)


def _refuse(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 (FastAPI's signature)
    body = {"error": type(error).__name__, "detail": str(error)}
    return JSONResponse(body, status_code=_status(error))


def _status(error: Exception) -> int:
    if isinstance(error, UnknownNameError):
        return 404
    if isinstance(error, UnreachableError):
        return 503
    return 422 if isinstance(error, InputError | DataError) else 500


def _refuse_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 (registered for this class alone)
    first = error.errors()[0]
    detail = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    if first["loc"] == ("body",) and "json" not in request.headers.get("content-type", ""):
        detail = "the body is not said to be JSON: send it with the header `content-type: application/json`"
    return JSONResponse({"error": "InvalidRequest", "detail": detail}, status_code=422)


def _gone(request: Request, error: Exception) -> Response:  # noqa: ARG001 (FastAPI's signature)
    # Nobody reads it: a client that went away while it sent is no failure of ours, to be logged with a traceback.
    return Response(status_code=400)
