"""The READMEs show what the commands really print, and what they name is there."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from lorebook.cli import app
from tests.readme import README, READMES, ROOT, refreshed
from tests.readme_formats import refreshed_tables


def test_the_table_of_formats_in_the_readme_is_current() -> None:
    text = README.read_text("utf-8")
    assert text.count("<!-- /formats -->") == 1
    assert refreshed_tables(text) == text, "README.md is stale; `python -m tests.readme` repairs it"


@pytest.mark.slow
@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_the_output_in_the_readme_is_real(readme: Path) -> None:
    text = readme.read_text("utf-8")
    assert refreshed(text) == text, f"{readme.name} is stale; `python -m tests.readme` repairs it"


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_what_a_readme_links_to_is_there(readme: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)]*)\)", readme.read_text("utf-8"))
    assert links
    for link in links:
        name, _, heading = link.partition("#")
        target = ROOT / name if name else readme
        assert target.exists(), link
        assert not heading or heading in _headings(target), link


def _headings(readme: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", readme.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_every_command_is_in_the_readme(readme: Path) -> None:
    text = readme.read_text("utf-8")
    for name in (each.name or (each.callback.__name__ if each.callback else "") for each in app.registered_commands):
        assert re.search(rf"`(?:lorebook )?{name}\b", text), name


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_every_command_of_a_readme_is_understood(readme: Path) -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    typed = re.findall(r"^\$ (.+)$", readme.read_text("utf-8"), re.MULTILINE)
    commands = [words for line in typed for words in _commands(line)]
    assert len(commands) > 10
    for words in commands:
        group.commands[words[1]].make_context(words[1], words[2:])


def _commands(line: str) -> list[list[str]]:
    """The calls of lorebook in a line of shell, without pipes and redirections."""
    parts = (shlex.split(re.split(r" \d?> ", part)[0]) for part in re.split(r" \| |; | && | 2>&1", line))
    return [words for words in parts if words and words[0] == "lorebook"]


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_the_rules_of_every_ruleset_are_counted(readme: Path) -> None:
    told = dict(re.findall(r"^\| `([\w-]+)` \|[^|]*\| (\d+) \|", readme.read_text("utf-8"), re.MULTILINE))
    folders = [path.parent for path in (ROOT / "rules").glob("*/ruleset.toml")]
    assert told == {folder.name: str(len([*folder.glob("*.yaml")])) for folder in folders}


def test_the_first_sentence_is_told_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    sentence = f"{project['description']}."
    assert sentence in " ".join(README.read_text("utf-8").split())
    assert app.info.help == sentence


def test_the_readmes_lead_to_each_other() -> None:
    assert [readme.name for readme in READMES if "(README.zh.md)" in readme.read_text("utf-8")] == ["README.md"]
    assert "(README.md)" in READMES[1].read_text("utf-8")
