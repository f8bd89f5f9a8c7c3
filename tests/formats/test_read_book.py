"""
A file of whatever kind: read, or refused in one line that says what was seen.
"""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lorebook.book import CARD_NAMES, Book
from lorebook.errors import FormatError, UnknownNameError
from lorebook.formats import FORMATS, Export, Format, Loss, LossKind, find_format, open_document, read_book
from lorebook.formats.card import Card
from lorebook.formats.containers.png import PNG
from tests.formats.containers.archives import Made, pack
from tests.formats.containers.pictures import END, PIXEL, picture, text
from tests.formats.files import PICTURE, made

SHARED = Path(__file__).parents[3] / "shared" / "formats"


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"\0" * 9, "the file is empty"),
        (b"\x07\x01\x00\x02", "no lorebook and no card: it is a binary file"),
        (b"%PDF-1.7", "no lorebook and no card: it is a PDF document"),
        (b"Once upon a time", "not JSON: line 1, column 1: a value should be here"),
        (b"Once upon a time, there was a gate.", "not JSON: line 1, column 1: a value should be here (plain text"),
        (b"<!DOCTYPE html>", "not JSON: line 1, column 1: a value should be here (get the file again"),
        (b'{"entries": {\n"0":', "not JSON: line 2, column 5: the text ends too early"),
        (b"[" * 100_000, "not JSON: line 1, column 501: nested more than 500 deep"),
        (b"[1, 2]", "no lorebook and no card: it is a JSON list of 2"),
        (b"5", "no lorebook and no card: it is JSON, but only 5"),
        (b"true", "no lorebook and no card: it is JSON, but only true"),
        (b"{}", "no lorebook and no card: it is an empty JSON object"),
        (b'{"a": NaN}', "no lorebook and no card: it is a JSON object with a"),
        (b'{"a": "\xff"}', "no lorebook and no card: it is a JSON object with a"),
        (b'{"a": 1, "b": 2}', "no lorebook and no card: it is a JSON object with a, b"),
        (
            b'{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}',
            "no lorebook and no card: it is a JSON object with a, b, c, d, e, f, …",
        ),
        (b'{"spec": "chara_card_v9"}', "no lorebook and no card: it is JSON with the `spec` the text 'chara_card_v9'"),
        (b'{"entries": {"0": 5}}', "no lorebook and no card: it is a JSON object with entries"),
        (
            b'[{"spec": "chara_card_v2"}, {"spec": "chara_card_v2"}]',
            "no lorebook and no card: it is a JSON list of 2 (put each item of the list into a file of its own)",
        ),
        (b'{"a": 1, // x\n"b": 2}', "not JSON: line 1, column 10: JSON has no comments (take the comments out)"),
        (b"# Rules\n{}", "not JSON: line 1, column 1: a value should be here (plain text is no"),
        (b"```json\n{}\n```", "not JSON: line 1, column 1: a mark of Markdown is here (keep only what stands"),
        (b"\0\0\0\x1cftypavif" + b"\0" * 9, "no lorebook and no card: it is a picture or film of a kind that has no"),
        (b"\0\1\2\3\4", "no lorebook and no card: it is a binary file"),
        (b"BM\x46\0\0\0", "no lorebook and no card: it is a BMP picture (picture hosts and chat programs take cards"),
        (b"\x89PNG\n\x1a\n\0\0", "no lorebook and no card: it is a PNG picture whose line ends were changed (get it"),
        (b"\x1f\x8b\x08\0", "no lorebook and no card: it is a gzip archive (unpack it, and name the files in it)"),
        (picture(PIXEL, END), "no lorebook and no card: in this png file there is nothing that could be one (picture"),
        (
            picture(text("parameters", b"a cat"), PIXEL, END),
            "no lorebook and no card: in this png file there is parameters (it says how the picture was made; the card",
        ),
        (
            picture(PIXEL, text("risuai", b"gqRuYW1l"), END),
            "no lorebook and no card: in this png file there is risuai (it is an old card of RisuAI's own kind: open",
        ),
        (
            pack([Made("mira.png", b"x")]),
            "no lorebook and no card: in this zip file there is mira.png (unpack it, and name the files in it)",
        ),
    ],
)
def test_what_is_no_lorebook_is_refused_with_what_was_seen(data: bytes, seen: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_book(data, file_name="file.json")
    assert str(caught.value).startswith(f"file.json: {seen}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("file", "form", "is_one"),
    [
        ("png", "novelai", "png"),
        ("png", "charx", "png"),
        ("world-info", "png", "world-info"),
        ("charx", "agnai", "charx"),
    ],
)
def test_a_file_that_is_said_to_be_another_kind_is_told_its_own(file: str, form: str, is_one: str) -> None:
    data = made(FORMATS[file], Book(name="Tides"), Card(name="Mira") if FORMATS[file].is_card else None).data
    with pytest.raises(FormatError) as caught:
        open_document(data, file_name="x", form=FORMATS[form])
    said = f"x: no {FORMATS[form].title}; the file can be read as: {FORMATS[is_one].title}"
    assert str(caught.value) == f"{said} (leave --from out, or take --from {is_one})"


def test_a_picture_without_a_card_that_is_cut_off_is_called_so() -> None:
    whole = picture(PIXEL, text("note", b"a cat"), END)
    for size in (9, 30, len(whole) - 20, len(whole) - 5):
        with pytest.raises(FormatError, match="no lorebook and no card: the picture is cut off"):
            read_book(whole[:size], file_name="x")


@pytest.mark.parametrize("tail", [b"\0", b"\0" * 3, b"\n\0\0"], ids=["one", "three", "behind a line end"])
def test_nuls_behind_a_text_are_no_binary(tail: bytes) -> None:
    document = open_document(b'{"entries": {}, "name": "Tides"}' + tail, file_name="x")
    assert document.book == Book(name="Tides")
    assert [note.what for note in document.notes] == ["ends in NUL characters"]


def test_a_wrong_guess_is_explained_and_can_be_overruled() -> None:
    data = b'{"entries": {"0": {"uid": 0, "keys": ["gate"], "key": ["salt"]}}}'
    assert open_document(data, file_name="x").reason == (
        "its `entries` are an object and have `key` and `keys`, as in Chub's lorebooks"
    )
    as_book = open_document(data, file_name="x", form=FORMATS["book-v2"])
    assert as_book.reason == "so it was said"
    assert as_book.book is not None
    assert as_book.book.entries[0].keys == ("gate",)


def test_a_strict_reader_refuses_what_had_to_be_mended_with_the_place() -> None:
    data = b'{"entries": {"0": {"uid": 0, "key": ["gate"], "order": "5", "depth": "4"}}}'
    assert len(open_document(data, file_name="x.json").notes) == 2
    with pytest.raises(FormatError) as caught:
        open_document(data, file_name="x.json", strict=True)
    assert str(caught.value).startswith("x.json: $.entries['0'].")
    assert caught.value.hint == "2 such notes; without --strict it is read"
    sound = data.replace(b'"5"', b"5").replace(b'"4"', b"4")
    assert open_document(sound, file_name="x.json", strict=True).notes == ()


def test_a_book_without_a_name_is_called_as_its_file() -> None:
    assert read_book(b'{"entries": {}}', file_name="worlds/Salt Gate.json") == Book(name="Salt Gate")


def test_a_card_without_a_book_is_no_lorebook() -> None:
    with pytest.raises(FormatError, match="there is no lorebook in this Character card V1"):
        read_book(b'{"name": "Mira", "description": "", "first_mes": "Hi."}', file_name="x.json")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-be"])
def test_json_is_read_in_every_encoding_of_unicode_with_a_note(encoding: str) -> None:
    data = '{"entries": {}, "name": "盐门"}'.encode(encoding)
    document = open_document(data, file_name="x")
    assert document.book == Book(name="盐门")
    assert len(document.notes) == 1
    mended = document.write().data
    assert mended == '{"entries": {}, "name": "盐门"}'.encode()


def test_a_byte_that_is_not_utf8_is_windows_1252_and_does_no_harm_to_the_rest() -> None:
    data = '{"entries": {}, "name": "盐门 café", "description": "|"}'.encode().replace(b"|", b"na\xefve \x80")
    document = open_document(data, file_name="x")
    assert document.book == Book(name="盐门 café", description="naïve €")
    assert [note.what for note in document.notes] == ["byte 58 is not UTF-8; read as Windows-1252"]
    assert document.write().data == data.decode("utf-8", "replace").replace("na�ve �", "naïve €").encode()


@pytest.mark.parametrize(
    ("text", "codec"),
    [("na\xefve caf\xe9 ±¼ÐÝ", "cp1252"), ("Соляные ворота открываются при отливе.", "cp1251"), ("ÐÝ", "latin-1")],
    ids=["western", "russian", "letters that would be UTF-8"],
)
def test_bytes_that_are_only_guessed_stay_while_nothing_changes(text: str, codec: str) -> None:
    data = f'{{"entries": {{}}, "name": "{text}"}}'.encode(codec)
    document = open_document(data, file_name="x")
    assert [note.what for note in document.notes] == [
        f"byte {next(n for n, byte in enumerate(data) if byte > 127)} is not UTF-8; read as Windows-1252"
    ]
    assert document.write().data == data
    assert document.book is not None
    assert document.book.name.encode("cp1252") == text.encode(codec)
    edited = document.write(replace(document.content, book=document.book.model_copy(update={"description": "New."})))
    again = open_document(edited.data, file_name="x")
    assert (again.book, again.notes) == (document.book.model_copy(update={"description": "New."}), ())


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [("소금 문은 썰물에 열린다.", "cp949", "CP949"), ("潮の門は引き潮のときに開く。", "cp932", "Shift_JIS")],
    ids=["korean", "japanese"],
)
def test_old_korean_and_japanese_are_read_with_a_note_and_written_as_utf8(text: str, codec: str, name: str) -> None:
    document = open_document(f'{{"entries": {{}}, "name": "{text}"}}'.encode(codec), file_name="x")
    assert document.book == Book(name=text)
    assert [note.what for note in document.notes] == [
        f"is written in {name}, an old encoding of Korean or Japanese, and not in UTF-8"
    ]
    assert document.write().data == f'{{"entries": {{}}, "name": "{text}"}}'.encode()


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        ("潮水退去的时候，盐门就会打开。", "gbk", "GB18030"),
        ("潮水退去的時候，鹽門就會打開，功蓋許。", "big5", "Big5"),
    ],
)
@pytest.mark.parametrize("known", ["card-v2", "world-info", "png", "ooba"])
def test_old_chinese_is_read_with_a_note_and_written_as_utf8(known: str, text: str, codec: str, name: str) -> None:
    if known == "ooba":
        data = f"name: Mira\ncontext: {text}\n".encode(codec)
    elif known == "world-info":
        data = json.dumps({"name": text, "entries": {}}, ensure_ascii=False).encode(codec)
    else:
        card = {"spec": "chara_card_v2", "data": {"name": "Mira", "description": text}}
        data = json.dumps(card, ensure_ascii=False).encode(codec)
        if known == "png":
            data = b"".join(PNG.build({"chara": base64.b64encode(data)}, PICTURE))
    document = open_document(data, file_name="x")
    assert document.form.name == known
    said = document.card.description if document.card else document.book.name if document.book else ""
    assert said == text
    assert [note.what for note in document.notes] == [
        f"is written in {name}, an old encoding of Chinese, and not in UTF-8"
    ]
    if document.form.writes:
        again = open_document(document.write().data, file_name="x")
        assert (again.card, again.book, again.notes) == (document.card, document.book, ())


@pytest.mark.parametrize("text", ["\u00c2\u0080", "caf\u00c3\u00a9 \u00c2\u0085"], ids=["alone", "beside a letter"])
def test_what_would_be_control_characters_was_no_utf8(text: str) -> None:
    document = open_document(json.dumps({"entries": {}, "name": text}).encode(), file_name="x")
    assert document.book == Book(name=text)
    assert document.notes == ()


def test_half_a_surrogate_pair_becomes_the_replacement_character() -> None:
    data = rb'{"entries": {}, "name": "\ud83d\ude00 \ud83d", "description": "\ude00"}'
    document = open_document(data, file_name="x")
    assert document.book == Book(name="😀 �", description="�")
    assert [note.what for note in document.notes] == ["2 texts have half a surrogate pair; read as U+FFFD"]


def test_numbers_that_json_has_not_are_read_as_null_with_a_note() -> None:
    data = b'{"entries": {}, "name": "Archive", "scan_depth": NaN}'
    document = open_document(data, file_name="x")
    assert document.book == Book(name="Archive")
    assert [str(note) for note in document.notes] == ["$.scan_depth: is NaN, which is not JSON; read as null"]
    assert document.write().data == data.replace(b"NaN", b"null")


def test_every_format_is_in_the_registry_under_its_name() -> None:
    assert all(name == known.name and known.title and known.suffix.startswith(".") for name, known in FORMATS.items())
    assert len({known.title for known in FORMATS.values()}) == len(FORMATS)
    assert all(find_format(name) is known for name, known in FORMATS.items())
    assert all(known.writes != bool(known.read_only) for known in FORMATS.values())
    with pytest.raises(UnknownNameError, match=r"no format 'odt' \(there are: world-info, .*ooba, "):
        find_format("odt")


def test_who_wants_to_write_is_told_the_formats_that_are_written() -> None:
    with pytest.raises(UnknownNameError, match=r"no format 'pgn' \(did you mean png\? there are: ") as caught:
        find_format("pgn", to_write=True)
    told = caught.value.hint.partition("there are: ")[2].split(", ")
    assert set(told) == {name for name, known in FORMATS.items() if known.writes}


def gone(made: Export) -> list[Loss]:
    return [loss for loss in made.losses if loss.kind is not LossKind.UNREAD]


_WRITTEN = [known for known in FORMATS.values() if known.writes]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the collection of files is not beside the checkout")
@pytest.mark.parametrize("known", _WRITTEN, ids=lambda known: known.name)
def test_files_of_the_wild_are_written_as_any_format_and_lose_nothing_more_the_second_time(known: Format) -> None:
    read = 0
    for path in sorted(SHARED.glob("*/*.*")):
        try:
            book = read_book(path.read_bytes(), file_name=path.name)
        except FormatError as error:
            assert "\n" not in str(error)
            continue
        read += 1
        once = made(known, book)
        found = open_document(once.data, file_name=path.name, form=known)
        again = made(known, found.book, found.card)
        assert not gone(again), path.name
        assert again.data == once.data or gone(once), path.name
    assert read > 40


def inside(whole: dict[str, Any]) -> dict[str, Any]:
    book: dict[str, Any] = whole.get("data", {}).get("character_book", whole)
    return book


def items(book: dict[str, Any]) -> list[dict[str, Any]]:
    entries = book["entries"]
    return list(entries.values()) if isinstance(entries, dict) else list(entries)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the collection of files is not beside the checkout")
@pytest.mark.parametrize("name", ["st_world.json", "chub_world_info.json", "v2.json", "v3.json", "book_v2_bare.json"])
def test_every_field_of_an_example_is_still_there_when_it_is_written_anew(name: str) -> None:
    """
    Apart from Chub's contradictions, where SillyTavern's spelling counts, and a role that is null.
    """
    data = (SHARED / "examples" / name).read_bytes()
    document = open_document(data, file_name=name)
    assert document.book is not None
    before = inside(json.loads(data))
    after = inside(json.loads(made(document.form, document.book, document.card).data))
    for old, new in zip(items(before), items(after), strict=True):
        apart = ("extensions", "case_sensitive", "role")
        kept = {key: new.get(key) for key in old if key not in apart}
        assert kept == {key: value for key, value in old.items() if key not in apart}
        assert {CARD_NAMES.get(name, name) for name in old["extensions"]} <= set(new["extensions"])
    assert {key: after[key] for key in before if key != "entries"} == {
        key: value for key, value in before.items() if key != "entries"
    }
