"""
Reading files that somebody names: never more than a limit, whatever kind of file it is.
"""

from __future__ import annotations

from pathlib import Path

from lorebook.errors import InputError


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
