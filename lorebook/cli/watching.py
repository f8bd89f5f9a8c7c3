"""
`match --watch`: run again whenever a file that the match reads has changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

_SECONDS = 0.5


def repeat(run: Callable[[], None], files: Callable[[], Iterable[Path]]) -> None:
    """
    Run *run* now and after every change of *files* (asked for anew each time), until the user interrupts.
    """
    seen: dict[Path, tuple[int, int]] | None = None
    while True:
        now = _stamps(files())
        if now != seen:
            run()
            seen = now
        time.sleep(_SECONDS)


def _stamps(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """
    When each file was last written, and its size; a file that is gone for the moment is left out.
    """
    stamps = {}
    for path in files:
        try:
            found = path.stat()
        except FileNotFoundError:
            continue
        stamps[path] = (found.st_mtime_ns, found.st_size)
    return stamps
