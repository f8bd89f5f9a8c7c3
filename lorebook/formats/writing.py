"""
A new file from a content, and what of the content is not in it: found by reading what was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from lorebook.errors import FormatError
from lorebook.formats import telling
from lorebook.formats.assets import main_icon, main_picture
from lorebook.formats.card import OWN_PICTURE
from lorebook.formats.cover import draw_title
from lorebook.formats.differences import differences
from lorebook.formats.format import Content, Export, Format, Json, Loss, LossKind, Slot
from lorebook.formats.losses import losses
from lorebook.formats.notes import Notes
from lorebook.formats.payload import dumped


class Made(NamedTuple):
    """
    A new file, and what it says when it is read.
    """

    export: Export
    says: Content


def export(form: Format, content: Content, *, strict: bool = False) -> Export:
    """
    Return *content* as a new file of *form*; *strict* keeps to the letter of the specification.

    Raises FormatError where the format is only read, or holds nothing that *content* has.
    """
    return make(form, content, strict=strict).export


def make(form: Format, content: Content, *, strict: bool = False, sketch: bool = False) -> Made:
    """
    Return what `export` does, with what it says; a *sketch* shows a dot for a picture, so that none has to be drawn.
    """
    content = _fitting(form, content)
    ready, files = form.pack(content) if form.pack else (content, {})
    told = telling.told(form, ready, partial(_values, form, strict=strict))
    values = told.parts
    parts = dict(files)
    for part, value in values.items():
        parts |= _parts(_slot(form, part), value)
    shown = _Picture(DOT) if sketch else _picture(form, content, files)
    segments = form.container.build(parts, shown.data if form.shows_picture else b"")
    counts = next(slot.part for slot in form.slots if slot.part in values)
    schema = form.written[counts]
    says = schema.read(values[counts], "$", Notes())
    found = [*map(told.explained, losses(schema, differences(ready, says))), *_lost_files(form, content), *shown.losses]
    named = {(loss.entry, loss.field) for loss in found}
    # What is not there, or not as it was, nobody can pass over.
    found += [loss for loss in schema.remarks(ready) if (loss.entry, loss.field) not in named]
    return Made(Export(segments, tuple(found)), says)


def _values(form: Format, content: Content, *, strict: bool) -> dict[str, Json]:
    return {part: schema.write(content, strict) for part, schema in form.written.items()}


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


class _Picture(NamedTuple):
    """
    The picture that a file shows, and what becomes of the character's own.
    """

    data: bytes
    losses: tuple[Loss, ...] = ()


def _picture(form: Format, content: Content, files: Mapping[str, bytes]) -> _Picture:
    """
    Return the picture for a file with *files* in it: the character's own, or a cover where it has none to show.
    """
    if not form.shows_picture:
        # Some formats have it among their files.
        is_lost = OWN_PICTURE in content.files and not files
        return _Picture(b"", (_NO_PICTURE,) if is_lost else ())
    try:
        return _Picture(main_picture(content, whole=form.recodes_picture) or _drawn(content))
    except FormatError as error:
        kind = LossKind.UNREAD if main_icon(content) in files.values() else LossKind.CHANGED
        return _Picture(_drawn(content), (Loss(None, "card.picture", f"{error.what}; a cover is drawn instead", kind),))


def _drawn(content: Content) -> bytes:
    """
    Return a cover with the character's name or, where it has none, the book's.
    """
    return draw_title(content.needed_card.name or (content.book.name if content.book else ""))


def _lost_files(form: Format, content: Content) -> Iterator[Loss]:
    named = {asset.uri for asset in content.card.assets} if content.card else set()
    count = len(named & set(content.files) - {OWN_PICTURE})
    if count and form.pack is None:
        what = "file" if count == 1 else f"{count} files"
        yield Loss(None, "card.files", f"the file has no room for the {what} that the card brings along")


_NO_PICTURE = Loss(None, "card.picture", "the file has no room for a picture")
# The smallest picture there is: one black pixel.
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b"
    "550000000a49444154789c636000000002000148afa4710000000049454e44ae426082"
)
