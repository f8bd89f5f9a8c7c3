"""
A fault of lorebook's own, in the one line that every other error has.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from lorebook.errors import LorebookError

TRACEBACK = "LOREBOOK_TRACEBACK"
"""The environment variable that lets a fault end the program as Python does it; for who looks for its cause."""
_LONGEST = 200
"""Characters of what is said of an error that nobody expected."""


def told(error: Exception, where: str) -> LorebookError:
    """
    Return the line for *error*, which nobody expected, at *where*.
    """
    what = f"a fault of lorebook's own, {type(error).__name__}: {error}"[:_LONGEST]
    return LorebookError(what, where=where, hint="the file may be sound; report it")


@contextmanager
def as_one_line(where: str) -> Iterator[None]:
    """
    Raise a LorebookError for whatever goes wrong unexpectedly with the file *where*.

    What the system reports (no space, no reader of the output) is no fault and goes on as it is.
    """
    try:
        yield
    except (LorebookError, OSError):
        raise
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        raise told(error, where) from error
