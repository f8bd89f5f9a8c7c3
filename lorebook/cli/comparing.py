"""
`compare`: two rulesets held against each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lorebook.cli import completing, render
from lorebook.cli.options import (
    ModelOption,
    ServedJsonOption,
    StoreOption,
    WorkspaceOption,
    choices,
    in_workspace,
    takes_links,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lorebook.workspace.views import Comparison, OnlyView, PairView, StatementView

# Narrower, two columns of prose are hard to read.
_WIDE = 90


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's commands to *app*.
    """
    app.command(epilog='Try: lorebook compare ygo-classic mutegannu-ekrats --topic "hand limit"')(compare)


def compare(
    one: Annotated[str, typer.Argument(metavar="RULESET", help="A ruleset.", autocompletion=completing.rulesets)],
    other: Annotated[
        str,
        typer.Argument(
            metavar="RULESET", help="The ruleset that it is compared with.", autocompletion=completing.rulesets
        ),
    ],
    *,
    topic: Annotated[
        str | None, typer.Option("--topic", "-t", metavar="TEXT", help="Only rules that this question or term finds.")
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            "-l",
            metavar="CODE",
            help="Compare and show the wordings in this language; default: the topic's.",
            autocompletion=completing.languages,
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=0, max=1000, help="Rules shown of each kind at most.")
    ] = None,
    model: ModelOption = None,
    store: StoreOption = None,
    workspace: WorkspaceOption = None,
    as_json: ServedJsonOption = False,
) -> None:
    """
    Say where two rulesets differ, where no difference is seen, and what only one of them has.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415

    opened = Workspace.open(workspace, choices(model=model, store=store))
    with render.progress("Building the index") as progress:
        found = opened.compare(one, other, topic=topic, language=language, limit=limit, progress=progress)
    found = _in_workspace(found, workspace)
    if as_json:
        render.as_json(found)
    else:
        _show(found)


def _in_workspace(found: Comparison, folder: Path | None) -> Comparison:
    """
    Return *found* with commands that say which workspace it is of, where that was said; none where they are refused.
    """
    where = in_workspace(folder) if takes_links(folder) else None
    links = (None if where is None or pair.link is None else pair.link + where for pair in found.pairs)
    pairs = [pair.model_copy(update={"link": link}) for pair, link in zip(found.pairs, links, strict=True)]
    return found.model_copy(update={"pairs": tuple(pairs)})


def _show(found: Comparison) -> None:
    counts = found.counts
    render.line(
        (f"{found.one_title} and {found.other_title}", "bold"),
        f": conflicts {counts['conflict']}, different {counts['different']}, alike {counts['alike']};"
        f" only in {found.one} {counts['only_one']}, only in {found.other} {counts['only_other']}",
    )
    told = [pair for pair in found.pairs if pair.verdict != "alike"]
    if told:
        _show_pairs(found, told)
    _show_links([pair.link for pair in told if pair.link])
    alike = [f"{pair.one.title} ({pair.one.rule}) / {pair.other.title} ({pair.other.rule})" for pair in found.pairs
             if pair.verdict == "alike"]  # fmt: skip
    _show_list("alike: on one point, no difference seen", alike)
    _show_list(f"only in {found.one}", _lone(found.only_one))
    _show_list(f"only in {found.other}", _lone(found.only_other))
    if not sum(counts.values()):
        render.line("No rule of either is about this.")


def _show_pairs(found: Comparison, pairs: Sequence[PairView]) -> None:
    if render.width() >= _WIDE:
        render.line()
        rows = [[pair.label, _cell(pair.one), _cell(pair.other)] for pair in pairs]
        render.table(("", found.one, found.other), rows, shares=(2, 5, 5))
        return
    for pair in pairs:
        render.line()
        render.line((pair.label, "bold"))
        for side in (pair.one, pair.other):
            render.line(side.title, ("  " + side.rule, "cyan"), indent=2)
            render.block(side.text, indent=4)


def _show_links(commands: Sequence[str]) -> None:
    if commands:
        render.line()
        render.line(("different but not linked; these commands link them, and `ask` tells of it", "bold"))
    for command in commands:
        render.command(command)


def _cell(side: StatementView) -> str:
    return f"{side.title}  {side.rule}\n{side.text}\n"


def _lone(rules: Sequence[OnlyView]) -> list[str]:
    return [f"{rule.title} ({rule.rule})" + (f", near {rule.nearest}" if rule.nearest else "") for rule in rules]


def _show_list(heading: str, items: Sequence[str]) -> None:
    if items:
        render.line()
        render.line((heading, "bold"))
        for item in items:
            render.block(item, indent=2)
