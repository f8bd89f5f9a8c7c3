"""
A file whose container is open: which parts there are, what is in each, and which formats claim it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import count, islice
from typing import NamedTuple, TypeAlias

from lorebook.errors import FormatError
from lorebook.formats import envelope, payload, plainyaml
from lorebook.formats.containers.container import Container, Opened
from lorebook.formats.containers.text import WHOLE
from lorebook.formats.envelope import Envelope
from lorebook.formats.format import Format, Json, Schema, Slot
from lorebook.formats.notes import Notes
from lorebook.formats.payload import Payload
from lorebook.formats.seen import Seen, describe_parts, describe_value

_Value: TypeAlias = tuple[Envelope, Json]
"""What may be a card or book, and what is around it."""


class Found(NamedTuple):
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


class Opening:
    """
    A container being searched: every part is read once, whatever number of formats look at it.
    """

    def __init__(self, opened: Opened, notes: Notes) -> None:
        self.opened, self.notes = opened, notes
        self._failures: dict[_Way, FormatError] = {}
        self._payloads: dict[_Way, Payload | None] = {}
        self._values: dict[_Way, tuple[list[_Value], Iterator[_Value]]] = {}

    def failures(self, form: Format | None = None) -> list[FormatError]:
        """
        Return why parts could not be read, in the order of trying: those that *form* wants, or all.
        """
        slots = form.slots if form else ()
        wanted = {_way(slot, part) for slot in slots for name in self._names(slot) for part in self._parts(slot, name)}
        return [error for way, error in self._failures.items() if form is None or way in wanted]

    def format_of(self, formats: Iterable[Format]) -> Format | None:
        """
        Return the first of *formats* that has something in the file; where none has, the first in one more envelope.
        """
        formats = list(formats)
        for layer in count():
            for form in formats:
                if self.found(form, layer=layer):
                    return form
            if all(len(values) <= layer for values, _ in self._values.values()):
                break
        return None

    def found(self, form: Format, *, layer: int | None = None, forced: bool = False) -> list[Found]:
        """
        Return the slots of *form* that are there and say something; *forced* takes the first schema at its word.

        Of what may be in envelopes all is looked at, or only the one *layer*, counted from 0.
        """
        found: list[Found] = []
        for slot in form.slots:
            names = list(self._names(slot))
            if slot.astray and (len(names) > 1 or any(each.slot.schemas is slot.schemas for each in found)):
                continue
            looks = (self._look(slot, name, layer, forced=forced) for name in names)
            found += [look for look in looks if look]
        return found

    def failure(self) -> FormatError | None:
        """
        Return why nothing could be read; None where something was and says nothing.

        A text that resembles YAML was tried as JSON, too; what that said is no help.
        """
        is_yaml = any(way.yaml for way in self._payloads) and plainyaml.resembles(self.opened.parts[WHOLE])
        return next((error for way, error in self._failures.items() if way.yaml or not is_yaml), None)

    def seen(self, container: Container, formats: Iterable[Format]) -> Seen:
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

    def _look(self, slot: Slot, name: str, layer: int | None, *, forced: bool) -> Found | None:
        payloads = {part: self._payload(slot, part) for part in self._parts(slot, name)}
        there = {part: found for part, found in payloads.items() if found is not None}
        if not there:
            return None
        whole = {part: found.json.value for part, found in there.items()} if slot.together else there[name].json.value
        values = self._opened(_way(slot, name), whole, layer)
        for around, value in values:
            for schema in slot.schemas:
                reason = schema.detect(value)
                if reason is not None:
                    return Found(slot, name, schema, reason, there, around, value)
        return Found(slot, name, slot.schemas[0], "so it was said", there, *values[0]) if forced else None

    def _opened(self, way: _Way, whole: Json, layer: int | None) -> list[_Value]:
        values, left = self._values.setdefault(way, ([], envelope.opened(whole)))
        values.extend(islice(left, None if layer is None else max(layer + 1 - len(values), 0)))
        return values if layer is None else values[layer : layer + 1]

    def _parts(self, slot: Slot, name: str) -> list[str]:
        return self._matching(slot) if slot.together else [name]

    def _payload(self, slot: Slot, name: str) -> Payload | None:
        way = _way(slot, name)
        if way not in self._payloads:
            noted = Notes()
            try:
                self._payloads[way] = self._unpack(slot, name, noted)
                for note in noted:
                    self.notes.add(note.where, note.what)
            except FormatError as error:
                self._failures[way] = FormatError(error.what, where=_where(name, error.where), hint=error.hint)
                self._payloads[way] = None
        return self._payloads[way]

    def _unpack(self, slot: Slot, name: str, notes: Notes) -> Payload | None:
        data, where = self.opened.parts[name], f"`{name}`" if name else ""
        if slot.inside is not None:
            data = slot.inside.open(data, notes).parts[slot.inner]
        if slot.yaml:
            return payload.unpack_yaml(data, notes, where)
        return payload.unpack(data, notes, where, base64_=slot.base64, plain_too=slot.plain_too)


def _way(slot: Slot, name: str) -> _Way:
    return _Way(name, slot.base64, slot.plain_too, slot.yaml)


def _where(name: str, where: str) -> str:
    return ": ".join(part for part in (f"`{name}`" if name and f"`{name}`" not in where else "", where) if part)
