"""
Two editions of a rulebook are imported, compared, linked and asked, as one does it at the command line.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from lorebook.workspace import Workspace
from tests.conftest import Command

ROOT = Path(__file__).parents[2]


class Editions(NamedTuple):
    """A rulebook of which the second edition differs in two points, and what is asked of it."""

    rules: tuple[str, str]
    text: str
    new: dict[str, str]
    question: str
    hand: str
    said: tuple[str, str]


ENGLISH = Editions(
    ("first", "second"),
    "# Harbour\n\n## Hand limit\n\nA player holds at most six cards when a turn ends.\n\n"
    "## First turn\n\nThe player who begins may not attack in the first turn.\n\n"
    "## Storms\n\nWhen a storm is turned up, every ship in the open sea loses one sail.\n",
    {"six": "seven", "may not": "may"},
    "hand limit",
    "hand-limit",
    ("numbers differ: 6 / 7", "may not / may"),
)
CHINESE = Editions(
    ("初版", "再版"),
    "# 港口\n\n## 手牌上限\n\n回合结束时，每名玩家手上最多有六张牌。\n\n"
    "## 第一回合\n\n先手玩家在第一回合不能攻击。\n\n## 风暴\n\n翻出风暴时，所有在海上的船失去一张帆。\n",
    {"六张牌": "七张牌", "不能": "可以"},
    "手牌上限",
    "手牌上限",
    ("numbers differ: 6 / 7", "may not / may"),
)
each_language = pytest.mark.parametrize("book", [ENGLISH, CHINESE], ids=["English", "Chinese"])


def imported(lorebook: Command, folder: Path, book: Editions) -> Path:
    changed = book.text
    for old, new in book.new.items():
        changed = changed.replace(old, new)
    for name, text in zip(book.rules, (book.text, changed), strict=True):
        (folder / f"{name}.md").write_text(text, "utf-8")
    workspace = folder / "a w"
    assert lorebook("import", *(folder / f"{name}.md" for name in book.rules), "-w", workspace).code == 0
    return workspace


def rule_ids(book: Editions) -> tuple[str, str]:
    return f"{book.rules[0]}/{book.hand}", f"{book.rules[1]}/{book.hand}"


@each_language
def test_compare_prints_the_command_after_which_ask_tells_of_it(
    lorebook: Command, tmp_path: Path, book: Editions
) -> None:
    workspace = imported(lorebook, tmp_path, book)
    one, other = rule_ids(book)
    asked = ("ask", book.question, "-w", workspace, "-r", book.rules[0], "-n", "1")
    assert "disagrees" not in lorebook(*asked).out
    doubted = lorebook("ask", book.question, "-w", workspace).out
    assert doubted.count("   may disagree: ") == 1
    assert ", 2. here: numbers differ: " in doubted
    assert "      if they do, this links them:\n      lorebook link " in doubted
    compared = lorebook("compare", *book.rules, "-w", workspace)
    assert all(said in compared.out for said in book.said)
    commands = [line.strip() for line in compared.out.splitlines() if line.startswith("  lorebook link ")]
    assert len(commands) == len(book.said)
    typed = next(shlex.split(command) for command in commands if f"{one} {other}" in command)
    assert typed[2:] == [one, other, "--workspace", str(workspace)]
    done = lorebook(*typed[1:])
    assert (done.code, done.out, done.err) == (0, f"{one} and {other} are linked.\n", "")
    told = lorebook(*asked).out
    assert "   disagrees, not asked: " in told
    assert f"  {other}\n" in told
    told = lorebook("ask", book.question, "-w", workspace).out
    assert "   disagrees: " in told
    assert "may disagree" not in told
    left = lorebook("compare", *book.rules, "-w", workspace).out
    assert "conflicts 1, different 1" in left
    assert f"lorebook link {one}" not in left


@each_language
def test_json_holds_the_commands(lorebook: Command, tmp_path: Path, book: Editions) -> None:
    workspace = imported(lorebook, tmp_path, book)
    one, other = rule_ids(book)
    pairs = json.loads(lorebook("compare", *book.rules, "-w", workspace, "--json").out)["pairs"]
    links = {pair["one"]["rule"]: pair["link"] for pair in pairs}
    assert links[one] == f"lorebook link {one} {other} --workspace '{workspace}'"
    assert [pair["link"] for pair in pairs if pair["verdict"] == "same"] == [None]
    done = json.loads(lorebook(*shlex.split(links[one])[1:], "--json").out)
    assert done == {"one": one, "other": other, "linked": True, "changed": [one, other]}
    assert json.loads(lorebook("link", one, other, "-w", workspace, "--remove", "--json").out)["linked"] is False


def test_what_was_done_is_said(lorebook: Command, tmp_path: Path) -> None:
    workspace = imported(lorebook, tmp_path, ENGLISH)
    one, other = rule_ids(ENGLISH)
    words = ("link", one, other, "-w", workspace)
    assert lorebook(*words, "--remove").out == f"{one} and {other} were not linked.\n"
    lorebook(*words)
    assert lorebook(*words).out == f"{one} and {other} were linked already.\n"
    assert lorebook(*words, "--remove").out == f"{one} and {other} are linked no longer.\n"


def test_the_check_names_what_is_wrong_and_what_mends_it(lorebook: Command, tmp_path: Path) -> None:
    workspace = imported(lorebook, tmp_path, ENGLISH)
    one, other = rule_ids(ENGLISH)
    check = ("link", "--check", "-w", workspace)
    assert lorebook(*check) == (0, "Every link is said by both sides.\n", "")
    record = workspace / "rules" / "second" / "hand-limit.yaml"
    record.write_text(f"{record.read_text()}conflicts_with: [{one}]\n")
    found = lorebook(*check)
    said, mend = found.out.splitlines()
    assert (found.code, said) == (1, f"{other} names {one}, which does not say so itself. This mends it:")
    assert json.loads(lorebook(*check, "--json").out)[0]["command"] == f"lorebook link {other} {one}"
    assert lorebook(*shlex.split(mend)[1:]).out.endswith("are linked; only the first said so before.\n")
    assert lorebook(*check).code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            "first/hand-limit second/hand",
            "no rule 'second/hand' (did you mean second/hand-limit? `lorebook rules second --workspace",
        ),
        ("first/hand-limit third/hand-limit", "no ruleset 'third' (there are: first, second)"),
        ("first/hand-limit first/storms", "first/hand-limit and first/storms are rules of one ruleset (a link is"),
        ("first second", "no rule 'first'"),
    ],
    ids=str,
)
def test_what_cannot_be_linked_is_one_sentence(lorebook: Command, tmp_path: Path, words: str, says: str) -> None:
    workspace = imported(lorebook, tmp_path, ENGLISH)
    done = lorebook("link", *words.split(), "-w", workspace)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert says in done.err


@pytest.mark.parametrize("words", ["", "first/storms", "first/storms second/storms --check", "--remove"], ids=str)
def test_two_rules_or_the_check_are_named(lorebook: Command, words: str) -> None:
    done = lorebook("link", *words.split())
    assert (done.code, done.out) == (2, "")
    assert "name two rules, or --check alone" in done.err


def test_the_shipped_rules_are_nobodys_to_link(
    lorebook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = lorebook("link", "ygo-classic/end-phase", "bfm-v2/phases")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "no workspace around this folder (name one with --workspace DIR)" in done.err
    assert lorebook("link", "--check").code == 0
    compared = ("compare", "bfm-v2", "ocg-zh", "--language", "en")
    assert "lorebook link" not in lorebook(*compared).out
    assert {pair["link"] for pair in json.loads(lorebook(*compared, "--json").out)["pairs"]} == {None}
    assert "lorebook link bfm-v2/" in lorebook(*compared, "-w", ROOT).out


def test_a_document_that_is_imported_again_keeps_the_links_of_its_rules(lorebook: Command, tmp_path: Path) -> None:
    workspace = imported(lorebook, tmp_path, ENGLISH)
    one, other = rule_ids(ENGLISH)
    lorebook("link", one, other, "-w", workspace)
    again = ("import", tmp_path / "second.md", "-w", workspace, "--replace")
    assert lorebook(*again).code == 0
    assert Workspace.open(workspace).rule(other).conflicts_with == (one,)
    (workspace / "rules" / "second" / "hand-limit.yaml").write_text("conflicts_with: [")
    assert lorebook(*again, "--force").code == 0
    assert Workspace.open(workspace).rule(other).conflicts_with == ()
    assert lorebook("link", "--check", "-w", workspace).code == 1
