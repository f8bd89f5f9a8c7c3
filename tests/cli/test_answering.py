"""
What `ask` prints: enough of a rule not to mislead, nothing twice, and nothing that runs into what stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lorebook.cli import answering, render
from lorebook.cli.answering import SHORT
from lorebook.records import Wording
from lorebook.retrieval.passages import columns
from lorebook.workspace import Workspace
from tests.conftest import Command

BOOK = """# Harbour Thieves

## The hand

A player holds at most *six* cards when a turn ends. Whoever holds more discards what is too much.

## The tide

The tide turns at step ten, and the game ends at once.
"""
HIT = re.compile(r"\d+\. ")


@pytest.fixture
def book(lorebook: Command, tmp_path: Path) -> Path:
    (tmp_path / "harbour.md").write_text(BOOK)
    assert lorebook("import", tmp_path / "harbour.md", "-w", tmp_path / "w").code == 0
    return tmp_path / "w"


def hits(said: str) -> Iterator[str]:
    return (part for part in re.split(r"(?m)^(?=\d+\. )", said) if part.strip())


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("融合召唤需要什么", "融合素材：把融合怪兽上写明的素材从自己的手牌或场上送去墓地"),
        ("can a Spell Card be activated in the turn it was Set", "cannot be activated in the turn in which they were"),
    ],
    ids=["Chinese", "English"],
)
def test_a_short_rule_is_shown_whole(lorebook: Command, question: str, says: str) -> None:
    assert says in lorebook("ask", question).out


def test_of_a_long_rule_the_passage_is_shown_and_where_the_rest_is(lorebook: Command) -> None:
    rules = Workspace.open().rulesets["bfm-v2"].rules
    long = {rule.id for rule in rules if columns(rule.wording("en").text) > SHORT}
    said = [*hits(lorebook("ask", "Spell and Trap Types", "-r", "bfm-v2").out)]
    for hit in said:
        rule = next(rule.id for rule in rules if f"  {rule.id}\n" in hit)
        assert (f"\n   the whole rule: lorebook rules {rule}\n" in hit) == (rule in long)
    assert any("the whole rule: " in hit for hit in said)


def test_the_command_for_the_rest_names_the_workspace_that_was_named(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text("# Tides\n\n" + "\n\n".join(f"On day {n} the tide has a height of {n * 3} feet."
                                                                  for n in range(20)))  # fmt: skip
    workspace = tmp_path / "w"
    assert lorebook("import", tmp_path / "long.md", "-w", workspace).code == 0
    told = re.search(
        r"the whole rule: lorebook (rules \S+ --workspace \S+)\n", lorebook("ask", "tide", "-w", workspace).out
    )
    assert told
    assert "57 feet" in lorebook(*told[1].split()).out


def test_the_passage_that_answers_is_bold(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str | tuple[str, str], ...]] = []
    monkeypatch.setattr(render, "line", lambda *parts, **_: shown.append(parts))
    monkeypatch.setattr(render, "block", lambda text, **how: shown.append(((text, how.get("style", "")),)))
    wording = Wording(
        title="Tide", text="It rises.\n\nIt falls. It rests.\n\nIt turns.", examples=("A boat\n\nsinks.",)
    )
    answering._show_text("It falls.\nIt turns.", wording)
    assert shown == [("It rises.",), ("", ("It falls.", "bold"), " It rests."), ("", ("It turns.", "bold"), "")]
    shown.clear()
    answering._show_text("A boat\nsinks.", wording)
    assert shown[-1] == (("A boat\nsinks.", "bold"),)


def test_what_a_document_says_is_not_told_twice(lorebook: Command, book: Path) -> None:
    said = lorebook("ask", "how many cards may I hold?", "-w", book).out
    assert said.count("at most six cards") + said.count("at most *six* cards") == 1
    assert "source harbour.md:3-5" in said
    record = book / "rules" / "harbour" / "the-hand.yaml"
    record.write_text(record.read_text().replace("six", "seven"))
    said = lorebook("ask", "how many cards may I hold?", "-w", book).out
    assert "   line 5: A player holds at most *six* cards" in said
    assert "line 3" not in said


def test_a_heading_leaves_out_the_documents_title(lorebook: Command, book: Path) -> None:
    said = lorebook("ask", "when does the tide turn?", "-w", book).out
    assert said.startswith("1. The tide  harbour/the-tide\n")
    assert "Harbour Thieves · " in said


@pytest.mark.parametrize(
    "question", ["The first turn: who may draw and attack?", "手牌上限", "how many lanterns may I hold"]
)
def test_only_headings_begin_a_line(lorebook: Command, monkeypatch: pytest.MonkeyPatch, question: str) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = lorebook("ask", question).out.splitlines()
    assert len(lines) > 4
    for before, line in zip(["", *lines], lines, strict=False):
        if HIT.match(line):
            assert before == ""
        elif line != "No rule answers this." and not line.startswith("Nearest, but unsure: "):
            assert line == "" or line.startswith("   ")


def test_other_points_on_which_rules_disagree_are_told_by_their_titles(lorebook: Command) -> None:
    said = lorebook("ask", "Can a Set Trap be activated the same turn?").out
    elsewhere = (
        "on other points of this rule, others disagree: Types of Spell Cards and their symbols (mutegannu-ekrats/"
    )
    assert elsewhere in said
