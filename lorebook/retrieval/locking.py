"""
One builder at a time: a lock on a file that the system lets go of when its process dies.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lorebook import atomic
from lorebook.errors import RetrievalError

_POLL = 0.1


@contextmanager
def locked(path: Path, *, patience: float) -> Iterator[None]:
    """
    Hold the lock on the file *path*, waiting at most *patience* seconds for another process to let go.

    Raises RetrievalError when it does not, StorageError when the file cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
    except OSError as error:
        raise atomic.refusal(path, error) from error
    with file:
        deadline = time.monotonic() + patience
        while not _take(file.fileno()):
            if time.monotonic() > deadline:
                hint = "wait until it is done"
                raise RetrievalError("another process is building this index", where=str(path.parent), hint=hint)
            time.sleep(_POLL)
        yield


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _take(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
