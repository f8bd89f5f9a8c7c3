"""
Reading files that somebody names: never more than a limit, whatever kind of file it is.
"""

from __future__ import annotations

import mmap
import os
import stat
import weakref
from pathlib import Path
from typing import BinaryIO

from lorebook.errors import InputError

LARGEST_PIPE = 512 * 1024**2
"""Bytes that are taken from what has no size: a pipe or a device."""
_LARGE = 4 * 1024**2
"""Bytes from which a file is read only where it is looked at."""
_STEP = 1024**2


class LargeFile:
    """
    A file that is read where it is looked at: a slice of it is bytes.

    A map would do that, too, but end the process (SIGBUS) where another program cuts the file off meanwhile.
    """

    def __init__(self, path: Path, file: int, size: int) -> None:
        """
        Take the open *file*, which stays the caller's to close, as it is now: of *size* bytes.
        """
        self._path, self._size = path, size
        self._file = os.dup(file)
        weakref.finalize(self, os.close, self._file)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, span: slice) -> bytes:
        """
        Return the bytes of *span*.

        Raises InputError where they are no longer there.
        """
        start, stop, _ = span.indices(self._size)
        pieces: list[bytes] = []
        while start < stop:
            piece = self._read(start, stop - start)
            pieces.append(piece)
            start += len(piece)
        return b"".join(pieces)

    def mapped(self) -> mmap.mmap:
        """
        Return the file mapped into memory.
        """
        return mmap.mmap(self._file, self._size, access=mmap.ACCESS_READ)

    def _read(self, start: int, most: int) -> bytes:
        try:
            piece = os.pread(self._file, most, start)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=str(self._path)) from error
        if not piece:
            what = f"it was cut off at byte {start} while it was read"
            raise InputError(what, where=str(self._path), hint="try again when no other program writes it")
        return piece


def read_file(path: Path, *, limit: int, hint: str) -> bytes:
    """
    Return the content of *path*, a file or a pipe, of at most *limit* bytes.

    Raises InputError, naming the path, when it cannot be read or is larger; *hint* says what to do instead.
    """
    try:
        with path.open("rb") as file:
            data = read_upto(file, limit + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), hint=hint) from error
    if len(data) > limit:
        raise _larger(path, limit, hint)
    return data


def read_upto(file: BinaryIO, most: int) -> bytes:
    """
    Return what *file* has left, of that *most* bytes.

    Step by step: asked for *most* at once, Python takes memory for all of it first, however little there is.
    """
    pieces: list[bytes] = []
    while piece := file.read(min(_STEP, most)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def open_file(path: Path, *, limit: int, hint: str) -> bytes | mmap.mmap | LargeFile:
    """
    Return the content of *path* like `read_file`; of a large file only what is used is read.
    """
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            is_file = stat.S_ISREG(found.st_mode)
            if is_file and _LARGE <= found.st_size <= limit:
                return _large(path, file.fileno(), found.st_size)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), hint=hint) from error
    if is_file and found.st_size > limit:
        raise _larger(path, limit, hint)
    return read_file(path, limit=limit if is_file else min(limit, LARGEST_PIPE), hint=hint)


def _large(path: Path, file: int, size: int) -> mmap.mmap | LargeFile:
    # Where there is no pread, on Windows, a file that is mapped cannot be cut off.
    return LargeFile(path, file, size) if hasattr(os, "pread") else mmap.mmap(file, size, access=mmap.ACCESS_READ)


def _larger(path: Path, limit: int, hint: str) -> InputError:
    return InputError(f"larger than {limit // 1024**2} MiB", where=str(path), hint=hint)
