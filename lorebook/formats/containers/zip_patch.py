"""
Writing zip archives: members replaced in place with all others as they are, and new archives of stored members.

The bytes between members, in front of the first and behind the directory belong to somebody and stay.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from lorebook.errors import FormatError
from lorebook.formats.containers.container import LARGEST_PART, Data, Pieces, Segment, Segments, stretch
from lorebook.formats.containers.zip_directory import (
    END,
    END_SIZE,
    LOCAL,
    MOST_MEMBERS,
    RECORD,
    RECORD_SIZE,
    UTF8,
    Directory,
    Member,
    begins,
)
from lorebook.formats.containers.zip_members import DEFLATED, DESCRIBED, ENCRYPTED, STORED, Body, locate

_LARGEST = 0xFFFFFFFE
_LONGEST_NAME = 0xFFFF
_VERSION = 20
_UNIX = 3 << 8
_FILE = 0o100644 << 16
_DATE = struct.pack("<2H", 0, 1 << 5 | 1)
"""The first of January 1980, the earliest there is."""


@dataclass(frozen=True, slots=True)
class _Written:
    """
    A member as it will stand in the file.
    """

    header: bytes
    content: bytes
    record: bytes
    """Its offset is set when it is known."""

    def __len__(self) -> int:
        return len(self.header) + len(self.content)


@dataclass(frozen=True, slots=True)
class _Edit:
    """
    A member of the file and what comes in its place.
    """

    member: Member
    body: Body
    written: _Written

    @property
    def growth(self) -> int:
        return len(self.written) - (self.body.end - self.member.offset)


def built(parts: Mapping[str, bytes]) -> Pieces:
    """
    Return a new archive of *parts*, the same for the same parts.
    """
    new = [_new(name, content) for name, content in parts.items()]
    return (*_pieces(new), *_closed(_placed(new, 0), sum(map(len, new)), END + bytes(END_SIZE - len(END))))


def patched(
    data: Data, directory: Directory, changed: Sequence[tuple[Member, bytes]], added: Mapping[str, bytes]
) -> Segments:
    """
    Return the archive in *data* with new contents of the *changed* members, and with the *added* ones.

    Raises FormatError where that cannot be done without harm to the other members.
    """
    if directory.unfit:
        raise FormatError(f"the archive cannot be edited: {directory.unfit}")
    for member in directory.members:
        if begins(data, member):
            locate(data, member)
    edits = sorted((_edit(data, *change) for change in changed), key=lambda edit: edit.member.offset)
    new = [_new(name, content) for name, content in added.items()]
    segments: list[Segment] = []
    cursor = 0
    for edit in edits:
        segments += [stretch(data, cursor, edit.member.offset), edit.written.header, edit.written.content]
        cursor = edit.body.end
    segments.append(stretch(data, cursor, directory.start))
    end = sum(map(len, segments)) - directory.base
    start = end + sum(map(len, new))
    records = [*_moved(directory, edits, start), *_placed(new, end)]
    closed = _closed(records, start, data[directory.end : directory.end + END_SIZE])
    return (*segments, *_pieces(new), *closed, stretch(data, directory.end + END_SIZE))


def _pieces(new: Sequence[_Written]) -> list[bytes]:
    return [piece for written in new for piece in (written.header, written.content)]


def _moved(directory: Directory, edits: Sequence[_Edit], start: int) -> list[bytes]:
    """
    Return the records of the directory, which will begin at *start*, with the offsets after the *edits*.

    A record that points to no member must not come to point to one: into the directory it still points there, and
    into a member that is replaced it points behind the first byte of the new one.
    """
    offsets = [edit.member.offset for edit in edits]
    growth = [0, *accumulate(edit.growth for edit in edits)]
    written = {edit.member.offset: edit.written.record for edit in edits}
    records: list[bytes] = []
    for member in directory.members:
        at = member.offset
        before = bisect_left(offsets, at)
        if at >= directory.start:
            place = start
        elif before and at < edits[before - 1].body.end:
            place = offsets[before - 1] + 1 - directory.base + growth[before - 1]
        else:
            place = at - directory.base + growth[before]
        records.append(_at(written.get(at, member.record), place))
    return records


def _placed(new: Sequence[_Written], place: int) -> list[bytes]:
    places = accumulate(map(len, new), initial=place)
    return [_at(written.record, at) for written, at in zip(new, places, strict=False)]


def _at(record: bytes, offset: int) -> bytes:
    return record[:42] + _number(offset) + record[46:]


def _number(value: int) -> bytes:
    if value > _LARGEST:
        raise FormatError("the archive would have more than 4 GB, and zip64 is not written here")
    return value.to_bytes(4, "little")


def _closed(records: Sequence[bytes], start: int, mark: bytes) -> tuple[bytes, ...]:
    """
    Return the directory of the *records*, which will begin at *start*, and the *mark* of the end made to fit it.
    """
    if len(records) > MOST_MEMBERS:
        raise FormatError(f"the archive would have {len(records)} members; the limit is {MOST_MEMBERS}")
    count = len(records).to_bytes(2, "little") * 2
    # Of a zip64 archive the numbers of volumes may stand in the end that is left out.
    volumes = mark[4:8].replace(b"\xff\xff", b"\0\0")
    return b"".join(records), mark[:4] + volumes + count + _number(sum(map(len, records))) + _number(start) + mark[20:]


def _edit(data: Data, member: Member, content: bytes) -> _Edit:
    """
    Return *content* in the place of what *member* holds: its name, date, extra fields and packing stay.
    """
    if member.flags & ENCRYPTED:
        raise FormatError("it is encrypted and cannot be replaced", where=f"member {member.name!r}")
    body = locate(data, member)
    method = STORED if member.method == STORED else DEFLATED
    packed = content if method == STORED else _deflate(content)
    record = member.record
    described = _described(
        member.name, content, packed, flags=member.flags & ~DESCRIBED, method=method, date=record[12:16]
    )
    name = record[RECORD_SIZE : RECORD_SIZE + int.from_bytes(record[28:30], "little")]
    lengths = record[28:30] + (body.data - body.extra).to_bytes(2, "little")
    header = LOCAL + record[6:8] + described + lengths + name + data[body.extra : body.data]
    return _Edit(member, body, _Written(header, packed, record[:8] + described + record[28:]))


def _new(name: str, content: bytes) -> _Written:
    raw = _encoded(name)
    described = _described(name, content, content, flags=0 if raw.isascii() else UTF8, method=STORED, date=_DATE)
    version = _VERSION.to_bytes(2, "little")
    header = LOCAL + version + described + struct.pack("<2H", len(raw), 0) + raw
    about = struct.pack("<5H2L", len(raw), 0, 0, 0, 0, _FILE, 0)
    return _Written(
        header, content, RECORD + (_UNIX | _VERSION).to_bytes(2, "little") + version + described + about + raw
    )


def _encoded(name: str) -> bytes:
    try:
        raw = name.encode()
    except UnicodeEncodeError:
        raise FormatError("a member cannot have this name: it has half a character", where=f"{name!r}") from None
    if not raw or len(raw) > _LONGEST_NAME or name.endswith("/"):
        raise FormatError("a member cannot have this name: it is empty, too long, or a folder's", where=f"{name!r:.60}")
    return raw


def _described(name: str, content: bytes, packed: bytes, *, flags: int, method: int, date: bytes) -> bytes:
    """
    Return what both a member's own header and its record say of it (APPNOTE 4.3.7, 4.3.12).
    """
    if len(content) > LARGEST_PART:
        raise FormatError(f"it has {len(content)} bytes; the limit is {LARGEST_PART}", where=f"member {name!r}")
    return struct.pack("<2H4s3L", flags, method, date, zlib.crc32(content), len(packed), len(content))


def _deflate(content: bytes) -> bytes:
    deflater = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return deflater.compress(content) + deflater.flush()
