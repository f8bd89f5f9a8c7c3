"""What the table of keys says is what our preset does."""

from __future__ import annotations

import pytest

from lorebook.matching.presets import Preset
from tests.tables.keys import Row, lorebook, read

ROWS = read()
OURS = lorebook(Preset.LOREBOOK)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.kind}-{number}" for number, row in enumerate(ROWS)])
def test_our_preset_has_every_row_right(row: Row) -> None:
    assert OURS(row) == row.matches, f"{row.key!r} in {row.text!r}: {row.why}"


def test_every_row_is_asked_once_and_says_why() -> None:
    assert len({(row.key, row.text, row.other_keys) for row in ROWS}) == len(ROWS) >= 220
    assert all(row.why for row in ROWS)


def test_every_class_has_rows_of_both_answers() -> None:
    answers: dict[str, set[bool]] = {}
    for row in ROWS:
        answers.setdefault(row.kind, set()).add(row.matches)
    one_sided = {kind for kind, given in answers.items() if len(given) == 1}
    assert len(answers) >= 25
    # No text in other letters is the same word, and blank keys never match.
    assert one_sided == {"case", "blank"}


def test_the_table_tells_engines_apart() -> None:
    exact = lorebook(Preset.SILLYTAVERN)
    right = sum(exact(row) == row.matches for row in ROWS)
    assert right < 0.7 * len(ROWS)
