"""
Text that is too large is neither read nor written: what is written can be read again.
"""

from __future__ import annotations

import pytest

from lorebook.errors import FormatError
from lorebook.formats.containers import text
from lorebook.formats.containers.text import TEXT, WHOLE
from lorebook.formats.notes import Notes


def test_text_at_the_limit_is_read_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "LARGEST_PART", 10)
    assert TEXT.open(b"x" * 10, Notes()).parts[WHOLE] == b"x" * 10
    assert TEXT.build({WHOLE: b"x" * 10}, b"") == (b"x" * 10,)


def test_text_beyond_the_limit_is_neither_read_nor_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "LARGEST_PART", 10)
    opened = TEXT.open(b"{}", Notes())
    for refused in (
        lambda: TEXT.open(b"x" * 11, Notes()),
        lambda: TEXT.build({WHOLE: b"x" * 11}, b""),
        lambda: opened.replaced({WHOLE: b"x" * 11}),
    ):
        with pytest.raises(FormatError, match="the text has 11 bytes; the limit is 10"):
            refused()
