"""
YAML from strangers: texts stay as they were typed, and nothing in it can grow, call or hide.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import FormatError
from lorebook.formats import plainyaml
from lorebook.formats.notes import Notes


def parsed(text: str) -> Any:
    notes = Notes()
    value = plainyaml.parse(text, notes).value
    assert not list(notes)
    return value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("name: Mira Vell\n", {"name": "Mira Vell"}),
        ("context: |-\n  One.\n  Two.\n", {"context": "One.\nTwo."}),
        ("a: yes\nb: 007\nc: 2024-02-30\nd: 1e3", {"a": "yes", "b": "007", "c": "2024-02-30", "d": "1e3"}),
        ("a:\nb: ~\nc: null\nd: ''\ne: 'null'", {"a": None, "b": None, "c": None, "d": "", "e": "null"}),
        ("- [x, {y: z}]\n- []\n- {}", [["x", {"y": "z"}], [], {}]),
        ("a: &mark 门", {"a": "门"}),
        ("# only a remark", None),
        ("", None),
        ("plain words", "plain words"),
    ],
)
def test_texts_are_read_as_they_were_typed(text: str, value: object) -> None:
    assert parsed(text) == value


_BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (_BOMB, "line 2: the YAML has an alias"),
        ("a: &a\n  b: *a", "line 2: the YAML has an alias"),
        ("<<: *base", "line 1: the YAML has an alias"),
        ("a: !!python/object/apply:os.system [id]", "line 1: the YAML has a value with the tag"),
        ("a: !!binary aGk=", "line 1: the YAML has a value with the tag"),
        ("a: b\n---\nc: d", "line 2: the YAML has more than one document"),
        ("[" * 21 + "]" * 21, "line 1: the YAML has a value nested more than 20 deep"),
        ("- a\n" * 10_000, "line 10000: the YAML has more than 10,000 values"),
        ("a" * (plainyaml.LARGEST + 1), "the YAML has 1,048,577 characters"),
        ("? [a]\n: b", "line 1: the YAML has a name that is not text"),
        ("a: 'b", "not readable as YAML: line 1: found unexpected end of stream"),
        ("a: \x07", "not readable as YAML: "),
        ("a: \ud83d", "not readable as YAML: "),
    ],
)
def test_what_is_no_plain_value_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        plainyaml.parse(text, Notes())
    assert str(caught.value).startswith(message)


def test_a_name_that_stands_twice_is_noted_and_the_last_counts() -> None:
    notes = Notes()
    assert plainyaml.parse("a:\n  b: 1\n  b: 2\n", notes).value == {"a": {"b": "2"}}
    assert [str(note) for note in notes] == ["$.a.b: stands there twice; the last one counts"]


# PyYAML writes these line ends where its own reader takes them for others.
_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\x85\u2028\u2029"), max_size=10)
_VALUES = st.recursive(
    st.none() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(value=_VALUES)
def test_what_pyyaml_writes_is_read(value: object) -> None:
    assert parsed(yaml.dump(value, allow_unicode=True)) == value


@given(text=st.text(max_size=40) | st.text("a:-[]{}&*!|> \n'\"#", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read = plainyaml.parse(text, Notes())
    except FormatError as error:
        assert error.what
    else:
        assert read.patched(read.value) == text


def test_yaml_is_not_written() -> None:
    read = plainyaml.parse("a: b", Notes())
    with pytest.raises(FormatError, match="only read"):
        read.patched({"a": "c"})
