"""
Damaged PNG pictures: mended where that can be done, refused with the byte where not, never believed about sizes.
"""

from __future__ import annotations

import mmap
import tracemalloc
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import FormatError
from lorebook.formats.containers import png, png_chunks, png_texts
from lorebook.formats.containers.png import PNG
from lorebook.formats.containers.tiff import smallest_tiff
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

_changes = st.dictionaries(st.integers(0, 10_000), st.integers(0, 255), max_size=3)

RICH = picture(
    text("Software", b"demo"),
    chunk(b"eXIf", smallest_tiff(b"in exif")),
    PIXEL,
    text("chara", b"one"),
    packed_text("ccv3", b"two" * 20),
    international("naidata", b"three" * 20, packed=True),
    text("chara", b"four"),
    END,
    text("late", b"five"),
)


def test_a_packed_text_without_zlibs_head_is_read() -> None:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    bare = packer.compress(b"one two" * 20) + packer.flush()
    data = picture(PIXEL, chunk(b"zTXt", b"chara\0\0" + bare), END)
    assert opened(data) == ({"chara": b"one two" * 20}, [])
    assert replaced(data) == data
    with pytest.raises(FormatError, match="the packed text is damaged"):
        opened(picture(PIXEL, chunk(b"zTXt", b"chara\0\0" + b"\xff" * 20), END))


_CARD = text("chara", b"one two")
_WIDE = packed_text("chara", bytes(range(256)) * 8)


@pytest.mark.parametrize(
    ("data", "notes", "mended"),
    [
        pytest.param(
            picture(broken(PIXEL), broken(_CARD), END),
            ["chunk IDAT at byte 33: its checksum is wrong", "chunk tEXt at byte 55: its checksum is wrong"],
            picture(PIXEL, _CARD, END),
            id="checksums",
        ),
        pytest.param(
            picture(PIXEL, _CARD),
            ["the picture's end (IEND) is missing; the file seems to be cut off"],
            picture(PIXEL, _CARD, END),
            id="no end",
        ),
        pytest.param(
            picture(PIXEL, _CARD) + b"\0\0\0\2IDA",
            ["the picture's end (IEND) is missing; the file seems to be cut off"],
            picture(PIXEL, _CARD, END) + b"\0\0\0\2IDA",
            id="no end but the beginning of a chunk",
        ),
        pytest.param(
            picture(PIXEL, _CARD) + END[:5],
            ["the picture's end (IEND) is missing; the file seems to be cut off"],
            picture(PIXEL, _CARD, END),
            id="no end but the beginning of it",
        ),
        pytest.param(
            picture(PIXEL, _CARD, END[:-2]),
            ["chunk IEND at byte 80: the file is cut off within it, after 0 bytes of its data"],
            picture(PIXEL, _CARD, END),
            id="cut off in the end",
        ),
        pytest.param(
            picture(PIXEL, _CARD[:-8]),
            [
                "chunk tEXt at byte 55: the file is cut off within it, after 9 bytes of its data",
                "the picture's end (IEND) is missing; the file seems to be cut off",
            ],
            picture(PIXEL, text("chara", b"one"), END),
            id="cut off in the text",
        ),
        pytest.param(
            picture(_CARD, PIXEL[:-6]),
            [
                "chunk IDAT at byte 58: the file is cut off within it, after 8 bytes of its data",
                "the picture's end (IEND) is missing; the file seems to be cut off",
            ],
            picture(_CARD, chunk(b"IDAT", PIXEL[8:-6]), END),
            id="cut off in the pixels",
        ),
        pytest.param(
            picture(PIXEL, END, _CARD),
            ["chunk tEXt at byte 67: a text behind the picture's end, where most programs do not look"],
            picture(PIXEL, END, _CARD),
            id="behind the end",
        ),
        pytest.param(
            picture(PIXEL, END, _CARD[:-8]),
            [
                "chunk tEXt at byte 67: a text behind the picture's end, where most programs do not look",
                "chunk tEXt at byte 67: the file is cut off within it, after 9 bytes of its data",
            ],
            picture(PIXEL, END, text("chara", b"one")),
            id="cut off behind the end",
        ),
        pytest.param(
            picture(chunk(b"tEXt", b"no keyword"), PIXEL, END),
            ["chunk tEXt at byte 33: a text without a keyword"],
            picture(chunk(b"tEXt", b"no keyword"), PIXEL, END),
            id="no keyword",
        ),
    ],
)
def test_damage_is_noted_and_mended(data: bytes, notes: list[str], mended: bytes) -> None:
    parts, found = opened(data)
    assert found == notes
    assert replaced(data) == mended
    assert opened(mended)[0] == parts


@pytest.mark.parametrize("lost", [4, 5, 40, 100])
def test_a_packed_text_that_is_cut_off_is_kept_as_far_as_it_unpacks(lost: int) -> None:
    data = picture(PIXEL, _WIDE)[:-lost]
    found = opened(data)[0]["chara"]
    assert (bytes(range(256)) * 8).startswith(found)
    assert found
    assert replaced(data) == picture(PIXEL, text("chara", found), END)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a PNG picture: its first bytes are others"),
        (b"\xff\xd8\xff\xe0 JFIF", "not a PNG picture: its first bytes are others"),
        (picture() + b"\0\0\0\0....", "byte 33: the picture is damaged: no chunk begins here"),
        (
            picture() + b"\x80\0\0\0tEXt",
            "byte 33: the chunk tEXt says it has 2147483648 bytes; the most are 2147483647",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_byte(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        PNG.open(data, Notes())
    assert str(caught.value) == message
    assert bool(PNG.claims(data)) is data.startswith(SIGNATURE)


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (chunk(b"zTXt", b"chara\0\0rubbish"), "the packed text is damaged"),
        (chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"x" * 99)[:-5]), "the packed text ends too early"),
        (chunk(b"zTXt", b"chara\0\1"), "the text is packed in a way that PNG does not know"),
        (chunk(b"zTXt", b"chara\0"), "the text is packed in a way that PNG does not know"),
        (chunk(b"iTXt", b"chara\0\1\1\0\0"), "the text is packed in a way that PNG does not know"),
        (chunk(b"iTXt", b"chara\0\0\0en\0Karte"), "the text ends before it begins"),
        (chunk(b"iTXt", b"chara\0"), "the text ends before it begins"),
    ],
)
def test_a_text_that_cannot_be_unpacked_is_refused_when_asked_for_and_can_be_replaced(
    damaged: bytes, message: str
) -> None:
    data = picture(damaged, PIXEL, END)
    found = PNG.open(data, Notes())
    assert list(found.parts) == ["chara"]
    with pytest.raises(FormatError) as caught:
        found.parts["chara"]
    assert str(caught.value) == f"chunk {damaged[4:8].decode()} at byte 33: {message}"
    assert replaced(data) == data
    assert replaced(data, chara=b"new") == picture(text("chara", b"new"), PIXEL, END)


def bomb(mebibytes: int) -> bytes:
    """
    Return a zlib stream of so many mebibytes of NULs, without packing each of them.
    """
    packer = zlib.compressobj()
    head = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + again * (mebibytes - 1) + packer.flush()


@pytest.mark.parametrize("head", [b"zTXtchara\0\0", b"iTXtchara\0\1\0\0\0"], ids=["zTXt", "iTXt"])
def test_a_text_that_unpacks_to_a_gigabyte_is_refused_before_it_does(
    head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (png, png_texts):
        monkeypatch.setattr(module, "LARGEST_PART", 2 << 20)
    packed = chunk(head[:4], head[4:] + bomb(1024))
    data = picture(packed, packed, PIXEL, END)
    tracemalloc.start()
    try:
        found = PNG.open(data, Notes())
        for name in found.parts:
            with pytest.raises(FormatError, match="the text unpacks to more than the limit of 2097152 bytes"):
                found.parts[name]
        # Pieces of a text are joined once, beside its packed form.
        assert tracemalloc.get_traced_memory()[1] < 3 * (2 << 20) + len(packed)
    finally:
        tracemalloc.stop()


def test_texts_beyond_the_limit_are_refused_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    data = picture(text("chara", b"x" * 20), chunk(b"eXIf", smallest_tiff(b"x" * 20)), PIXEL, END)
    found = PNG.open(data, Notes())
    monkeypatch.setattr(png_texts, "LARGEST_PART", 19)
    for attempt in (
        lambda: found.parts["chara"],
        lambda: found.replaced({"chara": b"y" * 20}),
        lambda: found.replaced({"new": b"y" * 20}),
        lambda: PNG.build({"exif": b"y" * 20}, data),
    ):
        with pytest.raises(FormatError, match="the text has 20 bytes; the limit is 19"):
            attempt()
    with pytest.raises(FormatError, match="the text has 28 bytes; the limit is 19"):
        found.parts["exif"]
    with pytest.raises(FormatError, match="chunk eXIf at byte 71: Exif data of 72 bytes are too large"):
        found.replaced({"exif": b"y"})


def test_packed_texts_are_compared_up_to_a_limit_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "LARGEST_PART", 100)
    notes = Notes()
    PNG.open(picture(*(packed_text("chara", b"x" * 60) for _ in range(4)), PIXEL, END), notes)
    assert [note.what.rpartition("; ")[2] for note in notes] == [
        "they are equal",
        "they are equal",
        "they could not be compared",
    ]


def test_a_picture_of_too_many_chunks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png_chunks, "MOST_CHUNKS", 3)
    PNG.open(picture(PIXEL, END), Notes())
    with pytest.raises(FormatError, match="byte 67: more than 3 chunks"):
        PNG.open(picture(PIXEL, END, _CARD), Notes())


@given(changes=_changes, size=st.integers(0, len(RICH) + 100))
def test_a_damaged_picture_is_mended_or_refused(changes: dict[int, int], size: int) -> None:
    data = bytearray(RICH)
    for place, value in changes.items():
        data[place % len(data)] = value
    check(bytes(data[:size]))


@given(rest=st.binary(max_size=80), head=st.sampled_from([b"", SIGNATURE, picture(), picture(PIXEL, END)]))
def test_any_bytes_are_mended_or_refused(rest: bytes, head: bytes) -> None:
    check(head + rest)


def test_a_mapped_file_is_looked_at_and_not_copied(tmp_path: Path) -> None:
    size = 32 << 20
    path = tmp_path / "large.png"
    path.write_bytes(
        picture(chunk(b"IDAT", bytes(size)), broken(chunk(b"IDAT", bytes(size))), text("chara", b"x"), END)
    )
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        tracemalloc.start()
        try:
            found = PNG.open(data, Notes())
            assert dict(found.parts) == {"chara": b"x"}
            segments = found.replaced({"chara": b"y", "ccv3": b"z"})
            assert sum(map(len, segments)) == len(data) + len(text("ccv3", b"z"))
            assert tracemalloc.get_traced_memory()[1] < 1 << 20
        finally:
            tracemalloc.stop()
        # A map cannot be closed while its bytes are looked at: the segments do so, the picture that is open does not.
        with pytest.raises(BufferError):
            data.close()
        del segments
        data.close()
        assert found.parts.keys() == {"chara"}
