"""
Every command's help has an example that can be typed, and every command that prints something prints JSON, too.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from lorebook.cli import app
from tests.conftest import Command

COMMANDS = [each.name or (each.callback.__name__ if each.callback else "") for each in app.registered_commands]
EXAMPLES = [
    shlex.split(example)
    for epilog in (app.info.epilog, *(each.epilog for each in app.registered_commands))
    for example in str(epilog).partition("Try: ")[2].split("\n")[0].split("   ")
    if example.startswith("lorebook ")
]
"""Without pipes and what is opened in a browser."""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_has_an_example(lorebook: Command, name: str) -> None:
    said = lorebook(name, "--help")
    assert (said.code, said.err) == (0, "")
    assert f"Try: lorebook {name} " in said.out


@pytest.mark.parametrize("name", sorted({*COMMANDS} - {"serve"}))
def test_every_command_that_ends_prints_json(lorebook: Command, name: str) -> None:
    assert "--json" in lorebook(name, "--help").out


@pytest.mark.parametrize("words", EXAMPLES, ids=" ".join)
def test_examples_are_understood(words: list[str]) -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    assert group.commands[words[1]].make_context(words[1], words[2:]).params


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_an_option_without_a_value_has_no_type(lorebook: Command, name: str) -> None:
    assert "<bool>" not in lorebook(*name.split(), "--help").out


def test_exit_codes_are_said(lorebook: Command) -> None:
    told = " ".join(lorebook("--help").out.split())
    assert "Exit codes: 0 done; 1 refused" in told
    for name in ("ask", "inspect", "convert"):
        assert "Exit code" in lorebook(name, "--help").out
    for name in ("index", "export", "schema"):
        assert "exit 1" in lorebook(name, "--help").out


@pytest.mark.parametrize("words", ["presets", "--help", "ask --help", "ask --nope", "rules --help", "rules chess"])
def test_what_is_piped_is_not_coloured(words: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm-256color"}
    command = (sys.executable, "-c", "from lorebook.cli import main; main()", *words.split())
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
    assert done.stdout + done.stderr
    assert b"\x1b" not in done.stdout + done.stderr


def test_what_is_made_is_told_as_json(lorebook: Command, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    assert json.loads(lorebook("init", folder, "--json").out) == {"workspace": str(folder), "made": True}
    assert json.loads(lorebook("init", folder, "--json").out)["made"] is False
    assert json.loads(lorebook("schema", "--check", "-w", folder, "--json").out) == {"current": False}
    assert json.loads(lorebook("schema", "-w", folder, "--json").out) == {"current": True}
    assert json.loads(lorebook("rules", "--rewrite", "-w", folder, "--json").out) == {"changed": []}
