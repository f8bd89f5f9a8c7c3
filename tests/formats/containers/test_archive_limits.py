"""
Bombs, crowds and the largest kinds of archive: refused or read at a known cost.
"""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
import zlib

import pytest

from lorebook.errors import FormatError
from lorebook.formats.containers.archive import ZIP
from lorebook.formats.containers.container import LARGEST_PART
from lorebook.formats.containers.zip_directory import MOST_MEMBERS
from tests.formats.containers.archives import (
    SIMPLE,
    Made,
    opened,
    pack,
    whole,
)


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


def test_a_zip64_end_alone_gives_way_to_a_usual_one_when_something_changes() -> None:
    plain = pack([Made("a", b"1"), Made("b", b"2")])
    start, end = plain.index(b"PK\1\2"), plain.rindex(b"PK\5\6")
    far = b"PK\6\6" + struct.pack("<Q2H2L4Q", 44, 45, 45, 0, 0, 2, 2, end - start, start)
    near = b"PK\6\7" + struct.pack("<LQL", 0, end, 1)
    archive, notes = opened(plain[:end] + far + near + b"PK\5\6" + b"\xff" * 16 + b"\3\0end")
    assert list(notes) == []
    written = whole(archive.replaced({"b": b"changed"}))
    with zipfile.ZipFile(io.BytesIO(written)) as file:
        assert [(name, file.read(name)) for name in file.namelist()] == [("a", b"1"), ("b", b"changed")]
        assert file.comment == b"end"
    assert b"PK\6\6" not in written


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
    data = bytearray(SIMPLE)
    data[-18:-16] = b"\1\0"
    archive, _ = opened(bytes(data))
    assert archive.parts["b"] == b"2"
    with pytest.raises(FormatError, match="the archive cannot be edited: it is one volume of a split archive"):
        archive.replaced({"b": b""})
