"""
From the bytes of a file to a document: which container it is, which format, and what it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import islice
from typing import NamedTuple

from lorebook.errors import FormatError
from lorebook.formats import assets, envelope, payload, plainyaml
from lorebook.formats.containers.container import Container, Data, Opened
from lorebook.formats.containers.text import WHOLE
from lorebook.formats.document import Document, Reading, note_disagreement
from lorebook.formats.envelope import Envelope
from lorebook.formats.format import Content, Format, Json, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.payload import Payload
from lorebook.formats.seen import describe_file, describe_parts, describe_value

_BLANK = 4096
"""Bytes of a file that is looked at for being blank."""
_AGAIN = "get the file again from where it came, or mend it there"
"""What to do where nothing better is known."""

_LONGEST_NAME = 200
"""Characters of a file's name in a note."""


class _Found(NamedTuple):
    """
    A slot whose JSON a schema claims.
    """

    slot: Slot
    name: str
    schema: Schema
    reason: str
    payloads: Mapping[str, Payload]
    envelope: Envelope
    value: Json


class _Way(NamedTuple):
    """
    A part, and how it is read.
    """

    name: str
    base64: bool
    plain_too: bool
    yaml: bool


class _Opening:
    """
    A container being searched: every part is read once, whatever number of formats look at it.
    """

    def __init__(self, opened: Opened, notes: Notes) -> None:
        self.opened, self.notes = opened, notes
        self._failures: dict[_Way, FormatError] = {}
        self._payloads: dict[_Way, Payload | None] = {}

    def failures(self, form: Format | None = None) -> list[FormatError]:
        """
        Return why parts could not be read, in the order of trying: those that *form* wants, or all.
        """
        slots = form.slots if form else ()
        wanted = {_way(slot, part) for slot in slots for name in self._names(slot) for part in self._parts(slot, name)}
        return [error for way, error in self._failures.items() if form is None or way in wanted]

    def format_of(self, formats: Iterable[Format]) -> Format | None:
        """
        Return the first of *formats* that has something in the file; nothing is looked for in envelopes until then.
        """
        formats = list(formats)
        for layers in (1, None):
            for form in formats:
                if self.found(form, layers=layers):
                    return form
        return None

    def found(self, form: Format, *, layers: int | None = None, forced: bool = False) -> list[_Found]:
        """
        Return the slots of *form* that are there and say something; *forced* takes the first schema at its word.

        Of a value in envelopes the outer *layers* are looked at, all of them for None.
        """
        looks = (self._look(slot, name, layers, forced=forced) for slot in form.slots for name in self._names(slot))
        return [found for found in looks if found]

    def failure(self) -> FormatError | None:
        """
        Return why nothing could be read; None where something was and says nothing.

        A text that resembles YAML was tried as JSON, too; what that said is no help.
        """
        is_yaml = any(way.yaml for way in self._payloads) and plainyaml.resembles(self.opened.parts[WHOLE])
        return next((error for way, error in self._failures.items() if way.yaml or not is_yaml), None)

    def seen(self, container: Container, formats: Iterable[Format]) -> str:
        """
        Return what was found instead of what *formats* look for.
        """
        for way, found in self._payloads.items():
            if not way.name and found is not None:
                return describe_value(found.json.value, "YAML" if way.yaml else "JSON")
        wanted = (slot.part for form in formats if form.container is container for slot in form.slots)
        return describe_parts(container.name, self.opened.parts, wanted)

    def _names(self, slot: Slot) -> Iterator[str]:
        matching = self._matching(slot)
        if slot.together and matching:
            yield slot.part
        elif not slot.together:
            yield from matching

    def _matching(self, slot: Slot) -> list[str]:
        patterns = (slot.part, *slot.more)
        return [part for part in self.opened.parts if any(fnmatchcase(part, each) or part == each for each in patterns)]

    def _look(self, slot: Slot, name: str, layers: int | None, *, forced: bool) -> _Found | None:
        payloads = {part: self._payload(slot, part) for part in self._parts(slot, name)}
        there = {part: found for part, found in payloads.items() if found is not None}
        if not there:
            return None
        whole = {part: found.json.value for part, found in there.items()} if slot.together else there[name].json.value
        for around, value in islice(envelope.opened(whole), layers):
            for schema in slot.schemas:
                reason = schema.detect(value)
                if reason is not None:
                    return _Found(slot, name, schema, reason, there, around, value)
        return _Found(slot, name, slot.schemas[0], "so it was said", there, Envelope(), whole) if forced else None

    def _parts(self, slot: Slot, name: str) -> list[str]:
        return self._matching(slot) if slot.together else [name]

    def _payload(self, slot: Slot, name: str) -> Payload | None:
        way = _way(slot, name)
        if way not in self._payloads:
            try:
                self._payloads[way] = self._unpack(slot, name)
            except FormatError as error:
                self._failures[way] = FormatError(error.what, where=_where(name, error.where), hint=error.hint)
                self._payloads[way] = None
        return self._payloads[way]

    def _unpack(self, slot: Slot, name: str) -> Payload | None:
        data, where = self.opened.parts[name], f"`{name}`" if name else ""
        if slot.inside is not None:
            data = slot.inside.open(data, self.notes).parts[slot.inner]
        if slot.yaml:
            return payload.unpack_yaml(data, self.notes, where)
        return payload.unpack(data, self.notes, where, base64_=slot.base64, plain_too=slot.plain_too)


def _way(slot: Slot, name: str) -> _Way:
    return _Way(name, slot.base64, slot.plain_too, slot.yaml)


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
    notes = Notes()
    container, claim = _container(data, containers, form)
    seen = describe_file(data) if container is containers[-1] else None
    if seen:
        raise FormatError(f"no lorebook and no card: {seen}", hint=_hint(formats))
    opening = _Opening(container.open(data, notes), notes)
    known = form or opening.format_of(known for known in formats.values() if known.container is container)
    found = opening.found(known, forced=form is not None) if known else []
    if known and found:
        return _document(known, data, opening, found, claim)
    if failure := opening.failure():
        raise failure
    raise FormatError(f"no lorebook and no card: {opening.seen(container, formats.values())}", hint=_hint(formats))


def _container(data: Data, containers: tuple[Container, ...], form: Format | None) -> tuple[Container, str]:
    for container in (form.container,) if form else containers:
        claim = container.claims(data)
        if claim is not None:
            return container, claim
    if form is None:
        raise FormatError("the file is of no kind that has lorebooks or cards in it")
    raise FormatError(f"the file is no {form.title}: its first bytes are others", hint="leave --from out")


def _document(form: Format, data: Data, opening: _Opening, found: list[_Found], claim: str) -> Document:
    readings, unread = _readings(opening, found)
    for failure in opening.failures(form) + unread:
        opening.notes.add(failure.where, f"{failure.what}; the other payloads count")
    note_disagreement(readings, opening.notes)
    content = _content(form, data, opening.opened, readings, opening.notes)
    first = found[0]
    reason = "; ".join(part for part in (claim if first.name else "", first.reason) if part)
    return Document(form, reason, data, opening.opened, tuple(readings), content, tuple(opening.notes))


def _readings(opening: _Opening, found: list[_Found]) -> tuple[list[Reading], list[FormatError]]:
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


def _read(notes: Notes, found: _Found) -> Reading:
    where = f"`{found.name}` $" if found.name and not found.slot.together else "$"
    if found.envelope.name:
        where = f"{where}.{found.envelope.name}"
        notes.add(where, "is in an envelope; read as if it stood alone")
    value = _mended(found, notes, where)
    content = found.schema.read(value, where, notes)
    return Reading(found.slot, found.name, found.schema, found.reason, found.payloads, found.envelope, value, content)


def _mended(found: _Found, notes: Notes, where: str) -> Json:
    """
    Return the value with its texts mended; of several parts each for itself, their names as they are.
    """
    if not found.slot.together:
        return payload.mend_surrogates(payload.mend_mojibake(found.value, notes, where), notes, where)
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


def _where(name: str, where: str) -> str:
    return ": ".join(part for part in (f"`{name}`" if name and f"`{name}`" not in where else "", where) if part)


def _hint(formats: Mapping[str, Format]) -> str:
    return f"`lorebook formats` lists the {len(formats)} that are read"
