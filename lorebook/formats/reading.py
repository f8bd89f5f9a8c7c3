"""
From the bytes of a file to a document: which container it is, which format, and what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

from lorebook.errors import FormatError
from lorebook.formats import assets, payload
from lorebook.formats.containers import moved
from lorebook.formats.containers.container import Container, Data, Opened
from lorebook.formats.containers.text import TEXT
from lorebook.formats.document import Document, Reading, note_disagreement
from lorebook.formats.format import Content, Format, Json
from lorebook.formats.notes import Notes
from lorebook.formats.opening import Found, Opening
from lorebook.formats.seen import Seen, describe_file

_BLANK = 4096
"""Bytes of a file that is looked at for being blank."""
_AGAIN = "get the file again from where it came, or mend it there"
"""What to do where nothing better is known."""

_LONGEST_NAME = 200
"""Characters of a file's name in a note."""


def open_document(
    data: Data,
    formats: Mapping[str, Format],
    containers: tuple[Container, ...],
    *,
    form: Format | None = None,
) -> Document:
    """
    Read the file *data* as one of *formats* or as *form*; of *containers* the first that claims it is opened.

    Raises FormatError, with the place, what was seen instead and what to do, for what cannot be read.
    """
    try:
        return _opened(data, formats, containers, form)
    except FormatError as error:
        raise FormatError(error.what, where=error.where, hint=error.hint or _AGAIN) from error


def _opened(
    data: Data, formats: Mapping[str, Format], containers: tuple[Container, ...], form: Format | None
) -> Document:
    if len(data) <= _BLANK and not data[:].strip(b" \t\r\n\0"):
        raise FormatError("the file is empty", hint="get it again from where it came")
    refusals: list[FormatError] = []
    for container, claim in _containers(data, containers, form):
        try:
            return _opened_as(container, claim, data, formats, form)
        except FormatError as error:
            refusals.append(error)
    if form is not None and not any(container is form.container for container, _ in _claiming(data, containers)):
        raise _misnamed(_opened(data, formats, containers, None).form, form)
    # What a file begins as it is first; another one may be behind it.
    raise refusals[0]


def _misnamed(is_one: Format, form: Format) -> FormatError:
    hint = f"leave --from out, or take --from {is_one.name}"
    return FormatError(f"no {form.title}; the file can be read as: {is_one.title}", hint=hint)


def _opened_as(
    container: Container, claim: str, data: Data, formats: Mapping[str, Format], form: Format | None
) -> Document:
    seen = describe_file(data) if container is TEXT else None
    if seen:
        raise _none(seen, formats)
    notes = Notes()
    opened = container.open(data, notes)
    openings: list[Opening] = []
    for way in chain((opened,), moved.views(opened)):
        openings.append(Opening(way, notes))
        known = form or openings[-1].format_of(known for known in formats.values() if known.container is container)
        found = openings[-1].found(known, forced=form is not None) if known else []
        if known and found:
            if isinstance(way, moved.Moved):
                notes.add("", way.what)
            return _document(known, data, openings[-1], found, claim)
    for opening in openings:
        if failure := opening.failure():
            raise failure
    if notes.is_cut:
        raise _none(Seen("the picture is cut off, and there is none in what is left of it", _AGAIN), formats)
    raise _none(openings[0].seen(container, formats.values()), formats)


def _containers(data: Data, containers: tuple[Container, ...], form: Format | None) -> list[tuple[Container, str]]:
    """
    Return the containers to open *data* with, each with the mark that claims it; of a *form* its own.
    """
    if form is not None:
        claim = form.container.claims(data)
        return [] if claim is None else [(form.container, claim)]
    if claims := _claiming(data, containers):
        return claims
    raise FormatError("the file is of no kind that has lorebooks or cards in it")


def _claiming(data: Data, containers: tuple[Container, ...]) -> list[tuple[Container, str]]:
    """
    Return the containers that claim *data*, each with the mark; anything may be text, which is only asked alone.
    """
    claims = [(container, claim) for container in containers if (claim := container.claims(data)) is not None]
    return [(container, claim) for container, claim in claims if container is not TEXT] or claims


def _document(form: Format, data: Data, opening: Opening, found: list[Found], claim: str) -> Document:
    readings, unread = _readings(opening, found)
    for failure in opening.failures(form) + unread:
        opening.notes.add(failure.where, f"{failure.what}; the other payloads count")
    note_disagreement(readings, opening.notes)
    content = _content(form, data, opening.opened, readings, opening.notes)
    first = found[0]
    reason = "; ".join(part for part in (claim if first.name else "", first.reason) if part)
    return Document(form, reason, data, opening.opened, tuple(readings), content, tuple(opening.notes))


def _readings(opening: Opening, found: list[Found]) -> tuple[list[Reading], list[FormatError]]:
    """
    Return the payloads that can be read, in their order, and why others cannot; raises the first reason for all.
    """
    readings, unread = [], []
    for item in found:
        try:
            readings.append(_read(opening.notes, item))
        except FormatError as error:
            unread.append(error)
    if not readings:
        raise unread[0]
    return readings, unread


def _read(notes: Notes, found: Found) -> Reading:
    part, around = f"`{found.name}` " if found.name and not found.slot.together else "", found.envelope
    if found.slot.astray:
        notes.add(part.strip(), "is not where other programs look for it; read as if it were")
    inside = Notes()
    try:
        value = _mended(found, inside)
        content = found.schema.read(value, "$", inside)
    except FormatError as error:
        where = f"{part}{around.path(error.where)}"
        raise FormatError(error.what, where=where, hint=error.hint) from error
    for place, what in (*around.noted(), *((around.path(note.where), note.what) for note in inside)):
        notes.add(f"{part}{place}" if place.startswith("$") else place, what)
    return Reading(found.slot, found.name, found.schema, found.reason, found.payloads, around, value, content)


def _mended(found: Found, notes: Notes) -> Json:
    """
    Return the value with its texts mended; of several parts each for itself, their names as they are.
    """
    if not found.slot.together:
        return payload.mend_surrogates(payload.mend_mojibake(found.value, notes, "$"), notes, "$")
    mended = {}
    for name, value in found.value.items():
        place = f"`{name}` $"
        mended[name] = payload.mend_surrogates(payload.mend_mojibake(value, notes, place), notes, place)
    return mended


def _content(form: Format, data: Data, opened: Opened, readings: list[Reading], notes: Notes) -> Content:
    card = next((reading.content.card for reading in readings if reading.content.card is not None), None)
    books = [reading for reading in readings if reading.content.book is not None]
    book = next((reading.content.book for reading in sorted(books, key=lambda reading: reading.is_hollow)), None)
    content = Content(book, card)
    if form.assets is None:
        return content
    content = replace(content, files=form.assets(content, opened.parts, data))
    for uri in assets.missing(content):
        notes.add(f"asset `{uri[:_LONGEST_NAME]}`", "the card names it, and it is not in the file")
    return content


def _none(seen: Seen, formats: Mapping[str, Format]) -> FormatError:
    hint = seen.hint or f"`lorebook formats` lists the {len(formats)} that are read"
    return FormatError(f"no lorebook and no card: {seen.what}", hint=hint)
