"""The README shows what the commands really print."""

from __future__ import annotations

import pytest

from tests.readme import README, refreshed
from tests.readme_formats import refreshed_tables


def test_the_tables_of_formats_in_the_readme_are_current() -> None:
    text = README.read_text("utf-8")
    assert text.count("<!-- /formats -->") == text.count("<!-- /features -->") == 1
    assert refreshed_tables(text) == text, "README.md is stale; `python -m tests.readme` repairs it"


@pytest.mark.slow
def test_the_output_in_the_readme_is_real() -> None:
    text = README.read_text("utf-8")
    assert refreshed(text) == text, "README.md is stale; `python -m tests.readme` repairs it"
