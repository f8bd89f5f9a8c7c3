"""
A card as a picture: the cover, with the card V2 in a text `chara` and the card V3 in a text `ccv3`.

The texts are base64 of JSON. A reader that knows V3 takes `ccv3` first (specification V3), so reading does, too.
"""

from __future__ import annotations

import base64
import binascii

from lorebook.book import Book
from lorebook.errors import FormatError
from lorebook.formats import card_v2, card_v3, jsontext, png
from lorebook.formats.card import Card
from lorebook.formats.export import Export, Format

# In the order in which a reader prefers them.
_KEYWORDS = ("ccv3", "chara")
_URL_SAFE = bytes.maketrans(b"-_", b"+/")


def detect(data: bytes) -> str | None:
    """
    Say why *data* is a picture that may have a card in it, or None.
    """
    return "it is a PNG picture" if data.startswith(png.SIGNATURE) else None


def read(data: bytes) -> Book:
    """
    Read the book in the card in a picture.
    """
    keyword, text = _payload(data)
    if text.startswith(b"rcc||"):
        raise FormatError(f"the card in {keyword!r} is locked with a password (RisuAI)")
    packed = b"".join(text.split()).translate(_URL_SAFE).rstrip(b"=")
    try:
        inside = base64.b64decode(packed + b"=" * (-len(packed) % 4), validate=True)
    except binascii.Error as error:
        raise FormatError(f"the text {keyword!r} is not base64: {error}") from error
    try:
        return card_v2.book_in(jsontext.parse(inside))
    except FormatError as error:
        raise FormatError(error.what, where=f"the text {keyword!r}", hint=error.hint) from error


def write(book: Book, *, card: Card) -> Export:
    """
    Write *card* with *book* in it into the picture of its cover.
    """
    older, losses = card_v2.document(book, card)
    newer, more = card_v3.document(book, card)
    texts = {"chara": _packed(older), "ccv3": _packed(newer)}
    return Export(png.replace_texts(card.cover, texts), tuple(dict.fromkeys(losses + more)))


def _packed(document: object) -> bytes:
    return base64.b64encode(jsontext.dump(document, indent=None))


def _payload(data: bytes) -> tuple[str, bytes]:
    found: dict[str, bytes] = {}
    for keyword, text in png.read_texts(data):
        # Of two equal keywords the first counts, as for SillyTavern.
        found.setdefault(keyword.lower(), text)
    for keyword in _KEYWORDS:
        if keyword in found:
            return keyword, found[keyword]
    raise FormatError("the picture has no card in it", hint="chat programs and picture hosts take it out")


FORMAT = Format("png", "Character card in a PNG picture", ".png", detect, read, write)
