"""
What becomes of an error: a status, and a body that says what is wrong and what to do.
"""

from __future__ import annotations

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from lorebook.errors import DataError, InputError, LorebookError, UnknownNameError, UnreachableError
from lorebook.faultwords import in_words


def add_refusals(app: FastAPI) -> None:
    """
    Let *app* answer what it cannot do.
    """
    app.add_exception_handler(LorebookError, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_request)
    app.add_exception_handler(HTTPException, _refuse_route)
    app.add_exception_handler(ClientDisconnect, _gone)


def refused(status: int, error: str, detail: str) -> JSONResponse:
    """
    Return the answer with *status* that names the kind of *error* and tells of it in *detail*.
    """
    return JSONResponse({"error": error, "detail": detail}, status_code=status)


def _refuse(request: Request, error: Exception) -> Response:  # noqa: ARG001 (FastAPI's signature)
    return refused(_status(error), type(error).__name__, str(error))


def _status(error: Exception) -> int:
    if isinstance(error, UnknownNameError):
        return 404
    if isinstance(error, UnreachableError):
        return 503
    return 422 if isinstance(error, InputError | DataError) else 500


def _refuse_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 (registered for this class alone)
    first = error.errors()[0]
    detail = f"{'.'.join(str(part) for part in first['loc'])}: {in_words(first)}"
    if first["type"] == "json_invalid":
        detail = f"the body {in_words(first)} (character {first['loc'][-1]})"
    if first["loc"] == ("body",) and "json" not in request.headers.get("content-type", ""):
        detail = "the body is not said to be JSON: send it with the header `content-type: application/json`"
    return refused(422, "InvalidRequest", detail)


def _refuse_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 (registered for this class alone)
    kind = HTTPStatus(error.status_code).phrase.title().replace(" ", "")
    detail, asked = error.detail, f"{request.method} {request.url.path}"
    if error.status_code == HTTPStatus.NOT_FOUND:
        detail = f"there is no {asked}; /docs lists what is served"
    elif error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        taken = (error.headers or {}).get("Allow", "another method")
        detail = f"{asked} is not taken, but {taken}; /docs shows how"
    answer = refused(error.status_code, kind, detail)
    answer.headers.update(error.headers or {})
    return answer


def _gone(request: Request, error: Exception) -> Response:  # noqa: ARG001 (FastAPI's signature)
    # Nobody reads it: a client that went away while it sent is no failure of ours, to be logged with a traceback.
    return Response(status_code=400)
