"""
JSON that comes back exactly as it was: laws of reading, of patching, and of what is damaged.
"""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lorebook.errors import FormatError
from lorebook.formats.exactjson import DEEPEST, SpelledFloat, SpelledInt, dump, parse
from lorebook.formats.exactjson.aligning import Sameness, align
from lorebook.formats.exactjson.reading import Reader
from lorebook.formats.notes import Notes

SHARED = Path(__file__).parents[3] / "shared" / "formats"
FILES = [path for folder in ("examples", "quirks") for path in sorted((SHARED / folder).glob("*.json"))]

# Two halves side by side are a pair to every reader, so no text of a value has them.
texts = st.text().filter(lambda text: not re.search("[\ud800-\udbff][\udc00-\udfff]", text))
texts |= st.sampled_from(["\ud83d", "\udc00x", "a/b", "\x7f\x00\n", "卡牌", "\U0001f600", '"\\', "[{,:}]"])
keys = st.sampled_from(["a", "b", "c", "卡", ""]) | texts
tokens = st.sampled_from(["1.00", "0.10", "1E3", "-0", "1e400", "-0.0", "1.0", "1", "12345678901234567890123", "2e-7"])
tokens |= st.from_regex(r"-?(0|[1-9][0-9]{0,4})(\.[0-9]{1,3})?([eE][-+]?[0-9]{1,3})?", fullmatch=True)
spelt = tokens.map(lambda token: parse(token, Notes()).value)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts | spelt
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=5), max_leaves=25
)
spaces = st.sampled_from(["", "", " ", "\n", "\n  ", "\r\n\t", "  "])


def read(text: str) -> Any:
    return parse(text, Notes()).value


def same(old: Any, new: Any) -> bool:
    return Sameness()(old, new)


def exact(value: Any) -> Any:
    """
    Return *value* so that it is equal only to what is spelt the same; True is no 1.
    """
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    return (type(value).__name__, getattr(value, "token", None), repr(value))


@st.composite
def styled(draw: st.DrawFn, value: Any) -> str:
    """
    Write *value* in some style: any space, any escapes.
    """

    def text(value: str) -> str:
        if draw(st.booleans()):
            return json.dumps(value, ensure_ascii=draw(st.booleans())).replace("/", draw(st.sampled_from(["/", "\\/"])))
        return '"' + "".join(f"\\u{ord(sign):04X}" if ord(sign) < 0x10000 else sign for sign in value) + '"'

    def written(value: Any) -> str:
        space = [draw(spaces) for _ in range(4)]
        if isinstance(value, dict):
            pieces = [f"{text(key)}{space[0]}:{space[1]}{written(item)}" for key, item in value.items()]
            return "{" + space[2] + f"{space[0]},{space[3]}".join(pieces) + space[0] + "}"
        if isinstance(value, list):
            return "[" + space[2] + f"{space[0]},{space[3]}".join(map(written, value)) + space[0] + "]"
        return text(value) if isinstance(value, str) else dump(value)

    return draw(spaces) + written(value) + draw(spaces)


written_values = values.flatmap(lambda value: st.tuples(st.just(value), styled(value)))


@st.composite
def changes(draw: st.DrawFn, value: Any) -> Any:
    """
    Return *value* with a change somewhere; what is not changed is the very same object or a copy.
    """
    choices: st.SearchStrategy[Any]
    if isinstance(value, dict) and value:
        key = draw(st.sampled_from(list(value)))
        rest = {other: item for other, item in value.items() if other != key}
        choices = st.just(rest) | st.just({draw(keys): 5, **value}) | st.deferred(lambda: within_object(value, key))
    elif isinstance(value, list) and value:
        place = draw(st.integers(0, len(value) - 1))
        before, after = value[:place], value[place + 1 :]
        choices = st.just([*before, *after]) | st.just([*before, 5, *value[place:]]) | st.permutations(value)
        choices |= st.deferred(lambda: changes(value[place]).map(lambda new: [*before, new, *after]))
    else:
        choices = st.just(copy.deepcopy(value))
    return draw(choices | values)


def within_object(value: dict[str, Any], key: str) -> st.SearchStrategy[dict[str, Any]]:
    return changes(value[key]).map(lambda new: {**value, key: new})


@given(written_values)
def test_what_is_read_is_what_is_written_and_nothing_changed_means_the_same_text(given: tuple[Any, str]) -> None:
    value, text = given
    notes = Notes()
    found = parse(text, notes)
    assert not list(notes)
    assert exact(found.value) == exact(value)
    assert found.patched(found.value) == text
    assert found.patched(copy.deepcopy(value)) == text
    assert exact(read(dump(value))) == exact(value)
    assert exact(read(dump(value, indent=None))) == exact(value)


@given(written_values)
def test_both_readers_say_the_same(given: tuple[Any, str]) -> None:
    value, text = given
    notes = Notes()
    reader = Reader(text, notes, "$")
    assert exact(reader.read()) == exact(value)
    assert not list(notes)
    assert not reader.mends


@given(st.data(), written_values)
def test_a_patched_text_says_the_new_value(data: st.DataObject, given: tuple[Any, str]) -> None:
    value, text = given
    new = data.draw(changes(value) | values)
    found = parse(text, Notes())
    patched = found.patched(new)
    again = read(patched)
    assert again == new
    assert same(again, new)
    assert parse(patched, Notes()).patched(new) == patched


@given(st.data(), st.dictionaries(keys, values, min_size=2))
def test_members_that_did_not_change_stay_as_they_are_written(data: st.DataObject, value: dict[str, Any]) -> None:
    pieces = {key: (data.draw(styled(key)).strip(), data.draw(styled(item)).strip()) for key, item in value.items()}
    text = "{" + ", ".join(f"{key} : {item}" for key, item in pieces.values()) + "}"
    gone, changed = data.draw(st.sampled_from(list(value))), data.draw(st.sampled_from(list(value)))
    new = {**value, changed: data.draw(values), "new": data.draw(values)}
    del new[gone]
    patched = parse(text, Notes()).patched(new)
    assert all(f"{name} : {item}" in patched for key, (name, item) in pieces.items() if key not in (gone, changed))


@given(st.data(), st.lists(values, min_size=1, max_size=8), st.sampled_from([list, copy.deepcopy]))
def test_items_beside_removed_and_inserted_ones_stay_as_they_are_written(
    data: st.DataObject, items: list[Any], copied: Callable[[list[Any]], list[Any]]
) -> None:
    pieces = [f'{{"uid": {uid}, "x" :{data.draw(styled(item))}}}' for uid, item in enumerate(items)]
    found = parse("[" + ", ".join(pieces) + "]", Notes())
    kept = sorted(data.draw(st.sets(st.sampled_from(range(len(items))), min_size=1)))
    new, expected = [found.value[number] for number in kept], [pieces[number] for number in kept]
    for number in data.draw(st.lists(st.integers(100, 999), max_size=3)):
        place = data.draw(st.integers(0, len(new)))
        new.insert(place, number)
        expected.insert(place, str(number))
    assert found.patched(copied(new)) == "[" + ", ".join(expected) + "]"


@given(st.lists(st.integers(0, 4), max_size=12), st.lists(st.integers(0, 4), max_size=12))
def test_an_alignment_makes_the_new_list_from_the_old_one(old: list[int], new: list[int]) -> None:
    found = align(old, new, Sameness())
    changed = dict(found.changed)
    made = [new[number] for number in found.inserted.get(-1, [])]
    for number, item in enumerate(old):
        made += [new[changed[number]] if number in changed else item] if number not in found.removed else []
        made += [new[place] for place in found.inserted.get(number, [])]
    assert made == new


PRETTY = '{\n    "a": 1,\n    "b": [\n        1,\n        2\n    ]\n}\n'


@pytest.mark.parametrize(
    ("text", "new", "patched"),
    [
        ("{}", {"a": 1, "b": [2]}, '{"a": 1, "b": [2]}'),
        ("[ ]", [1, 2], "[1, 2]"),
        ('{"a":1}', {"a": 1, "b": {"c": [1, 2]}}, '{"a":1,"b":{"c":[1,2]}}'),
        ('{"a": 1}', {"a": 1, "b": {"c": [1, 2]}}, '{"a": 1, "b": {"c": [1, 2]}}'),
        ('{ "a" : 1 }', {"a": 1, "b": 2}, '{ "a" : 1, "b" : 2 }'),
        (
            PRETTY,
            {"a": 1, "b": [1, 2, {"c": []}]},
            PRETTY.replace("2\n", '2,\n        {\n            "c": []\n        }\n'),
        ),
        (PRETTY, {"a": {"c": 1}, "b": [1, 2]}, PRETTY.replace('"a": 1', '"a": {\n        "c": 1\n    }')),
        (PRETTY, {"b": [1, 2], "a": 1, "c": 3}, PRETTY.replace("]\n}", '],\n    "c": 3\n}')),
        (PRETTY, {"b": [1, 2]}, PRETTY.replace('"a": 1,\n    ', "")),
        (PRETTY, {"a": 1}, '{\n    "a": 1\n}\n'),
        (PRETTY, {"c": 1}, '{\n    "c": 1\n}\n'),
        (PRETTY, {}, "{}\n"),
        ('{\n "a": []\n}', {"a": [{"b": [1]}, 2]}, '{\n "a": [{"b": [1]}, 2]\n}'),
        (PRETTY, [1], "[\n  1\n]\n"),
        ('{\r\n\t"a": 1\r\n}', {"a": 1, "b": [2]}, '{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t2\r\n\t]\r\n}'),
        ('[{"a":1}]', [{"a": 1}, {"b": [1, 2]}], '[{"a":1},{"b":[1,2]}]'),
        ('{"a":[{}]}', {"a": [{}, {"b": [1, 2]}]}, '{"a":[{},{"b":[1,2]}]}'),
        ("[1,2,3,4]", [1, 3, 4], "[1,3,4]"),
        ("[1 , 2 ,3,  4]", [2, 4], "[2,  4]"),
        ("[1,2,3,4]", [0, 1, 2, 3, 4, 5], "[0,1,2,3,4,5]"),
        ("[1, 2]", [], "[]"),
        ("[[1, 1.0], 2]", [[1, 3], 2], "[[1, 3], 2]"),
        ("[1.00, 2, true]", [1, 2.0, True], "[1.00, 2, true]"),
        ("[1.00, 2, true]", [SpelledFloat("1.0"), SpelledFloat("2.0"), True], "[1.0, 2.0, true]"),
        ("[true, 1, 0, false]", [1, True, False, 0.0], "[1, true, false, 0]"),
        ("[true, 1]", [1, 1], "[1, 1]"),
        ('{"a": 1, "a": 2, "b": 3}', {"a": 2, "b": 4}, '{"a": 1, "a": 2, "b": 4}'),
        ('{"a": 1, "a": 2, "b": 3}', {"a": 5, "b": 3}, '{"a": 1, "a": 5, "b": 3}'),
        ('{"a": 1, "b": 3, "a": 2}', {"b": 3}, '{"b": 3}'),
        ('{"a": {"x": [1]}, "a": {"x": [2]}}', {"a": {"x": [2, 3]}}, '{"a": {"x": [1]}, "a": {"x": [2, 3]}}'),
        ('{"\\u0061": 1}', {"a": 2}, '{"\\u0061": 2}'),
        ('["\\u5361", 1]', ["卡", "牌/"], '["\\u5361", "\\u724c/"]'),
        ('["a", 1]', ["a", "牌/"], '["a", "牌/"]'),
        ('["\\u5361 牌", 1]', ["卡 牌", "é"], '["\\u5361 牌", "é"]'),
        ('["\\\\u5361", 1]', ["\\u5361", "é"], '["\\\\u5361", "é"]'),
        ("[1]", ["half \ud83d", "\U0001f600"], '["half \\ud83d", "\U0001f600"]'),
        (" 1 ", None, " null "),
    ],
)
def test_a_change_is_written_in_the_style_of_its_place(text: str, new: Any, patched: str) -> None:
    assert parse(text, Notes()).patched(new) == patched


@pytest.mark.parametrize(
    ("text", "value", "mended", "noted"),
    [
        ('{"a": [NaN, -Infinity]}', {"a": [None, None]}, '{"a": [null, null]}', ["$.a[0]: is NaN, which is not JSON"]),
        ("Infinity", None, "null", ["$: is Infinity, which is not JSON; read as null"]),
        ("[1, 2 , ]", [1, 2], "[1, 2  ]", ["$: ends in a comma"]),
        ('{"a b": {"c": 1,\n}}', {"a b": {"c": 1}}, '{"a b": {"c": 1\n}}', ["$['a b']: ends in a comma"]),
        ('{"a": "x\n\ty\x01"}', {"a": "x\n\ty\x01"}, '{"a": "x\\n\\ty\\u0001"}', ["$.a: has line breaks"]),
        ('{"a": 0, "k\n": 1}', {"a": 0, "k\n": 1}, '{"a": 0, "k\\n": 1}', ["$['k\\n']: has line breaks"]),
        ('{"a": 1,\n "a": NaN}', {"a": None}, '{"a": 1,\n "a": null}', ["$.a: is there again in line 2, column 2"]),
        ('{"a": 1, "a": 2, "\\u0061": 3}', {"a": 3}, None, ["$.a: is there again in line 1, column 10; the last"]),
    ],
)
def test_damage_is_noted_with_its_path_and_mended(text: str, value: Any, mended: str | None, noted: list[str]) -> None:
    notes = Notes()
    found = parse(text, notes)
    assert exact(found.value) == exact(value)
    assert found.text == text
    assert found.patched(found.value) == (text if mended is None else mended)
    assert [str(note)[: len(start)] for note, start in zip(notes, noted, strict=False)] == noted


def test_each_duplicate_is_a_note_of_its_own_and_paths_begin_where_they_are_told_to() -> None:
    notes = Notes()
    parse('{"a": 1, "a": 2, "a": 3, "b": [{"c": 1, "c": 2}]}', notes, "$.data")
    assert [note.where for note in notes] == ["$.data.a", "$.data.a", "$.data.b[0].c"]


def test_of_very_much_damage_the_first_is_noted_and_the_rest_counted() -> None:
    notes = Notes()
    assert parse("[" + ",".join(["NaN"] * 5000) + "]", notes).value == [None] * 5000
    assert len(notes) == 1001
    assert str(list(notes)[-1]) == "$: has 4000 more such places"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: the text ends too early (a value should be here)"),
        ("{", "line 1, column 2: the text ends too early (a key in double quotes should be here)"),
        ("[1", "line 1, column 3: the text ends too early (a comma or ] should be here)"),
        ('{\n"0":', "line 2, column 5: the text ends too early (a value should be here)"),
        ("[1,,2]", "line 1, column 4: a value should be here"),
        ("[,]", "line 1, column 2: a value should be here"),
        ("[1 2]", "line 1, column 4: a comma or ] should be here"),
        ('{"a" 1}', "line 1, column 6: a colon should be here"),
        ("{a: 1}", "line 1, column 2: a key in double quotes should be here"),
        ("{'a': 1}", "line 1, column 2: a key in double quotes should be here"),
        ("01", "line 1, column 2: nothing may follow the value"),
        ("1.", "line 1, column 2: nothing may follow the value"),
        ("{} x", "line 1, column 4: nothing may follow the value"),
        ('["\\x"]', "line 1, column 3: JSON has no such escape after a backslash"),
        ('["a', "line 1, column 2: the text whose quote opens here has no closing quote"),
        ("[1] // one", "line 1, column 5: JSON has no comments (take the comments out)"),
        ('{\n  // one\n  "a": 1}', "line 2, column 3: JSON has no comments (take the comments out)"),
        ("[1, /* one */ 2]", "line 1, column 5: JSON has no comments (take the comments out)"),
        ("[1,] // one", "line 1, column 6: JSON has no comments (take the comments out)"),
        ("Once upon a time", "line 1, column 1: a value should be here"),
        ("[" * 100_000, "line 1, column 501: nested more than 500 deep"),
        ("[" * 501 + "]" * 501, "line 1, column 501: nested more than 500 deep"),
        ('{"a":[' * 100_000, "line 1, column 1501: nested more than 500 deep"),
        ('{"a": 1, "a":' + "[" * 501 + "]" * 501 + "}", "line 1, column 513: nested more than 500 deep"),
        ('{"a":' + "[" * 501 + "]" * 501 + ', "a": 1}', "line 1, column 505: nested more than 500 deep"),
    ],
    ids=lambda text: repr(text[:25]),
)
def test_what_is_not_json_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(text, Notes())
    assert str(caught.value) == f"not JSON: {message}"


@given(st.text() | st.text(alphabet='{}[]":,\\u/ntfalse0123.eE+-NaIiy \n'))
@example('{"a": tru}')
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = parse(text, Notes())
    except FormatError as error:
        assert str(error).startswith("not JSON: line ")
        return
    assert same(json.loads(found.patched(found.value), parse_int=str, parse_float=str), strings(found.value))


def strings(value: Any) -> Any:
    """
    Return *value* with every number as it is spelt.
    """
    if isinstance(value, dict):
        return {key: strings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [strings(item) for item in value]
    return dump(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


@given(written_values, st.data())
def test_a_text_that_was_cut_or_changed_is_read_or_refused(given: tuple[Any, str], data: st.DataObject) -> None:
    text = given[1]
    start = data.draw(st.integers(0, len(text)))
    damaged = text[:start] + data.draw(st.text(max_size=2)) + text[data.draw(st.integers(start, len(text))) :]
    try:
        found = parse(damaged, Notes())
    except FormatError:
        return
    notes = Notes()
    mended = parse(found.patched(found.value), notes)
    assert exact(mended.value) == exact(found.value)
    assert all("is there again" in note.what for note in notes)


@pytest.mark.parametrize("token", ["-0", "1.00", "0.10", "1E3", "1e400", "-0.00", "9" * 5000, "-" + "9" * 5000])
def test_a_spelling_survives_copies_and_pickles_and_ends_with_arithmetic(token: str) -> None:
    number = read(token)
    assert number == float(token)
    assert hash(number) == hash(float(token))
    for again in (copy.deepcopy({"a": number})["a"], copy.copy(number), pickle.loads(pickle.dumps(number))):  # noqa: S301
        assert type(again) is type(number)
        assert dump(again) == token
    assert type(number + 0) in {int, float}
    assert type(-number) in {int, float}


@pytest.mark.parametrize("token", ["0", "-1", "12345678901234567890123", "1.5", "1e+16", "-0.0", "5e-324"])
def test_a_number_that_python_spells_the_same_is_plain(token: str) -> None:
    assert type(read(token)) in {int, float}
    assert dump(read(token)) == token


@pytest.mark.parametrize(
    ("kind", "token"), [(SpelledInt, "1.0"), (SpelledInt, "01"), (SpelledFloat, "nan"), (SpelledFloat, "1,")]
)
def test_no_number_carries_what_is_no_json(kind: type[SpelledInt | SpelledFloat], token: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        kind(token)


def chain(depth: int) -> Any:
    value: Any = 1
    for number in range(depth):
        value = [value] if number % 2 else {"a": value}
    return value


def test_nesting_is_taken_to_the_limit_and_no_further() -> None:
    deepest = chain(DEEPEST)
    found = parse(dump(deepest), Notes())
    assert found.value == deepest
    assert dump(found.value, indent=None) == json.dumps(deepest, separators=(",", ":"))
    changed = json.loads(json.dumps(deepest).replace("1", "2"))
    assert found.patched(changed) == found.text.replace("1", "2")
    for write in (dump, found.patched, parse("[1, 2]", Notes()).patched):
        with pytest.raises(FormatError, match=r"nested more than 500 deep in \$(\.a\[0\]\.a|\[0\]\.a\[0\])$"):
            write(chain(DEEPEST + 1))


def test_nesting_is_read_where_little_of_the_stack_is_left() -> None:
    text = "[" * DEEPEST + "]" * DEEPEST

    def called(depth: int) -> str:
        if depth:
            return called(depth - 1)
        found = parse(text, Notes())
        return found.patched(found.value) + dump(found.value, indent=None)

    assert called(600) == text * 2


def test_what_holds_itself_is_refused() -> None:
    value: dict[str, Any] = {"a": [1]}
    value["a"] += [value, value]
    for write in (dump, parse('{"a": 1}', Notes()).patched):
        with pytest.raises(FormatError, match="nested more than 500 deep"):
            write(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, {1: 2}, {1, 2}, b"x", [object()], 10**5000], ids=range(7))
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    for write in (dump, parse('{"a": [1]}', Notes()).patched, parse("[{}]", Notes()).patched):
        with pytest.raises(FormatError, match="JSON cannot hold it"):
            write([value])


def test_in_a_long_list_of_the_same_the_first_goes_with_the_first() -> None:
    found = align([1, *[0] * 1000, 2], [7, *[0] * 1000, 8], Sameness())
    assert found.changed == [(0, 0), (1001, 1001)]
    assert not found.removed
    assert not found.inserted
    text = parse(dump([0] * 3000 + [1]), Notes())
    new = [2, *[0, 1] * 1500, 3]
    assert read(text.patched(new)) == new


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_real_files_come_back_as_they_were(path: Path) -> None:
    text = path.read_bytes().decode("utf-16" if path.name.startswith("utf16") else "utf-8-sig")
    notes = Notes()
    try:
        found = parse(text, notes)
    except FormatError:
        assert path.stem in {"empty", "truncated"}
        return
    assert (found.patched(found.value) == text) == (path.stem != "nan_literal")
    assert bool(list(notes)) == (path.stem in {"dup_json_keys", "nan_literal"})
    if isinstance(found.value, dict):
        patched = found.patched({**copy.deepcopy(found.value), "a new one": [1]})
        assert patched.replace(text.strip()[:-1].strip(), "").count('"a new one"') == 1
