"""
Keys and texts: which match which, as a careful player means it.

`keys.tsv` has one row for each question: does the key stand in the text? It opens in any spreadsheet. In it,
`⏎` is a line break, `<U+0301>` the character of that number (where it could not be seen), and other keys are
those of further entries of the same book, with commas between them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from lorebook.book import Book, Entry
from lorebook.matching.chat import Message
from lorebook.matching.engine import CompiledBook
from lorebook.matching.presets import Behaviour, Preset
from lorebook.matching.settings import MatchSettings
from lorebook.records import Role

TABLE = Path(__file__).parent / "keys.tsv"

_NUMBERED = re.compile(r"<U\+([0-9A-F]{4,5})>")


class Row(NamedTuple):
    """A question and its answer."""

    kind: str
    key: str
    text: str
    matches: bool
    other_keys: tuple[str, ...]
    why: str


def read(path: Path = TABLE) -> list[Row]:
    """Read the table; a cell that says neither yes nor no is an error."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    answers = {"yes": True, "no": False}
    return [
        Row(kind, _shown(key), _shown(text), answers[matches], tuple(filter(None, others.split(", "))), why)
        for kind, key, text, matches, others, why in lines
    ]


def _shown(cell: str) -> str:
    return _NUMBERED.sub(lambda match: chr(int(match[1], 16)), cell.replace("⏎", "\n"))


Engine = Callable[[Row], bool]
"""Tells whether the entry with the row's key fires."""


def lorebook(preset: Preset, *, whole_words: bool = True, behaviour: Behaviour | None = None) -> Engine:
    """Our engine with a preset, or with a behaviour of its own."""
    settings = MatchSettings(preset=preset, scan_depth=1, match_whole_words=whole_words)

    def ask(row: Row) -> bool:
        keys = enumerate((row.key, *row.other_keys))
        book = Book(name="table", entries=tuple(Entry(uid=uid, keys=(key,), content="Found.") for uid, key in keys))
        chat = (Message(role=Role.USER, content=row.text),)
        return any(entry.uid == 0 for entry in CompiledBook(book, settings, behaviour=behaviour).match(chat).entries)

    return ask


def fast_tavern() -> Engine | None:
    """PyPI's fast-tavern, where it is installed."""
    try:
        version("fast-tavern")
    except PackageNotFoundError:
        return None
    from fast_tavern import get_active_entries  # noqa: PLC0415 (a peer that need not be there)

    def ask(row: Row) -> bool:
        entries = [_entry(number, key) for number, key in enumerate((row.key, *row.other_keys))]
        active = get_active_entries({"contextText": row.text, "globalEntries": entries})
        return any(entry["index"] == 0 for entry in active)

    return ask


def _entry(number: int, key: str) -> dict[str, Any]:
    plain = {"index": number, "enabled": True, "activationMode": "keyword", "key": [key], "secondaryKey": []}
    return plain | {"selectiveLogic": "andAny", "content": "Found.", "order": 100, "probability": 100}


def engines() -> dict[str, Engine]:
    """The engines whose answers are compared, by name."""
    named = {
        "lorebook": lorebook(Preset.LOREBOOK),
        "sillytavern": lorebook(Preset.SILLYTAVERN),
        "sillytavern, parts": lorebook(Preset.SILLYTAVERN, whole_words=False),
    }
    peer = fast_tavern()
    return named | ({"fast-tavern": peer} if peer else {})
