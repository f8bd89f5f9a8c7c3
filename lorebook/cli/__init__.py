"""
The command line: thin spellings of the calls on a workspace.

Nothing heavy is imported here: `lorebook --help` must answer at once, so commands import what they use.
"""

from __future__ import annotations

import errno
import io
import re
import sys
from typing import Any

import typer
from typer.core import TyperGroup, TyperOption

from lorebook import __version__
from lorebook.cli import (
    books,
    comparing,
    files,
    importing,
    linking,
    matching,
    presets,
    questions,
    render,
    rules,
    serving,
)
from lorebook.errors import LorebookError

# What typer says of a file that may not be read, before those who read it could say it in our words.
_FORBIDDEN = re.compile(r"path '(.*)' is not readable\.?", re.DOTALL | re.IGNORECASE)


class _Commands(TyperGroup):
    """
    The commands, whose help names no type for options that take no value: their table has little room.
    """

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 (typer keeps its types to itself)
        return _untyped(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401
        found = super().get_command(ctx, cmd_name)
        if found:
            _untyped(found.get_params(ctx))
        return found


def _untyped(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if isinstance(parameter, TyperOption) and parameter.is_flag:
            parameter.metavar = ""
    return parameters


app = typer.Typer(
    name="lorebook",
    cls=_Commands,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Rulings of card games as structured records: ask for them in English or Chinese, put the right ones into an "
    "LLM's prompt, and export them as lorebooks and character cards.",
    epilog='Try: lorebook ask "can I summon twice in one turn?"   lorebook ask 手牌上限\n\n'
    "Exit codes: 0 done; 1 refused, with one line that says what, where and what to do; 2 wrong usage.",
)
for group in (questions, comparing, linking, matching, presets, books, files, importing, rules, serving):
    group.add_commands(app)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 (the form of a typer callback)
    if wanted:
        typer.echo(f"lorebook {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    *,
    version: bool = typer.Option(  # noqa: ARG001 (its callback acts)
        False, "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Hold the options of the command itself, and say how it is used where no other is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)
        raise typer.Exit(2)


def _misused(error: typer.TyperException) -> str:
    command = getattr(getattr(error, "ctx", None), "command_path", "lorebook")
    return f"{error.format_message().rstrip('.')}; `{command} --help` says how"


def main() -> None:
    """
    Run the command line; an error of ours becomes one line and exit code 1, wrong usage one line and exit code 2.
    """
    # What a terminal cannot show is told by its code; better than no answer.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except typer.TyperException as error:
        if forbidden := _FORBIDDEN.fullmatch(error.message):
            render.complain(f"{forbidden[1]}: cannot be read: Permission denied")
            sys.exit(1)
        render.complain(_misused(error))
        sys.exit(error.exit_code)
    except typer.Abort:
        sys.exit(1)
    except LorebookError as error:
        render.complain(str(error))
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): that is its right. Python would complain at exit.
        sys.stderr.close()
        sys.exit(141)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        render.complain("cannot write the output: no space is left (free some, or write elsewhere)")
        sys.stdout = None  # what is left in its buffer cannot be written either
        sys.exit(1)
