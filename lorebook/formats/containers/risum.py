"""
RisuAI's modules (`.risum`): one JSON text and the module's assets, each byte exchanged for another.

A file is `6F 00`; the JSON, as a length and so many bytes; `01`, a length and so many bytes for each asset; and `00`.
Lengths have four bytes, the lowest first. The exchange is the same for every byte of every file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from lorebook.errors import FormatError
from lorebook.formats.containers.container import LARGEST_PART, Container, Data, Held, Pieces, held
from lorebook.formats.containers.parts import Parts
from lorebook.formats.notes import Notes

MODULE = "module"
"""The part that is the JSON."""

_MARK = b"o\0"
_ASSET, _END = b"\1", b"\0"
_LENGTH = 4
_HEAD = len(_MARK) + _LENGTH
_MOST_ASSETS = 20_000
_OPENINGS = b"{ \t\r\n"

# The table is what every writer and reader of these files has in common: the byte at each place is what the byte of
# that number in a file stands for.
_PLAIN = bytes.fromhex(
    """
    2cf7848bc965fbb69faeb3032d0169741fe4a3ecee5c3421934a0f6ae262029e
    229cfd3cfc71c7c6ad596705706d8a4412fa24865fafd17a47cefe5063dd5106
    6f18e052a8099d56734cb8536cc3a00e19cf3e0d7e07326846ea48f9992eaba4
    49205e5535380cbcd3b1581679280a1ae1f2cdc439dba2ba6072767d95ef7fc8
    c0de3794bfb51481922545ace7f566a72b365ac113e34b3ae88d831b7c27b09a
    42eb87aadc548e7826d25729d4b7f82f8f8975f04177c21effd81511e5049717
    f331d09b00d7cab44f2a3bd9b26bda5da13f3061bd913d4ee6dfbe4d828c1d23
    109864f485337b9043bba988f1d6a51cf6cc6eb95b0b96edd5e9c5cb08a68040
    """
)
_EXCHANGED = bytes(_PLAIN.index(value) for value in range(256))


class OpenedRisum:
    """
    A module whose parts have been found.
    """

    def __init__(self, data: Held, places: Mapping[str, tuple[int, int]]) -> None:
        """
        *places* says where each part begins and stops, in the file's order.
        """
        self._data = data
        self._places = places
        self._parts = Parts({name: partial(self._read, name) for name in places})
        self._end = max(stop for _, stop in places.values())

    @property
    def parts(self) -> Mapping[str, bytes]:
        """
        `module`, the JSON, and `asset:0`, `asset:1` … in the file's order.
        """
        return self._parts

    def replaced(self, parts: Mapping[str, bytes]) -> Pieces:
        """
        Return the module with *parts* in it; an asset is added behind the last one.
        """
        view = memoryview(self._data)
        segments: list[bytes | memoryview] = []
        cursor = 0
        for name, (start, stop) in self._places.items():
            if name in parts and not self._holds(name, parts[name]):
                segments += [view[cursor : start - _LENGTH], *_framed(name, parts[name])]
                cursor = stop
        added = [name for name in parts if name not in self._places]
        segments += [view[cursor : self._end], *_assets(parts, added, len(self._places) - 1), *self._tail(added)]
        return tuple(segments)

    def _read(self, name: str) -> bytes:
        start, stop = self._places[name]
        if stop - start > LARGEST_PART:
            raise FormatError(f"it has {stop - start} bytes; the limit is {LARGEST_PART}", where=name)
        return self._data[start:stop].translate(_PLAIN)

    def _holds(self, name: str, content: bytes) -> bool:
        start, stop = self._places[name]
        return stop - start == len(content) <= LARGEST_PART and self._parts[name] == content

    def _tail(self, added: list[str]) -> Pieces:
        """
        Return what follows the last asset.
        """
        tail = memoryview(self._data)[self._end :]
        if added and tail[: len(_END)] != _END:
            raise FormatError(f"no asset can be added: the module is damaged at byte {self._end}", where=added[0])
        return (tail,)


class RisumFile:
    """
    A module of RisuAI.
    """

    name = "risum"

    def claims(self, data: Data) -> str | None:
        """
        Say by which mark *data* is a module, or None.
        """
        opening = data[_HEAD : _HEAD + 1].translate(_PLAIN)
        if data[: len(_MARK)] != _MARK or not opening or opening not in _OPENINGS:
            return None
        return "its first bytes are those of a RisuAI module (6F 00), and an object begins in it"

    def open(self, data: Data, notes: Notes) -> OpenedRisum:
        """
        Find the parts of the module *data*.
        """
        if data[: len(_MARK)] != _MARK:
            raise FormatError("not a RisuAI module: its first bytes are others", where="byte 0")
        stop = _stop(data, len(_MARK))
        if stop is None:
            raise FormatError("the module is cut off before its text ends", where=f"byte {len(_MARK)}")
        data = held(data)
        places = {MODULE: (_HEAD, stop)}
        while data[stop : stop + 1] == _ASSET and (end := _stop(data, stop + 1)) is not None:
            if len(places) > _MOST_ASSETS:
                raise FormatError(f"the module has more than {_MOST_ASSETS} assets, the limit", where=f"byte {stop}")
            places[f"asset:{len(places) - 1}"] = (stop + 1 + _LENGTH, end)
            stop = end
        if data[stop : stop + 1] != _END:
            notes.add(f"byte {stop}", "here another asset or the end should be; what follows is kept as it is")
        return OpenedRisum(data, places)

    def build(self, parts: Mapping[str, bytes], picture: bytes) -> Pieces:  # noqa: ARG002 (it shows none)
        """
        Return a new module; *parts* are `module`, and `asset:0`, `asset:1` … if there are any.
        """
        if MODULE not in parts:
            raise FormatError("a module needs its text", where=MODULE)
        assets = _assets(parts, [name for name in parts if name != MODULE], 0)
        return (_MARK, *_framed(MODULE, parts[MODULE]), *assets, _END)


def _stop(data: Data, place: int) -> int | None:
    """
    Return where the part stops whose length is at *place*, or None where the file ends before.
    """
    stop = place + _LENGTH + int.from_bytes(data[place : place + _LENGTH], "little")
    return stop if stop <= len(data) else None


def _assets(parts: Mapping[str, bytes], names: list[str], first: int) -> Iterator[bytes]:
    expected = [f"asset:{first + number}" for number in range(len(names))]
    if sorted(names) != sorted(expected):
        raise FormatError(f"a module has no such part; the next asset is `asset:{first}`", where=", ".join(names))
    for name in expected:
        yield _ASSET
        yield from _framed(name, parts[name])


def _framed(name: str, content: bytes) -> tuple[bytes, bytes]:
    if len(content) > LARGEST_PART:
        raise FormatError(f"it has {len(content)} bytes; the limit is {LARGEST_PART}", where=name)
    return len(content).to_bytes(_LENGTH, "little"), content.translate(_EXCHANGED)


RISUM: Container = RisumFile()
