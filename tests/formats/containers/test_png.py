"""
The PNG container: every text is a part, what is not replaced stays byte for byte, damage is named and mended.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lorebook.errors import FormatError
from lorebook.formats.containers.container import streamed
from lorebook.formats.containers.png import PNG
from lorebook.formats.containers.tiff import clean_comment, smallest_tiff
from lorebook.formats.notes import Notes
from tests.formats.containers.pictures import (
    END,
    PIXEL,
    SIGNATURE,
    broken,
    check,
    chunk,
    international,
    opened,
    packed_text,
    picture,
    replaced,
    text,
)

FORMATS = Path(__file__).parents[4] / "shared" / "formats"

_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_kinds = st.text(_letters, min_size=4, max_size=4).map(str.encode)
_known = {b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"IEND", b"IDAT"}
_strangers = st.builds(chunk, _kinds.filter(lambda kind: kind not in _known), st.binary(max_size=20))
_keywords = st.sampled_from(["chara", "Chara", "ccv3", "naidata", "Software", "chara-ext-asset_:0", "Ärger"])
_values = st.binary(max_size=30)
_texts = st.one_of(
    st.builds(text, _keywords, _values),
    st.builds(packed_text, _keywords, _values),
    st.builds(international, _keywords, _values, packed=st.booleans()),
)
_comments = st.binary(min_size=1, max_size=30).filter(lambda value: clean_comment(b"ASCII\0\0\0" + value) == value)
_exifs = st.builds(lambda value: chunk(b"eXIf", smallest_tiff(value)), _comments)
_tails = st.sampled_from([b"", b"PK\3\4 a tail", b"\0\0", b"\0\0\0\5fooo and a tail"])
_pictures = st.builds(
    lambda before, exif, after, tail: picture(*before, *exif, PIXEL, *after, END) + tail,
    st.lists(_strangers | _texts, max_size=4),
    st.lists(_exifs, max_size=1),
    st.lists(_strangers | _texts, max_size=4),
    _tails,
)
_names = st.sampled_from(["chara", "ccv3", "naidata", "software", "chara-ext-asset_:0", "new", "ärger"])
_parts = st.builds(
    lambda texts, exif: {**texts, **exif},
    st.dictionaries(_names, _values, max_size=3),
    st.dictionaries(st.just("exif"), _comments, max_size=1),
)


@pytest.mark.parametrize(
    ("chunks", "parts"),
    [
        pytest.param([text("chara", b"x")], {"chara": b"x"}, id="plain"),
        pytest.param([text("Chara", b"")], {"chara": b""}, id="empty, keyword in capitals"),
        pytest.param([packed_text("ccv3", b"x" * 99)], {"ccv3": b"x" * 99}, id="packed"),
        pytest.param([international("chara", b"x", packed=False)], {"chara": b"x"}, id="international"),
        pytest.param([international("chara", b"x", packed=True)], {"chara": b"x"}, id="international, packed"),
        pytest.param([text("chara", b"a\0b")], {"chara": b"a\0b"}, id="NUL in the text"),
        pytest.param([text("chara-ext-asset_:0", b"x")], {"chara-ext-asset_:0": b"x"}, id="asset"),
        pytest.param([text("Ärger", b"x")], {"ärger": b"x"}, id="Latin-1"),
        pytest.param([chunk(b"eXIf", smallest_tiff(b"{}"))], {"exif": b"{}"}, id="Exif"),
        pytest.param([chunk(b"eXIf", b"Exif\0\0" + smallest_tiff(b"{}"))], {"exif": b"{}"}, id="Exif with its mark"),
        pytest.param([chunk(b"eXIf", b"MM\0*")], {}, id="Exif without a comment"),
        pytest.param([chunk(b"eXIf", smallest_tiff(b"......").replace(b".", b"\0"))], {}, id="Exif, comment of NULs"),
        pytest.param(
            [text("EXIF", b"x"), chunk(b"eXIf", smallest_tiff(b"{}"))],
            {"exif#2": b"x", "exif": b"{}"},
            id="Exif or exif",
        ),
        pytest.param([chunk(b"acTL", bytes(8))], {}, id="no text"),
    ],
)
def test_texts_are_parts(chunks: list[bytes], parts: dict[str, bytes]) -> None:
    before, after = picture(*chunks, PIXEL, END), picture(PIXEL, *chunks, END)
    assert [name for name, _ in opened(before)[0].items()] == list(parts)
    for data in (before, after):
        found = opened(data)[0]
        assert found == parts
        assert replaced(data) == data
        assert replaced(data, **found) == data


@pytest.mark.parametrize(
    ("second", "like"),
    [
        (text("chara", b"one"), "they are equal"),
        (packed_text("CHARA", b"one"), "they are equal"),
        (text("chara", b"two"), "this one is different"),
        (chunk(b"zTXt", b"chara\0\0rubbish"), "they could not be compared"),
    ],
    ids=["equal", "equal but packed", "different", "damaged"],
)
def test_of_two_texts_of_a_keyword_the_first_counts(second: bytes, like: str) -> None:
    data = picture(text("chara", b"one"), second, text("chara#2", b"literal"), PIXEL, END)
    notes = Notes()
    parts = PNG.open(data, notes).parts
    assert list(parts) == ["chara", "chara#2", "chara#2#2"]
    assert parts["chara"] == b"one"
    assert str(next(iter(notes))) == (
        f"chunk {second[4:8].decode()} at byte 54: another chara; the first one, at byte 33, counts; {like}"
    )
    new = text("CHARA" if b"CHARA" in second else "chara", b"new")
    assert replaced(data, **{"chara#2": b"new"}) == data[:54] + new + data[54 + len(second) :]


def test_a_text_is_replaced_in_its_place_and_new_ones_go_before_the_end() -> None:
    chunks = text("Software", b"x"), text("CHARA", b"old"), PIXEL, packed_text("ccv3", b"old")
    data = replaced(picture(*chunks, END) + b"tail", chara=b"new", ccv3=b"newer", naidata=b"newest")
    expected = text("Software", b"x"), text("CHARA", b"new"), PIXEL, text("ccv3", b"newer"), text("naidata", b"newest")
    assert data == picture(*expected, END) + b"tail"


def test_a_comment_is_replaced_in_its_place_and_a_new_one_goes_before_the_pixels() -> None:
    old, new = (chunk(b"eXIf", smallest_tiff(value)) for value in (b"old", b"new"))
    assert replaced(picture(old, PIXEL, END), exif=b"new") == picture(new, PIXEL, END)
    assert replaced(picture(PIXEL, END), exif=b"new") == picture(new, PIXEL, END)
    assert replaced(picture(END), exif=b"new") == picture(new, END)
    with pytest.raises(FormatError, match="Exif data have no comment that could be replaced"):
        replaced(picture(chunk(b"eXIf", b"MM\0*"), PIXEL, END), exif=b"new")


@given(data=_pictures)
def test_a_sound_picture_is_given_back_as_it_is(data: bytes) -> None:
    found = PNG.open(data, Notes())
    assert b"".join(streamed(found.replaced({}))) == data
    assert b"".join(streamed(found.replaced(found.parts))) == data


@given(data=_pictures, parts=_parts)
def test_parts_come_back_and_all_else_stays(data: bytes, parts: dict[str, bytes]) -> None:
    old = opened(data)[0]
    written = replaced(data, **parts)
    assert opened(written)[0] == {**old, **parts}
    assert replaced(written, **parts) == written
    assert others(written) == others(data)
    # Whatever was there first can be put back, in the form in which we write it.
    if set(parts) <= set(old):
        assert opened(replaced(written, **old))[0] == old


def others(data: bytes) -> list[bytes]:
    """
    Every chunk that is not a part, and what follows the end.
    """
    found, place = [], len(SIGNATURE)
    while data[place + 4 : place + 8] != b"IEND":
        end = place + 12 + int.from_bytes(data[place : place + 4], "big")
        if data[place + 4 : place + 8] not in (b"tEXt", b"zTXt", b"iTXt", b"eXIf"):
            found.append(data[place:end])
        place = end
    return [*found, data[place:]]


@given(data=_pictures, parts=_parts)
def test_a_new_picture_has_the_parts_and_the_cover_s_pixels(data: bytes, parts: dict[str, bytes]) -> None:
    written = b"".join(PNG.build(parts, data))
    found = opened(written)[0]
    assert {name: found[name] for name in parts} == parts
    assert not [name for name in found if "#" in name and name.split("#")[0] in parts]
    assert others(written) == others(data)
    assert b"".join(PNG.build(parts, written)) == written


def test_a_new_picture_loses_older_texts_of_the_same_keyword_only() -> None:
    cover = picture(text("Chara", b"old"), text("Software", b"x"), PIXEL, END, text("chara", b"late"))
    built = b"".join(PNG.build({"chara": b"new", "exif": b"comment"}, cover))
    exif = chunk(b"eXIf", smallest_tiff(b"comment"))
    assert built == picture(text("Software", b"x"), exif, PIXEL, text("chara", b"new"), END)


def test_a_new_picture_is_mended() -> None:
    assert b"".join(PNG.build({"chara": b"new"}, picture(broken(PIXEL)))) == picture(PIXEL, text("chara", b"new"), END)


def test_pillow_reads_what_is_written() -> None:
    file = io.BytesIO()
    Image.linear_gradient("L").save(file, "PNG")
    written = b"".join(PNG.build({"chara": b"new", "exif": b"comment"}, file.getvalue()))
    with Image.open(io.BytesIO(written)) as found:
        assert found.tobytes() == Image.linear_gradient("L").tobytes()
        assert found.info["chara"] == "new"
        assert found.getexif().get_ifd(0x8769) == {0x9286: b"ASCII\0\0\0comment"}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"": b"x"}, "a keyword has 1 to 79 letters and no NUL, not ''"),
        ({"a\0b": b"x"}, "a keyword has 1 to 79 letters and no NUL, not 'a\\\\x00b'"),
        ({"a" * 80: b"x"}, "a keyword has 1 to 79 letters"),
        ({"潮": b"x"}, "the keyword '潮' is not in Latin-1"),
        ({"chara#2": b"x"}, "there is no part chara#2 that could be replaced"),
        ({"exif": b"1,2"}, "cannot be an Exif comment"),
    ],
)
def test_what_cannot_be_written_is_refused(parts: dict[str, bytes], message: str) -> None:
    data = picture(PIXEL, END)
    for attempt in (lambda: replaced(data, **parts), lambda: PNG.build(parts, data)):
        with pytest.raises(FormatError, match=message):
            attempt()


def _example(name: str) -> bytes:
    path = FORMATS / name
    if not path.is_file():
        pytest.skip("the examples are not here")
    return path.read_bytes()


@pytest.mark.parametrize(
    ("name", "parts", "noted"),
    [
        ("examples/backyard_v1.png", ["exif"], []),
        ("examples/backyard_v4.png", ["exif"], []),
        ("examples/novelai_naidata.png", ["naidata"], []),
        ("examples/v1.png", ["chara"], []),
        ("examples/v2.png", ["chara"], []),
        ("examples/v3.png", ["chara", "ccv3"], []),
        ("quirks/assets_in_png.png", ["chara", "ccv3", "chara-ext-asset_:0"], []),
        ("quirks/bad_crc_idat.png", ["chara"], ["checksum is wrong"]),
        ("quirks/bad_crc_text.png", ["chara"], ["checksum is wrong"]),
        ("quirks/card_after_iend.png", ["chara"], ["behind the picture's end"]),
        ("quirks/chara_encrypted_rcc.png", ["chara"], []),
        ("quirks/dup_ccv3_stale_last.png", ["ccv3", "ccv3#2"], ["this one is different"]),
        ("quirks/dup_chara.png", ["chara", "chara#2"], ["this one is different"]),
        ("quirks/empty_chara.png", ["chara"], []),
        ("quirks/interlaced.png", ["chara"], []),
        ("quirks/itxt_compressed.png", ["ccv3"], []),
        ("quirks/no_iend.png", ["chara"], ["(IEND) is missing"]),
        ("quirks/other_text_first.png", ["software", "parameters", "chara"], []),
        ("quirks/ztxt.png", ["chara"], []),
    ],
)
def test_examples_are_read(name: str, parts: list[str], noted: list[str]) -> None:
    data = _example(name)
    notes = Notes()
    found = PNG.open(data, notes)
    assert list(found.parts) == parts
    assert len(notes) == len(noted)
    assert all(part in str(note) for part, note in zip(noted, notes, strict=True))
    check(data)
    new = dict.fromkeys(parts, b"{}")
    assert opened(b"".join(streamed(found.replaced(new))))[0] == new
