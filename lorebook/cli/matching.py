"""
`match`: what a chat activates in a book.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lorebook.cli import activated, completing, render, watching
from lorebook.cli.options import (
    ModelOption,
    RerankerOption,
    ServedJsonOption,
    StoreOption,
    WorkspaceOption,
    choices,
)
from lorebook.errors import InputError

if TYPE_CHECKING:
    from lorebook.matching.activation import State
    from lorebook.workspace import Workspace
    from lorebook.workspace.views import MatchResult

STDIO = Path("-")


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's command to *app*.
    """
    app.command(
        epilog="Try: lorebook match --book bfm-v2 --chat chat.json --budget 800"
        "   lorebook match -b world.json -c chat.jsonl --why 12"
    )(match)


def match(
    *,
    book: Annotated[
        str,
        typer.Option(
            "--book",
            "-b",
            metavar="BOOK",
            help="A ruleset, or a lorebook or card file.",
            autocompletion=completing.books,
        ),
    ],
    chat: Annotated[
        Path,
        typer.Option(
            "--chat", "-c", metavar="FILE", help="JSON messages or SillyTavern's JSONL; - reads standard input."
        ),
    ] = STDIO,
    preset: Annotated[
        str,
        typer.Option(
            metavar="PRESET",
            help="lorebook, our way of matching, or sillytavern, exactly SillyTavern's.",
            autocompletion=completing.presets,
        ),
    ] = "lorebook",
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            "-l",
            metavar="en|zh|both",
            help="Of a ruleset's texts; default: the chat's, where they have it.",
            autocompletion=completing.export_languages,
        ),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(min=0, metavar="TOKENS", help="Tokens all entries may take together.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=0, max=1000, metavar="MESSAGES", help="Newest messages scanned.")
    ] = None,
    recursive: Annotated[
        bool | None, typer.Option("--recursive/--no-recursive", help="Scan the texts of entries that fire, too.")
    ] = None,
    vectors: Annotated[
        int, typer.Option(min=0, max=100, metavar="N", help="Entries that may come in by meaning; 0: keys only.")
    ] = 3,
    floor: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            metavar="SCORE",
            help="Least score of those; default: the recipe's, as for a question's answers.",
        ),
    ] = None,
    switch: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=on|off",
            help="One difference of the presets (`lorebook presets`); repeatable.",
            autocompletion=completing.switched,
        ),
    ] = None,
    decorators: Annotated[
        bool | None,
        typer.Option("--decorators/--no-decorators", help="Whether Card V3's decorators in contents count."),
    ] = None,
    greeting: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="The greeting in use, for @@is_greeting; 0 is the first.")
    ] = None,
    character: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The character that is open, for entries with a character filter."),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(metavar="TAG", help="A tag of it, for entries with a tag filter; repeatable.")
    ] = None,
    tokenizer: Annotated[
        str, typer.Option(metavar="NAME", help="Whose tokens are counted.", autocompletion=completing.tokenizers)
    ] = "o200k_base",
    seed: Annotated[int, typer.Option(help="For entries that fire with a probability.")] = 0,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Sticky, cooldown and order from turn to turn: read if there, then written."),
    ] = None,
    why: Annotated[
        str | None, typer.Option(metavar="UID", help="Explain one entry only: its uid, rule id or name.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List the entries without a key in the chat, too.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Run again whenever the chat or the book changes.")] = False,
    model: ModelOption = None,
    store: StoreOption = None,
    reranker: RerankerOption = None,
    workspace: WorkspaceOption = None,
    as_json: ServedJsonOption = False,
) -> None:
    """
    Show what a chat activates in a book, why, and the prompt text that results.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415
    from lorebook.workspace.matching import MatchOptions, checked_preset  # noqa: PLC0415

    chosen = MatchOptions(
        preset=checked_preset(preset),
        language=language,
        token_budget=budget,
        scan_depth=depth,
        recursive=recursive,
        switches=dict(map(_switched, switch or ())),
        decorators=decorators,
        greeting=greeting,
        character=character or None,
        tags=tuple(tag) if tag else None,
        vector_limit=vectors,
        vector_floor=floor,
        tokenizer=tokenizer,
        seed=seed,
    )

    def run() -> None:
        opened = Workspace.open(workspace, choices(model=model, store=store, reranker=reranker))
        options = chosen.model_copy(update={"state": _read_state(state)})
        with render.progress("Building the index") as progress:
            result = opened.match(_read(chat), book, where=_where(chat), options=options, progress=progress)
        _write_state(state, result)
        activated.show(result, why=why, everything=everything, as_json=as_json)

    if watch:
        _watch(run, chat, book, Workspace.open(workspace))
    else:
        run()


def _switched(said: str) -> tuple[str, bool]:
    name, _, value = said.partition("=")
    if value not in {"on", "off"}:
        raise InputError(f"--switch {said!r} says neither on nor off", hint="for instance --switch longest_terms=off")
    return name, value == "on"


def _watch(run: Callable[[], None], chat: Path, book: str, opened: Workspace) -> None:
    if chat == STDIO:
        raise InputError("standard input cannot be watched", hint="name a chat file with --chat")

    def files() -> Iterable[Path]:
        folder = opened.folders.get(book)
        return [chat, *(sorted(folder.iterdir()) if folder else [Path(book)])]

    def run_and_go_on() -> None:
        render.clear()
        try:
            run()
        except InputError as error:
            # A file that is being written may be unreadable for a moment; the next change is waited for.
            render.line(("lorebook: ", "red"), str(error))

    watching.repeat(run_and_go_on, files)


def _where(chat: Path) -> str:
    return "standard input" if chat == STDIO else str(chat)


def _read(path: Path, hint: str = "name a chat file") -> bytes:
    from lorebook.matching.chat import MAX_CHAT_BYTES  # noqa: PLC0415
    from lorebook.reading import read_file  # noqa: PLC0415

    if path == STDIO:
        return sys.stdin.buffer.read(MAX_CHAT_BYTES + 1)
    return read_file(path, limit=MAX_CHAT_BYTES, hint=hint)


def _read_state(path: Path | None) -> State | None:
    from lorebook.matching.activation import State  # noqa: PLC0415

    if path is None or not path.exists():
        return None
    try:
        return State.model_validate_json(_read(path, "name a file for the state"))
    except ValueError as error:
        hint = "delete it to begin anew"
        raise InputError("is no state of an earlier match", where=str(path), hint=hint) from error


def _write_state(path: Path | None, result: MatchResult) -> None:
    from lorebook import atomic  # noqa: PLC0415

    if path is not None:
        atomic.write_file(path, (result.activation.state.model_dump_json(indent=1) + "\n").encode())
