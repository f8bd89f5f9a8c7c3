"""
The application: its routes, the largest body that it takes, and what it answers when it cannot.
"""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.responses import Response
from fastapi_offline import FastAPIOffline
from starlette.middleware.base import RequestResponseEndpoint

from lorebook import __version__
from lorebook.service import files, rules
from lorebook.service.refusals import add_refusals, refused
from lorebook.workspace import Workspace

# A chat of the largest context windows is some megabytes, a card with pictures a few more; more is a mistake or an
# attack: larger files are for the command line.
MAX_BODY_BYTES = 16 * 1024 * 1024


def create_app(workspace: Workspace, *, prefer: str | None = None) -> FastAPI:
    """
    Return the application that serves *workspace*; *prefer* is the ruleset of askers who name none.
    """
    # Documentation pages whose scripts come from here, not from a network that may not be there.
    app = FastAPIOffline(title="lorebook", version=__version__, summary="Rulings of card games for chat frontends.")
    app.state.served = rules.Served(workspace, prefer)
    app.middleware("http")(_limit_body)
    add_refusals(app)
    app.include_router(rules.router)
    app.include_router(files.router)
    return app


async def _limit_body(request: Request, call_next: RequestResponseEndpoint) -> Response:
    length = request.headers.get("content-length", "0")
    if request.headers.get("transfer-encoding") or (length.isdigit() and int(length) > MAX_BODY_BYTES):
        return refused(413, "too_large", f"a request needs a content-length of at most {MAX_BODY_BYTES} bytes")
    return await call_next(request)
