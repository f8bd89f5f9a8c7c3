"""
`import`: documents become rulesets, and what became of their lines is told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lorebook.cli import completing, render
from lorebook.cli.options import ImportWorkspaceOption, JsonOption, in_workspace
from lorebook.cli.render import counted

if TYPE_CHECKING:
    from lorebook.importers import ImportReport
    from lorebook.records import Span
    from lorebook.workspace.views import ImportView

# What became of lines, in the order in which it is told: what a reader should look at comes last, before what to do.
_TOLD = {
    "dropped": "left out, as nothing that a rule would need",
    "merged": "said more than once, and one rule now",
    "mended": "mended",
    "kept": "kept as it is",
    "missing": "worth a look, as something is missing there",
}
_SHOWN = 8


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's command to *app*.
    """
    app.command("import", epilog="Try: lorebook import rulebook.txt --name my-game --workspace my-rules")(import_files)


def import_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Documents; each becomes a ruleset.")],
    *,
    kind: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="KIND",
            help="What kind of document it is (markdown, html, restructuredtext, numbered, pdf, records, outline, "
            "listing, flat-chinese, bbcode, plain); default: seen from its content.",
            autocompletion=completing.kinds,
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The ruleset's name; default: from the file's name.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a ruleset of that name.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --replace: also one whose rules were changed by hand.")
    ] = False,
    workspace: ImportWorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """
    Read documents into rulesets of a workspace, which is made if it is missing.

    Text in any of the usual markups, with numbered rules or without; PDF with text in it; rules as JSON or YAML.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415

    with render.progress("Importing") as progress:
        views = Workspace.import_documents(
            files, workspace, kind=kind, name=name, replace=replace, force=force, progress=progress
        )
    if as_json:
        render.as_json(views)
        return
    for view in views:
        _show(view)
    _show_next(views, workspace)


def _show(view: ImportView) -> None:
    lines = sum(document.line_count for document in view.ruleset.manifest.documents)
    render.line(
        (view.ruleset.name, "bold"),
        f": {counted(view.ruleset.rules, 'rule', 'rules')} from the {counted(lines, 'line', 'lines')} of {view.file}",
    )
    render.line(f"written to {view.folder}, a file for each rule", indent=2)
    render.line(f"read as {view.report.kind}: {view.report.reason}; --as KIND takes it for another", indent=2)
    if view.removed:
        render.line(("gone with the ruleset that was replaced: ", "red"), ", ".join(view.removed), indent=2)
    for action, heading in _TOLD.items():
        _show_notices(view.report, action, heading)


def _show_notices(report: ImportReport, action: str, heading: str) -> None:
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for notice in report.notices:
        if notice.action == action:
            found[notice.what].extend(notice.lines)
    if found:
        render.line((f"{heading}:", "bold"), indent=2)
    for what, lines in islice(found.items(), _SHOWN):
        render.block(f"{_lines(lines)}{what}", indent=4, style="dim")
    if len(found) > _SHOWN:
        render.block(f"… {len(found) - _SHOWN} more; --json tells them all", indent=4, style="dim")


def _lines(spans: Sequence[Span]) -> str:
    if not spans:
        return ""
    shown = ", ".join(map(str, spans[:_SHOWN])) + (", …" if len(spans) > _SHOWN else "")
    return f"line {shown}: " if shown.isdecimal() else f"lines {shown}: "


def _show_next(views: Sequence[ImportView], workspace: Path | None) -> None:
    name = views[0].ruleset.name
    where = in_workspace(workspace)
    render.line()
    render.line(("What now: ask, look at the rules, take them along as a card", "bold"))
    render.line(f'lorebook ask "a question or a term"{where}', indent=2)
    render.line(f"lorebook rules {name}{where}", indent=2)
    render.line(f"lorebook export {name} --to png{where}", indent=2)
