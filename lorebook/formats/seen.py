"""
What a file looks like that no format here claims: the second half of an error message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lorebook.formats.containers.container import Data
from lorebook.formats.format import Json
from lorebook.formats.taker import kind, shorten

_UNPACK = "unpack it, and name the files in it"
_ORIGINAL = "picture hosts and chat programs take cards out of pictures: get the original file"
_APART = "put each item of the list into a file of its own"
_BMP = b"BM"
# First bytes, what begins so, and what to do.
_SIGNATURES = (
    (b"GIF8", "a GIF picture", _ORIGINAL),
    (_BMP, "a BMP picture", _ORIGINAL),
    (b"\x89PNG", "a PNG picture whose line ends were changed", "get it again, and not as a text"),
    (b"%PDF", "a PDF document", ""),
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"7z\xbc\xaf", "a 7-Zip archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"\x7fELF", "a program", ""),
    (b"MZ", "a program", ""),
)
_VOXTAS_SCENARIO = re.compile(r"Scenarios/[^/]+/scenario\.json")
_MADE = "it says how the picture was made; the card is in another file"
# Parts of pictures that are known and hold no card for us.
_FOREIGN = {
    "risuai": "it is an old card of RisuAI's own kind: open it in RisuAI and export it again",
    **dict.fromkeys(("parameters", "prompt", "workflow"), _MADE),
}
_FILES = (".json", ".png", ".charx", ".byaf", ".lorebook", ".risum", ".webp", ".jpg", ".jpeg")
_PICTURES = ("png", "webp", "jpeg")
_SHOWN = 6
_START = 1024
_ASCII = re.compile(rb"[\t\n\r -~]+")


class Seen(NamedTuple):
    """
    What is there instead of a card or a book, and what to do about it where that is known.
    """

    what: str
    hint: str = ""


def describe_file(data: Data) -> Seen | None:
    """
    Return in a few words what *data* is where it cannot be text, or None.
    """
    start = data[:_START]
    for first, name, hint in _SIGNATURES:
        if start.startswith(first) and (first != _BMP or b"\0" in start):
            return Seen(f"it is {name}", hint)
    if start[4:8] == b"ftyp":
        return Seen("it is a picture or film of a kind that has no cards in it (AVIF, HEIC, MP4)", _ORIGINAL)
    is_text = b"\0" not in (start.rstrip(b"\0") if len(data) <= _START else start)
    return None if is_text or _is_wide(start) else Seen("it is a binary file")


def _is_wide(start: bytes) -> bool:
    """
    Tell whether *start* looks like UTF-16 or UTF-32: it has a mark, or what stands among its first NULs is ASCII.
    """
    marked = start.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"))
    return marked or (b"\0" in start[:2] and bool(_ASCII.fullmatch(start[:16].replace(b"\0", b""))))


def describe_parts(container: str, names: Iterable[str], wanted: Iterable[str]) -> Seen:
    """
    Return what an archive or picture has in it instead of the parts that are *wanted*.
    """
    names = [name for name in names if name]
    wanted = frozenset(wanted)
    if any(_VOXTAS_SCENARIO.fullmatch(name) for name in names):
        return Seen("it is a package of Voxta's with scenarios alone, which have no lorebook and no card in them")
    for name in names:
        folder, _, last = name.rpartition("/")
        if folder and last in wanted:
            place = f"the folder `{shorten(folder)}/` and not at the top of the {container} file"
            return Seen(f"its `{last}` is in {place}")
    if not names and container in _PICTURES:
        return Seen(f"in this {container} file there is nothing that could be one", _ORIGINAL)
    shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    hint = next((_FOREIGN[name] for name in names if name in _FOREIGN), "")
    is_packed = container == "zip" and any(name.lower().endswith(_FILES) for name in names)
    return Seen(
        f"in this {container} file there is {shown or 'nothing that could be one'}", _UNPACK if is_packed else hint
    )


def describe_value(value: Json, language: str) -> Seen:
    """
    Return what *value* is, written in *language*.
    """
    if isinstance(value, list):
        are_files = sum(isinstance(item, dict) and bool({"spec", "data", "entries"} & item.keys()) for item in value)
        return Seen(f"it is a {language} list of {len(value)}", _APART if are_files > 1 else "")
    if not isinstance(value, dict):
        return Seen(f"it is {language}, but only {kind(value)}")
    if "spec" in value:
        return Seen(f"it is {language} with the `spec` {kind(value['spec'])}")
    names = ", ".join(map(str, list(value)[:_SHOWN])) + (", …" if len(value) > _SHOWN else "")
    return Seen(f"it is a {language} object with {names}" if value else f"it is an empty {language} object")
