"""
Zip archives, alone or behind other bytes (CHARX, BYAF, self-extracting ones), and pictures with one appended.

What other readers of the same file do decides here too: the directory at the end counts, and its offsets begin where
the archive does, be it at the file's beginning or behind a picture.
"""

from __future__ import annotations

import io
from collections.abc import Mapping

from lorebook.errors import FormatError
from lorebook.formats.containers.container import Container, Data, Pieces, Segments, stretch
from lorebook.formats.containers.zip_directory import LOCAL, Directory, find_end, read_directory
from lorebook.formats.containers.zip_members import Members
from lorebook.formats.containers.zip_patch import built, patched
from lorebook.formats.notes import Notes

_JPEG = b"\xff\xd8\xff"
_QUALITY = 90


class OpenedArchive:
    """
    An archive whose directory has been read.
    """

    def __init__(self, data: Data, directory: Directory, notes: Notes) -> None:
        self._data = data
        self._directory = directory
        self._members = Members(data, directory, notes)

    @property
    def parts(self) -> Mapping[str, bytes]:
        """
        The files in the archive by name, in the directory's order.
        """
        return self._members

    def replaced(self, parts: Mapping[str, bytes]) -> Segments:
        """
        Return the archive with *parts* in it; every other member stays as it is packed, unread.
        """
        changed = [
            (member, content)
            for name, content in parts.items()
            if (member := self._members.member(name)) and not self._holds(name, content)
        ]
        added = {name: content for name, content in parts.items() if name not in self._members}
        if not changed and not added:
            return (stretch(self._data, 0),)
        return patched(self._data, self._directory, changed, added)

    def _holds(self, name: str, content: bytes) -> bool:
        try:
            return self._members[name] == content
        except FormatError:
            # What cannot be read is not the same; whether it can be replaced is seen there.
            return False


class ZipArchive:
    """
    An archive at the file's beginning, or behind a program or other bytes.
    """

    name = "zip"

    def claims(self, data: Data) -> str | None:
        """
        Say by which mark *data* is an archive, or None.
        """
        if data[: len(LOCAL)] == LOCAL:
            return "its first bytes are those of a zip archive (PK)"
        if data[: len(_JPEG)] == _JPEG or find_end(data) is None:
            return None
        return "a zip archive ends it"

    def open(self, data: Data, notes: Notes) -> OpenedArchive:
        """
        Read the archive's directory.
        """
        return OpenedArchive(data, read_directory(data, notes), notes)

    def build(self, parts: Mapping[str, bytes], picture: bytes) -> Pieces:  # noqa: ARG002 (it shows none)
        """
        Return a new archive; nothing in it is packed, so that the same parts give the same bytes everywhere.
        """
        return built(parts)


class JpegArchive(ZipArchive):
    """
    A JPEG picture with an archive behind it, as RisuAI writes cards.
    """

    name = "jpeg-zip"

    def claims(self, data: Data) -> str | None:
        """
        Say by which mark *data* is a picture with an archive, or None.
        """
        if data[: len(_JPEG)] == _JPEG and find_end(data) is not None:
            return "it is a JPEG picture, and a zip archive ends it"
        return None

    def build(self, parts: Mapping[str, bytes], picture: bytes) -> Pieces:
        """
        Return *picture* as a JPEG and a new archive behind it, whose offsets count from its own beginning.
        """
        return (_jpeg(picture), *built(parts))


def _jpeg(picture: bytes) -> bytes:
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 (Pillow is needed for drawing only)

    file = io.BytesIO()
    try:
        with Image.open(io.BytesIO(picture)) as opened:
            # A JPEG has no transparency: what shows through is white, not what the hidden colours happen to be.
            above = opened.convert("RGBA")
            flat = Image.alpha_composite(Image.new("RGBA", above.size, "white"), above)
            flat.convert("RGB").save(file, "JPEG", quality=_QUALITY)
    except UnidentifiedImageError:
        # Pillow says which Python object it is.
        raise FormatError("the picture cannot be read (damaged, or of an unknown kind)") from None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise FormatError(f"the picture cannot be read ({error})") from None
    return file.getvalue()


ZIP: Container = ZipArchive()
JPEG_ZIP: Container = JpegArchive()
