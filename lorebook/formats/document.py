"""
A file that was read: its content, the source beside it, and how it is written back with only the changes in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from lorebook.book import Book
from lorebook.errors import FormatError
from lorebook.formats.card import Card
from lorebook.formats.containers.container import Data, Opened, streamed, stretch
from lorebook.formats.differences import differences
from lorebook.formats.envelope import Envelope
from lorebook.formats.following import followed, gist
from lorebook.formats.format import Content, Export, Format, Json, Loss, Schema, Slot
from lorebook.formats.losses import losses
from lorebook.formats.notes import Note, Notes
from lorebook.formats.patching import patched
from lorebook.formats.payload import Payload, dumped

_SHOWN = 5


class Change(NamedTuple):
    """
    New parts, and what they say.
    """

    parts: Mapping[str, bytes]
    says: Content


@dataclass(frozen=True)
class Reading:
    """
    What one slot of a file says, and how to say something else there.
    """

    slot: Slot
    name: str
    """The part, or the pattern of several that are one value."""
    schema: Schema
    reason: str
    payloads: Mapping[str, Payload]
    """The JSON of each part."""
    envelope: Envelope
    value: Any
    """What the schema read: the JSON without its envelope, in its usual shape, its mojibake mended."""
    content: Content

    @property
    def is_hollow(self) -> bool:
        """
        Whether there is a book and nothing where its entries should be: another payload's book counts.
        """
        return self.content.book is not None and not self.schema.entries_at(self.value)

    def unchanged(self) -> dict[str, bytes]:
        """
        Return the parts as they are, mended where their packing was damaged.
        """
        return {name: payload.bytes_of(payload.json.value) for name, payload in self.payloads.items()}

    def changed(self, content: Content, *, strict: bool) -> Change:
        """
        Return the parts with *content* in them.
        """
        value = patched(self.schema, self.value, self.content, content, strict=strict)
        return Change(self._packed(value), self.schema.read(value, "$", Notes()))

    def _packed(self, value: Json) -> dict[str, bytes]:
        if not self.slot.together:
            payload = self.payloads[self.name]
            return {self.name: payload.bytes_of(self.envelope.around(value))}
        return {
            name: self.payloads[name].bytes_of(inner) if name in self.payloads else dumped(inner)
            for name, inner in value.items()
        }


@dataclass(frozen=True)
class Document:
    """
    A lorebook or card file.
    """

    form: Format
    reason: str
    """What gave its format away."""
    data: Data
    opened: Opened
    readings: tuple[Reading, ...]
    """Every payload that was found; the first counts."""
    content: Content
    notes: tuple[Note, ...]
    """What was mended or had to be interpreted."""

    @property
    def book(self) -> Book | None:
        """
        The lorebook in it.
        """
        return self.content.book

    @property
    def card(self) -> Card | None:
        """
        The character in it.
        """
        return self.content.card

    def write(self, content: Content | None = None, *, strict: bool = False) -> Export:
        """
        Return the file with *content* in it: what did not change stays byte for byte, in every payload.

        Damage that was noted is mended. A format that is only read gives the file back as it is; FormatError for more.
        """
        if content is None or (content.book, content.card) == (self.book, self.card):
            if not self.form.writes:
                return Export((stretch(self.data, 0),))
            parts = self._parts(reading.unchanged() for reading in self.readings)
            return Export(self.opened.replaced(parts))
        if not self.form.writes:
            raise FormatError(f"{self.form.title} is only read: {self.form.read_only}", hint="convert it instead")
        content = self.readings[0].schema.pinned(self.content, content)
        changes = [reading.changed(self._for(reading, content), strict=strict) for reading in self.readings]
        parts = self._parts(change.parts for change in changes)
        return Export(self.opened.replaced(parts), tuple(self._losses(content, [change.says for change in changes])))

    def _losses(self, content: Content, said: list[Content]) -> Iterator[Loss]:
        """
        Yield what of *content* is not *said* by the payload that counts: the book's may be another than the card's.
        """
        card = next((n for n, reading in enumerate(self.readings) if reading.content.card), None)
        book = next((n for n, reading in enumerate(self.readings) if reading.content.book), None)
        wanted = {(book or 0) if card is None else card: content}
        if card is not None and book is not None and card != book:
            wanted = {card: replace(content, book=None), book: replace(content, card=None)}
        for n, part in wanted.items():
            yield from losses(self.readings[n].schema, differences(part, said[n]))

    def _for(self, reading: Reading, content: Content) -> Content:
        """
        Return *content* for one payload: one without a book stays so where another has it.
        """
        if reading.slot.follows and reading is not self.readings[0]:
            return followed(reading.content, self.content, content)
        elsewhere = reading.content.book is None and self.book is not None
        return replace(content, book=None) if elsewhere else content

    def _parts(self, changed: Iterable[Mapping[str, bytes]]) -> dict[str, bytes]:
        result: dict[str, bytes] = {}
        for reading, parts in zip(self.readings, changed, strict=True):
            inside = reading.slot.inside
            for name, data in parts.items():
                if inside is None:
                    result[name] = data
                else:
                    opened = inside.open(self.opened.parts[name], Notes())
                    result[name] = b"".join(streamed(opened.replaced({reading.slot.inner: data})))
        return result


def note_disagreement(readings: list[Reading], notes: Notes) -> None:
    """
    Note where a payload says something else than the first, of what its own schema can say.
    """
    first = readings[0]
    for other in readings[1:]:
        content, theirs = first.content, other.content
        if first.content.book is None and other.content.book is not None:
            notes.add(f"`{other.name}`", f"has a lorebook and `{first.name}` has none; it is the card's")
        if None in (first.content.book, other.content.book) or first.is_hollow:
            content, theirs = replace(content, book=None), replace(theirs, book=None)
        if other.content.card is None:
            content = replace(content, card=None)
        told = _again(other.schema, content)
        pair = [gist(item) if other.slot.follows else item for item in (told, theirs)]
        names = [_named(found.entry, found.field) for found in differences(*pair)]
        if names and not other.slot.follows:
            # What only one of the two can say is no disagreement.
            heard = {_named(found.entry, found.field) for found in differences(content, _again(first.schema, theirs))}
            names = [name for name in names if name in heard]
        if names:
            shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
            notes.add(f"`{other.name}`", f"differs from `{first.name}`, which counts: {shown}")


def _again(schema: Schema, content: Content) -> Content:
    """
    Return *content* as *schema* can say it.
    """
    return schema.read(schema.write(content, False), "$", Notes())


def _named(entry: int | None, field: str) -> str:
    return field if entry is None else f"entry {entry} {field}"
