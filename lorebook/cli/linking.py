"""
`link`: rules of two rulesets that decide the same point otherwise are made known to each other.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from lorebook.cli import completing, render
from lorebook.cli.options import JsonOption, WorkspaceOption, in_workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook.workspace.linking import LinkFault, LinkView

_RuleArgument: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="RULESET/RULE",
        help="A rule of each side.",
        autocompletion=completing.rulesets_and_rules,
        show_default=False,
    ),
]


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's command to *app*.
    """
    epilog = "Try: lorebook link inn/hand-limit guild/hand-size --workspace my-rules   lorebook link --check"
    app.command(epilog=epilog)(link)


def link(
    one: _RuleArgument = None,
    other: _RuleArgument = None,
    *,
    remove: Annotated[bool, typer.Option("--remove", help="Take the link away; one of the rules may be gone.")] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Only name links that one side alone says or that lead nowhere; exit 1 if any."),
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """
    Record in two rules that they decide the same point differently, so that `ask` says so.

    `lorebook compare` finds such rules and prints this command for each pair. Nothing else in the records changes.
    """
    from lorebook.workspace import Workspace, location  # noqa: PLC0415

    if check and not (one or remove):
        faults = Workspace.open(workspace).link_faults()
        _show_faults(faults, workspace, as_json=as_json)
        raise typer.Exit(1 if faults else 0)
    if check or not (one and other):
        raise typer.BadParameter("name two rules, or --check alone", param_hint="RULESET/RULE")
    done = Workspace.open(workspace or location.around()).link(one, other, remove=remove)
    if as_json:
        render.as_json(done)
    else:
        render.line(_said(done))


def _said(done: LinkView) -> str:
    pair = f"{done.one} and {done.other}"
    if not done.changed:
        return f"{pair} were linked already." if done.linked else f"{pair} were not linked."
    if len(done.changed) == 1 and done.linked:
        return f"{pair} are linked; only {'the second' if done.changed == (done.one,) else 'the first'} said so before."
    return f"{pair} are linked." if done.linked else f"{pair} are linked no longer."


def _show_faults(faults: Sequence[LinkFault], workspace: Path | None, *, as_json: bool) -> None:
    if as_json:
        render.as_json(faults)
        return
    for fault in faults:
        render.line(f"{fault.rule} names {fault.other}, which {fault.what}. This mends it:")
        render.command(fault.command + in_workspace(workspace), indent=2)
    if not faults:
        render.line("Every link is said by both sides.")
