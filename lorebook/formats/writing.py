"""
A new file from a content, and what of the content is not in it: found by reading what was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lorebook.errors import FormatError
from lorebook.formats.assets import main_picture
from lorebook.formats.card import OWN_PICTURE
from lorebook.formats.cover import draw_title
from lorebook.formats.differences import differences
from lorebook.formats.format import Content, Export, Format, Json, Loss, Slot
from lorebook.formats.losses import losses
from lorebook.formats.notes import Notes
from lorebook.formats.payload import dumped


def export(form: Format, content: Content, *, strict: bool = False) -> Export:
    """
    Return *content* as a new file of *form*; *strict* keeps to the letter of the specification.

    Raises FormatError where the format is only read, or holds nothing that *content* has.
    """
    content = _fitting(form, content)
    ready, parts = form.pack(content) if form.pack else (content, {})
    values = {part: schema.write(ready, strict) for part, schema in form.written.items()}
    parts = dict(parts)
    for part, value in values.items():
        parts |= _parts(_slot(form, part), value)
    segments = form.container.build(parts, _picture(form, content))
    return Export(segments, tuple(_losses(form, content, ready, values)))


def _fitting(form: Format, content: Content) -> Content:
    if not form.writes:
        raise FormatError(
            f"{form.title} is only read: {form.read_only}", hint="`lorebook formats` lists what is written"
        )
    if form.is_card:
        return replace(content, card=content.needed_card)
    return replace(content, book=content.needed_book)


def _slot(form: Format, part: str) -> Slot:
    return next(slot for slot in form.slots if slot.part == part)


def _parts(slot: Slot, value: Json) -> dict[str, bytes]:
    if slot.together:
        return {name: dumped(inner) for name, inner in value.items()}
    data = dumped(value, base64_=slot.base64, indent=None if slot.base64 or slot.inside else 2)
    if slot.inside is not None:
        data = b"".join(slot.inside.build({slot.inner: data}, b""))
    return {slot.part: data}


def _picture(form: Format, content: Content) -> bytes:
    if not form.shows_picture:
        return b""
    return main_picture(content) or _drawn(content)


def _drawn(content: Content) -> bytes:
    """
    Return a cover with the character's name or, where it has none, the book's.
    """
    return draw_title(content.needed_card.name or (content.book.name if content.book else ""))


def _losses(form: Format, content: Content, ready: Content, values: dict[str, Any]) -> Iterator[Loss]:
    """
    Yield what the payload that counts does not say of *content*, then what readers may pass over.
    """
    part = next(slot.part for slot in form.slots if slot.part in values)
    schema = form.written[part]
    found = [*losses(schema, differences(ready, schema.read(values[part], "$", Notes()))), *_lost_files(form, content)]
    named = {(loss.entry, loss.field) for loss in found}
    yield from found
    # What is not there, or not as it was, nobody can pass over.
    yield from (loss for loss in schema.remarks(ready) if (loss.entry, loss.field) not in named)


def _lost_files(form: Format, content: Content) -> Iterator[Loss]:
    named = {asset.uri for asset in content.card.assets} if content.card else set()
    count = len(named & set(content.files) - {OWN_PICTURE})
    if count and form.pack is None:
        yield Loss(None, "card.files", f"the file has no room for the {count} files that the card brings along")
