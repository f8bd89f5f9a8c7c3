"""
Reading files that somebody names: never more than a limit, whatever kind of file it is.
"""

from __future__ import annotations

import mmap
import os
import stat
from pathlib import Path
from typing import BinaryIO

from lorebook.errors import InputError

LARGEST_PIPE = 512 * 1024**2
"""Bytes that are taken from what cannot be mapped: a pipe or a device."""
_MAPPED = 4 * 1024**2
"""Bytes from which a file is mapped."""
_STEP = 1024**2


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


def map_file(path: Path, *, limit: int, hint: str) -> bytes | mmap.mmap:
    """
    Return the content of *path* like `read_file`; a large file is mapped into memory and only what is used is read.
    """
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            is_file = stat.S_ISREG(found.st_mode)
            if is_file and _MAPPED <= found.st_size <= limit:
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), hint=hint) from error
    if is_file and found.st_size > limit:
        raise _larger(path, limit, hint)
    return read_file(path, limit=limit if is_file else min(limit, LARGEST_PIPE), hint=hint)


def _larger(path: Path, limit: int, hint: str) -> InputError:
    return InputError(f"larger than {limit // 1024**2} MiB", where=str(path), hint=hint)
