"""
Cards and books whose parts stand elsewhere than they belong: they say the same, and stay as they are.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Document, convert, envelope, open_document
from tests.formats.corpus.checking import Verdict, check
from tests.formats.corpus.trees import differences, parsed

_ENTRY = {
    "keys": ["salt gate", "盐门"],
    "secondary_keys": ["tide"],
    "content": "It opens at low water. 退潮时开。",
    "insertion_order": 7,
    "enabled": False,
    "selective": True,
    "case_sensitive": True,
    "use_regex": False,
    "extensions": {},
    "id": 0,
    "comment": "Gate",
}
_BOOK = {"name": "Tides", "extensions": {}, "entries": [_ENTRY, _ENTRY | {"id": 1, "comment": "Second"}]}
_ENTRIES = {"entries": _BOOK["entries"]}
_PERSON = {"name": "Mira", "description": "Keeper. 看守。", "first_mes": "Mind the step.", "nickname": "M"}
_DATA = _PERSON | {"character_book": _BOOK}
_V2, _V3 = ({"spec": f"chara_card_v{n}", "spec_version": f"{n}.0"} for n in (2, 3))
_LORE = {"spec": "lorebook_v3"}
_WORLD_ENTRY = {"uid": 0, "key": ["salt gate"], "keysecondary": [], "content": "Low.", "order": 7, "disable": True}
_WORLD = {"entries": {"0": _WORLD_ENTRY, "1": _WORLD_ENTRY | {"uid": 1}}}


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """
    Return *value* with other names; one with `!` says the opposite.
    """
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    new = {name: str(names.get(name, name)) for name in value}
    return {
        new[name].strip("!"): not inner if new[name].startswith("!") else _renamed(inner, names)
        for name, inner in value.items()
    }


_CAMEL = {"secondary_keys": "secondaryKeys", "insertion_order": "insertionOrder", "case_sensitive": "caseSensitive"}
_OTHERS = {"keys": "keywords", "insertion_order": "order", "enabled": "!disable", "use_regex": "useRegex"}
_TOLD: dict[str, tuple[Any, Any, str, str]] = {
    "data as a text": (_V3 | {"data": _text(_DATA)}, _V3 | {"data": _DATA}, "$.data", "once more as a text"),
    "data of V2 as a text": (_V2 | {"data": _text(_DATA)}, _V2 | {"data": _DATA}, "$.data", "once more as a text"),
    "data as a text alone": ({"data": _text(_DATA)}, {"data": _DATA}, "$.data", "once more as a text"),
    "a book as a text": (
        _V2 | {"data": _PERSON | {"character_book": _text(_BOOK)}},
        *(_V2 | {"data": _DATA}, "$.data.character_book", "once more as a text"),
    ),
    "a lorebook as a text": (_LORE | {"data": _text(_BOOK)}, _LORE | {"data": _BOOK}, "$.data", "once more as a text"),
    "all as a text": (_text(_WORLD), _WORLD, "$", "once more as a text"),
    "V3 without data": (_V3 | _DATA, _V3 | {"data": _DATA}, "$", "outermost and not in `data`"),
    "V2 without data": (_V2 | _DATA, _V2 | {"data": _DATA}, "$", "outermost and not in `data`"),
    "V2 with data null": (_V2 | _DATA | {"data": None}, _V2 | {"data": _DATA}, "$", "outermost and not in `data`"),
    "data alone": (_DATA, {"data": _DATA}, "$", "outermost and not in `data`"),
    "a lorebook without data": (_LORE | _BOOK, _LORE | {"data": _BOOK}, "$", "outermost and not in `data`"),
    "a book beside data": (
        _V2 | {"data": _PERSON, "character_book": _BOOK},
        *(_V2 | {"data": _DATA}, "$.character_book", "beside `data`"),
    ),
    "a book beside data where null is": (
        _V2 | {"character_book": _BOOK, "data": _PERSON | {"character_book": None}},
        *(_V2 | {"data": _DATA}, "$.character_book", "beside `data`"),
    ),
    "entries for a book": (
        _V3 | {"data": _PERSON | {"character_book": _BOOK["entries"]}},
        *(_V3 | {"data": _PERSON | {"character_book": _ENTRIES}}, "$.data.character_book", "is a list"),
    ),
    "entries for a lorebook": (
        _LORE | {"data": _BOOK["entries"]},
        *(_LORE | {"data": _ENTRIES}, "$.data", "is a list and no lorebook"),
    ),
    "a card in a card": (_V2 | {"data": _V2 | {"data": _DATA}}, _V2 | {"data": _DATA}, "$.data", "in an envelope"),
    "data in data": (_V3 | {"data": {"data": _DATA}}, {"data": _DATA}, "$.data", "in an envelope"),
    "a card in a list": ([_V2 | {"data": _DATA}], _V2 | {"data": _DATA}, "$[0]", "in an envelope"),
    "a card in char": ({"char": _V2 | {"data": _DATA}}, _V2 | {"data": _DATA}, "$.char", "in an envelope"),
    "a world in two": ({"data": {"world_info": _WORLD}}, _WORLD, "$.data.world_info", "in an envelope"),
    "names in camel case": (
        _renamed(_BOOK, _CAMEL),
        *(_BOOK, "$.entries", "other names for their fields: `secondaryKeys` for `secondary_keys`"),
    ),
    "other names in a card": (
        _V2 | {"data": _PERSON | {"character_book": _renamed(_BOOK, _OTHERS)}},
        *(_V2 | {"data": _DATA}, "$.data.character_book.entries", "`disable` for the opposite of `enabled`"),
    ),
    "V2's names in World Info": (
        _renamed(_WORLD, {"order": "insertion_order", "disable": "!enabled", "keysecondary": "secondary_keys"}),
        *(_WORLD, "$.entries", "`enabled` for the opposite of `disable`"),
    ),
}

each = pytest.mark.parametrize(("odd", "usual", "where", "what"), _TOLD.values(), ids=_TOLD)


def opened(value: object) -> Document:
    return open_document(json.dumps(value).encode(), file_name="x.json")


@each
def test_it_says_what_it_says_in_its_usual_place(odd: object, usual: object, where: str, what: str) -> None:
    document, plain = opened(odd), opened(usual)
    assert (document.form, document.book, document.card) == (plain.form, plain.book, plain.card)
    assert document.book is not None
    assert len(document.book.entries) == 2
    assert any(note.where == where and what in note.what for note in document.notes)


@each
def test_it_stays_as_it_is_but_for_what_is_edited(
    odd: object, usual: object, where: str, what: str, tmp_path: Path
) -> None:
    del usual, where, what
    (tmp_path / "x.json").write_text(json.dumps(odd, indent=1), encoding="utf-8")
    result = check(tmp_path / "x.json", "x.json")
    assert result.verdict is Verdict.BYTES, "\n".join(result.says)
    assert result.edited == "entry 0: content"


@each
def test_a_setting_is_changed_where_it_stands(odd: object, usual: object, where: str, what: str) -> None:
    del usual, where, what
    document = opened(odd)
    assert document.book is not None
    first, *others = document.book.entries
    has = first.settings.model_copy(update={"insertion_order": 77, "enabled": not first.settings.enabled})
    edited = document.book.model_copy(update={"entries": (first.model_copy(update={"settings": has}), *others)})
    written = document.write(replace(document.content, book=edited))
    assert written.losses == ()
    assert open_document(written.data, file_name="x.json").book == edited
    found = list(differences(parsed(json.dumps(odd)), parsed(written.data.decode())))
    assert [(str(item.before), str(item.after)) for item in found if type(item.before) is not bool] == [("7", "77")]
    assert [item.before is not item.after for item in found if type(item.before) is bool] == [True]


_NAMES = st.sampled_from(
    [
        *("spec", "spec_version", "data", "character_book", "entries", "name", "description", "card", "lorebook"),
        *("keys", "key", "uid", "insertionOrder", "order", "disable", "enabled", "secondary_keys", "keysecondary", "x"),
    ]
)
_LEAVES = st.sampled_from(
    [None, True, 5, 1.5, "", "text", "chara_card_v2", "lorebook_v3", '{"entries": {"0": {}}}', "[{}"]
)
_ANYTHING = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(_NAMES, inner, max_size=5)
        | st.dictionaries(_NAMES, inner, max_size=5).map(_text)
    ),
    max_leaves=25,
)


@given(whole=_ANYTHING)
def test_whatever_is_put_where_it_belongs_goes_back_as_it_was(whole: object) -> None:
    for around, value in envelope.opened(whole):
        assert json.dumps(around.around(value)) == json.dumps(whole)


def test_a_place_is_told_as_it_is_in_the_file() -> None:
    book = _renamed(_BOOK, _OTHERS) | {"scan_depth": "far"}
    book["entries"][1]["order"] = "soon"
    notes = [note.where for note in opened(_V2 | _PERSON | {"tags": 5, "character_book": book}).notes]
    assert "$.tags" in notes
    assert "$.character_book.scan_depth" in notes
    assert "$.character_book.entries[1].order" in notes


@pytest.mark.parametrize("name", ["data", "character"])
def test_damage_in_a_text_in_the_json_is_noted(name: str) -> None:
    text = '{"spec": "chara_card_v2", "data": {"name": "Mira", "description": "x", "odd": NaN}}'
    if name == "data":
        text = '{"name": "Mira", "description": "x", "odd": NaN}'
    notes = list(map(str, opened({name: text}).notes))
    place = "$.data.odd" if name == "data" else "$.character.data.odd"
    assert f"{place}: is NaN, which is not JSON; read as null" in notes


def test_what_cannot_be_read_is_told_where_it_is_in_the_file() -> None:
    with pytest.raises(FormatError) as caught:
        opened({"lorebook": _LORE | {"data": 5}})
    assert str(caught.value).startswith("x.json: $.lorebook.data: it is 5, not an object")


@pytest.mark.parametrize("entries", [_WORLD["entries"], {}], ids=["entries", "none"])
def test_a_card_in_a_book_is_a_field_that_nobody_understands(entries: object) -> None:
    value = {"entries": entries, "name": "Tides", "description": "x", "data": _text(_DATA), "character_book": _BOOK}
    document = opened(value)
    assert (document.form.name, document.notes) == ("world-info", ())
    for name in ("chub", "book-v2", "card-v3"):
        made = convert(document, FORMATS[name], origin=False)
        again = convert(open_document(made.data, file_name="x"), document.form, origin=False)
        assert json.loads(again.data)["data"] == value["data"]


@pytest.mark.parametrize(
    ("copies", "named"),
    [
        (_PERSON, ""),
        (_PERSON | {"name": "Vell", "first_mes": "Old."}, "`name`, `first_mes`"),
        ({"tags": "", "scenario": "Elsewhere."}, ""),
    ],
    ids=["the same", "others", "fields that data have not"],
)
def test_copies_outermost_that_say_something_else_are_noted_and_do_not_count(copies: Any, named: str) -> None:
    document = opened(copies | _V2 | {"data": _DATA})
    assert document.card == opened(_V2 | {"data": _DATA}).card
    what = f"$: has copies outermost that say something else than `data`, which counts: {named}"
    assert list(map(str, document.notes)) == ([what] if named else [])


# --- which version a card is of ---

_VERSIONS: dict[str, tuple[Any, str, str]] = {
    "no spec, a number": ({"spec_version": 3.0, "data": _PERSON}, "card-v3", ""),
    "no spec, V3's fields": ({"data": _PERSON}, "card-v3", ""),
    "no spec": ({"data": {"name": "Mira"}}, "card-v2", ""),
    "spec null": ({"spec": None, "spec_version": "2.0", "data": _DATA}, "card-v2", "$.spec: is null and no `spec`"),
    "spec unknown": ({"spec": "my_card", "data": _DATA}, "card-v3", "$.spec: is the text 'my_card'"),
    "spec unknown, a number": ({"spec": "my_card", "spec_version": 2, "data": _DATA}, "card-v2", "$.spec: "),
    "spec in capitals": (_V2 | {"spec": "CHARA_CARD_V2", "data": _DATA}, "card-v2", "$.spec: is the text 'CHARA"),
    "spec with a space": (_V3 | {"spec": "chara_card_v3 ", "data": _DATA}, "card-v3", "$.spec: "),
    "a newer one": (_V3 | {"spec": "chara_card_v4", "data": _DATA}, "card-v3", "$.spec: is the text 'chara_card_v4'"),
    "a newer minor version": (_V3 | {"spec_version": "3.1", "data": _DATA}, "card-v3", "read as a card V3"),
    "V1 with data": ({"spec": "chara_card_v1", "data": _DATA}, "card-v2", "$.spec: "),
    "V1 with its spec": ({"spec": "chara_card_v1", "spec_version": "1.0"} | _PERSON, "card-v1", ""),
    "V1 with a greeting alone": ({"name": "Mira", "first_mes": "Mind the step."}, "card-v1", ""),
    "a newer lorebook": (_LORE | {"spec": "lorebook_v4", "data": _BOOK}, "lorebook-v3", "$.spec: is 'lorebook_v4'"),
}


@pytest.mark.parametrize(("value", "form", "note"), _VERSIONS.values(), ids=_VERSIONS)
def test_a_card_is_of_the_version_that_is_left_of_its_marks(value: Any, form: str, note: str) -> None:
    document = opened(value)
    assert document.form.name == form
    assert document.write().data == json.dumps(value).encode()
    assert (document.book is not None) == ("character_book" in value.get("data", {}) or form == "lorebook-v3")
    assert [str(each) for each in document.notes if note in str(each)] or not note
    assert bool(document.notes) == bool(note) or "spec_version" in value


@pytest.mark.parametrize(
    "value",
    [
        {"name": "lorebook", "version": "1.0", "description": "A package."},
        {"spec": "persona", "data": {"name": "Mira"}},
        {"data": {"title": "x"}, "character_book": 5},
        [_V2 | {"data": _DATA}, _V2 | {"data": _DATA}],
        {"data": "[1, 2"},
        {"data": {"data": {"data": {"data": {"data": _WORLD}}}}},
    ],
    ids=["a package", "another spec", "other data", "several cards", "half a text", "too deep"],
)
def test_what_is_no_card_is_none(value: object) -> None:
    with pytest.raises(FormatError):
        opened(value)
