"""
Zip archives, alone or behind other bytes: one member is replaced and no other byte moves; damage and bombs are named.
"""

from __future__ import annotations

import io
import mmap
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lorebook.errors import FormatError
from lorebook.formats.containers.archive import JPEG_ZIP, ZIP
from lorebook.formats.containers.container import LARGEST_PART, Data, Opened, Segments
from lorebook.formats.containers.zip_directory import MOST_MEMBERS
from lorebook.formats.notes import Notes

SHARED = Path(__file__).parents[4] / "shared" / "formats"
_DATE = (2024, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Made:
    """
    A member as some writer packs it.
    """

    name: str
    content: bytes
    method: int = zipfile.ZIP_STORED
    extra: bytes = b""
    comment: bytes = b""


class Pipe(io.RawIOBase):
    """
    What cannot go back: a writer puts the sizes behind the data.
    """

    def __init__(self) -> None:
        self.written = bytearray()

    def write(self, data: object) -> int:
        self.written += memoryview(data)  # type: ignore[arg-type]
        return len(memoryview(data))  # type: ignore[arg-type]

    def writable(self) -> bool:
        return True


def pack(members: list[Made], *, comment: bytes = b"", piped: bool = False) -> bytes:
    target: IO[bytes] = Pipe() if piped else io.BytesIO()  # type: ignore[assignment]
    with zipfile.ZipFile(target, "w") as file:
        file.comment = comment
        for member in members:
            info = zipfile.ZipInfo(member.name, _DATE)
            info.compress_type, info.extra, info.comment = member.method, member.extra, member.comment
            file.writestr(info, member.content)
    return bytes(target.written) if isinstance(target, Pipe) else target.getvalue()  # type: ignore[attr-defined]


def opened(data: Data) -> tuple[Opened, Notes]:
    notes = Notes()
    return ZIP.open(data, notes), notes


def whole(segments: Segments) -> bytes:
    return b"".join(segments)


def local_bytes(data: bytes) -> dict[str, bytes]:
    """
    Return, by name, all bytes from a member's own header to the next one.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        infos = sorted(file.infolist(), key=lambda info: info.header_offset)
        stops = [*(info.header_offset for info in infos), file.start_dir][1:]
        return {info.filename: data[info.header_offset : stop] for info, stop in zip(infos, stops, strict=True)}


def flagged(data: bytes, flag: int) -> bytes:
    at = data.index(b"PK\1\2") + 8
    return data[:at] + struct.pack("<H", flag) + data[at + 2 :]


_names = st.text("ab/ä卡.", min_size=1, max_size=8).filter(lambda name: not name.endswith("/"))
_contents = st.binary(max_size=60) | st.builds(bytes.__mul__, st.binary(min_size=1, max_size=4), st.integers(0, 400))
_made = st.builds(
    Made,
    _names,
    _contents,
    method=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
    extra=st.sampled_from([b"", b"\xfe\xca\x00\x00", b"UT\x05\x00\x01abcd"]),
    comment=st.binary(max_size=3),
)
_archives = st.builds(
    lambda prefix, members, comment, piped: (prefix, pack(members, comment=comment, piped=piped)),
    st.sampled_from([b"", b"MZ a stub", b"\xff\xd8\xff\xe0 a picture \xff\xd9", b"PK"]),
    st.lists(_made, max_size=5, unique_by=lambda member: member.name),
    st.sampled_from([b"", b"a comment", b"PK\1\2"]),
    st.booleans(),
)


@given(archive=_archives)
def test_every_member_is_read_in_its_order(archive: tuple[bytes, bytes]) -> None:
    data = b"".join(archive)
    parts = opened(data)[0].parts
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert list(parts) == file.namelist()
        assert {name: parts[name] for name in parts} == {name: file.read(name) for name in file.namelist()}


@given(archive=_archives)
def test_parts_given_their_own_bytes_leave_the_file_as_it_is(archive: tuple[bytes, bytes]) -> None:
    data = b"".join(archive)
    file, _ = opened(data)
    assert whole(file.replaced({})) == data
    assert whole(file.replaced(dict(file.parts))) == data


@given(archive=_archives, new=st.dictionaries(_names, _contents, max_size=3), chosen=st.data())
def test_new_parts_are_read_back_and_no_other_byte_changes(
    archive: tuple[bytes, bytes], new: dict[str, bytes], chosen: st.DataObject
) -> None:
    prefix, data = archive[0], b"".join(archive)
    file, _ = opened(data)
    kept = list(file.parts)
    if kept:
        new |= {name: chosen.draw(_contents) for name in chosen.draw(st.lists(st.sampled_from(kept)))}
    result = whole(file.replaced(new))
    again, notes = opened(result)
    assert dict(again.parts) == dict(file.parts) | new
    assert list(again.parts) == [*kept, *(name for name in new if name not in kept)]
    assert set(map(str, notes)) <= _named_oddly(again.parts)
    assert result.startswith(prefix)
    before, after = local_bytes(data), local_bytes(result)
    assert [name for name in kept if name not in new and before[name] != after[name]] == []
    _outsider_agrees(result, dict(again.parts), _comment(data))


def _named_oddly(parts: Mapping[str, bytes]) -> set[str]:
    return {str(note) for note in opened(whole(ZIP.build(dict.fromkeys(parts, b""), b"")))[1]}


def _comment(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return file.comment


def _outsider_agrees(data: bytes, parts: Mapping[str, bytes], comment: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        assert file.comment == comment
        assert {name: file.read(name) for name in file.namelist()} == parts


def test_letters_of_an_end_in_the_comment_are_no_end() -> None:
    data = pack([Made("a", b"1")], comment=b"x" * 40).replace(b"x" * 26, b"PK\5\6" + b"\xff" * 22)
    file, _ = opened(data)
    assert dict(file.parts) == {"a": b"1"}
    assert whole(file.replaced({"a": b"2"})).endswith(b"PK\5\6" + b"\xff" * 22 + b"x" * 14)


@given(archive=_archives, content=_contents, chosen=st.data())
def test_a_replaced_member_keeps_its_packing_date_extra_fields_and_comment(
    archive: tuple[bytes, bytes], content: bytes, chosen: st.DataObject
) -> None:
    data = b"".join(archive)
    file, _ = opened(data)
    if not len(file.parts):
        return
    name = chosen.draw(st.sampled_from(list(file.parts)))
    result = whole(file.replaced({name: content}))
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(io.BytesIO(result)) as new:
        for what in ("compress_type", "date_time", "extra", "comment", "external_attr", "create_system"):
            assert getattr(new.getinfo(name), what) == getattr(old.getinfo(name), what)


@given(data=st.binary(max_size=200) | st.binary(max_size=60).map(lambda tail: b"PK\3\4" + tail))
def test_arbitrary_bytes_are_read_or_refused(data: bytes) -> None:
    _read_or_refuse(data)


@given(archive=_archives, changes=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=4))
def test_a_damaged_archive_is_read_or_refused(archive: tuple[bytes, bytes], changes: list[tuple[int, int]]) -> None:
    data = bytearray(b"".join(archive))
    for place, value in changes:
        # The directory and the end are hit as often as all the rest.
        data[-1 - place % min(len(data), 120) if place % 2 else place % len(data)] = value
    _read_or_refuse(bytes(data))
    _read_or_refuse(bytes(data[: -1 - len(changes)]))


def _read_or_refuse(data: bytes) -> None:
    ZIP.claims(data)
    JPEG_ZIP.claims(data)
    try:
        file, _ = opened(data)
    except FormatError:
        return
    assert whole(file.replaced({})) == data
    for name in file.parts:
        try:
            assert len(file.parts[name]) <= LARGEST_PART
        except FormatError:
            continue
    try:
        result = whole(file.replaced({"new.json": b"{}"}))
    except FormatError:
        return
    assert opened(result)[0].parts["new.json"] == b"{}"


@given(parts=st.dictionaries(_names, _contents, max_size=5))
def test_a_new_archive_is_the_same_for_the_same_parts_and_read_by_others(parts: dict[str, bytes]) -> None:
    data = whole(ZIP.build(parts, b""))
    assert data == whole(ZIP.build(dict(parts), b"another picture"))
    assert dict(opened(data)[0].parts) == parts
    _outsider_agrees(data, parts, b"")
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        for info in file.infolist():
            assert info.date_time == (1980, 1, 1, 0, 0, 0)
            assert info.external_attr >> 16 == 0o100644
            assert info.compress_type == zipfile.ZIP_STORED


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "LA", "P"])
def test_a_new_picture_with_an_archive_is_both(mode: str) -> None:
    file = io.BytesIO()
    Image.new(mode, (3, 2)).save(file, "PNG")
    data = whole(JPEG_ZIP.build({"card.json": b"{}"}, file.getvalue()))
    assert (ZIP.claims(data), bool(JPEG_ZIP.claims(data))) == (None, True)
    assert dict(JPEG_ZIP.open(data, Notes()).parts) == {"card.json": b"{}"}
    with Image.open(io.BytesIO(data)) as picture:
        assert (picture.format, picture.size, picture.mode) == ("JPEG", (3, 2), "RGB")
        picture.load()
    # Offsets count from the archive's beginning, as RisuAI writes them.
    assert data.endswith(whole(ZIP.build({"card.json": b"{}"}, b"")))


def test_a_picture_that_is_none_is_refused() -> None:
    with pytest.raises(FormatError, match="the picture cannot be read"):
        JPEG_ZIP.build({}, b"no picture")


def test_a_file_mapped_into_memory_is_read_and_edited(tmp_path: Path) -> None:
    path = tmp_path / "a.charx"
    path.write_bytes(pack([Made("card.json", b"{}"), Made("big", bytes(100_000))]))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        assert ZIP.claims(data)
        archive, _ = opened(data)
        segments = archive.replaced({"card.json": b"[]"})
        assert opened(whole(segments))[0].parts["card.json"] == b"[]"
        for segment in segments:
            if isinstance(segment, memoryview):
                segment.release()


def test_folders_are_no_parts_and_stay() -> None:
    data = pack([Made("assets/", b""), Made("assets/a", b"1")])
    file, _ = opened(data)
    assert list(file.parts) == ["assets/a"]
    assert zipfile.ZipFile(io.BytesIO(whole(file.replaced({"assets/a": b"2"})))).namelist() == ["assets/", "assets/a"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_several_members_with_one_name_the_last_is_read_and_replaced() -> None:
    data = pack([Made("a", b"first"), Made("b", b""), Made("a", b"last")])
    file, notes = opened(data)
    assert list(file.parts.items()) == [("b", b""), ("a", b"last")]
    assert [str(note) for note in notes] == ["member 'a': there are several of this name; the last is taken"]
    result = whole(file.replaced({"a": b"new"}))
    with zipfile.ZipFile(io.BytesIO(result)) as outside:
        assert [outside.read(info) for info in outside.infolist()] == [b"first", b"", b"new"]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("../evil.txt", "its name leads out of the folder (`..`)"),
        ("a/../../b", "its name leads out of the folder (`..`)"),
        ("/etc/passwd", "its name is an absolute path"),
        ("C:evil", "its name begins with a drive letter"),
        ("a\\b", "its name has a backslash"),
    ],
)
def test_names_that_lead_elsewhere_are_noted_and_read(name: str, what: str) -> None:
    file, notes = opened(pack([Made(name, b"1")]))
    assert file.parts[name] == b"1"
    assert [note.what for note in notes] == [f"{what}; it is read by this name and never written outside the archive"]


@pytest.mark.parametrize("name", ["a...b", "..a", "ab:c", "assets/x..", "ä/卡.png"])
def test_names_that_only_look_so_are_not_noted(name: str) -> None:
    assert not opened(pack([Made(name, b"1")]))[1]


def test_a_name_in_utf8_that_does_not_say_so_is_taken_for_it() -> None:
    file, notes = opened(flagged(pack([Made("卡.json", b"1")]), 0))
    assert list(file.parts) == ["卡.json"]
    assert [note.what for note in notes] == ["the name's encoding is not the one it says; taken for '卡.json'"]


@pytest.mark.parametrize("name", ["", "folder/", "x" * 70_000, "\ud83d"], ids=["empty", "folder", "long", "half"])
def test_names_that_no_member_can_have_are_refused(name: str) -> None:
    with pytest.raises(FormatError, match="a member cannot have this name"):
        opened(pack([]))[0].replaced({name: b""})


def test_a_wrong_checksum_is_noted_and_a_replaced_member_has_a_right_one() -> None:
    data = pack([Made("a", b"content"), Made("b", b"")]).replace(b"content", b"changed")
    file, notes = opened(data)
    assert file.parts["a"] == b"changed"
    assert [str(note) for note in notes] == [
        "member 'a': its checksum or its size is not the one it says; taken as it is"
    ]
    assert zipfile.ZipFile(io.BytesIO(whole(file.replaced({"a": b"new"})))).testzip() is None


def test_bytes_between_members_and_behind_the_archive_stay() -> None:
    made = pack([Made("a", b"1")])
    data = whole(opened(made)[0].replaced({"b": b"2"}))
    start = data.rindex(b"PK\1\2", 0, data.rindex(b"PK\1\2"))
    gap = bytearray(data[:start] + b"padding" + data[start:] + b"behind")
    end = gap.rindex(b"PK\5\6")
    gap[end + 16 : end + 20] = struct.pack("<L", start + len(b"padding"))
    result = whole(opened(bytes(gap))[0].replaced({"a": b"longer", "c": b""}))
    assert b"2padding" in result
    assert result.endswith(b"behind")
    assert dict(opened(result)[0].parts) == {"a": b"longer", "b": b"2", "c": b""}


_SIMPLE = pack([Made("a", b"1" * 50, zipfile.ZIP_DEFLATED), Made("b", b"2")])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (flagged(_SIMPLE, 1), "member 'a': it is encrypted (unpack it with its password and pack it without)"),
        (
            pack([Made("a", b"1", zipfile.ZIP_BZIP2)]),
            "member 'a': it is packed by method 12; stored and deflated are read here",
        ),
        (_SIMPLE.replace(b"PK\3\4", b"PK\0\0", 1), "member 'a': the archive is damaged: no member begins at byte 0"),
        (
            _SIMPLE.replace(zlib.compress(b"1" * 50, 6)[2:4], b"\xff\xff"),
            "member 'a': its packed bytes are damaged (Error -3 while decompressing data: invalid block type)",
        ),
    ],
    ids=["encrypted", "method", "no header", "bad bytes"],
)
def test_a_member_that_cannot_be_read_is_named_and_others_are_read(data: bytes, message: str) -> None:
    file, _ = opened(data)
    with pytest.raises(FormatError) as caught:
        file.parts["a"]
    assert str(caught.value) == message
    assert file.parts.get("b", b"2") == b"2"


@pytest.mark.parametrize("content", [b"", b"much longer" * 9], ids=["shorter", "longer"])
def test_a_member_whose_header_is_damaged_is_lost_alone(content: bytes) -> None:
    data = pack([Made("a", b"1" * 50), Made("b", b"2"), Made("c", b"3")])
    second = data.index(b"PK\3\4", 1)
    file, _ = opened(data[:second] + b"XX" + data[second + 2 :])
    again, _ = opened(whole(file.replaced({"a": content, "d": b"4"})))
    for archive in (file, again):
        with pytest.raises(FormatError, match="member 'b': the archive is damaged: no member begins at byte"):
            archive.parts["b"]
    assert [again.parts[name] for name in "acd"] == [content, b"3", b"4"]
    with pytest.raises(FormatError, match="member 'b': the archive is damaged"):
        file.replaced({"b": b""})


@pytest.mark.parametrize("lost", [5, 40, 10_000], ids=["into a replaced member", "between", "behind the archive"])
def test_a_record_that_points_to_no_member_never_comes_to_point_to_one(lost: int) -> None:
    data = bytearray(pack([Made("a", b"1" * 50), Made("b", b"2"), Made("c", b"3")]))
    record = data.index(b"b", data.index(b"PK\1\2")) - 46
    data[record + 42 : record + 46] = struct.pack("<L", lost)
    file, _ = opened(bytes(data))
    for size in range(120):
        again, _ = opened(whole(file.replaced({"a": bytes(size), "d": b"4"})))
        assert [again.parts[name] for name in "acd"] == [bytes(size), b"3", b"4"]
        with pytest.raises(FormatError, match="no member begins at byte"):
            again.parts["b"]


@pytest.mark.parametrize(
    "data",
    [b"", b"PK\3\4", _SIMPLE[:-30], _SIMPLE[:60], _SIMPLE.replace(b"PK\1\2", b"PK\0\0", 1)],
    ids=["nothing", "letters", "no end", "cut off", "no record"],
)
def test_an_archive_without_a_directory_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        opened(data)
    assert str(caught.value) == (
        "the archive has no directory at its end (the file is cut off: download or export it again)"
    )


def test_a_damaged_record_is_named() -> None:
    place = _SIMPLE.rindex(b"PK\1\2")
    with pytest.raises(FormatError) as caught:
        opened(_SIMPLE[:place] + b"XX" + _SIMPLE[place + 2 :])
    assert str(caught.value) == f"byte {place}: the archive's directory is damaged: no whole record is here"


class _Limits:
    """
    What a test may spend: memory is measured, time shows as the test's own.
    """

    def __enter__(self) -> None:
        tracemalloc.start()

    def __exit__(self, *_: object) -> None:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 4 * LARGEST_PART


def test_a_bomb_is_refused_at_the_limit_whatever_size_it_says() -> None:
    deflater = zlib.compressobj(9, wbits=-15)
    block = deflater.compress(bytes(1 << 20)) + deflater.flush(zlib.Z_FULL_FLUSH)
    packed = block * 10_000 + deflater.flush()
    assert len(packed) > 10_000_000
    for said in (10, 1 << 30):
        data = _one_member(packed, said)
        with _Limits(), pytest.raises(FormatError, match=f"more than {LARGEST_PART} bytes unpacked, the limit"):
            opened(data)[0].parts["a"]


def _one_member(packed: bytes, size: int) -> bytes:
    empty = pack([Made("a", b"", zipfile.ZIP_DEFLATED)])
    start = empty.index(b"PK\1\2")
    record = bytearray(empty[start : start + 47])
    record[20:28] = struct.pack("<2L", len(packed), size)
    local = empty[:31] + packed
    return local + record + b"PK\5\6" + struct.pack("<4H2LH", 0, 0, 1, 1, len(record), len(local), 0)


def test_an_archive_in_an_archive_is_not_unpacked() -> None:
    inner = pack([Made("deep", bytes(1000), zipfile.ZIP_DEFLATED)])
    assert opened(pack([Made("a.zip", inner, zipfile.ZIP_DEFLATED)]))[0].parts["a.zip"] == inner


def test_too_many_members_are_refused() -> None:
    record = pack([Made("a", b"")])
    record = record[record.index(b"PK\1\2") : record.index(b"PK\5\6")]
    for said in (100_000 & 0xFFFF, 1):
        end = b"PK\5\6" + struct.pack("<4H2LH", 0, 0, said, said, len(record) * 100_000, 31, 0)
        with _Limits(), pytest.raises(FormatError, match=f"{MOST_MEMBERS}"):
            opened(pack([Made("a", b"")])[:31] + record * 100_000 + end)
    with pytest.raises(FormatError, match="the archive would have 20001 members; the limit is 20000"):
        ZIP.build({str(number): b"" for number in range(MOST_MEMBERS + 1)}, b"")


@pytest.mark.parametrize("apart", [0, 31], ids=["one for all", "quoted"])
def test_members_that_share_bytes_are_refused(apart: int) -> None:
    kernel = zlib.compressobj(9, wbits=-15)
    packed = kernel.compress(bytes(100_000)) + kernel.flush()
    whole_one = _one_member(packed, 100_000)
    start, end = whole_one.index(b"PK\1\2"), whole_one.rindex(b"PK\5\6")
    head = whole_one[:31]
    locals_ = head * 3 + whole_one[:start]
    records = []
    for number in range(3):
        record = bytearray(whole_one[start:end])
        quoted = len(head) * (3 - number) if apart else 0
        record[20:24] = struct.pack("<L", quoted + len(packed))
        record[42:46] = struct.pack("<L", apart * number)
        record[46:47] = f"{number}".encode()
        records.append(bytes(record))
    directory = b"".join(records)
    data = locals_ + directory + b"PK\5\6" + struct.pack("<4H2LH", 0, 0, 3, 3, len(directory), len(locals_), 0)
    file, _ = opened(data)
    with pytest.raises(FormatError, match="a member reaches over byte"):
        file.parts["0"]
    with pytest.raises(FormatError, match="a member reaches over byte"):
        file.replaced({"card.json": b"{}"})


def test_a_part_larger_than_the_limit_is_refused() -> None:
    with pytest.raises(FormatError, match="member 'a': it has 67108865 bytes; the limit is 67108864"):
        ZIP.build({"a": bytes(LARGEST_PART + 1)}, b"")


def test_zip64_is_read_and_not_edited() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file, file.open("a", "w", force_zip64=True) as member:
        member.write(b"1")
    data = target.getvalue()
    # What is only written so that it could have become large is an archive like others.
    assert whole(opened(data)[0].replaced({"b": b""})) != data
    large = _as_zip64(pack([Made("a", b"1")]))
    with zipfile.ZipFile(io.BytesIO(large)) as file:
        assert file.read("a") == b"1"
    archive, _ = opened(b"stub" + large)
    assert dict(archive.parts) == {"a": b"1"}
    with pytest.raises(FormatError) as caught:
        archive.replaced({"a": b"2"})
    assert str(caught.value) == ("the archive cannot be edited: it is a zip64 archive, and such are only read here")


def _as_zip64(data: bytes) -> bytes:
    start, end = data.index(b"PK\1\2"), data.rindex(b"PK\5\6")
    record = bytearray(data[start:end])
    extra = struct.pack("<2H3Q", 1, 24, 1, 1, 0)
    record[20:28], record[30:32], record[42:46] = b"\xff" * 8, struct.pack("<H", len(extra)), b"\xff" * 4
    record += extra
    far = struct.pack("<Q2H2L4Q", 44, 45, 45, 0, 0, 1, 1, len(record), start)
    near = struct.pack("<LQL", 0, start + len(record), 1)
    return data[:start] + record + b"PK\6\6" + far + b"PK\6\7" + near + b"PK\5\6" + b"\0" * 4 + b"\xff" * 12 + b"\0\0"


def test_a_volume_of_a_split_archive_is_read_and_not_edited() -> None:
    data = bytearray(_SIMPLE)
    data[-18:-16] = b"\1\0"
    archive, _ = opened(bytes(data))
    assert archive.parts["b"] == b"2"
    with pytest.raises(FormatError, match="the archive cannot be edited: it is one volume of a split archive"):
        archive.replaced({"b": b""})


_CARD = [
    "card.json",
    "assets/icon/image/main.png",
    "assets/emotion/images/calm.png",
    "module.risum",
    "x_meta/main.json",
]


@pytest.mark.parametrize(
    ("path", "picture", "prefix", "names", "noted"),
    [
        ("examples/v3.charx", False, 0, _CARD, 0),
        ("examples/v3_charx.jpg", True, 160, _CARD, 0),
        (
            *("examples/demo.byaf", False, 0),
            *(["manifest.json", "characters/c1/character.json", "scenarios/s1.json"], 0),
        ),
        ("quirks/sfx_prefix.charx", False, 7, _CARD, 0),
        ("quirks/traversal.charx", False, 0, [*_CARD, "../evil.txt"], 1),
        ("quirks/missing_asset.charx", False, 0, ["card.json"], 0),
        ("quirks/no_card_json.charx", False, 0, ["readme.txt"], 0),
    ],
)
def test_real_shapes(path: str, picture: bool, prefix: int, names: list[str], noted: int) -> None:  # noqa: FBT001
    if not (SHARED / path).exists():
        pytest.skip("no examples here")
    data = (SHARED / path).read_bytes()
    assert (ZIP.claims(data) is None, JPEG_ZIP.claims(data) is not None) == (picture, picture)
    file, notes = opened(data)
    assert (list(file.parts), len(notes)) == (names, noted)
    result = whole(file.replaced({names[0]: b"{}"}))
    assert result[:prefix] == data[:prefix]
    assert dict(opened(result)[0].parts) == dict(file.parts) | {names[0]: b"{}"}
    _outsider_agrees(result, dict(file.parts) | {names[0]: b"{}"}, b"")


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"\xff\xd8\xff\xe0 a picture", b"{}", b"PK\5\6 in a text", b"\x89PNG\r\n\x1a\n"],
    ids=["nothing", "two letters", "picture", "json", "letters", "png"],
)
def test_other_files_are_not_claimed(data: bytes) -> None:
    assert (ZIP.claims(data), JPEG_ZIP.claims(data)) == (None, None)
