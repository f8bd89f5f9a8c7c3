"""
What a file looks like that no format here claims: the second half of an error message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lorebook.formats.containers.container import Data
from lorebook.formats.format import Json
from lorebook.formats.taker import kind, shorten

# First bytes, and what begins so.
_SIGNATURES = (
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
)
_VOXTAS_SCENARIO = re.compile(r"Scenarios/[^/]+/scenario\.json")
_SHOWN = 6
_START = 1024


def describe_file(data: Data) -> str | None:
    """
    Return in a few words what *data* is where it cannot be text, or None.
    """
    start = data[:_START]
    for first, name in _SIGNATURES:
        if start.startswith(first):
            return f"it is {name}"
    is_binary = b"\0" in start and not _is_wide(start)
    return "it is a binary file" if is_binary else None


def _is_wide(start: bytes) -> bool:
    """
    Tell whether *start* looks like UTF-16 or UTF-32: every second byte of what JSON begins with is NUL.
    """
    return start.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")) or b"\0" in start[:2] or start[1:2] == b"\0"


def describe_parts(container: str, names: Iterable[str], wanted: Iterable[str]) -> str:
    """
    Return what an archive or picture has in it instead of the parts that are *wanted*.
    """
    names = [name for name in names if name]
    if scenario := next(filter(_VOXTAS_SCENARIO.fullmatch, names), None):
        return f"it is a package of Voxta with a scenario, `{shorten(scenario)}`, and without a character or a book"
    wanted = frozenset(wanted)
    for name in names:
        folder, _, last = name.rpartition("/")
        if folder and last in wanted:
            return f"its `{last}` is in the folder `{shorten(folder)}/` and not at the top of the {container} file"
    shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    return f"in this {container} file there is {shown or 'nothing that could be one'}"


def describe_value(value: Json, language: str) -> str:
    """
    Return what *value* is, written in *language*.
    """
    if isinstance(value, list):
        return f"it is a {language} list of {len(value)}"
    if not isinstance(value, dict):
        return f"it is {language}, but only {kind(value)}"
    if "spec" in value:
        return f"it is {language} with the `spec` {kind(value['spec'])}"
    names = ", ".join(map(str, list(value)[:_SHOWN])) + (", …" if len(value) > _SHOWN else "")
    return f"it is a {language} object with {names}" if value else f"it is an empty {language} object"
