"""
WebP and JPEG pictures: the comment in their Exif data is the part `usercomment`, a second one `usercomment#2`; they are
read, never written.

WebP is a RIFF file with the chunk EXIF (RFC 9649, section 2.7.1.5); JPEG has the Exif data in an APP1 segment
(Exif 2.32, section 4.7.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count

from lorebook.errors import FormatError
from lorebook.formats.containers.container import LARGEST_PART, Data, Held, Opened, Pieces, held
from lorebook.formats.containers.parts import Parts
from lorebook.formats.containers.tiff import EXIF_MARK, bare_comment, clean_comment, find_comment
from lorebook.formats.notes import Notes

COMMENT_PART = "usercomment"

MOST_PIECES = 100_000
"""Chunks of a WebP or segments of a JPEG; an animation has one for each of its frames."""

_RIFF_HEAD, _CHUNK_HEAD = 12, 8
_START, _MARKER = b"\xff\xd8\xff", 0xFF
_EXIF_SEGMENT = 0xE1
_SCAN, _END = 0xDA, 0xD9
_WITHOUT_LENGTH = (0x01, *range(0xD0, 0xD8))


@dataclass(frozen=True)
class Span:
    """
    Some bytes of the file.
    """

    start: int
    end: int


class ExifPicture:
    """
    One kind of picture whose cards are in Exif data.
    """

    def __init__(
        self, name: str, claims: Callable[[Data], str | None], spans: Callable[[memoryview, Notes], Iterator[Span]]
    ) -> None:
        self.name = name
        self._claims = claims
        self._spans = spans

    def claims(self, data: Data) -> str | None:
        """
        Say whether *data* begins as such a picture.
        """
        return self._claims(data)

    def open(self, data: Data, notes: Notes) -> Opened:
        """
        Open the picture *data*: its first comment that is not empty, and the others under numbers.

        Raises FormatError where the chain of its pieces breaks.
        """
        if self._claims(data) is None:
            raise FormatError(f"not a {self.name} picture: its first bytes are others")
        data = held(data)
        with memoryview(data) as view:
            comments = [found for span in self._spans(view, notes) if (found := _comment(view, span))]
        for other in comments[1:]:
            notes.add(f"byte {other.start}", f"another comment; the first one is at byte {comments[0].start}")
        return _ReadOnly(self.name, data, comments)

    def build(self, parts: Mapping[str, bytes], picture: bytes) -> Pieces:
        """
        Raise FormatError: such pictures are read only.
        """
        del parts, picture
        raise _read_only(self.name)


class _ReadOnly:
    def __init__(self, name: str, data: Held, comments: list[Span]) -> None:
        self._name = name
        self._data = data
        names = (COMMENT_PART if n == 1 else f"{COMMENT_PART}#{n}" for n in count(1))
        readers = {part: partial(_read, data, comment) for part, comment in zip(names, comments, strict=False)}
        self.parts: Mapping[str, bytes] = Parts(readers)

    def replaced(self, parts: Mapping[str, bytes]) -> Pieces:
        """
        Return the file itself, which *parts* may not change.
        """
        if any(name not in self.parts or self.parts[name] != text for name, text in parts.items()):
            raise _read_only(self._name)
        return (memoryview(self._data),)


def _read_only(name: str) -> FormatError:
    return FormatError(f"{name} pictures are read only", hint="convert the card to png, which holds the same")


def _read(data: Held, comment: Span) -> bytes:
    size = comment.end - comment.start
    if size > LARGEST_PART:
        raise FormatError(f"the comment has {size} bytes; the limit is {LARGEST_PART}", where=f"byte {comment.start}")
    return clean_comment(data[comment.start : comment.end])


def _comment(view: memoryview, exif: Span) -> Span | None:
    """
    Return where the Exif data have a comment with a text, if they have.
    """
    marked = view[exif.start : exif.start + len(EXIF_MARK)] == EXIF_MARK
    start = exif.start + (len(EXIF_MARK) if marked else 0)
    with view[start : exif.end] as tiff:
        found = find_comment(tiff)
        if found is None or not bare_comment(bytes(tiff[found.start : min(found.end, found.start + LARGEST_PART)])):
            return None
    return Span(start + found.start, start + found.end)


def _claims_webp(data: Data) -> str | None:
    head = data[:_RIFF_HEAD]
    return "begins with RIFF and WEBP" if head[:4] == b"RIFF" and head[8:] == b"WEBP" else None


def _claims_jpeg(data: Data) -> str | None:
    return "begins with JPEG's first marker" if data[: len(_START)] == _START else None


def _webp_spans(view: memoryview, notes: Notes) -> Iterator[Span]:
    """
    Yield where Exif data are in a WebP.
    """
    place, count = _RIFF_HEAD, 0
    # Something else may follow the picture; its size is often wrong, so all is looked at.
    told = int.from_bytes(view[4:8], "little") + 8
    while place + _CHUNK_HEAD <= len(view):
        count = _counted(count, place)
        kind = bytes(view[place : place + 4])
        start = place + _CHUNK_HEAD
        end = start + int.from_bytes(view[place + 4 : start], "little")
        if end > len(view) and place < told:
            notes.add(f"byte {place}", "the file is cut off within a chunk", cut=True)
        if kind == b"EXIF":
            yield Span(start, min(end, len(view)))
        # Chunks begin at even bytes.
        place = end + end % 2


def _jpeg_spans(view: memoryview, notes: Notes) -> Iterator[Span]:
    """
    Yield where Exif data are in a JPEG, before its pixels.
    """
    place, count = 2, 0
    while place + 1 < len(view):
        count = _counted(count, place)
        if view[place] != _MARKER:
            raise FormatError("the picture is damaged: no segment begins here", where=f"byte {place}")
        marker = view[place + 1]
        if marker in (_SCAN, _END):
            return
        place += 1 if marker == _MARKER else 2
        if marker == _MARKER or marker in _WITHOUT_LENGTH:
            continue
        end = place + max(2, int.from_bytes(view[place : place + 2], "big"))
        if marker == _EXIF_SEGMENT and view[place + 2 : place + 2 + len(EXIF_MARK)] == EXIF_MARK:
            yield Span(place + 2, min(end, len(view)))
        place = end
    notes.add("", "the picture ends before its pixels; the file seems to be cut off", cut=True)


def _counted(count: int, place: int) -> int:
    if count == MOST_PIECES:
        raise FormatError(f"more than {MOST_PIECES} pieces", where=f"byte {place}")
    return count + 1


WEBP = ExifPicture("webp", _claims_webp, _webp_spans)
JPEG = ExifPicture("jpeg", _claims_jpeg, _jpeg_spans)
