"""
A lorebook as a card site lists it: numbered entries, each with its keys, a line of settings and its text.

    1. #1Summoning                                      (the number is printed twice, the second fused)
       Keys: Normal Summon, Set
       Always on · Before character · Order 10 · 100%
       Entry settings                                   (a button of the page)
       The text, in paragraphs.

Indentation and blank lines vary within one listing, so neither is relied on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lorebook.importers.document import Document, TextLine
from lorebook.importers.draft import Action, Detection, Draft, Reading
from lorebook.records import EntrySettings, Position

_HEADING = re.compile(r"(?P<number>\d+)\.\s+(?:#(?P=number)(?!\d))?\s*(?P<title>.*)")
_KEYS = re.compile(r"(?P<secondary>Secondary keys|Keys):\s*(?P<keys>.*)", re.IGNORECASE)
_SETTINGS = re.compile(r"(?:Always on|Enabled|Disabled)(?:\s*·.*)?", re.IGNORECASE)
_BUTTON = re.compile(r"Entry settings", re.IGNORECASE)
_END = re.compile(r"Showing (?P<shown>\d+) of (?P<total>\d+)", re.IGNORECASE)
_POSITIONS = {
    "before character": Position.BEFORE_CHAR,
    "after character": Position.AFTER_CHAR,
    "before author's note": Position.BEFORE_NOTE,
    "after author's note": Position.AFTER_NOTE,
    "at depth": Position.AT_DEPTH,
    "before examples": Position.BEFORE_EXAMPLES,
    "after examples": Position.AFTER_EXAMPLES,
    "outlet": Position.OUTLET,
}
# A heading is one that keys or settings follow; other numbered lines belong to an entry's text.
_LOOK_AHEAD = 3


@dataclass
class _Entry:
    heading: TextLine
    number: str
    title: str
    lines: list[TextLine]


class ListingImporter:
    """
    Reads a lorebook listing; an entry becomes a rule with the settings that it shows.
    """

    kind = "listing"
    needs = "a lorebook listing: it has no numbered entry with a line of settings"

    def detect(self, document: Document) -> Detection | None:
        """
        Return the number of entries found, or None without any.
        """
        entries = sum(1 for at in range(len(document.spoken)) if _starts_entry(document.spoken, at))
        if not entries:
            return None
        reason = f"{entries} numbered entries with keys and a line of settings"
        return Detection(self.kind, reason, 0.99 if entries > 1 else 0.8)

    def read(self, document: Document) -> Reading:
        """
        Read the entries; what stands before and after them is kept as provenance.
        """
        reading = Reading()
        front, entries, back = _split(document.spoken)
        if front:
            reading.title = front[0].text
            reading.set_aside(front, "title of the listing")
            reading.note(Action.KEPT, [line.number for line in front], "title of the listing")
        for entry in entries:
            _read_entry(entry, reading)
        _drop_buttons(entries, reading)
        _close(back, len(entries), reading)
        return reading


def _starts_entry(lines: tuple[TextLine, ...], at: int) -> bool:
    if not _HEADING.fullmatch(lines[at].text):
        return False
    following = (line.text for line in lines[at + 1 : at + 1 + _LOOK_AHEAD])
    for text in following:
        if _SETTINGS.fullmatch(text):
            return True
        if not _KEYS.fullmatch(text):
            return False
    return False


def _split(lines: tuple[TextLine, ...]) -> tuple[list[TextLine], list[_Entry], list[TextLine]]:
    """Part the lines into what precedes the entries, the entries, and what follows them."""
    front: list[TextLine] = []
    entries: list[_Entry] = []
    for at, line in enumerate(lines):
        heading = _HEADING.fullmatch(line.text) if _starts_entry(lines, at) else None
        if heading:
            entries.append(_Entry(line, heading["number"], heading["title"].strip(), []))
        elif entries and _END.fullmatch(line.text):
            return front, entries, list(lines[at:])
        else:
            (entries[-1].lines if entries else front).append(line)
    return front, entries, []


def _read_entry(entry: _Entry, reading: Reading) -> None:
    keys, secondary, settings_line, text = _parts(entry)
    above = entry.lines[: len(entry.lines) - len(text)]
    stated = [entry.heading, *(line for line in above if not _BUTTON.fullmatch(line.text))]
    if not text:
        reading.set_aside(stated, "an entry without text")
        reading.note(Action.MISSING, [line.number for line in stated], f"entry {entry.number} has no text")
        return
    reading.drafts.append(
        Draft(
            title=entry.title or f"Entry {entry.number}",
            text="".join(_paragraphs(text)),
            lines=tuple(line.number for line in [*stated, *text]),
            number=entry.number,
            keys=keys,
            settings=_settings(settings_line, secondary, reading),
        )
    )


def _parts(entry: _Entry) -> tuple[tuple[str, ...], tuple[str, ...], TextLine, list[TextLine]]:
    """Return the entry's keys, secondary keys, line of settings and lines of text."""
    keys: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    at = 0
    while found := _KEYS.fullmatch(entry.lines[at].text):
        at += 1
        listed = tuple(key for part in found["keys"].split(",") if (key := " ".join(part.split())))
        if found["secondary"].lower() == "keys":
            keys = listed
        else:
            secondary = listed
    text = entry.lines[at + 1 :]
    if text and _BUTTON.fullmatch(text[0].text):
        text = text[1:]
    return keys, secondary, entry.lines[at], text


def _paragraphs(lines: list[TextLine]) -> Iterator[str]:
    """Yield the text again with one blank line where the document has any."""
    for at, line in enumerate(lines):
        if at:
            yield "\n" if lines[at - 1].number == line.number - 1 else "\n\n"
        yield line.text


def _settings(line: TextLine, secondary: tuple[str, ...], reading: Reading) -> EntrySettings:
    state, *parts = (part.strip() for part in line.text.split("·"))
    values: dict[str, object] = {
        "constant": state.lower() == "always on",
        "enabled": state.lower() != "disabled",
        "secondary_keys": secondary,
    }
    for part in parts:
        value = _setting(part)
        if value is None:
            reading.note(Action.DROPPED, [line.number], f"the setting “{part}” is not known")
        else:
            values |= value
    return EntrySettings.model_validate(values)


def _setting(part: str) -> dict[str, object] | None:
    plain = part.lower().replace("’", "'")
    if number := re.fullmatch(r"order (-?\d{1,9})", plain):
        return {"insertion_order": int(number[1])}
    if (number := re.fullmatch(r"(\d{1,3}(?:\.\d+)?) ?%", plain)) and float(number[1]) <= 100:  # noqa: PLR2004 (per cent)
        return {"probability": float(number[1])}
    if number := re.fullmatch(r"(?:at )?depth (\d{1,9})", plain):
        return {"depth": int(number[1]), "position": Position.AT_DEPTH}
    return {"position": _POSITIONS[plain]} if plain in _POSITIONS else None


def _drop_buttons(entries: list[_Entry], reading: Reading) -> None:
    buttons = [line for entry in entries for line in entry.lines[:_LOOK_AHEAD] if _BUTTON.fullmatch(line.text)]
    reading.drop(buttons, "a button of the page")


def _close(back: list[TextLine], made: int, reading: Reading) -> None:
    if not back:
        return
    numbers = [line.number for line in back]
    reading.set_aside(back, "provenance: the page's count and its list of files")
    reading.note(Action.KEPT, numbers, "the page's count and its list of files, as provenance")
    end = _END.fullmatch(back[0].text)
    if end and int(end["total"]) != made:
        reading.note(Action.MISSING, numbers[:1], f"the page counts {end['total']} entries; it shows {made}")
