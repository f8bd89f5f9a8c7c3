"""
What a file looks like that no format here claims: the second half of an error message.
"""

from __future__ import annotations

from typing import Any

from lorebook.errors import FormatError
from lorebook.formats import jsontext
from lorebook.formats.taker import kind

# First bytes, and what begins so.
_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive (a CHARX, BYAF or Voxta card is one)"),
    (b"RIFF", "a RIFF file, such as a WebP picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"o\x00", "a RisuAI module"),
)
# A field of the outermost object, and what has it.
_SIGNS = (
    ("lorebookVersion", "a lorebook of NovelAI"),
    ("scenarioVersion", "a scenario of NovelAI"),
    ("storyContainerVersion", "a story of NovelAI"),
    ("gamestarted", "a save of KoboldAI"),
    ("char_persona", "a character of Pygmalion, which has no lorebook"),
    ("first_mes", "a character card V1, which has no lorebook"),
)
_KINDS = {
    ("type", "risu"): "a lorebook of RisuAI",
    ("type", "risuModule"): "a module of RisuAI",
    ("kind", "memory"): "a memory book of Agnai",
    ("kind", "character"): "a character of Agnai",
}
_SHOWN = 6


def describe(data: bytes) -> str:
    """
    Return in a few words what *data* is.
    """
    if not data.strip():
        return "the file is empty"
    for first, name in _SIGNATURES:
        if data.startswith(first):
            return f"it is {name}"
    if b"\0" in data[:1024] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "it is a binary file"
    try:
        value = jsontext.parse(data)
    except FormatError as error:
        return f"it is {error.what}" if error.what.startswith("not") else error.what
    return _describe_object(value) if isinstance(value, dict) else _describe_other(value)


def foreign(raw: dict[str, Any]) -> str | None:
    """
    Return whose file the JSON object *raw* is where its own marks say that it is of no format here.
    """
    for (name, value), what in _KINDS.items():
        if raw.get(name) == value:
            return what
    return next((what for name, what in _SIGNS if name in raw), None)


def _describe_object(raw: dict[str, Any]) -> str:
    other = foreign(raw)
    if other:
        return f"it is {other}"
    if "spec" in raw:
        return f"it is JSON with the `spec` {kind(raw['spec'])}"
    names = ", ".join(map(str, list(raw)[:_SHOWN])) + (", …" if len(raw) > _SHOWN else "")
    return f"it is a JSON object with {names}" if raw else "it is an empty JSON object"


def _describe_other(value: object) -> str:
    return f"it is a JSON list of {len(value)}" if isinstance(value, list) else f"it is JSON, but only {kind(value)}"
