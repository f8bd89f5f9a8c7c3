"""
A file as one of another format, with the original tucked in, so that the way back undoes what was lost.

The original stands in `extensions["lorebook"]["origin"]` of the card, or of a book without one: its format, and its
bytes in base64 of zlib. On the way back to that format what was changed meanwhile is changed in the original, and
nothing else.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from lorebook.errors import LorebookError
from lorebook.formats import rebasing
from lorebook.formats.differences import differences
from lorebook.formats.document import Document
from lorebook.formats.format import Content, Export, Format, Loss
from lorebook.formats.vocabulary import ORIGIN, OWN
from lorebook.formats.writing import export

LARGEST_ORIGIN = 1024 * 1024
"""Bytes of an original that is tucked in; a larger one is left out, and the report says so."""
_LARGEST_UNPACKED = 64 * LARGEST_ORIGIN

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
        return document.write()
    original = original_of(document, opener)
    if original is not None and original.form is form and not strict:
        return _restored(original, document, opener)
    content, losses = _tucked(document, form) if origin else (_without_origin(document.content), ())
    made = export(form, content, strict=strict)
    return replace(made, losses=made.losses + losses)


def original_of(document: Document, opener: Opener) -> Document | None:
    """
    Return the file that *document* was converted from, or None where it is not tucked in or cannot be read.
    """
    in_book = document.book.extensions if document.book else {}
    said = _own(_of_card(document.content)).get(ORIGIN) or _own(in_book).get(ORIGIN)
    if not isinstance(said, dict) or not isinstance(said.get("format"), str) or not isinstance(said.get("file"), str):
        return None
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(said["file"], validate=True), _LARGEST_UNPACKED)
        return opener(data, said["format"]) if unpacker.eof else None
    except (binascii.Error, ValueError, zlib.error, LorebookError):
        # Somebody else's data under this name: the file then stands for itself.
        return None


def _restored(original: Document, document: Document, opener: Opener) -> Export:
    """
    Return *original* with what *document* says otherwise than its unchanged conversion.
    """
    forth = opener(export(document.form, _tucked(original, document.form)[0]).data, document.form.name)
    if not any(True for _ in differences(forth.content, document.content)) and _same_entries(forth, document):
        return Export((original.data,) if isinstance(original.data, bytes) else (original.data[:],))
    base, changed = _without_origin(forth.content), _without_origin(document.content)
    return original.write(rebasing.rebased(original.content, base, changed))


def _same_entries(one: Document, other: Document) -> bool:
    return len(one.book.entries if one.book else ()) == len(other.book.entries if other.book else ())


def _tucked(document: Document, form: Format) -> tuple[Content, tuple[Loss, ...]]:
    """
    Return the content of *document* with the file itself in it, and a loss where it is too large for that.
    """
    bare = _without_origin(document.content)
    if len(document.data) > LARGEST_ORIGIN:
        why = f"the file is larger than {LARGEST_ORIGIN // 1024} KiB, so it is not tucked in for the way back"
        return bare, (Loss(None, ORIGIN, why),)
    packed = base64.b64encode(zlib.compress(document.data[:], 9)).decode()
    said = {ORIGIN: {"format": document.form.name, "file": packed}}
    if form.is_card:
        return replace(bare, card=replace(bare.needed_card, extensions=_saying(_of_card(bare), said))), ()
    book = bare.needed_book
    return replace(bare, book=book.model_copy(update={"extensions": _saying(book.extensions, said)})), ()


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
