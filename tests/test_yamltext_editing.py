"""
A list changed in place: the item is there or gone, and everything else is the same, byte for byte.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import DataError
from lorebook.yamltext import editing, library
from tests.test_yamltext import documents, texts

NAME = "conflicts_with"
BEFORE = ("authority", "source")

APPENDED = {
    "a new list, before what follows it and what is said above that": (
        "id: a/b  # the id\norder: 1\n\n# where it\n# stands\nsource: {lines: [1]}\n",
        "id: a/b  # the id\norder: 1\n\nconflicts_with: [x/y]\n# where it\n# stands\nsource: {lines: [1]}\n",
    ),
    "a new list, at the end": ("# top\nid: a/b\ntext: >-\n  # no\n  comment\n", None),
    "a new list, where the last line does not end": ("id: a/b\norder: 1", "id: a/b\norder: 1\nconflicts_with: [x/y]\n"),
    "a list in brackets": ("conflicts_with: [ p/q ] # two\nid: a\n", "conflicts_with: [ p/q, x/y ] # two\nid: a\n"),
    "a list in brackets over lines": (
        "conflicts_with: [\n  p/q,  # one\n]\n",
        "conflicts_with: [\n  p/q, x/y,  # one\n]\n",
    ),
    "an empty list": ("conflicts_with: []\n", "conflicts_with: [x/y]\n"),
    "a list of lines": (
        "conflicts_with:\n  - p/q  # since 1990\n\n# more\nid: a\n",
        "conflicts_with:\n  - p/q  # since 1990\n  - x/y\n\n# more\nid: a\n",
    ),
    "a list of lines, not indented, lines ended as on Windows": (
        "conflicts_with:\r\n- p/q\r\nid: a\r\n",
        "conflicts_with:\r\n- p/q\r\n- x/y\r\nid: a\r\n",
    ),
    "JSON": ('{"id": "a/b", "order": 1}', '{"id": "a/b", "order": 1, "conflicts_with": ["x/y"]}'),
    "behind a mark and a byte order mark": (
        "\ufeff---\nid: a\n...\n",
        "\ufeff---\nid: a\nconflicts_with: [x/y]\n...\n",
    ),
}


@pytest.mark.parametrize(("text", "made"), APPENDED.values(), ids=APPENDED)
def test_an_item_is_put_at_the_end_of_its_list(text: str, made: str | None) -> None:
    found = editing.with_item(text, NAME, "x/y", before=BEFORE, where="here")
    assert found == (made or f"{text}conflicts_with: [x/y]\n")


REMOVED = {
    "the only one": ("id: a\n# links\nconflicts_with: [x/y]  # one\nsource: b\n", "id: a\n# links\nsource: b\n"),
    "the only line": ("id: a\nconflicts_with:\n  - x/y\n\n# source\nsource: b\n", "id: a\n\n# source\nsource: b\n"),
    "the first in brackets": ("conflicts_with: [x/y, p/q]\n", "conflicts_with: [p/q]\n"),
    "the last in brackets": ("conflicts_with: [p/q, x/y]\n", "conflicts_with: [p/q]\n"),
    "a line": (
        "conflicts_with:\n- p/q # one\n- x/y # two\n# three\n- r/s\n",
        "conflicts_with:\n- p/q # one\n# three\n- r/s\n",
    ),
    "twice": ("conflicts_with: [x/y, p/q, x/y]\n", "conflicts_with: [p/q]\n"),
    "of JSON, behind others": ('{"id": "a", "conflicts_with": ["x/y"]}', '{"id": "a"}'),
    "of JSON, before others": ('{"conflicts_with": ["x/y"], "id": "a"}', '{"id": "a"}'),
    "what is not there": ("id: a  # as it was\n", "id: a  # as it was\n"),
}


@pytest.mark.parametrize(("text", "made"), REMOVED.values(), ids=REMOVED)
def test_an_item_is_taken_out_of_its_list(text: str, made: str) -> None:
    assert editing.without_item(text, NAME, "x/y", where="here") == made


@given(documents, st.lists(texts.filter(lambda text: text != "x/y"), max_size=3))
def test_what_was_put_in_can_be_taken_out(value: dict[str, Any], items: list[str]) -> None:
    plain = {key: said for key, said in value.items() if key != NAME} | ({NAME: items} if items else {})
    text = library.write(plain)
    made = editing.with_item(text, NAME, "x/y", before=BEFORE, where="here")
    assert library.read(made, where="here") == plain | {NAME: [*items, "x/y"]}
    assert editing.without_item(made, NAME, "x/y", where="here") == text


@pytest.mark.parametrize(
    "text",
    ["see_also: &links [p/q]\nconflicts_with: *links\n", "conflicts_with: no\n", "- a\n", "a: [\n"],
    ids=["an alias", "no list", "no mapping", "no YAML"],
)
def test_what_cannot_be_changed_in_place_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="here"):
        editing.with_item(text, NAME, "x/y", where="here")
