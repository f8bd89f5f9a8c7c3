"""
Characters of text-generation-webui: YAML of its own, and Pygmalion's JSON.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lorebook.book import Book
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Card, Content, Document, export, open_document
from lorebook.formats.notes import Notes

EXAMPLES = Path(__file__).parents[3] / "shared" / "formats" / "examples"

PYGMALION = {
    "char_name": "Mira Vell",
    "char_persona": "Keeper of the tide archive.",
    "char_greeting": "Mind the third step.",
    "world_scenario": "A flooded library.",
    "example_dialogue": "You: Is it deep?",
}
YAML = """\
# A remark that only the file has.
name: Mira Vell
greeting: |-
  Mind the third step,
  {{user}}.
context: 潮汐档案馆的守护者
example_dialogue: ''
your_name: No
"""


def opened(text: str, form: str | None = None) -> Document:
    return open_document(text.encode(), file_name="mira", form=FORMATS[form] if form else None)


def test_a_character_in_yaml_is_read_and_comes_back_as_it_was() -> None:
    document = opened(YAML)
    assert (document.form.name, document.notes, document.book) == ("ooba", (), None)
    assert document.card == Card(
        name="Mira Vell",
        first_mes="Mind the third step,\n{{user}}.",
        description="潮汐档案馆的守护者",
        extensions={"oobabooga": {"your_name": "No"}},
    )
    assert document.write().data == YAML.encode()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("bot: Mira\ncontext: x", "Mira"),
        ("name: Mira\nbot: Other\ncontext: x", "Mira"),
        ("char_name: Mira\nchar_persona: x", "Mira"),
        ("\ufeffname: Mira\r\ncontext: x\r\n", "Mira"),
        ("name: 007\ncontext: x", "007"),
        ("<|bot|>: Mira\ncontext: x", "Mira"),
        ("name:\nbot: Mira\ncontext: x", "Mira"),
        ("name: Mira\ngreeting: Hi.", "Mira"),
        ("name: Mira\ngreeting: Hi.\ncontext:", "Mira"),
    ],
)
def test_a_name_has_several_names(text: str, name: str) -> None:
    card = opened(text).card
    assert card is not None
    assert card.name == name


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_that_had_to_be_decoded_comes_back_as_it_was(encoding: str) -> None:
    data = YAML.encode(encoding)
    document = open_document(data, file_name="mira.yaml")
    assert [note.where for note in document.notes] == [""]
    assert document.write().data == data


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: &a Mira\ncontext: *a", "line 2: the YAML has an alias"),
        ("name: Mira\ncontext: !!python/name:os.system x", "line 2: the YAML has a value with the tag"),
        ("name: 'Mira\ncontext: x", "not readable as YAML"),
        ("name: Mira\ngreeting: |-\n\tHi.\n\n\tYou.\n", "not readable as YAML: line 3"),
    ],
)
def test_what_could_do_harm_is_refused(text: str, message: str) -> None:
    for form in (None, "ooba"):
        with pytest.raises(FormatError) as caught:
            opened(text, form)
        assert message in str(caught.value)
        assert "JSON" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: Mira", "it is a YAML object with name"),
        ("# A character\nname: [Mira]\ncontext: x", "it is a YAML object with name, context"),
        ("---\n- name: Mira\n  context: x", "it is a YAML list of 1"),
        ("context: |\n  Keeper.\n\n  Dry.\n", "it is a YAML object with context"),
    ],
)
def test_other_yaml_is_told_what_it_is(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        opened(text)
    assert str(caught.value).startswith(f"mira: no lorebook and no card: {message} (`lorebook formats` lists the ")


@pytest.mark.parametrize(
    "text", ["Mira Vell", "Note: Mira\nis the keeper\nof the archive", '"name": Mira', "<a>\nb: c"]
)
def test_other_text_is_told_to_be_no_json(text: str) -> None:
    with pytest.raises(FormatError, match="not JSON"):
        opened(text)


def test_pygmalions_json_is_read_and_comes_back_as_it_was() -> None:
    data = json.dumps(PYGMALION | {"metadata": {"version": 1}}, indent=3).encode()
    document = open_document(data, file_name="mira.json")
    assert (document.form.name, document.notes, document.book) == ("gradio", (), None)
    assert document.card == Card(
        name="Mira Vell",
        description="Keeper of the tide archive.",
        first_mes="Mind the third step.",
        scenario="A flooded library.",
        mes_example="You: Is it deep?",
        extensions={"pygmalion": {"metadata": {"version": 1}}},
    )
    assert document.write().data == data


def test_webuis_own_fields_are_also_read_in_json() -> None:
    document = opened('{"name": "Mira", "context": "Keeper.", "greeting": "Hi."}')
    assert document.form.name == "gradio"
    assert document.card == Card(name="Mira", description="Keeper.", first_mes="Hi.")


def test_a_file_that_is_a_card_too_is_read_as_the_card() -> None:
    both = PYGMALION | {"name": "Mira", "description": "Keeper.", "first_mes": "Hi."}
    assert opened(json.dumps(both)).form.name == "card-v1"


@pytest.mark.parametrize(
    "value", [{"char_name": "a"}, {"char_persona": "b"}, {"spec": "x"} | PYGMALION, [PYGMALION], 1]
)
def test_other_json_is_not_claimed(value: object) -> None:
    assert [schema.detect(value) for schema in FORMATS["gradio"].slots[0].schemas] == [None, None]


@pytest.mark.parametrize("name", ["ooba", "gradio"])
def test_they_are_only_read(name: str) -> None:
    document = opened(YAML if name == "ooba" else json.dumps(PYGMALION))
    with pytest.raises(FormatError, match="is only read"):
        document.write(Content(card=Card(name="Other")))
    with pytest.raises(FormatError, match="is only read"):
        export(FORMATS[name], Content(Book(name="Archive"), Card(name="Mira")))


@pytest.mark.parametrize("place", [0, 1], ids=["webui", "pygmalion"])
def test_a_schema_says_what_it_read(place: int) -> None:
    schema = FORMATS["ooba"].slots[0].schemas[place]
    raw: dict[str, Any] = {"name": "Mira", "greeting": "Hi.", "context": "x", "example_dialogue": "", "user": "You"}
    raw = PYGMALION | {"metadata": {}} if place else raw
    assert schema.write(schema.read(raw, "$", Notes()), False) == raw
    assert schema.entries_at(raw) == ()


@pytest.mark.parametrize(("name", "form"), [("ooba.yaml", "ooba"), ("v1_gradio.json", "gradio")])
def test_the_examples_are_read(name: str, form: str) -> None:
    if not EXAMPLES.is_dir():
        pytest.skip("the examples are not here")
    document = open_document((EXAMPLES / name).read_bytes(), file_name=name)
    assert document.form.name == form
    assert document.content.needed_card.name == "Mira Vell"
    assert document.content.needed_card.description == "Keeper of the tide archive."
