"""
`export`, `formats`: commands about books as files.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lorebook.cli import completing, render
from lorebook.cli.options import ForceOption, JsonOption, ServedJsonOption, WorkspaceOption
from lorebook.errors import InputError

if TYPE_CHECKING:
    from lorebook.formats import Format
    from lorebook.workspace import Workspace

STDIO = Path("-")
_SHOWN = 12


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's commands to *app*.
    """
    app.command(epilog="Try: lorebook export ocg-zh --to png -o judge.png --language zh")(export)
    app.command(epilog="Try: lorebook formats --json   lorebook formats novelai card-v3")(formats)


def export(
    ruleset: Annotated[str | None, typer.Argument(help="The ruleset.", autocompletion=completing.rulesets)] = None,
    *,
    to: Annotated[
        str,
        typer.Option(
            "--to", metavar="FORMAT", help="`lorebook formats` lists them.", autocompletion=completing.written_formats
        ),
    ] = "world-info",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write; default: a file named after the ruleset, here. A folder is made if missing; - is"
            " standard output.",
        ),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            "--language",
            "-l",
            metavar="en|zh|both",
            help="Whose texts become the entries.",
            autocompletion=completing.export_languages,
        ),
    ] = "both",
    force: ForceOption = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Every ruleset in all ready-made formats, anew into exports/.")
    ] = False,
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
        _export_one(opened, ruleset, to, language, output, force=force, as_json=as_json)


def _export_one(
    opened: Workspace, ruleset: str, to: str, language: str, output: Path | None, *, force: bool, as_json: bool
) -> None:
    from lorebook.workspace import location  # noqa: PLC0415

    if output == STDIO:
        sys.stdout.buffer.write(opened.export(ruleset, to, language).data)
        return
    made = output.parent if output and not location.is_dir(output.parent) else None
    view = opened.export_file(ruleset, to, language, output, force=force)
    if as_json:
        render.as_json(view)
        return
    render.line((view.path, "bold"), f": {view.ruleset} as {view.format}, {view.language}, {view.size:,} bytes")
    if made:
        render.line(f"  made the folder {made}")
    render.line(f"  what the format cannot hold: {len(view.losses) or 'nothing'}")
    for line in render.losses(view.losses, _SHOWN, "--json has them"):
        render.line((f"    {line}", "dim"))


def _export_all(opened: Workspace, *, check: bool, as_json: bool) -> None:
    if not check:
        with render.progress("Exporting") as progress:
            views = opened.export_all(progress=progress)
        if as_json:
            render.as_json(views)
        else:
            render.line(
                f"{len(views)} files in {opened.exports_folder}{'' if views else ', as there are no rules yet'}"
            )
        return
    stale = opened.stale_exports()
    if as_json:
        render.as_json(stale)
    else:
        for file in stale:
            render.line(f"{file.path} {file.why}")
        render.line("exports/ is stale. Run `lorebook export --all`." if stale else "exports/ is current.")
    raise typer.Exit(1 if stale else 0)


def formats(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="FORMAT", help="Say what these can hold.", autocompletion=completing.written_formats),
    ] = None,
    *,
    as_json: ServedJsonOption = False,
) -> None:
    """
    List the lorebook and card formats, or say what some of them can hold.
    """
    from lorebook.formats import find_format  # noqa: PLC0415
    from lorebook.workspace import files  # noqa: PLC0415

    views = files.format_views()
    if names:
        _show_features([find_format(name, to_write=True) for name in dict.fromkeys(names)], as_json=as_json)
    elif as_json:
        render.as_json(views)
    else:
        rows = [[form.name, form.suffix, "yes" if form.writes else "no", form.title] for form in views]
        render.table(("name", "suffix", "written", "what"), rows)


def _show_features(forms: list[Format], *, as_json: bool) -> None:
    from lorebook.formats import features  # noqa: PLC0415

    for form in forms:
        if not form.writes:
            raise InputError(f"{form.title} is only read: {form.read_only}", where=form.name)
    rows = features.table(forms)
    if as_json:
        names = [form.name for form in forms]
        render.as_json({name: {row[0]: row[n] for row in rows} for n, name in enumerate(names, 1)})
        return
    render.table(("what", *(form.name for form in forms)), rows)
    render.line(("ours: written, but other readers than lorebook (and mostly SillyTavern) may pass over it", "dim"))
