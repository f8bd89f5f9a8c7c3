"""
What the tests of formats share: a card.
"""

from __future__ import annotations

import pytest

from lorebook.formats import Card


@pytest.fixture(scope="session")
def card() -> Card:
    return Card(name="Mira Vell", first_mes="Mind the third step, {{user}}.")
