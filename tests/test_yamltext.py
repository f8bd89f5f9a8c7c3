"""
YAML that is written and read without the library: the same text, the same values, or left to the library.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lorebook import yamltext
from lorebook.errors import DataError
from lorebook.yamltext import emitter, library, scanner

# What YAML may take for something other than a text: numbers, truths, dates, nothing, its own signs.
TELLING = (
    "yes", "No", "on", "y", "null", "~", "true", "TRUE", "0", "007", "-1", "1_000", "1.5", "1e3", "0x1f", "12:30",
    "2024-02-30", "2024-02-30 12:00:00", ".5", ".inf", "=", "<<", "---", "...", "- a", "-", "?", "? a", ":", "a:",
    "a: b", "#a", "a #b", "a#b", "*a", "&a", "!a", "%a", "@a", "`a", "|", ">", "'", "''", "it's", "'a", '"a"', "[a",
    "a]", "{a}", "a, b", "a ", " a", "a  b", "a\u00a0b", "a\tb", "a\x07b", "\ufeffa", "a\u2028b", "a\x85b",
    "\U0010ffff", "",
)  # fmt: skip
SIGNS = "ab1 -:#,[]{}'\"|>&*!%?@`~.=<手，é\n"
words = st.sampled_from(TELLING) | st.text(SIGNS, max_size=12)
texts = words | st.lists(words, max_size=20).map(" ".join) | st.lists(words, max_size=5).map("\n".join) | st.text()
scalars = texts | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False)
keys = st.sampled_from(("id", "title", "see_also", "zh-Hans", "no", "y", "1", "a b", "wordings", "k" * 41)) | words
values = st.recursive(
    scalars | st.lists(texts, max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)
documents = st.dictionaries(keys, values, min_size=1, max_size=3)
plain_texts = st.text("ab 手，é'-", min_size=1, max_size=200).map(lambda text: " ".join(text.split()) or "a")
plain = st.fixed_dictionaries(
    {
        "id": plain_texts,
        "order": st.integers(0, 10**6),
        "wordings": st.dictionaries(
            st.sampled_from(("en", "zh-Hans")),
            st.fixed_dictionaries({"title": plain_texts, "keys": st.lists(plain_texts, max_size=30)}),
            min_size=1,
        ),
        "lines": st.lists(st.lists(st.integers(1, 10**6), min_size=2, max_size=2), max_size=20),
    }
)

RECORD = """\
id: game/rule
number: '12'
wordings:
  en:
    title: It's a rule
    section: [Part, 'One, two']
    text: |-
      First.

        - Indented.
    examples:
      - a short one
      - |-
        a long one, as long as it takes to be a literal block, which is more than eighty characters
source:
  document: rules.txt
  lines: [[1, 2], [4, 4]]
"""


@given(documents)
def test_what_is_written_is_what_the_library_writes(value: dict[str, Any]) -> None:
    assert yamltext.write(value) == library.write(value)


@given(documents)
def test_what_is_read_is_what_the_library_reads(value: dict[str, Any]) -> None:
    text = library.write(value)
    assert scanner.read(text) in (None, library.read(text, where="any"))


@given(plain)
@example({"id": "a", "lines": [*([100000 + n, 100000] for n in range(5)), [10000, 100000], [10000, 1]]})
def test_the_plainest_yaml_needs_no_library(value: dict[str, Any]) -> None:
    text = emitter.write(value)
    assert text == library.write(value)
    assert scanner.read(text) == value


@given(st.lists(st.lists(plain_texts, max_size=3).map("\n".join), max_size=4))
@example(["one: two\nthree"])
@example(["He\n\nsays"])
@example(["May I?\n---\nNo."])
def test_short_texts_of_several_lines_are_left_to_the_library(items: list[str]) -> None:
    written = yamltext.write({"examples": items})
    assert written == library.write({"examples": items})
    assert yamltext.read(written, where="any") == {"examples": items}


@given(
    st.sampled_from([RECORD, *(library.write({"a": text, "keys": [text, "b"]}) for text in TELLING)]),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), st.text(SIGNS, max_size=3)), max_size=3),
)
@example("a: b\n\n", [])
@example("a: |-\n  b\n\n  \n", [])
@example("a: |-\n    b\n   c\n", [])
@example("a: [b,\n c]\n", [])
@example("a: [b\n  c, 'd\n  e']\n", [])
@example("a: [b \n  c]\n", [])
@example("a: []\nb: [[], [1]]\n", [])
@example("a: [1,2, 03]\nb: [1 2]\n", [])
@example("a: [[1,2],[3]]\n", [])
@example("a: [1, ]\n", [])
@example("a: [1] [2]\n", [])
@example("a: ['b [\n  c']\n", [])
@example("a: [\n  b, [\n  c]]\n", [])
@example("a: b\n c\n", [])
@example("a: 1\na: 2\n", [])
@example("a:\nb: 1\n", [])
@example("a:\n- b\n", [])
def test_a_damaged_text_reads_as_the_library_reads_it(text: str, damage: list[tuple[int, int, str]]) -> None:
    for place, gone, put in damage:
        at = place % (len(text) + 1)
        text = text[:at] + put + text[at + gone :]
    found = scanner.read(text)
    assert found is None or found == library.read(text, where="any")


def test_a_record_is_read_and_written_without_the_library() -> None:
    value = library.read(RECORD, where="any")
    assert scanner.read(RECORD) == value
    assert emitter.write(value) == RECORD


def test_one_list_in_two_places_is_written_as_the_library_does() -> None:
    shared = ["a"]
    assert yamltext.write({"one": shared, "two": shared}) == library.write({"one": shared, "two": shared})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("a: 1\na: 2\n", "line 2: the key 'a' stands twice", id="a key twice"),
        pytest.param("a: [b\n", "line 2", id="an open bracket"),
        pytest.param(f"a: {'[' * 5000}{']' * 5000}\n", "nest", id="very deep"),
        pytest.param("a: 'b\n", "line 2", id="an open quotation mark"),
        pytest.param(
            "a:\n" + "".join(f"{'  ' * n}a:\n" for n in range(1, 30)) + " b: c\n", "line", id="deep and wrong"
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        yamltext.read(text, where="any")
