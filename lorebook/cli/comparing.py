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
# Of its columns: what differs, and either ruleset. Between two columns stands a space on either side.
_SHARES, _GAP = (2, 5, 5), 2
# What is shown with both texts, and what a reader calls it.
_TOLD = {"conflict": "conflicts", "different": "different", "reworded": "worded differently"}


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

    Rules that are the same word for word are only counted.
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
        (_heading(found), "bold"),
        f": conflicts {counts['conflict']}, different {counts['different']}, worded differently {counts['reworded']},"
        f" alike {counts['alike']}, the same {counts['same']};"
        f" only in {found.one} {counts['only_one']}, only in {found.other} {counts['only_other']}",
    )
    told = [pair for pair in found.pairs if pair.verdict in _TOLD]
    if told:
        _show_pairs(found, told)
    _show_left_out(found, told)
    _show_links([pair.link for pair in told if pair.link])
    alike = [_named(pair) for pair in found.pairs if pair.verdict == "alike"]
    _show_list("alike: on one point, no difference seen", alike, counts["alike"])
    _show_list(f"only in {found.one}", _lone(found.only_one), counts["only_one"])
    _show_list(f"only in {found.other}", _lone(found.only_other), counts["only_other"])
    if not sum(counts.values()):
        render.line("No rule of either is about this.")


def _heading(found: Comparison) -> str:
    """
    The titles of both; with their names where these alone tell them apart.
    """
    if found.one_title != found.other_title:
        return f"{found.one_title} and {found.other_title}"
    return f"{found.one_title} ({found.one}) and {found.other_title} ({found.other})"


def _show_pairs(found: Comparison, pairs: Sequence[PairView]) -> None:
    column = render.width() * _SHARES[1] // sum(_SHARES) - _GAP
    sides = [side for pair in pairs for side in (pair.one, pair.other)]
    if render.width() >= _WIDE and all(_columns(side.rule) <= column for side in sides):
        render.line()
        rows = [[pair.label, _cell(pair.one, column), _cell(pair.other, column)] for pair in pairs]
        render.table(("", found.one, found.other), rows, shares=_SHARES)
        return
    for pair in pairs:
        render.line()
        render.line((pair.label, "bold"))
        for side in (pair.one, pair.other):
            _show_side(side)


def _show_side(side: StatementView) -> None:
    name = side.rule, "cyan"
    if _fits(f"{side.title}  {side.rule}", 2):
        render.line(f"{side.title}  ", name, indent=2)
    else:
        render.line(side.title, indent=2)
        render.line(name, indent=2)
    render.block(side.text, indent=4)


def _show_left_out(found: Comparison, told: Sequence[PairView]) -> None:
    """
    Say how many pairs a limit has cut off.
    """
    left = {words: found.counts[name] - sum(pair.verdict == name for pair in told) for name, words in _TOLD.items()}
    if any(left.values()):
        render.line()
        render.line("… not shown: " + ", ".join(f"{words} {number}" for words, number in left.items() if number))


def _show_links(commands: Sequence[str]) -> None:
    if commands:
        render.line()
        render.line(
            ("not linked; where two do disagree, these commands link them, and `ask` says so from then on", "bold")
        )
    for command in commands:
        render.command(command)


def _cell(side: StatementView, column: int) -> str:
    between = "  " if _columns(f"{side.title}  {side.rule}") <= column else "\n"
    return f"{side.title}{between}{side.rule}\n{side.text}\n"


def _named(pair: PairView) -> list[str]:
    return [pair.one.title, f"({pair.one.rule}) /", pair.other.title, f"({pair.other.rule})"]


def _lone(rules: Sequence[OnlyView]) -> list[list[str]]:
    return [
        [rule.title, f"({rule.rule})" + ("," if rule.nearest else ""), *([f"near {rule.nearest}"] * bool(rule.nearest))]
        for rule in rules
    ]


def _show_list(heading: str, items: Sequence[Sequence[str]], count: int) -> None:
    """
    Print *items*, which consist of parts, under *heading*, and how many of *count* a limit has cut off.
    """
    if not count:
        return
    render.line()
    render.line((heading, "bold"))
    for item in items:
        for at, line in enumerate(_lines(item)):
            render.block(line, indent=4 if at else 2)
    if count > len(items):
        render.line(f"… and {count - len(items)} more", indent=2)


def _lines(parts: Sequence[str]) -> list[str]:
    """
    The *parts* in one line, or in as many as it takes to break none that fits.
    """
    lines = [parts[0]]
    for part in parts[1:]:
        if _fits(f"{lines[-1]} {part}", 4):
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return lines


def _fits(text: str, indent: int) -> bool:
    return not render.width() or indent + _columns(text) <= render.width()


def _columns(text: str) -> int:
    from rich.cells import cell_len  # noqa: PLC0415 (tens of milliseconds)

    return cell_len(text)
