"""Records: what is refused, and the canonical text form."""

from __future__ import annotations

import re
import string
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from lorebook import yamltext
from lorebook.errors import RecordError
from lorebook.records import EntrySettings, Position, Role, Rule, SecondaryLogic, Source, Span, Told, Wording, told
from lorebook.ruleset import dump_rule, read_rule

lines = st.text(min_size=1).map(str.strip).filter(lambda text: text and "\n" not in text and "\r" not in text)
prose = st.lists(lines, min_size=1, max_size=3).map("\n\n".join)
slugs = st.lists(st.text(string.ascii_lowercase + string.digits + "手牌上限", min_size=1), min_size=1, max_size=3).map(
    "-".join
)
wordings = st.builds(
    Wording,
    title=lines,
    section=st.lists(lines, max_size=3).map(tuple),
    text=prose,
    examples=st.lists(prose, max_size=2).map(tuple),
    keys=st.lists(lines, max_size=4).map(tuple),
)
settings = st.builds(
    EntrySettings,
    constant=st.booleans(),
    secondary_keys=st.lists(lines, max_size=2).map(tuple),
    secondary_logic=st.sampled_from(SecondaryLogic),
    position=st.sampled_from(Position),
    role=st.sampled_from(Role),
    insertion_order=st.integers(-1000, 1000),
    probability=st.floats(0, 100),
    case_sensitive=st.none() | st.booleans(),
)
spans = st.tuples(st.integers(1, 999), st.integers(0, 50)).map(lambda pair: Span(pair[0], sum(pair)))
file_names = (
    lines.map(lambda text: re.sub(r"[/\\\x00]", "-", text)[:50])
    .map(str.strip)
    .filter(lambda name: name not in ("", ".", ".."))
)
sources = st.builds(Source, document=file_names, lines=st.lists(spans, min_size=1, max_size=3).map(tuple))
rules = st.builds(
    Rule,
    id=slugs.map(lambda slug: f"game/{slug}"),
    number=st.none() | lines,
    order=st.integers(0, 10_000),
    original=st.just("en"),
    wordings=st.fixed_dictionaries({"en": wordings}, optional={"zh": wordings}),
    settings=settings,
    see_also=st.lists(slugs.map(lambda slug: f"game/{slug}"), max_size=2).map(tuple),
    authority=st.none() | lines | st.dictionaries(st.sampled_from(["en", "zh", "zh-Hant"]), lines, min_size=1),
    source=st.none() | sources,
)
PLAIN = {"id": "game/rule", "order": 0, "original": "en", "wordings": {"en": {"title": "A", "text": "B"}}}


@given(rules)
def test_reading_back_what_was_written_is_the_same_rule(rule: Rule) -> None:
    text = dump_rule(rule).decode()
    again = Rule.model_validate(yamltext.read(text, where="rule"))
    assert again == rule
    assert dump_rule(again).decode() == text


@given(rules)
def test_the_schema_accepts_every_rule(rule: Rule) -> None:
    jsonschema.validate(rule.model_dump(mode="json", exclude_defaults=True), Rule.model_json_schema())


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": "Game/rule"}, "id"),
        ({"id": "rule"}, "id"),
        ({"id": "game/../rule"}, "id"),
        ({"id": "game/a/b"}, "id"),
        ({"original": "zh"}, "the original language is 'zh'"),
        ({"wordings": {}}, "wordings"),
        ({"wordings": {"en": {"title": " A", "text": "B"}}}, "title"),
        ({"wordings": {"en": {"title": "A", "text": ""}}}, "text"),
        ({"keyz": []}, "keyz"),
        ({"source": {"document": "d", "lines": [[3, 2]]}}, "run backwards"),
        ({"source": {"document": "d", "lines": [[0, 2]]}}, "lines"),
        ({"source": {"document": "/etc/passwd", "lines": [[1, 1]]}}, "document"),
        ({"source": {"document": "../d", "lines": [[1, 1]]}}, "document"),
        ({"source": {"document": "..", "lines": [[1, 1]]}}, "document"),
        ({"source": {"document": "a\\b", "lines": [[1, 1]]}}, "document"),
        ({"source": {"document": "a\0b", "lines": [[1, 1]]}}, "document"),
        ({"source": {"document": "规" * 67, "lines": [[1, 1]]}}, "at most 200 bytes"),
        ({"settings": {"probability": 101}}, "probability"),
        ({"order": -1}, "order"),
        ({"authority": {}}, "authority"),
        ({"authority": {"Chinese": "编者"}}, "authority"),
        ({"authority": {"zh": ""}}, "authority"),
        ({"authority": ["the editor"]}, "authority"),
    ],
)
def test_what_breaks_the_schema_is_refused_by_name(change: dict[str, object], field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        Rule.model_validate(PLAIN | change)


def test_a_missing_language_falls_back_to_the_original() -> None:
    rule = Rule.model_validate(PLAIN)
    assert rule.wording("zh") == rule.wording() == rule.wordings["en"]


@pytest.mark.parametrize(
    ("text", "language", "shown"),
    [
        ("the editor", "zh", "the editor"),
        ({"en": "the editor", "zh": "编者"}, "zh", "编者"),
        ({"en": "the editor", "zh": "编者"}, "en", "the editor"),
        ({"zh": "编者", "en": "the editor"}, "de", "编者"),
        ({"en": "the editor"}, "zh", "the editor"),
    ],
    ids=["one for all languages", "the one wanted", "the other one", "the first for a third", "the only one"],
)
def test_a_line_is_told_in_the_language_of_what_is_shown(text: Told, language: str, shown: str) -> None:
    assert told(text, language) == shown


def test_an_authority_by_language_is_written_with_the_original_first() -> None:
    chinese = {"original": "zh", "wordings": {"zh": {"title": "甲", "text": "乙"}}}
    rule = Rule.model_validate(PLAIN | chinese | {"authority": {"en": "the editor", "zh": "编者"}})
    assert dump_rule(rule).decode().endswith("authority:\n  zh: 编者\n  en: the editor\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id: game/rule\nid: game/rule\n", "game/rule.yaml: not readable as YAML: line 2: the key 'id' stands twice"),
        ("a: [", "game/rule.yaml: not readable as YAML: line"),
        ("- 1\n", "game/rule.yaml: the whole: is no mapping"),
        ("id: game/rule\norder: 0\noriginal: en\nwordings: {en: {title: A, text: B}}\nauthority: {zh: 7}\n",
         "game/rule.yaml: authority.zh: "),
        ("id: game/other\norder: 0\noriginal: en\nwordings: {en: {title: A, text: B}}\n",
         "game/rule.yaml: holds the rule game/other (rename it to other.yaml)"),
        ("x: !!python/object/apply:os.system [ls]\n", "game/rule.yaml: not readable as YAML"),
        ("order: " + "9" * 5000, "game/rule.yaml: not readable as YAML: a value"),
        ("? [a, b]\n: 1\n", "game/rule.yaml: not readable as YAML: a value"),
        ("? {a: b}\n: 1\n", "game/rule.yaml: not readable as YAML: a value"),
        ("order: !!int abc", "game/rule.yaml: not readable as YAML: a value"),
        ("order: !!bool xyz", "game/rule.yaml: not readable as YAML: a value"),
        ("order: !!float x", "game/rule.yaml: not readable as YAML: a value"),
        ("order: !!timestamp foo", "game/rule.yaml: not readable as YAML: a value"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_line_that_names_it(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "game" / "rule.yaml"
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    with pytest.raises(RecordError) as caught:
        read_rule(path)
    assert str(caught.value).startswith(says)


def test_what_looks_like_a_date_is_text(tmp_path: Path) -> None:
    path = tmp_path / "game" / "rule.yaml"
    path.parent.mkdir()
    path.write_text(
        "id: game/rule\nnumber: 2024-02-30\norder: 0\noriginal: en\nwordings: {en: {title: A, text: B}}\n", "utf-8"
    )
    assert read_rule(path).number == "2024-02-30"
