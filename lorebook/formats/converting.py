"""
A file as one of another format, with the original tucked in, so that the way back undoes what was lost.

The original stands in `extensions["lorebook"]["origin"]` of the card, or of a book without one: its format, its
bytes in base64 of zlib, and whether the conversion was `strict`. On the way back to that format what was changed
meanwhile is changed in the original, and nothing else. An original may have one of its own: on the way back to that,
one after the other is restored. No format is twice on such a way, so it does not grow without end.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from lorebook.errors import LorebookError
from lorebook.formats import asides, listing, rebasing
from lorebook.formats.differences import differences
from lorebook.formats.document import Document
from lorebook.formats.format import Content, Export, Format, Loss, Origin
from lorebook.formats.vocabulary import ORIGIN, OWN
from lorebook.formats.writing import make

LARGEST_ORIGIN = 1024 * 1024
"""Bytes of an original that is tucked in; a larger one is left out, and the report says so."""
_LARGEST_SEEN = 64 * LARGEST_ORIGIN
"""Bytes of one that is restored, packed and unpacked: another version may tuck in larger ones."""

Opener: TypeAlias = Callable[[bytes, str], Document]
"""Reads a file as the format of a name; raises a LorebookError where it cannot."""


def convert(document: Document, form: Format, opener: Opener, *, origin: bool = True, strict: bool = False) -> Export:
    """
    Return *document* as a file of *form*, with the original tucked in for the way back where *origin* is asked for.

    A file that was converted from *form* before becomes its original again, with what was changed since then. The same
    format again is the same file, mended; *strict* writes it anew to the letter of the specification.
    Raises FormatError where *form* is only read, or holds nothing that the file has.
    """
    if form is document.form and not strict:
        return replace(document.write(), origin=Origin.RESTORED)
    way = _way_back(document, form, opener)
    if way and not strict:
        return _all_restored(way, document, opener)
    export = _converted(document, form, origin=origin and not way, strict=strict)
    left = dict.fromkeys(loss for reading in document.readings for loss in reading.schema.left(reading.value))
    in_list = form.is_listed and document.book is not None and listing.is_in_order(document.book)
    lost = [loss for loss in export.losses if not (in_list and loss.field == "insertion_order")]
    named = {(loss.entry, loss.field) for loss in lost}
    # What is lost nobody can pass over.
    passed_over = [loss for loss in _passed_over(document, form) if (loss.entry, loss.field) not in named]
    return replace(export, losses=(*left, *lost, *passed_over))


def _passed_over(document: Document, form: Format) -> Iterator[Loss]:
    """
    Yield what only readers of *document*'s format use, and none of *form*.
    """
    yield from asides.decorators(document.content, document.form.name, form.name)
    if form.app != document.form.app:
        yield from asides.remarks(document.content, document.form.app)


def _converted(document: Document, form: Format, *, origin: bool, strict: bool) -> Export:
    """
    Return *document* as a new file of *form*, with itself in it where *origin* is asked for.
    """
    if not origin or len(document.data) > LARGEST_ORIGIN:
        left_out = Origin.TOO_LARGE if origin else Origin.LEFT_OUT
        return replace(make(form, _bare(document), strict=strict).export, origin=left_out)
    tucked = _tucked(document, form, strict=strict)
    made = make(form, tucked, strict=strict)
    kept = Origin.KEPT if _said(made.says) == _said(tucked) else Origin.NO_ROOM
    return replace(made.export, origin=kept)


class Original(NamedTuple):
    """
    The file that another was converted from, and how.
    """

    document: Document
    strict: bool


def original_of(document: Document, opener: Opener) -> Original | None:
    """
    Return the file that *document* was converted from, or None where it is not tucked in or cannot be read.
    """
    said = _said(document.content)
    if not isinstance(said, dict) or not isinstance(said.get("format"), str) or not isinstance(said.get("file"), str):
        return None
    if len(said["file"]) > _LARGEST_SEEN:
        return None
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(said["file"], validate=True), _LARGEST_SEEN)
        return Original(opener(data, said["format"]), said.get("strict") is True) if unpacker.eof else None
    except (binascii.Error, ValueError, zlib.error, LorebookError):
        # Somebody else's data under this name: the file then stands for itself.
        return None


def _way_back(document: Document, form: Format, opener: Opener) -> list[Original]:
    """
    Return the originals on the way from *document* back to one of *form*; none where there is no such way.
    """
    way: list[Original] = []
    seen: set[str] = set()
    while (original := original_of(document, opener)) and original.document.form.name not in seen:
        way.append(original)
        document = original.document
        if document.form is form:
            return way
        seen.add(document.form.name)
    return []


def _all_restored(way: Iterable[Original], document: Document, opener: Opener) -> Export:
    losses: dict[Loss, None] = {}
    for original in way:
        export = _restored(original, document, opener)
        losses |= dict.fromkeys(export.losses)
        document = opener(export.data, original.document.form.name)
    return replace(export, losses=tuple(losses), origin=Origin.RESTORED)


def _restored(original: Original, document: Document, opener: Opener) -> Export:
    """
    Return *original* with what *document* says otherwise than its unchanged conversion.
    """
    source, strict = original
    tucked = _tucked(source, document.form, strict=strict)
    forth = opener(make(document.form, tucked, strict=strict, sketch=True).export.data, document.form.name)
    if not any(True for _ in differences(forth.content, document.content)) and _same_entries(forth, document):
        return Export((source.data,) if isinstance(source.data, bytes) else (source.data[:],))
    base, changed = _without_origin(forth.content), _without_origin(document.content)
    return source.write(rebasing.rebased(source.content, base, changed))


def _same_entries(one: Document, other: Document) -> bool:
    return len(one.book.entries if one.book else ()) == len(other.book.entries if other.book else ())


def _tucked(document: Document, form: Format, *, strict: bool) -> Content:
    """
    Return the content of *document* with the file itself in it.
    """
    bare = _bare(document)
    packed = base64.b64encode(zlib.compress(document.data[:], 9)).decode()
    origin: dict[str, Any] = {"format": document.form.name, "file": packed} | ({"strict": True} if strict else {})
    said = {ORIGIN: origin}
    if form.is_card:
        return replace(bare, card=replace(bare.needed_card, extensions=_saying(_of_card(bare), said)))
    book = bare.needed_book
    return replace(bare, book=book.model_copy(update={"extensions": _saying(book.extensions, said)}))


def _bare(document: Document) -> Content:
    """
    Return the content of *document* as it goes into a file of another format.
    """
    content = _without_origin(document.content)
    return listing.numbered(content) if document.form.is_listed else content


def _said(content: Content) -> Any:  # noqa: ANN401 (whatever the file has there)
    """
    Return what *content* says of an original.
    """
    in_book = content.book.extensions if content.book else {}
    return _own(_of_card(content)).get(ORIGIN) or _own(in_book).get(ORIGIN)


def _without_origin(content: Content) -> Content:
    book, card = content.book, content.card
    if book is not None:
        book = book.model_copy(update={"extensions": _saying(book.extensions, {})})
    if card is not None:
        card = replace(card, extensions=_saying(card.extensions, {}))
    return replace(content, book=book, card=card)


def _of_card(content: Content) -> Mapping[str, Any]:
    return content.card.extensions if content.card else {}


def _own(extensions: Mapping[str, Any]) -> Mapping[str, Any]:
    own = extensions.get(OWN)
    return own if isinstance(own, dict) else {}


def _saying(extensions: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return *extensions* that say *said* of an origin, and nothing else.
    """
    if ORIGIN not in _own(extensions) and not said:
        return dict(extensions)
    own = {name: value for name, value in _own(extensions).items() if name != ORIGIN} | dict(said)
    return {name: value for name, value in extensions.items() if name != OWN} | ({OWN: own} if own else {})
