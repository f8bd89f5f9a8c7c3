"""
Damaged archives and odd names: what can be read is, the rest is named, and no edit makes it worse.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import FormatError
from lorebook.formats.containers.archive import JPEG_ZIP, ZIP
from lorebook.formats.containers.container import LARGEST_PART
from tests.formats.containers.archives import (
    ARCHIVES,
    SIMPLE,
    Made,
    flagged,
    opened,
    pack,
    whole,
)


@given(data=st.binary(max_size=200) | st.binary(max_size=60).map(lambda tail: b"PK\3\4" + tail))
def test_arbitrary_bytes_are_read_or_refused(data: bytes) -> None:
    _read_or_refuse(data)


@given(archive=ARCHIVES, changes=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=4))
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


def test_letters_of_an_end_in_the_comment_are_no_end() -> None:
    data = pack([Made("a", b"1")], comment=b"x" * 40).replace(b"x" * 26, b"PK\5\6" + b"\xff" * 22)
    file, _ = opened(data)
    assert dict(file.parts) == {"a": b"1"}
    assert whole(file.replaced({"a": b"2"})).endswith(b"PK\5\6" + b"\xff" * 22 + b"x" * 14)


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


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (flagged(SIMPLE, 1), "member 'a': it is encrypted (unpack it with its password and pack it without)"),
        (
            pack([Made("a", b"1", zipfile.ZIP_BZIP2)]),
            "member 'a': it is packed by method 12; stored and deflated are read here (pack it again with Deflate)",
        ),
        (SIMPLE.replace(b"PK\3\4", b"PK\0\0", 1), "member 'a': the archive is damaged: no member begins at byte 0"),
        (
            SIMPLE.replace(zlib.compress(b"1" * 50, 6)[2:4], b"\xff\xff"),
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
    [b"", b"PK\3\4", SIMPLE[:-30], SIMPLE[:60], SIMPLE.replace(b"PK\1\2", b"PK\0\0", 1)],
    ids=["nothing", "letters", "no end", "cut off", "no record"],
)
def test_an_archive_without_a_directory_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        opened(data)
    assert str(caught.value) == (
        "the archive has no directory at its end (the file is cut off: download or export it again)"
    )


def test_a_damaged_record_is_named() -> None:
    place = SIMPLE.rindex(b"PK\1\2")
    with pytest.raises(FormatError) as caught:
        opened(SIMPLE[:place] + b"XX" + SIMPLE[place + 2 :])
    assert str(caught.value) == f"byte {place}: the archive's directory is damaged: no whole record is here"
