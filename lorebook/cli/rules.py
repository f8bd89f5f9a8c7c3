"""
`init`, `rulesets`, `rules`, `schema`: commands about records.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lorebook.cli import completing, render
from lorebook.cli.options import JsonOption, ServedJsonOption, WorkspaceOption
from lorebook.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from lorebook.records import Rule
    from lorebook.ruleset import Ruleset
    from lorebook.workspace import Workspace

_NONE_YET = "No rules yet. `lorebook import FILE --workspace {}` makes some of a document."


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's commands to *app*.
    """
    app.command(epilog="Try: lorebook init my-rules")(init)
    app.command(epilog="Try: lorebook rulesets --json")(rulesets)
    app.command(epilog="Try: lorebook rules ygo-classic   lorebook rules ygo-classic/tribute-summon")(rules)
    app.command(epilog="Try: lorebook schema --check")(schema)


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make a workspace.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """
    Make a folder a workspace: rules/, index/ and exports/.
    """
    from lorebook.workspace import location  # noqa: PLC0415

    made = location.init(folder)
    if as_json:
        render.as_json({"workspace": str(folder), "made": made})
        return
    render.line(f"{folder} is a workspace now." if made else f"{folder} was a workspace already.")


def rulesets(*, workspace: WorkspaceOption = None, as_json: ServedJsonOption = False) -> None:
    """
    List the rulesets of a workspace.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415

    opened = Workspace.open(workspace)
    render.complain_of_strays(opened.strays)
    views = opened.ruleset_views()
    if as_json:
        render.as_json(views)
        return
    if not views:
        render.line(_NONE_YET.format(opened.root))
        return
    rows = [
        [view.name, str(view.rules), next(iter(view.manifest.title.values())), view.manifest.edition,
         " ".join(view.manifest.languages), view.manifest.authority]
        for view in views
    ]  # fmt: skip
    render.table(("name", "rules", "title", "edition", "languages", "authority"), rows, numeric=[1])


def rules(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="RULESET[/RULE]", help="A ruleset, or one rule.", autocompletion=completing.rulesets_and_rules
        ),
    ] = None,
    *,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            "-l",
            metavar="CODE",
            help="The language of the titles (en, zh); default: each rule's own.",
            autocompletion=completing.languages,
        ),
    ] = None,
    rewrite: Annotated[
        bool, typer.Option("--rewrite", help="Write the records, or a ruleset's, in their canonical form.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: ServedJsonOption = False,
) -> None:
    """
    List a ruleset's rules, or show one rule whole.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415

    opened = Workspace.open(workspace)
    render.complain_of_strays(opened.strays)
    if rewrite:
        _rewrite(opened, which, as_json=as_json)
    elif which and "/" in which:
        _show_rule(opened.rule(which), as_json=as_json)
    else:
        listed = [opened.ruleset(which)] if which else list(opened.rulesets.values())
        _list_rules(listed, opened.root, language, as_json=as_json)


def _rewrite(opened: Workspace, which: str | None, *, as_json: bool) -> None:
    if which and "/" in which:
        raise InputError("--rewrite takes a whole ruleset", hint=f"name {which.partition('/')[0]}")
    changed = opened.rewrite(which)
    if as_json:
        render.as_json({"changed": changed})
        return
    for file in changed:
        render.line(f"rules/{file}")
    written = f"{render.counted(len(changed), 'file', 'files')} written in canonical form"
    render.line(f"{written}." if changed else "Every file was in canonical form.")


def _list_rules(rulesets: list[Ruleset], root: Path, language: str | None, *, as_json: bool) -> None:
    found = [rule for ruleset in rulesets for rule in ruleset.rules]
    if as_json:
        render.as_json(found)
        return
    if not found:
        render.line(_NONE_YET.format(root))
        return
    known = sorted({code for rule in found for code in rule.wordings})
    if language and language not in known:
        raise UnknownNameError.among("language", language, known)
    rows = [[rule.id, rule.number or "", _heading(rule, language)] for rule in found]
    render.table(("id", "number", "title"), rows)


def _heading(rule: Rule, language: str | None) -> str:
    wording = rule.wording(language)
    return " > ".join((*wording.section, wording.title))


def _show_rule(rule: Rule, *, as_json: bool) -> None:
    from lorebook.ruleset import dump_rule  # noqa: PLC0415

    if as_json:
        render.as_json(rule)
    else:
        typer.echo(dump_rule(rule).decode(), nl=False)


def schema(
    *,
    check: Annotated[bool, typer.Option("--check", help="Only say whether it is current; exit 1 if not.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """
    Write rules/rule.schema.json, the JSON Schema of a record, for editors and other programs.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415

    current = Workspace.open(workspace).write_schema(check=check)
    if as_json:
        render.as_json({"current": current})
    elif current:
        render.line("rules/rule.schema.json is current.")
    else:
        render.line("rules/rule.schema.json is stale. Run `lorebook schema`.")
    raise typer.Exit(0 if current else 1)
