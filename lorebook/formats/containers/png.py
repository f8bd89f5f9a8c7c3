"""
The PNG container: every text chunk is a part by its keyword in lower case, the comment in Exif data is the part `exif`.

Nothing but what is replaced or damaged changes: pixels, foreign chunks and what follows the end stay as they are.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import partial

from lorebook.errors import FormatError
from lorebook.formats.containers.container import LARGEST_PART, Data, Held, Opened, Pieces, held
from lorebook.formats.containers.parts import Parts
from lorebook.formats.containers.png_chunks import (
    END,
    EXIF,
    SIGNATURE,
    TEXT,
    TEXTS,
    Chunk,
    Edit,
    Layout,
    pack,
    splice,
    walk,
)
from lorebook.formats.containers.png_texts import has_comment, keyword_of, new_exif, new_text, read, rewrite
from lorebook.formats.notes import Notes

EXIF_PART = "exif"

_LATER = re.compile(r".+#\d+", re.DOTALL)
"""The name of a later chunk of the same keyword."""


class Png:
    """
    PNG pictures, animated ones too.
    """

    name = "png"

    def claims(self, data: Data) -> str | None:
        """
        Say whether *data* begins as a PNG.
        """
        return "begins with PNG's signature" if data[: len(SIGNATURE)] == SIGNATURE else None

    def open(self, data: Data, notes: Notes) -> Opened:
        """
        Open the picture *data*; its checksums are checked, its texts are read when they are asked for.

        Raises FormatError where the chain of its chunks breaks.
        """
        data = held(data)
        layout = walk(data, notes)
        return Picture(data, layout, _named(data, layout, notes))

    def build(self, parts: Mapping[str, bytes], picture: bytes) -> Pieces:
        """
        Return *picture* with *parts* before its end, and without its older ones of these names.
        """
        layout = walk(picture, Notes())
        added = _lowered(parts)
        return splice(picture, [*_without(picture, layout, added), *_additions(layout, added)])

    def without(self, data: Held, names: Collection[str]) -> Pieces:
        """
        Return the picture *data* without the parts *names*.
        """
        layout = walk(data, Notes())
        return splice(data, [*_without(data, layout, {name.lower() for name in names}), *_additions(layout, {})])


class Picture:
    """
    A PNG picture that has been opened.
    """

    def __init__(self, data: Held, layout: Layout, named: Mapping[str, Chunk]) -> None:
        self._data = data
        self._layout = layout
        self._named = named
        self.parts: Mapping[str, bytes] = Parts({name: partial(read, data, chunk) for name, chunk in named.items()})
        """By name: `chara`, a second chunk of that keyword `chara#2`, the comment in Exif data `exif`."""

    def replaced(self, parts: Mapping[str, bytes]) -> Pieces:
        """
        Return the picture with *parts* in place of those of the same name, new ones before its end, damage mended.
        """
        wanted = _lowered(parts)
        changed = {
            self._named[name].start: text
            for name, text in wanted.items()
            if name in self._named and not self._has(name, text)
        }
        added = {name: text for name, text in wanted.items() if name not in self._named}
        if EXIF_PART in added and any(chunk.kind == EXIF for chunk in self._layout.chunks):
            raise FormatError("the picture's Exif data have no comment that could be replaced")
        return splice(self._data, [*self._rewritten(changed), *_additions(self._layout, added)])

    def _has(self, name: str, text: bytes) -> bool:
        try:
            return read(self._data, self._named[name]) == text
        except FormatError:
            # What cannot be read is replaced by what can.
            return False

    def _rewritten(self, changed: Mapping[int, bytes]) -> Iterator[Edit]:
        for chunk in self._layout.chunks:
            if chunk.start in changed:
                yield Edit(chunk.start, chunk.end, rewrite(self._data, chunk, changed[chunk.start]))
            elif not chunk.sound:
                yield _mended(self._data, chunk)


class _Likeness:
    """
    Tells whether two chunks have the same text; unpacks little for it, however many chunks there are.
    """

    def __init__(self, data: Held) -> None:
        self._data = data
        self._digests: dict[int, bytes | None] = {}
        self._room = 2 * LARGEST_PART

    def of(self, first: Chunk, second: Chunk) -> str:
        """
        Say how *second* compares to *first*.
        """
        digests = self._digest(first), self._digest(second)
        if None in digests:
            return "they could not be compared"
        return "they are equal" if digests[0] == digests[1] else "this one is different"

    def _digest(self, chunk: Chunk) -> bytes | None:
        if chunk.start not in self._digests:
            self._digests[chunk.start] = self._read(chunk)
        return self._digests[chunk.start]

    def _read(self, chunk: Chunk) -> bytes | None:
        limit = min(self._room, LARGEST_PART)
        try:
            text = read(self._data, chunk, limit)
        except FormatError:
            # The reason comes up when the part is asked for.
            self._room -= 0 if chunk.kind == TEXT else limit
            return None
        self._room -= 0 if chunk.kind == TEXT else len(text)
        return hashlib.sha256(text).digest()


def _named(data: Held, layout: Layout, notes: Notes) -> dict[str, Chunk]:
    """
    Return the chunks that are parts by their names; chunks of the same keyword are noted.
    """
    named: dict[str, Chunk] = {}
    numbers: Counter[tuple[str, bool]] = Counter()
    likeness = _Likeness(data)
    for chunk in layout.chunks:
        keyword = _keyword(data, chunk)
        if keyword is None and chunk.kind in TEXTS:
            notes.add(chunk.where, "a text without a keyword")
        if keyword is None or (chunk.kind == EXIF and not has_comment(data, chunk)):
            continue
        if keyword in named:
            like = likeness.of(named[keyword], chunk)
            notes.add(chunk.where, f"another {keyword}; the first one, at byte {named[keyword].start}, counts; {like}")
        named[_free_name(keyword, chunk, named, numbers)] = chunk
    return named


def _keyword(data: Held, chunk: Chunk) -> str | None:
    """
    Return the name under which *chunk* is looked for, if any.
    """
    if chunk.kind == EXIF:
        return EXIF_PART
    spelt = keyword_of(data, chunk) if chunk.kind in TEXTS else None
    return None if spelt is None else spelt.decode("latin-1").lower()


def _free_name(keyword: str, chunk: Chunk, named: Mapping[str, Chunk], numbers: Counter[tuple[str, bool]]) -> str:
    """
    Return *keyword*, with a number where it is taken; a text by the keyword `exif` never is the part of that name.
    """
    kind = keyword, chunk.kind == EXIF
    if kind == (EXIF_PART, False):
        numbers[kind] = max(numbers[kind], 1)
    while True:
        numbers[kind] += 1
        name = keyword if numbers[kind] == 1 else f"{keyword}#{numbers[kind]}"
        if name not in named:
            return name


def _lowered(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name.lower(): text for name, text in parts.items()}


def _without(picture: Held, layout: Layout, names: Collection[str]) -> Iterator[Edit]:
    """
    Yield what takes the parts of these names out of *picture* and mends the rest.
    """
    for chunk in layout.chunks:
        if _keyword(picture, chunk) in names:
            yield Edit(chunk.start, chunk.end, ())
        elif not chunk.sound:
            yield _mended(picture, chunk)


def _additions(layout: Layout, added: Mapping[str, bytes]) -> Iterator[Edit]:
    """
    Yield what puts new parts, and an end where it is missing, into a picture.
    """
    for name, text in added.items():
        if _LATER.fullmatch(name):
            raise FormatError(f"there is no part {name} that could be replaced")
        place = layout.pixels if name == EXIF_PART else layout.end
        yield Edit(place, place, new_exif(text) if name == EXIF_PART else new_text(name, text))
    if not layout.ended:
        yield Edit(layout.end, layout.end + layout.stump, pack(END))


def _mended(data: Held, chunk: Chunk) -> Edit:
    """
    Return *chunk* with its right length and checksum; a packed text that is cut off is kept as far as it unpacks.
    """
    if not chunk.whole and chunk.kind in TEXTS and chunk.kind != TEXT and keyword_of(data, chunk) is not None:
        try:
            return Edit(chunk.start, chunk.end, rewrite(data, chunk, read(data, chunk)))
        except FormatError:
            # Nothing of it unpacks: its bytes are kept as they are.
            pass
    body = memoryview(data)[chunk.body : chunk.body + chunk.length]
    return Edit(chunk.start, chunk.end, pack(chunk.kind, body))


PNG = Png()
