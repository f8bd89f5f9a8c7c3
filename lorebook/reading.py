"""
Reading files that somebody names: never more than a limit, whatever kind of file it is.
"""

from __future__ import annotations

import mmap
import os
import stat
from pathlib import Path

from lorebook.errors import InputError

_MAPPED = 4 * 1024**2
"""Bytes from which a file is mapped."""


def read_file(path: Path, *, limit: int, hint: str) -> bytes:
    """
    Return the content of *path*, a file or a pipe, of at most *limit* bytes.

    Raises InputError, naming the path, when it cannot be read or is larger; *hint* says what to do instead.
    """
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), hint=hint) from error
    if len(data) > limit:
        raise InputError(f"larger than {limit // 1024**2} MiB", where=str(path), hint=hint)
    return data


def map_file(path: Path, *, limit: int, hint: str) -> bytes | mmap.mmap:
    """
    Return the content of *path* like `read_file`; a large file is mapped into memory and only what is used is read.
    """
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            if stat.S_ISREG(found.st_mode) and _MAPPED <= found.st_size <= limit:
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), hint=hint) from error
    return read_file(path, limit=limit, hint=hint)
