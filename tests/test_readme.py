"""The README shows what the commands really print."""

from __future__ import annotations

import pytest

from tests.readme import README, refreshed


@pytest.mark.slow
def test_the_output_in_the_readme_is_real() -> None:
    text = README.read_text("utf-8")
    assert refreshed(text) == text, "README.md is stale; `python -m tests.readme` repairs it"
