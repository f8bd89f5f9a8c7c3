"""
`presets`: what our way of matching does otherwise than SillyTavern.
"""

from __future__ import annotations

from typing import Annotated

import typer

from lorebook.cli import completing, render
from lorebook.cli.options import JsonOption
from lorebook.errors import UnknownNameError


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's command to *app*.
    """
    app.command(
        epilog="Try: lorebook presets longest_terms   "
        "lorebook match -b world.json -c chat.json --switch longest_terms=off"
    )(presets)


def presets(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Only these differences.", autocompletion=completing.switches),
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """
    List the differences between the presets, each of which `match --switch` turns on or off, with examples.
    """
    from lorebook.matching.presets import DIFFERENCES, PRESETS  # noqa: PLC0415

    if unknown := next((name for name in names or () if name not in DIFFERENCES), None):
        raise UnknownNameError.among("difference", unknown, DIFFERENCES)
    told = {name: DIFFERENCES[name] for name in names or DIFFERENCES}
    held = {name: {preset.value: getattr(PRESETS[preset], name) for preset in PRESETS} for name in told}
    if as_json:
        render.as_json({name: {**held[name], "on": each.on, "off": each.off} for name, each in told.items()})
        return
    for name, each in told.items():
        states = ", ".join(f"{'on' if value else 'off'} in {preset}" for preset, value in held[name].items())
        render.line((name, "bold"), (f"  {states}", "dim"))
        render.block(f"on: {each.on}")
        render.block(f"off: {each.off}")
        render.line()
