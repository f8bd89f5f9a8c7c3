"""
Keys that any program looks for as plain words, however it keeps them.
"""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters=",/"), min_size=1, max_size=8)
"""Without a comma, which some split at, and without what makes a pattern."""
KEYS = st.lists(WORDS, max_size=3).map(tuple)
