"""
What else stood in a book or card goes along into a new file, but for names by which programs tell one file from others.

A `spec`, a `kind` or a `type` of the old file would have the new one taken for another format, or for none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypeVar

from lorebook.book import Book, Entry
from lorebook.formats import vocabulary
from lorebook.formats.catalogue import FORMATS
from lorebook.formats.format import Content, Format, Json, Loss

Parts: TypeAlias = Mapping[str, Json]
"""The values of a new file, by the part that each is in."""

_Item = TypeVar("_Item", Book, Entry)
_WHY = "by this name the file would be taken for one of another format, or of none"


class Field(NamedTuple):
    """
    Something that is not understood, of the book, of the card, or of all entries that have it.
    """

    in_entries: bool
    named: str
    """As in `Loss.field`."""


class Told(NamedTuple):
    """
    The values of a file that is taken for what it is, and what had to be left out for it.
    """

    parts: Parts
    left_out: frozenset[Field] = frozenset()

    def explained(self, loss: Loss) -> Loss:
        """
        Return *loss* with its reason where that is here.
        """
        return replace(loss, why=_WHY) if Field(loss.entry is not None, loss.field) in self.left_out else loss


def told(form: Format, content: Content, write: Callable[[Content], Parts]) -> Told:
    """
    Return what *write* makes of *content* for a file of *form*, without the fields by which it is taken for another.

    A book without entries may be taken for another format whatever is left out; then nothing need be.
    """
    parts = write(content)
    if _taken_for(form, parts) is form:
        return Told(parts)

    def made(left_out: frozenset[Field]) -> Parts:
        return write(_without(content, left_out))

    every = frozenset(_fields(content))
    wanted = _taken_for(form, made(every))
    if wanted is None or _taken_for(form, parts) is wanted:
        return Told(parts)
    left_out = _needed(sorted(every), every, lambda fields: _taken_for(form, made(fields)) is wanted)
    return Told(made(left_out), left_out)


def _taken_for(form: Format, parts: Parts) -> Format | None:
    """
    Return the format that a file like one of *form* with *parts* is taken for.
    """
    alike = (known for known in FORMATS.values() if known.container is form.container)
    return next((known for known in alike if _claims(known, parts)), None)


def _claims(known: Format, parts: Parts) -> bool:
    slots = [slot for slot in known.slots if slot.part in parts and not slot.yaml]
    return any(schema.detect(parts[slot.part]) is not None for slot in slots for schema in slot.schemas)


def _needed(
    group: list[Field], left_out: frozenset[Field], is_well: Callable[[frozenset[Field]], bool]
) -> frozenset[Field]:
    """
    Return *left_out* without those of *group* that can stay: few cannot, so half of them are tried at a time.
    """
    if not group or is_well(left_out - set(group)):
        return left_out - set(group)
    if len(group) > 1:
        middle = len(group) // 2
        left_out = _needed(group[:middle], left_out, is_well)
        return _needed(group[middle:], left_out, is_well)
    return left_out


def _fields(content: Content) -> Iterable[Field]:
    book, card = content.book, content.card
    if book is not None:
        yield from (Field(False, f"fields.{name}") for name in vocabulary.fields(book))
        yield from (Field(True, f"fields.{name}") for entry in book.entries for name in vocabulary.fields(entry))
    if card is not None:
        yield from (Field(False, f"card.fields.{name}") for name in card.fields)


def _without(content: Content, left_out: frozenset[Field]) -> Content:
    book, card = content.book, content.card
    if book is not None:
        entries = tuple(_bare(entry, left_out, in_entries=True) for entry in book.entries)
        book = _bare(book, left_out, in_entries=False).model_copy(update={"entries": entries})
    if card is not None:
        kept = {
            name: value for name, value in card.fields.items() if Field(False, f"card.fields.{name}") not in left_out
        }
        card = replace(card, fields=kept)
    return replace(content, book=book, card=card)


def _bare(item: _Item, left_out: frozenset[Field], *, in_entries: bool) -> _Item:
    fields = vocabulary.fields(item)
    kept = {name: value for name, value in fields.items() if Field(in_entries, f"fields.{name}") not in left_out}
    if len(kept) == len(fields):
        return item
    return item.model_copy(update={"extensions": vocabulary.with_fields(item, kept)})
