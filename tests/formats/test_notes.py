"""
How a place in JSON is called.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.formats.notes import step


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("tags", "$.tags"),
        ("_id", "$._id"),
        ("盐门", "$.盐门"),
        (3, "$[3]"),
        ("3", "$['3']"),
        ("", "$['']"),
        ("a b", "$['a b']"),
        ("keys[0]", "$['keys[0]']"),
        ("tags ", "$['tags ']"),
        ("it's", r"$['it\'s']"),
        ('"so"', "$['\"so\"']"),
        ("a\\", r"$['a\\']"),
        ("a\nb", r"$['a\nb']"),
        ("\ud83d", r"$['\ud83d']"),
        ("x" * 61, f"$['{'x' * 60}…']"),
    ],
)
def test_a_step_is_called_as_the_standard_has_it(name: str | int, path: str) -> None:
    assert step("$", name) == path


@given(name=st.text(max_size=60))
def test_a_path_is_one_line_and_says_the_name(name: str) -> None:
    path = step("$", name)
    path.encode()
    assert path.splitlines() == [path]
    if path.startswith("$["):
        inner = path[3:-2].replace("\\'", "'").replace('"', '\\"')
        assert json.loads(f'"{inner}"') == name
    else:
        assert path == f"$.{name}"
