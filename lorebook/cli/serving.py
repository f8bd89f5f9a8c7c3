"""
`serve`: the HTTP service.
"""

from __future__ import annotations

from typing import Annotated

import typer

from lorebook.cli import render
from lorebook.cli.options import (
    ModelOption,
    PreferOption,
    RerankerOption,
    StoreOption,
    WorkspaceOption,
    choices,
    preferred,
)
from lorebook.errors import InputError


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's commands to *app*.
    """
    app.command(epilog="Try: lorebook serve --port 8321   then open http://127.0.0.1:8321/docs")(serve)


def serve(
    *,
    host: Annotated[str, typer.Option(help="The address to listen on; only this machine by default.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="0 takes any free port.")] = 8321,
    prefer: PreferOption = None,
    model: ModelOption = None,
    store: StoreOption = None,
    reranker: RerankerOption = None,
    workspace: WorkspaceOption = None,
) -> None:
    """
    Serve ask, compare, match, rules and file conversion over HTTP.
    """
    import socket  # noqa: PLC0415

    import uvicorn  # noqa: PLC0415

    from lorebook.service import create_app  # noqa: PLC0415
    from lorebook.workspace import Workspace  # noqa: PLC0415

    opened = Workspace.open(workspace, choices(model=model, store=store, reranker=reranker))
    prefer = preferred(opened, prefer)
    with render.progress("Building the index") as progress:
        opened.searching.ensure(progress)
    # Bound before the server starts, so that a taken port is one clear line and port 0 is known.
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        raise InputError(
            f"cannot listen: {error.strerror}", where=f"{host}:{port}", hint="choose another --port"
        ) from error
    address = f"http://{host}:{listener.getsockname()[1]}"
    render.line((f"lorebook serves {opened.root}", "bold"), f" on {address} (documentation: {address}/docs)")
    config = uvicorn.Config(create_app(opened, prefer=prefer), log_level="warning", timeout_graceful_shutdown=5)
    uvicorn.Server(config).run(sockets=[listener])
