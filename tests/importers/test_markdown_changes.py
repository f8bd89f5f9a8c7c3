"""
What an import of Markdown says otherwise than the document does is told: pictures, and tables.
"""

from __future__ import annotations

import pytest

from lorebook.importers import Action, import_document

PICTURES = (Action.DROPPED, "pictures; the words that stand for them are kept")
TABLES = (Action.KEPT, "tables, a line for each row with | between its cells")


@pytest.mark.parametrize(
    ("text", "says", "told"),
    [
        ("![a knight](a.png) <b>bold</b>", "a knight bold", [(*PICTURES, 3)]),
        ("Words.\n![](a.png)", "Words.", [(*PICTURES, 4)]),
        ("- one\n- ![two](b.png)", "- one\n- two", [(*PICTURES, 4)]),
        ("| card | cost |\n| --- | --- |\n| Knight | 3 |", "card | cost\nKnight | 3", [(*TABLES, 3)]),
        ("> | card |\n> | --- |\n> | ![K](k.png) |", "card\nK", [(*TABLES, 3), (*PICTURES, 5)]),
        ("[a link](b.md) and a | b", "a link and a | b", []),
    ],
    ids=["a picture", "without words", "in a list", "a table", "both in a quotation", "neither"],
)
def test_what_is_changed_is_told(text: str, says: str, told: list[tuple[Action, str, int]]) -> None:
    done = import_document(f"# Costs\n\n{text}\n".encode(), file_name="a.md", ruleset="a", kind="markdown")
    assert done.ruleset.rules[0].wording().text == says
    notices = [notice for notice in done.report.notices if notice.what in (PICTURES[1], TABLES[1])]
    assert [(notice.action, notice.what, notice.lines[0].first) for notice in notices] == told
