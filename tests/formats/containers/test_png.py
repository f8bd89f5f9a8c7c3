"""
The PNG container: every text is a part, what is not replaced stays byte for byte, damage is named and mended.
"""

from __future__ import annotations

import io
import mmap
import tracemalloc
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lorebook.errors import FormatError
from lorebook.formats.containers import png, png_chunks, png_texts
from lorebook.formats.containers.png import PNG
from lorebook.formats.containers.tiff import clean_comment, smallest_tiff
from lorebook.formats.notes import Notes

FORMATS = Path(__file__).parents[4] / "shared" / "formats"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def text(keyword: str, value: bytes) -> bytes:
    return chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + value)


def packed_text(keyword: str, value: bytes) -> bytes:
    return chunk(b"zTXt", keyword.encode("latin-1") + b"\0\0" + zlib.compress(value))


def international(keyword: str, value: bytes, *, packed: bool) -> bytes:
    head = keyword.encode("latin-1") + (b"\0\1\0" if packed else b"\0\0\0") + b"en\0Karte\0"
    return chunk(b"iTXt", head + (zlib.compress(value) if packed else value))


HEADER = chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0")
PIXEL = chunk(b"IDAT", zlib.compress(b"\0\0"))
END = chunk(b"IEND")


def picture(*chunks: bytes) -> bytes:
    return b"".join((SIGNATURE, HEADER, *chunks))


def opened(data: bytes) -> tuple[dict[str, bytes], list[str]]:
    notes = Notes()
    parts = dict(PNG.open(data, notes).parts)
    return parts, [str(note) for note in notes]


def replaced(data: bytes, **parts: bytes) -> bytes:
    return b"".join(PNG.open(data, Notes()).replaced(parts))


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
    assert b"".join(found.replaced({})) == data
    assert b"".join(found.replaced(found.parts)) == data


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


def broken(whole: bytes) -> bytes:
    return whole[:-1] + bytes([whole[-1] ^ 1])


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


def check(data: bytes) -> None:
    """
    Either *data* are refused, or mending them once is enough and loses no part.
    """
    notes = Notes()
    try:
        found = PNG.open(data, notes)
    except FormatError as error:
        assert error.what
        return
    mended = b"".join(found.replaced({}))
    after = Notes()
    again = PNG.open(mended, after)
    assert readable(again.parts) == readable(found.parts)
    assert b"".join(again.replaced({})) == mended
    assert not [note for note in after if "checksum" in note.what or "cut off" in note.what]
    if not notes:
        assert mended == data


def readable(parts: object) -> dict[str, bytes | None]:
    assert hasattr(parts, "__getitem__")
    found: dict[str, bytes | None] = {}
    for name in list(parts):  # type: ignore[call-overload]
        try:
            found[name] = parts[name]
        except FormatError:
            found[name] = None
    return found


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
    assert opened(b"".join(found.replaced(new)))[0] == new
