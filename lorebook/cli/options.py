"""
Options that several commands share.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

WorkspaceOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        envvar="LOREBOOK_WORKSPACE",
        metavar="DIR",
        help="The workspace; default: the one around the current folder, else the shipped rules.",
    ),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON, the same that the service answers.")]
RulesetFilter: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--ruleset", "-r", metavar="NAME", help="Only this ruleset; repeat for several."),
]
LanguageFilter: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--language", "-l", metavar="CODE", help="Only wordings in this language (en, zh); repeatable."),
]
