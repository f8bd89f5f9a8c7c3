"""
The comment in Exif data: found in both byte orders, cleaned, replaced without a change to other tags.
"""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lorebook.errors import FormatError
from lorebook.formats.containers.tiff import clean_comment, find_comment, replace_comment, smallest_tiff

_TEXT = b'{"name": "Mira Vell"}'
_MARK = b"ASCII\0\0\0"
_COMMENT, _ARTIST, _SOFTWARE, _EXIF, _LENS = 0x9286, 0x013B, 0x0131, 0x8769, 0xA434

_texts = st.binary(min_size=1, max_size=40).filter(lambda text: clean_comment(_MARK + text) == text)


def comment_of(tiff: bytes) -> bytes | None:
    found = find_comment(memoryview(tiff))
    return None if found is None else clean_comment(tiff[found.start : found.end])


def by_pillow(order: str, comment: bytes) -> bytes:
    exif = Image.Exif()
    exif.endian = ">" if order == "big" else "<"
    exif[_ARTIST], exif[_SOFTWARE] = "Somebody Who Paints", "a camera of some kind"
    exif.get_ifd(_EXIF).update({_COMMENT: comment, _LENS: "thirty-five millimetres"})
    return exif.tobytes().removeprefix(b"Exif\0\0")


def tags(tiff: bytes) -> dict[int, object]:
    exif = Image.Exif()
    exif.load(b"Exif\0\0" + tiff)
    return {_ARTIST: exif[_ARTIST], _SOFTWARE: exif[_SOFTWARE], **exif.get_ifd(_EXIF)}


@pytest.mark.parametrize("order", ["little", "big"])
def test_another_writers_comment_is_found(order: str) -> None:
    assert comment_of(by_pillow(order, _MARK + _TEXT)) == _TEXT


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("text", [b"short", b"a longer one " * 20])
def test_other_tags_stay(order: str, text: bytes) -> None:
    old = by_pillow(order, _MARK + _TEXT)
    assert tags(replace_comment(old, text)) == {**tags(old), _COMMENT: _MARK + text}


@pytest.mark.parametrize("comment", [b"tiny", _MARK], ids=["inside its entry", "without a text"])
def test_a_comment_of_any_size_makes_room(comment: bytes) -> None:
    old = by_pillow("big", comment)
    assert tags(replace_comment(old, _TEXT)) == {**tags(old), _COMMENT: _MARK + _TEXT}


@given(first=_texts, second=_texts)
def test_the_smallest_holds_any_text_and_does_not_grow_by_edits(first: bytes, second: bytes) -> None:
    tiff = smallest_tiff(first)
    assert comment_of(tiff) == first
    assert replace_comment(tiff, second) == smallest_tiff(second)


def test_the_smallest_is_read_by_pillow() -> None:
    file = io.BytesIO()
    exif = Image.Exif()
    exif.load(b"Exif\0\0" + smallest_tiff(_TEXT))
    Image.new("L", (1, 1)).save(file, "PNG", exif=exif)
    with Image.open(file) as picture:
        assert picture.getexif().get_ifd(_EXIF) == {_COMMENT: _MARK + _TEXT}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (_TEXT, _TEXT),
        (_MARK + _TEXT, _TEXT),
        (bytes(8) + _TEXT, _TEXT),
        (b"\0" + _MARK + _TEXT + b"\0\0", _TEXT),
        (_MARK + b"123,34, 110,\n34,125", b'{"n"}'),
        (_MARK + b"[123, 34, 110, 34, 125]", b'{"n"}'),
        (b"JIS\0\0\0\0\0" + _TEXT, _TEXT),
        (_MARK + b"123,256", b"123,256"),
        (_MARK + b",,", b",,"),
        (b"UNICODE\0" + _TEXT, _TEXT),
        (b"UNICODE\0" + _TEXT.decode().encode("utf-16-le"), _TEXT),
        (b"UNICODE\0" + _TEXT.decode().encode("utf-16-be"), _TEXT),
        (b"UNICODE\0" + _TEXT.decode().encode("utf-16"), _TEXT),
        (b"UNICODE\0" + '{"name": "潮"}'.encode("utf-16-be"), '{"name": "潮"}'.encode()),
        (b"", b""),
        (bytes(20), b""),
    ],
)
def test_comments_are_cleaned(value: bytes, text: bytes) -> None:
    assert clean_comment(value) == text


@pytest.mark.parametrize("text", [b"", b"a\0", b"\0a", b"12,34"])
def test_what_would_not_come_back_is_refused(text: bytes) -> None:
    with pytest.raises(FormatError, match="cannot be an Exif comment"):
        smallest_tiff(text)


@given(value=st.binary(max_size=60), prefix=st.sampled_from([b"", _MARK, b"UNICODE\0", b"UNICODE\0\xff\xfe"]))
def test_any_comment_can_be_cleaned(value: bytes, prefix: bytes) -> None:
    assert len(clean_comment(prefix + value)) <= 2 * len(prefix + value)


@given(
    changes=st.dictionaries(st.integers(0, 200), st.integers(0, 255), max_size=6),
    size=st.integers(0, 300),
    order=st.sampled_from(["little", "big"]),
)
def test_a_damaged_tiff_has_a_comment_that_can_be_replaced_or_none(
    changes: dict[int, int], size: int, order: str
) -> None:
    tiff = bytearray(by_pillow(order, _MARK + _TEXT))
    for place, value in changes.items():
        tiff[place % len(tiff)] = value
    damaged = bytes(tiff[:size])
    try:
        replaced = replace_comment(damaged, b"new")
    except FormatError as error:
        assert "Exif data" in error.what
    else:
        assert comment_of(replaced) == b"new"


def test_a_directory_that_points_to_itself_ends() -> None:
    tiff = bytearray(smallest_tiff(_TEXT))
    tiff[18:22] = (8).to_bytes(4, "little")
    assert find_comment(memoryview(bytes(tiff))) is None


def test_directories_in_one_another_are_read_but_not_changed() -> None:
    # The size of the comment is the pointer to its directory, too.
    entry = b"\x69\x87\1\0\x86\x92\7\0" + (12).to_bytes(4, "little")
    tiff = b"II*\0\x08\0\0\0\1\0" + entry + (26).to_bytes(4, "little") + b"ASCII\0\0\0text"
    assert comment_of(tiff) == b"text"
    assert replace_comment(tiff, b"more") == tiff.replace(b"text", b"more")
    with pytest.raises(FormatError, match="too tangled"):
        replace_comment(tiff, b"a longer text")
