"""
WebP and JPEG: the comment in their Exif data is read, the file is never changed.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lorebook.errors import FormatError
from lorebook.formats.containers import exif_pictures
from lorebook.formats.containers.container import streamed
from lorebook.formats.containers.exif_pictures import JPEG, WEBP, ExifPicture
from lorebook.formats.containers.tiff import smallest_tiff
from lorebook.formats.notes import Notes

EXAMPLES = Path(__file__).parents[4] / "shared" / "formats" / "examples"

_TEXT = b'{"name": "Mira Vell"}'
_TIFF = smallest_tiff(_TEXT)
_MARK = b"Exif\0\0"


def webp(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"".join(kind + len(data).to_bytes(4, "little") + data + bytes(len(data) % 2) for kind, data in chunks)
    return b"RIFF" + (len(body) + 4).to_bytes(4, "little") + b"WEBP" + body


def segment(marker: int, data: bytes) -> bytes:
    return bytes((0xFF, marker)) + (len(data) + 2).to_bytes(2, "big") + data


def jpeg(*segments: bytes) -> bytes:
    return b"\xff\xd8" + b"".join(segments) + segment(0xDA, b"\1\1\0\0\x3f\0") + b"pixels\xff\xd9"


WEBP_CARD = webp((b"VP8X", bytes(10)), (b"EXIF", _TIFF))
JPEG_CARD = jpeg(segment(0xE0, b"JFIF\0"), segment(0xE1, _MARK + _TIFF))


def by_pillow(kind: str) -> bytes:
    file, exif = io.BytesIO(), Image.Exif()
    exif.load(_MARK + _TIFF)
    Image.new("RGB", (8, 8)).save(file, kind, exif=exif)
    return file.getvalue()


def opened(kind: ExifPicture, data: bytes) -> tuple[dict[str, bytes], list[str]]:
    notes = Notes()
    found = kind.open(data, notes)
    assert b"".join(streamed(found.replaced({}))) == data
    return dict(found.parts), [str(note) for note in notes]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        pytest.param(WEBP, WEBP_CARD, id="webp"),
        pytest.param(WEBP, webp((b"EXIF", _MARK + _TIFF)), id="webp with JPEG's mark"),
        pytest.param(WEBP, webp((b"odd ", b"odd"), (b"EXIF", _TIFF)), id="webp with padding"),
        pytest.param(WEBP, webp((b"EXIF", b""), (b"EXIF", _TIFF)), id="webp, first Exif empty"),
        pytest.param(WEBP, WEBP_CARD + b"PK\3\4" + b"\xff" * 30, id="webp and something behind it"),
        pytest.param(WEBP, by_pillow("WEBP"), id="webp by Pillow"),
        pytest.param(JPEG, JPEG_CARD, id="jpeg"),
        pytest.param(JPEG, jpeg(b"\xff\x01\xff\xff", segment(0xE1, _MARK + _TIFF)), id="jpeg with fill bytes"),
        pytest.param(JPEG, jpeg(segment(0xE1, b"http://ns"), segment(0xE1, _MARK + _TIFF)), id="jpeg, XMP first"),
        pytest.param(JPEG, by_pillow("JPEG"), id="jpeg by Pillow"),
    ],
)
def test_the_comment_is_the_part(kind: ExifPicture, data: bytes) -> None:
    assert kind.claims(data)
    assert opened(kind, data) == ({"usercomment": _TEXT}, [])


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        pytest.param(WEBP, webp((b"VP8L", b"....")), id="webp"),
        pytest.param(WEBP, webp((b"EXIF", b"II*\0 no directory")), id="webp with a broken TIFF"),
        pytest.param(JPEG, jpeg(), id="jpeg"),
        pytest.param(JPEG, jpeg() + segment(0xE1, _MARK + _TIFF), id="jpeg, Exif behind the pixels"),
    ],
)
def test_a_plain_picture_has_no_parts(kind: ExifPicture, data: bytes) -> None:
    assert opened(kind, data) == ({}, [])


@pytest.mark.parametrize(
    ("kind", "data", "note"),
    [
        pytest.param(WEBP, WEBP_CARD[:-3], "byte 30: the file is cut off within a chunk", id="webp"),
        pytest.param(
            JPEG,
            b"\xff\xd8" + segment(0xE1, _MARK + _TIFF)[:-3],
            "the picture ends before its pixels; the file seems to be cut off",
            id="jpeg",
        ),
    ],
)
def test_of_a_comment_that_is_cut_off_the_rest_is_read(kind: ExifPicture, data: bytes, note: str) -> None:
    # An odd TIFF in a WebP is followed by a byte of padding.
    cut = 3 - len(_TIFF) % 2 if kind is WEBP else 3
    assert opened(kind, data) == ({"usercomment": _TEXT[:-cut]}, [note])


def test_of_several_comments_each_is_a_part() -> None:
    data = webp((b"EXIF", _TIFF), (b"EXIF", smallest_tiff(b"other")), (b"EXIF", smallest_tiff(b"last")))
    parts, notes = opened(WEBP, data)
    assert parts == {"usercomment": _TEXT, "usercomment#2": b"other", "usercomment#3": b"last"}
    assert [note.split(": ")[1] for note in notes] == ["another comment; the first one is at byte 64"] * 2


@pytest.mark.parametrize(("kind", "data"), [(WEBP, WEBP_CARD), (JPEG, JPEG_CARD)], ids=["webp", "jpeg"])
def test_nothing_is_written(kind: ExifPicture, data: bytes) -> None:
    found = kind.open(data, Notes())
    assert b"".join(streamed(found.replaced({"usercomment": _TEXT}))) == data
    refusal = rf"{kind.name} pictures are read only \(convert the card to png, which holds the same\)"
    for parts in ({"usercomment": b"new"}, {"other": b"new"}):
        with pytest.raises(FormatError, match=refusal):
            found.replaced(parts)
    with pytest.raises(FormatError, match=refusal):
        kind.build({"usercomment": b"new"}, b"")


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        (WEBP, JPEG_CARD, "not a webp picture: its first bytes are others"),
        (JPEG, WEBP_CARD, "not a jpeg picture: its first bytes are others"),
        (
            JPEG,
            b"\xff\xd8" + segment(0xE0, b"JFIF\0") + b"....",
            "byte 11: the picture is damaged: no segment begins here",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_byte(kind: ExifPicture, data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        kind.open(data, Notes())
    assert str(caught.value) == message


@pytest.mark.parametrize(("kind", "data"), [(WEBP, WEBP_CARD), (JPEG, JPEG_CARD)], ids=["webp", "jpeg"])
def test_limits_hold(kind: ExifPicture, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exif_pictures, "LARGEST_PART", 10)
    found = kind.open(data, Notes())
    with pytest.raises(FormatError, match="the comment has 29 bytes; the limit is 10"):
        found.parts["usercomment"]
    monkeypatch.setattr(exif_pictures, "MOST_PIECES", 1)
    with pytest.raises(FormatError, match="more than 1 pieces"):
        kind.open(data, Notes())


@given(
    kind=st.sampled_from([WEBP, JPEG]),
    changes=st.dictionaries(st.integers(0, 10_000), st.integers(0, 255), max_size=4),
    size=st.integers(0, 200),
)
def test_damage_is_read_or_refused(kind: ExifPicture, changes: dict[int, int], size: int) -> None:
    data = bytearray(WEBP_CARD if kind is WEBP else JPEG_CARD)
    for place, value in changes.items():
        data[place % len(data)] = value
    whole = bytes(data[:size])
    try:
        parts, _ = opened(kind, whole)
    except FormatError as error:
        assert error.what
    else:
        assert set(parts) <= {"usercomment"}


@given(kind=st.sampled_from([WEBP, JPEG]), rest=st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(kind: ExifPicture, rest: bytes) -> None:
    head = b"RIFF\0\0\0\0WEBP" if kind is WEBP else b"\xff\xd8\xff"
    try:
        parts, _ = opened(kind, head + rest)
    except FormatError as error:
        assert error.where.startswith("byte ")
    else:
        assert set(parts) <= {"usercomment"}


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("v1_exif_bytes.webp", b'{"name": "Mira'),
        ("v2_exif_json.webp", b'{"spec": "chara_card_v2"'),
        ("v2_exif.jpg", b'{"spec": "chara_card_v2"'),
    ],
)
def test_examples_are_read(name: str, start: bytes) -> None:
    if not EXAMPLES.is_dir():
        pytest.skip("the examples are not here")
    parts, notes = opened(WEBP if name.endswith("webp") else JPEG, (EXAMPLES / name).read_bytes())
    assert parts["usercomment"].startswith(start)
    assert not notes
