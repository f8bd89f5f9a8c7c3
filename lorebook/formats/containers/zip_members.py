"""
The members of a zip archive, unpacked when they are asked for and never beyond the limit.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lorebook.errors import FormatError
from lorebook.formats.containers.container import LARGEST_PART, Data
from lorebook.formats.containers.zip_directory import LOCAL_SIZE, Directory, Member, begins
from lorebook.formats.notes import Notes

STORED, DEFLATED = 0, 8
ENCRYPTED = 0x1
DESCRIBED = 0x8
"""The flag of a member whose sizes stand behind its data (APPNOTE 4.4.4, bit 3)."""

_DESCRIPTION = b"PK\x07\x08"
_STEP = 64 * 1024


@dataclass(frozen=True, slots=True)
class Body:
    """
    Where a member's parts are, from the file's beginning.
    """

    extra: int
    data: int
    """Where the extra fields of its own header stop and its packed bytes begin."""
    data_end: int
    end: int
    """Behind the description of the sizes, where there is one."""


class Members(Mapping[str, bytes]):
    """
    The files in an archive by name, in the directory's order; of several with one name it is the last.
    """

    def __init__(self, data: Data, directory: Directory, notes: Notes) -> None:
        self._data = data
        self._notes = notes
        self._by_name: dict[str, Member] = {}
        for member in directory.members:
            if member.name.endswith("/"):
                continue
            if self._by_name.pop(member.name, None):
                notes.add(f"member {member.name!r}", "there are several of this name; the last is taken")
            self._by_name[member.name] = member

    def __getitem__(self, name: str) -> bytes:
        member = self._by_name[name]
        content, whole = unpack(self._data, member)
        if zlib.crc32(content) != member.crc or len(content) != member.size or not whole:
            self._notes.add(f"member {name!r}", "its checksum or its size is not the one it says; taken as it is")
        return content

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def member(self, name: str) -> Member | None:
        """
        Return the record of the file *name*, if it is there.
        """
        return self._by_name.get(name)


def locate(data: Data, member: Member) -> Body:
    """
    Return where the parts of *member* are.

    Raises FormatError where no header is, and where the member reaches into the next one.
    """
    where = f"member {member.name!r}"
    if not begins(data, member):
        raise FormatError(f"the archive is damaged: no member begins at byte {member.offset}", where=where)
    length, extra = struct.unpack("<2H", data[member.offset + 26 : member.offset + LOCAL_SIZE])
    begin = member.offset + LOCAL_SIZE + length + extra
    end = begin + member.packed
    if end > member.limit:
        raise FormatError(
            f"the archive is damaged: at byte {member.offset} a member reaches over byte {member.limit}, "
            "where it has to end",
            where=where,
        )
    described = _description(data, member, end)
    return Body(begin - extra, begin, end, min(end + described, member.limit))


def _description(data: Data, member: Member, end: int) -> int:
    if not member.flags & DESCRIBED:
        return 0
    return 16 if data[end : end + len(_DESCRIPTION)] == _DESCRIPTION else 12


def unpack(data: Data, member: Member) -> tuple[bytes, bool]:
    """
    Return what *member* holds, and whether its packed bytes end where that ends.

    Raises FormatError where it is encrypted, packed by a way unknown here, damaged, or too large.
    """
    where = f"member {member.name!r}"
    if member.flags & ENCRYPTED:
        raise FormatError("it is encrypted", where=where, hint="unpack it with its password and pack it without")
    if member.method not in {STORED, DEFLATED}:
        what = f"it is packed by method {member.method}; stored and deflated are read here"
        raise FormatError(what, where=where, hint="pack it again with Deflate")
    body = locate(data, member)
    if member.method == DEFLATED:
        return _inflate(data, body, where)
    if member.packed > LARGEST_PART:
        raise FormatError(f"it has {member.packed} bytes; the limit is {LARGEST_PART}", where=where)
    return data[body.data : body.data_end], True


def _inflate(data: Data, body: Body, where: str) -> tuple[bytes, bool]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    pieces: list[bytes] = []
    size = 0
    for place in range(body.data, body.data_end, _STEP):
        step = data[place : min(place + _STEP, body.data_end)]
        try:
            pieces.append(inflater.decompress(step, LARGEST_PART + 1 - size))
        except zlib.error as error:
            raise FormatError(f"its packed bytes are damaged ({error})", where=where) from None
        size += len(pieces[-1])
        if size > LARGEST_PART:
            raise FormatError(f"it has more than {LARGEST_PART} bytes unpacked, the limit", where=where)
        if inflater.eof:
            return b"".join(pieces), place + len(step) - len(inflater.unused_data) == body.data_end
    raise FormatError("its packed bytes are cut off", where=where)
