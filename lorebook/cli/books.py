"""
`match`, `export`, `formats`: commands about books.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lorebook.cli import render
from lorebook.cli.options import JsonOption, WorkspaceOption
from lorebook.errors import InputError

if TYPE_CHECKING:
    from lorebook.matching.activation import HeldBackEntry
    from lorebook.workspace import Workspace
    from lorebook.workspace.views import MatchResult

STDIO = Path("-")


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's commands to *app*.
    """
    app.command(epilog="Try: lorebook match --book bfm-v2 --chat chat.json --budget 800")(match)
    app.command(epilog="Try: lorebook export ocg-zh --to png -o judge.png --language zh")(export)
    app.command(epilog="Try: lorebook formats --json")(formats)


def match(
    *,
    book: Annotated[str, typer.Option("--book", "-b", metavar="BOOK", help="A ruleset, or a lorebook or card file.")],
    chat: Annotated[
        Path,
        typer.Option(
            "--chat", "-c", metavar="FILE", help="JSON messages or SillyTavern's JSONL; - reads standard input."
        ),
    ] = STDIO,
    language: Annotated[
        str | None,
        typer.Option("--language", "-l", metavar="en|zh|both", help="Of a ruleset's texts; default: the chat's."),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(min=0, metavar="TOKENS", help="Tokens all entries may take together.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=0, max=1000, metavar="MESSAGES", help="Newest messages scanned.")
    ] = None,
    vectors: Annotated[
        int, typer.Option(min=0, metavar="N", help="Entries that may come in by meaning; 0: keys only.")
    ] = 3,
    tokenizer: Annotated[str, typer.Option(metavar="NAME", help="Whose tokens are counted.")] = "o200k_base",
    seed: Annotated[int, typer.Option(help="For entries that fire with a probability.")] = 0,
    everything: Annotated[bool, typer.Option("--all", help="List the entries without a key in the chat, too.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """
    Show what a chat activates in a book, why, and the prompt text that results.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415
    from lorebook.workspace.matching import MatchOptions  # noqa: PLC0415

    opened = Workspace.open(workspace)
    options = MatchOptions(
        language=language, token_budget=budget, scan_depth=depth, vector_limit=vectors, tokenizer=tokenizer, seed=seed
    )
    with render.progress("Building the index") as progress:
        result = opened.match(_read(chat), book, where=str(chat), options=options, progress=progress)
    if as_json:
        render.as_json(result)
    else:
        _show_match(result, everything=everything)


def _read(path: Path) -> bytes:
    if path == STDIO:
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), hint="name a chat file") from error


def _show_match(result: MatchResult, *, everything: bool) -> None:
    activation = result.activation
    render.line(
        (f"{activation.book}: {len(activation.entries)} entries fire", "bold"),
        f", {activation.tokens} of {activation.token_budget} tokens, {activation.messages_scanned} messages scanned;"
        f" {result.vectors}",
    )
    rows = [
        [str(entry.uid), entry.name, entry.position.value, str(entry.tokens), "; ".join(map(str, entry.reasons))]
        for entry in activation.entries
    ]
    if rows:
        render.table(("uid", "entry", "position", "tokens", "why"), rows, numeric=[0, 3])
    for position, text in result.prompt.positions.items():
        render.line()
        render.line((f"── prompt, {position} ──", "bold"))
        render.block(text, indent=0)
    for injection in result.prompt.injections:
        render.line()
        render.line((f"── prompt, at depth {injection.depth} as {injection.role} ──", "bold"))
        render.block(injection.text, indent=0)
    render.line()
    _show_held_back(activation.held_back, everything=everything)


def _show_held_back(held_back: Sequence[HeldBackEntry], *, everything: bool) -> None:
    from lorebook.matching.reasons import NoKey  # noqa: PLC0415

    told = [entry for entry in held_back if everything or not isinstance(entry.obstacle, NoKey)]
    silent = len(held_back) - len(told)
    tail = f", {silent} of them because no key stands in the chat (--all lists them)" if silent else ""
    render.line((f"Left out: {len(held_back)}", "bold"), tail)
    if told:
        rows = [[str(entry.uid), entry.name, str(entry.obstacle)] for entry in told]
        render.table(("uid", "entry", "why not"), rows, numeric=[0])


def export(
    ruleset: Annotated[str | None, typer.Argument(help="The ruleset.")] = None,
    *,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="`lorebook formats` lists them.")] = "world-info",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write; - is standard output.")
    ] = None,
    language: Annotated[str, typer.Option("--language", "-l", metavar="en|zh|both")] = "both",
    everything: Annotated[bool, typer.Option("--all", help="Every ruleset in every format, into exports/.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="With --all: only say what is stale; exit 1 if anything is.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """
    Write a ruleset as a lorebook or character card, and say what the format could not hold.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415

    opened = Workspace.open(workspace)
    if everything:
        _export_all(opened, check=check, as_json=as_json)
    elif ruleset is None:
        raise typer.BadParameter("name a ruleset, or --all", param_hint="RULESET")
    else:
        _export_one(opened, ruleset, to, language, output, as_json=as_json)


def _export_one(opened: Workspace, ruleset: str, to: str, language: str, output: Path | None, *, as_json: bool) -> None:
    if output == STDIO:
        sys.stdout.buffer.write(opened.export(ruleset, to, language).data)
        return
    view = opened.export_file(ruleset, to, language, output)
    if as_json:
        render.as_json(view)
        return
    render.line((view.path, "bold"), f": {view.ruleset} as {view.format}, {view.language}, {view.size:,} bytes")
    render.line(f"  what the format cannot hold: {len(view.losses) or 'nothing'}")
    for loss in view.losses:
        place = "book" if loss.entry is None else f"entry {loss.entry}"
        render.line((f"    {place}: {loss.field}: {loss.why}", "dim"))


def _export_all(opened: Workspace, *, check: bool, as_json: bool) -> None:
    if not check:
        with render.progress("Exporting") as progress:
            views = opened.export_all(progress=progress)
        if as_json:
            render.as_json(views)
        else:
            render.line(f"{len(views)} files in {opened.exports_folder}")
        return
    stale = opened.stale_exports()
    if as_json:
        render.as_json(stale)
    else:
        for file in stale:
            render.line(f"{file.path} {file.why}")
        render.line("exports/ is stale. Run `lorebook export --all`." if stale else "exports/ is current.")
    raise typer.Exit(1 if stale else 0)


def formats(*, as_json: JsonOption = False) -> None:
    """
    List the lorebook and card formats.
    """
    from lorebook.formats import FORMATS  # noqa: PLC0415

    if as_json:
        render.as_json({name: {"title": form.title, "suffix": form.suffix} for name, form in FORMATS.items()})
    else:
        render.table(("name", "suffix", "what"), [[form.name, form.suffix, form.title] for form in FORMATS.values()])
