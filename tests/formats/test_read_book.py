"""
A file of whatever kind: read, or refused in one line that says what was seen.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lorebook.book import Book
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Card, detect_format, jsontext, read_book

SHARED = Path(__file__).parents[3] / "shared" / "formats"


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"\x00\x01\x02", "it is a binary file"),
        (b"PK\x03\x04....", "it is a zip archive (a CHARX, BYAF or Voxta card is one)"),
        (b"%PDF-1.7", "it is a PDF document"),
        (b"\xff\xd8\xff\xe0", "it is a JPEG picture"),
        (b"Once upon a time", "it is not JSON: line 1, column 1: Expecting value"),
        (b'{"entries": {\n"0":', "it is not JSON: line 2, column 5: Expecting value"),
        (b'{"a": "\xff"}', "it is not text: byte 7 is not utf-8"),
        (b'{"a": NaN}', "it is not JSON: NaN is no JSON value"),
        (b'{"a": 1E400}', "it is not JSON: the number 1E400 is out of range"),
        (b"[" * 100_000, "it is not readable as JSON: nested too deeply"),
        (b"[1, 2]", "it is a JSON list of 2"),
        (b"5", "it is JSON, but only 5"),
        (b"{}", "it is an empty JSON object"),
        (b'{"a": 1, "b": 2}', "it is a JSON object with a, b"),
        (b'{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}', "it is a JSON object with a, b, c, d, e, f, …"),
        (b'{"spec": "chara_card_v9"}', "it is JSON with the `spec` the text 'chara_card_v9'"),
        (b'{"name": "Mira", "first_mes": "Hi."}', "it is a character card V1, which has no lorebook"),
        (b'{"lorebookVersion": 5, "entries": []}', "it is a lorebook of NovelAI"),
        (b'{"type": "risu", "ver": 1, "data": []}', "it is a lorebook of RisuAI"),
        (b'{"kind": "memory", "entries": []}', "it is a memory book of Agnai"),
    ],
)
def test_what_is_no_lorebook_is_refused_with_what_was_seen(data: bytes, seen: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_book(data, file_name="file.json")
    assert str(caught.value).startswith(f"file.json: no lorebook: {seen} (read are world-info, chub, ")


def test_a_wrong_guess_can_be_explained_and_overruled() -> None:
    data = b'{"entries": {"0": {"uid": 0, "key": 5}}}'
    with pytest.raises(FormatError, match="read as world-info: its `entries` have `key`, as in World Info"):
        read_book(data, file_name="x.json")
    with pytest.raises(FormatError, match="`entries` is an object, not a list"):
        read_book(data, file_name="x.json", form=FORMATS["card-v2"])


def test_a_book_without_a_name_is_called_as_its_file() -> None:
    assert read_book(b'{"entries": {}}', file_name="worlds/Salt Gate.json") == Book(name="Salt Gate")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_json_is_read_in_every_encoding_of_unicode(encoding: str) -> None:
    assert read_book('{"entries": {}, "name": "盐门"}'.encode(encoding), file_name="x").name == "盐门"


def test_half_a_surrogate_pair_becomes_the_replacement_character() -> None:
    assert jsontext.parse(rb'{"\ud83d": ["\ud83d\ude00", "\ude00"]}') == {"�": ["😀", "�"]}


@pytest.mark.parametrize("depth", [500, 700, 900, 5000])
def test_deep_nesting_with_an_escape_is_read_or_refused(depth: int) -> None:
    data = b"[" * depth + rb'"\u0041"' + b"]" * depth
    try:
        value = jsontext.parse(data)
    except FormatError as error:
        assert "nested too deeply" in str(error)
    else:
        assert isinstance(value, list)


def test_a_value_nested_too_deeply_is_not_written() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(FormatError, match="nested too deeply"):
        jsontext.dump(deep)


def test_numbers_that_json_has_not_are_not_written() -> None:
    with pytest.raises(FormatError, match="JSON cannot hold it"):
        jsontext.dump({"a": float("nan")})


def test_every_format_is_in_the_registry_under_its_name() -> None:
    assert list(FORMATS) == ["world-info", "chub", "card-v2", "card-v3", "png"]
    assert all(name == known.name and known.title and known.suffix.startswith(".") for name, known in FORMATS.items())


@pytest.mark.skipif(not SHARED.is_dir(), reason="the collection of files is not beside the checkout")
def test_files_of_the_wild_are_read_or_refused_in_one_line_and_written_the_same_twice(card: Card) -> None:
    read = 0
    for path in sorted(SHARED.glob("*/*.*")):
        try:
            book = read_book(path.read_bytes(), file_name=path.name)
        except FormatError as error:
            assert "\n" not in str(error)
            continue
        read += 1
        for known in FORMATS.values():
            once = known.write(book, card=card).data
            assert known.write(known.read(once), card=card).data == once, (path.name, known.name)
            assert detect_format(once) is not None
    assert read > 40


@pytest.mark.skipif(not SHARED.is_dir(), reason="the collection of files is not beside the checkout")
@pytest.mark.parametrize("name", ["st_world.json", "chub_world_info.json", "v2.json", "v3.json", "book_v2_bare.json"])
def test_every_field_of_an_example_is_still_there_when_it_is_written_back(name: str, card: Card) -> None:
    """
    Apart from Chub's contradictions, where SillyTavern's spelling overrules the copies, and a role that is null.
    """
    data = (SHARED / "examples" / name).read_bytes()
    found = detect_format(data)
    assert found is not None
    apart = ("extensions", "case_sensitive", "role")
    before = _book(json.loads(data))
    after = _book(json.loads(found[0].write(found[0].read(data), card=card).data))
    for old, new in zip(_entries(before), _entries(after), strict=True):
        kept = {key: new.get(key) for key in old if key not in apart}
        assert kept == {key: value for key, value in old.items() if key not in apart}
        assert set(old["extensions"]) <= set(new["extensions"])
    assert {key: after[key] for key in before if key != "entries"} == {
        key: value for key, value in before.items() if key != "entries"
    }


def _book(whole: dict[str, object]) -> dict[str, object]:
    data = whole.get("data")
    book = data.get("character_book") if isinstance(data, dict) else whole
    assert isinstance(book, dict)
    return book


def _entries(book: dict[str, object]) -> list[dict[str, dict[str, object]]]:
    entries = book["entries"]
    return list(entries.values()) if isinstance(entries, dict) else list(entries)  # type: ignore[call-overload]
