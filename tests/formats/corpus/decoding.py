"""
A file taken apart without lorebook: the JSON in it as trees, and everything else as bytes.

PNG, WebP and JPEG are walked here, archives are zipfile's, Exif is Pillow's. Damage is passed over as a lenient reader
would: checksums are not looked at, base64 is unwrapped as often as it was wrapped, text that is not UTF-8 is
Windows-1252, all of it or the bytes that are damaged.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from PIL import Image

from tests.formats.corpus.trees import MISSING, Difference, Tree, differences, parsed

_PNG, _JPEG, _ZIP, _RISUM = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"PK\x03\x04", b"o\0"
_TEXTS = (b"tEXt", b"zTXt", b"iTXt")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_\-\s]+=*\s*")
_MOST_LAYERS = 4
_EXIF_IFD, _COMMENT = 0x8769, 0x9286
_BYTES = re.compile("[\udc80-\udcff]")
"""What is left of bytes that are not UTF-8."""
_DECIMALS = re.compile(rb"[\d,\s]+")
# What the byte of each number is written as in RisuAI's modules.
_EXCHANGED = bytes.fromhex(
    """
    c40d1e0bbd2b3f55fc456ef566534f1ae0bb309486ba6bbf41506f9befdeb710
    611720df3289a89d6dabc990000c5dafd2c156e516649182657497ca23d652d1
    ffb4a0e82f8a58385a60199649dbd7c83b3e434ba56347aa6a2992f415cf6234
    78d31d3ce2058e2a570e1bcd4c2df2402c2579480fb27ab5a76c37e69c7b547e
    fe87dc9a02e433a2ebb12e03dd99a6b0e7d58818837cf6bee15c9fc321461f08
    4ed076125feefd8f44eaa35e8b2809359e69cc0ac78507ad4af377e967d4da84
    8093b64d73fa27267f04c6fbf1723951c236a968acf8edc5b9cbce75a43d81d9
    42701c9511bcd88c98f959a113f7147db3ec71c0e38df001ae5b310624223ab8
    """
)
_PLAIN = bytes(_EXCHANGED.index(value) for value in range(256))


@dataclass
class Decoded:
    """
    What is in a file.
    """

    payloads: dict[str, Tree] = field(default_factory=dict)
    """The JSON (or other text) of each part by its name; that of a file that is nothing else by the empty name."""
    rest: list[tuple[str, bytes]] = field(default_factory=list)
    """Everything else by its name, in order."""

    def put(self, name: str, data: bytes) -> None:
        """
        Add the part *name*: as JSON where it is such, else as its bytes.
        """
        tree = _tree(data)
        if tree is MISSING:
            self.rest.append((name, data))
            return
        place, number = name, 1
        while place in self.payloads:
            number += 1
            place = f"{name}#{number}"
        self.payloads[place] = tree
        self.rest.append((name, b"JSON"))


def decoded(data: bytes) -> Decoded:
    """
    Return what is in the file *data*, of whatever kind it is.
    """
    found = Decoded()
    if data.startswith(_PNG):
        _png(data, found)
    elif _ZIP in data and zipfile.is_zipfile(io.BytesIO(data)):
        _zip(data, found)
    elif data.startswith(_JPEG):
        _jpeg(data, found)
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        _webp(data, found)
    elif data.startswith(_RISUM):
        _risum(data, found)
    else:
        tree = _tree(data)
        found.payloads[""] = _text(data) if tree is MISSING else tree
    return found


def unlike(before: Decoded, after: Decoded) -> Iterator[Difference]:
    """
    Yield where two files differ.
    """
    for name in before.payloads | after.payloads:
        yield from differences(before.payloads.get(name, MISSING), after.payloads.get(name, MISSING), name)
    for one, other in zip_longest(before.rest, after.rest, fillvalue=("", MISSING)):
        if one != other:
            yield Difference(one[0] or other[0], (), one[1], other[1])


def _tree(data: bytes) -> Tree:
    """
    Return the JSON in *data*, however often it is packed in base64; MISSING where there is none.
    """
    for _ in range(_MOST_LAYERS):
        data = data.rstrip(b"\0") if _BASE64.fullmatch(data.rstrip(b"\0")) else data
        text = _text(data)
        if text.lstrip()[:1] in ("{", "[", '"'):
            try:
                return parsed(text)
            except (ValueError, RecursionError):
                return MISSING
        if not _BASE64.fullmatch(data):
            return MISSING
        plain = b"".join(data.split()).translate(bytes.maketrans(b"-_", b"+/")).rstrip(b"=")
        try:
            data = base64.b64decode(plain + b"=" * (-len(plain) % 4))
        except binascii.Error:
            return MISSING
    return MISSING


def _text(data: bytes) -> str:
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape")
        # Where little of it is UTF-8, that little is so by chance.
        if sum(not sign.isascii() for sign in text) <= 2 * len(_BYTES.findall(text)):
            text = data.decode("ascii", "surrogateescape")
        text = _BYTES.sub(lambda found: _windows(ord(found[0]) - 0xDC00), text)
    return text.removeprefix("\ufeff").rstrip("\0")


def _windows(byte: int) -> str:
    return bytes([byte]).decode("cp1252", "ignore") or chr(byte)


def _png(data: bytes, found: Decoded) -> None:
    place = len(_PNG)
    while place + 8 <= len(data):
        length, kind = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8]
        body = data[place + 8 : place + 8 + length]
        end = place + 12 + length
        if kind in _TEXTS and b"\0" in body:
            name, text = _png_text(kind, body)
            found.put(name, text)
        elif kind == b"eXIf":
            _exif(body, found)
        elif kind.isalpha():
            found.rest.append((f"chunk {kind.decode()}", body))
        else:
            break
        place = end
    if data[place : place + len(_ZIP)] == _ZIP and zipfile.is_zipfile(io.BytesIO(data[place:])):
        _zip(data[place:], found)
    elif place < len(data):
        found.rest.append(("what follows the picture", data[place:]))


def _png_text(kind: bytes, body: bytes) -> tuple[str, bytes]:
    """
    Return the keyword in lower case and the text unpacked; packed ones may be written plain, which more programs read.
    """
    keyword, _, text = body.partition(b"\0")
    packed = kind == b"zTXt" or (kind == b"iTXt" and text[:1] == b"\1")
    if kind == b"zTXt":
        text = text[1:]
    elif kind == b"iTXt":
        text = text[2:].split(b"\0", 2)[-1]
    return keyword.decode("latin-1").lower(), _inflated(text) if packed else text


def _exif(data: bytes, found: Decoded) -> None:
    """
    Add the comment in the Exif *data*, and all other tags.
    """
    exif = Image.Exif()
    exif.load(data if data.startswith(b"Exif\0\0") else b"Exif\0\0" + data)
    inner = exif.get_ifd(_EXIF_IFD)
    comment = inner.pop(_COMMENT, None)
    tags = {tag: value for tag, value in exif.items() if tag != _EXIF_IFD}
    found.rest.append(("Exif", repr((sorted(tags.items()), sorted(inner.items()))).encode()))
    if comment is not None:
        found.put("exif", _comment(comment if isinstance(comment, bytes) else str(comment).encode()))


def _comment(comment: bytes) -> bytes:
    text = comment.removeprefix(b"ASCII\0\0\0").removeprefix(b"UNICODE\0").strip(b"\0")
    return bytes(int(number) for number in text.split(b",")) if _DECIMALS.fullmatch(text) else text


def _webp(data: bytes, found: Decoded) -> None:
    place = 12
    while place + 8 <= len(data):
        kind, length = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        body = data[place + 8 : place + 8 + length]
        if kind == b"EXIF":
            _exif(body, found)
        else:
            found.rest.append((f"chunk {kind.decode('latin-1')}", body))
        place += 8 + length + length % 2
    found.rest.append(("what follows the picture", data[place:]))


def _inflated(packed: bytes) -> bytes:
    for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        try:
            return zlib.decompressobj(bits).decompress(packed)
        except zlib.error:
            continue
    return packed


def _jpeg(data: bytes, found: Decoded) -> None:
    place = 2
    while data[place : place + 1] == b"\xff" and data[place + 1] not in (0xDA, 0xD9):
        end = place + 2 + int.from_bytes(data[place + 2 : place + 4], "big")
        body = data[place + 4 : end]
        if data[place + 1] == 0xE1 and body.startswith(b"Exif\0\0"):
            _exif(body, found)
        else:
            found.rest.append((f"segment {data[place + 1]:02X}", body))
        place = end
    found.rest.append(("the picture", data[place:]))


def _zip(data: bytes, found: Decoded) -> None:
    """
    Add the members of an archive, what stands before them, and what the directory says of each.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        found.rest.append(("what stands before the archive", data[: min(member.header_offset for member in members)]))
        found.rest.append(("the archive's comment", archive.comment))
        for member in members:
            said = (member.orig_filename, member.compress_type, member.date_time, member.external_attr, member.comment)
            found.rest.append((f"record of {member.filename}", repr((said, member.extra)).encode()))
            try:
                content = archive.read(member)
            except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
                found.rest.append((member.filename, f"cannot be read: {error}".encode()))
                continue
            if content.startswith(_RISUM):
                _risum(content, found, f"{member.filename} ")
            else:
                found.put(member.filename, content)


def _risum(data: bytes, found: Decoded, prefix: str = "") -> None:
    place = 6 + int.from_bytes(data[2:6], "little")
    found.put(f"{prefix}module", data[6:place].translate(_PLAIN))
    found.rest.append((f"{prefix}behind the module", data[place:]))
