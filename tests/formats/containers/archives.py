"""
Archives as writers make them, for tests, and what another reader finds in them.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hypothesis import strategies as st

from lorebook.formats.containers.archive import ZIP
from lorebook.formats.containers.container import Data, Opened, Segments, streamed
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
    return b"".join(streamed(segments))


def local_bytes(data: bytes) -> dict[str, bytes]:
    """
    Return, by name, all bytes from a member's own header to the next one.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        infos = sorted(file.infolist(), key=lambda info: info.header_offset)
        stops = [*(info.header_offset for info in infos), file.start_dir][1:]
        return {info.filename: data[info.header_offset : stop] for info, stop in zip(infos, stops, strict=True)}


def outsider_agrees(data: bytes, parts: Mapping[str, bytes], comment: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        assert file.comment == comment
        assert {name: file.read(name) for name in file.namelist()} == parts


def flagged(data: bytes, flag: int) -> bytes:
    at = data.index(b"PK\1\2") + 8
    return data[:at] + struct.pack("<H", flag) + data[at + 2 :]


NAMES = st.text("ab/ä卡.", min_size=1, max_size=8).filter(lambda name: not name.endswith("/"))
CONTENTS = st.binary(max_size=60) | st.builds(bytes.__mul__, st.binary(min_size=1, max_size=4), st.integers(0, 400))
_made = st.builds(
    Made,
    NAMES,
    CONTENTS,
    method=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
    extra=st.sampled_from([b"", b"\xfe\xca\x00\x00", b"UT\x05\x00\x01abcd"]),
    comment=st.binary(max_size=3),
)
ARCHIVES = st.builds(
    lambda prefix, members, comment, piped: (prefix, pack(members, comment=comment, piped=piped)),
    st.sampled_from([b"", b"MZ a stub", b"\xff\xd8\xff\xe0 a picture \xff\xd9", b"PK"]),
    st.lists(_made, max_size=5, unique_by=lambda member: member.name),
    st.sampled_from([b"", b"a comment", b"PK\1\2"]),
    st.booleans(),
)


SIMPLE = pack([Made("a", b"1" * 50, zipfile.ZIP_DEFLATED), Made("b", b"2")])
