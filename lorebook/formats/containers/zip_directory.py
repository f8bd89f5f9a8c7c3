"""
What a zip archive says of itself: its end, its directory and the members in it (APPNOTE.TXT 6.3, section 4.3).

Only the directory is read here; what a member's own header says is looked at when the member is.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from lorebook.errors import FormatError
from lorebook.formats.containers.container import Data
from lorebook.formats.notes import Notes

LOCAL, RECORD, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
MOST_MEMBERS = 20_000
"""Members of one archive; the largest cards have a few hundred assets."""
LOCAL_SIZE, RECORD_SIZE, END_SIZE = 30, 46, 22

_LARGEST_DIRECTORY = 64 * 1024 * 1024
_LONGEST_COMMENT = 0xFFFF
_LOCATOR64, _END64 = b"PK\x06\x07", b"PK\x06\x06"
_LOCATOR64_SIZE, _END64_SIZE = 20, 56
_ASK64 = 0xFFFFFFFF
"""A number that stands in the zip64 field instead."""
UTF8 = 0x800
"""The flag of a name in UTF-8 (APPNOTE 4.4.4, bit 11)."""
_NO_ZIP64 = "it is a zip64 archive, and such are only read here"
_NO_VOLUME = "it is one volume of a split archive"
_ODD = {
    r"(?:^|[/\\])\.\.(?:[/\\]|$)": "its name leads out of the folder (`..`)",
    r"^[/\\]": "its name is an absolute path",
    r"^[A-Za-z]:": "its name begins with a drive letter",
    r"\\": "its name has a backslash",
    r"\0": "its name has a NUL",
}


@dataclass(frozen=True, slots=True)
class Member:
    """
    One record of the directory.
    """

    name: str
    record: bytes
    """As it stands in the file."""
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    """Where the member's own header is, from the file's beginning."""
    limit: int
    """Where the next member, or the directory, begins."""


@dataclass(frozen=True, slots=True)
class Directory:
    """
    A whole directory.
    """

    base: int
    """What offsets in it count from."""
    start: int
    end: int
    """Where the record of the archive's end is."""
    members: tuple[Member, ...]
    """In the directory's order."""
    unfit: str
    """Why the archive cannot be edited, or nothing."""


@dataclass(frozen=True, slots=True)
class _End:
    """
    What the record of the end says.
    """

    at: int
    count: int
    size: int
    offset: int
    stop: int
    """Where the directory stops."""
    unfit: str


def find_end(data: Data) -> int | None:
    """
    Return where the archive in *data* has its end record, or None; a comment or other bytes may follow it.
    """
    floor = max(0, len(data) - _LONGEST_COMMENT - END_SIZE)
    tail = data[floor:]
    at = tail.rfind(END)
    while at >= 0 and not _plausible(data, floor + at):
        at = tail.rfind(END, 0, at + len(END) - 1)
    return floor + at if at >= 0 else None


def _plausible(data: Data, at: int) -> bool:
    if at + END_SIZE > len(data):
        return False
    count, size, offset = struct.unpack("<HLL", data[at + 10 : at + 20])
    if _has_locator(data, at):
        return True
    if size + offset > at:
        return False
    return (not size and not count) or data[at - size : at - size + len(RECORD)] == RECORD


def _has_locator(data: Data, at: int) -> bool:
    place = at - _LOCATOR64_SIZE
    return place >= 0 and data[place : place + len(_LOCATOR64)] == _LOCATOR64


def read_directory(data: Data, notes: Notes) -> Directory:
    """
    Read the directory of the archive in *data*.

    Raises FormatError where there is none, where it is damaged, and where it has too many members.
    """
    at = find_end(data)
    if at is None:
        raise FormatError(
            "the archive has no directory at its end", hint="the file is cut off: download or export it again"
        )
    end = _end64(data, at) if _has_locator(data, at) else _end(data, at)
    _within_limits(end)
    base = end.stop - end.size - end.offset
    if base < 0:
        raise FormatError(f"the archive is damaged: its directory cannot have {end.size} bytes", where=f"byte {at}")
    start = end.stop - end.size
    found = [_member(place, record, base, notes) for place, record in _records(data, start, end.stop)]
    members = _limited(data, found, start)
    if len(members) != end.count:
        notes.add(f"byte {at}", f"the archive says it has {end.count} members; its directory has {len(members)}")
    zip64 = any(_asks64(member.record) for member in members)
    return Directory(base, start, at, members, end.unfit or (_NO_ZIP64 if zip64 else ""))


def begins(data: Data, member: Member) -> bool:
    """
    Say whether *member* has a header of its own where its record says.
    """
    return member.offset + LOCAL_SIZE <= len(data) and data[member.offset : member.offset + len(LOCAL)] == LOCAL


def _within_limits(end: _End) -> None:
    if end.count > MOST_MEMBERS:
        raise FormatError(f"the archive says it has {end.count} members; the limit is {MOST_MEMBERS}")
    if end.size > _LARGEST_DIRECTORY:
        raise FormatError(f"the archive's directory has {end.size} bytes; the limit is {_LARGEST_DIRECTORY}")


def _end(data: Data, at: int) -> _End:
    disk, first, _, count, size, offset = struct.unpack("<4H2L", data[at + 4 : at + 20])
    return _End(at, count, size, offset, at, _NO_VOLUME if disk or first else "")


def _end64(data: Data, at: int) -> _End:
    # Of a record that says it is longer than this nothing is known to exist.
    place = at - _LOCATOR64_SIZE - _END64_SIZE
    if place < 0 or data[place : place + len(_END64)] != _END64:
        raise FormatError("the archive is damaged: its zip64 end record is missing", where=f"byte {max(place, 0)}")
    count, size, offset = struct.unpack("<3Q", data[place + 32 : place + _END64_SIZE])
    # Written again it has an end of the usual kind: the numbers are small enough where they are in its members.
    return _End(at, count, size, offset, place, "")


def _records(data: Data, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
    place, count = start, 0
    while place < stop:
        head = data[place : place + RECORD_SIZE]
        size = RECORD_SIZE + sum(struct.unpack("<3H", head[28:34])) if len(head) == RECORD_SIZE else 0
        if head[: len(RECORD)] != RECORD or place + size > stop:
            raise FormatError("the archive's directory is damaged: no whole record is here", where=f"byte {place}")
        count += 1
        if count > MOST_MEMBERS:
            raise FormatError(f"the archive has more than {MOST_MEMBERS} members, the limit")
        yield place, data[place : place + size]
        place += size


def _member(place: int, record: bytes, base: int, notes: Notes) -> Member:
    flags, method = struct.unpack("<2H", record[8:12])
    crc, packed, size, length = struct.unpack("<3LH", record[16:30])
    offset = int.from_bytes(record[42:46], "little")
    if _asks64(record):
        packed, size, offset = _wide(record, packed, size, offset)
    name = _name(record[RECORD_SIZE : RECORD_SIZE + length], flags, place, notes)
    return Member(name, record, flags, method, crc, packed, size, base + offset, 0)


def _name(raw: bytes, flags: int, place: int, notes: Notes) -> str:
    try:
        name = raw.decode()
        sure = flags & UTF8 or name.isascii()
    except UnicodeDecodeError:
        name = raw.decode("cp437")
        sure = not flags & UTF8
    if not sure:
        notes.add(f"record at byte {place}", f"the name's encoding is not the one it says; taken for {name!r}")
    for pattern, what in _ODD.items():
        if re.search(pattern, name):
            notes.add(f"member {name!r}", f"{what}; it is read by this name and never written outside the archive")
    return name


def _asks64(record: bytes) -> bool:
    return _ASK64 in struct.unpack("<2L", record[20:28]) or record[42:46] == b"\xff" * 4


def _wide(record: bytes, packed: int, size: int, offset: int) -> tuple[int, int, int]:
    """
    Return the numbers with those that the record leaves to its zip64 field (APPNOTE 4.5.3) taken from there.
    """
    length, extra = struct.unpack("<2H", record[28:32])
    field = _extra64(record[RECORD_SIZE + length : RECORD_SIZE + length + extra])
    wide = iter(struct.unpack(f"<{len(field) // 8}Q", field[: len(field) // 8 * 8]))
    size, packed, offset = (next(wide, said) if said == _ASK64 else said for said in (size, packed, offset))
    return packed, size, offset


def _extra64(extra: bytes) -> bytes:
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack("<2H", extra[place : place + 4])
        if kind == 1:
            return extra[place + 4 : place + 4 + length]
        place += 4 + length
    return b""


def _limited(data: Data, members: list[Member], start: int) -> tuple[Member, ...]:
    """
    Return the *members*, each with where the next one begins; of several at one place the last has room.
    """
    # A record that points to no member of its own says nothing of where others end.
    real = [number for number, member in enumerate(members) if begins(data, member)]
    order = sorted(real, key=lambda number: (members[number].offset, number))
    limits = dict.fromkeys(range(len(members)), start)
    limits |= {number: min(members[after].offset, start) for number, after in pairwise(order)}
    return tuple(replace(member, limit=limits[number]) for number, member in enumerate(members))
