"""
From the bytes of a part to its JSON and back: encodings, base64 and envelopes, mended where they are damaged.

What was mended here is written mended; what only had to be understood (an envelope, UTF-8 once taken for Latin-1)
stays as it is for as long as nothing changes.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lorebook import encodings
from lorebook.errors import FormatError
from lorebook.formats import exactjson, plainyaml
from lorebook.formats.exactjson import JsonText
from lorebook.formats.format import Json
from lorebook.formats.notes import Notes
from lorebook.formats.plainyaml import YamlText

_URL_SAFE = bytes.maketrans(b"-_", b"+/")
# Possessive: a text of spaces with another sign behind would else be tried at every length.
_BASE64 = re.compile(rb"[A-Za-z0-9+/_\-\s]++=*+\s*+")
# What `surrogateescape` makes of a byte, as Windows-1252 has it.
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0x100)}
_CONTROL = re.compile("[\x7f-\x9f]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST_LAYERS = 2
_CHINESE = ("GB18030", "Big5")
_LOCKED = b"rcc||"
_PROSE = "plain text is no lorebook or card; `lorebook import` makes rules of it"


@dataclass(frozen=True)
class Payload:
    """
    The JSON of a part, and how it was packed.
    """

    source: bytes
    json: JsonText | YamlText
    packed: bool
    """Whether it was in base64."""
    sound: bool
    """Whether its packing and encoding needed no mending."""

    def bytes_of(self, value: Json) -> bytes:
        """
        Return the part that says *value*: its own bytes where nothing changed or needed mending.
        """
        text = self.json.patched(value)
        if self.sound and text == self.json.text:
            return self.source
        return packed(text, base64_=self.packed)


def unpack(data: bytes, notes: Notes, where: str, *, base64_: bool, plain_too: bool = False) -> Payload:
    """
    Read the JSON in the part *data*, found at *where*; with *base64_* it should be packed so, but for *plain_too*.

    Raises FormatError where there is none.
    """
    seen = len(notes)
    inner, layers = _unwrapped(data, where)
    if layers and not base64_ and not _looks_like_json(inner):
        # Plain words may look like base64.
        inner, layers = data, 0
    base64_ = base64_ and not (plain_too and not layers)
    if base64_ and layers != 1 and _looks_like_json(inner):
        what = "is JSON and not base64" if not layers else f"is packed in base64 {layers} times"
        notes.add(where, f"{what}; other programs do not read it")
    if layers and not base64_:
        notes.add(where, "is packed in base64; read as JSON")
    sound = len(notes) == seen
    text, is_kept = decode(inner, notes, where)
    sound = sound and is_kept
    if layers and base64_ and _is_unusual(data):
        notes.add(where, "its base64 is written in an unusual way, which not all programs read")
    return Payload(data, _parsed(text, notes, where), packed=base64_, sound=sound)


def _parsed(text: str, notes: Notes, where: str) -> JsonText:
    try:
        return exactjson.parse(text, notes, "$")
    except FormatError as error:
        # A quote begins a piece of JSON; a tag, the page of an error that was saved for the file.
        is_prose = not where and text.strip() and not text.lstrip().startswith(("{", "[", '"', "<", "/", "`"))
        raise FormatError(error.what, where=error.where, hint=_PROSE if is_prose else error.hint) from error


def unpack_yaml(data: bytes, notes: Notes, where: str) -> Payload | None:
    """
    Read the YAML in the part *data*, found at *where*; None for what begins as JSON does, which is nothing else here.

    Raises FormatError where there is none.
    """
    if _looks_like_json(data):
        return None
    text, is_kept = decode(data, notes, where)
    return Payload(data, plainyaml.parse(text, notes), packed=False, sound=is_kept)


def packed(text: str, *, base64_: bool) -> bytes:
    """
    Return the JSON *text* as the bytes of a part.
    """
    data = text.encode()
    return base64.b64encode(data) if base64_ else data


def dumped(value: Json, *, base64_: bool = False, indent: int | None = 2) -> bytes:
    """
    Return the JSON *value* as the bytes of a new part.

    Raises FormatError for a number that JSON has not, or a value nested too deeply.
    """
    text = exactjson.dump(value, indent=indent)
    return packed(text if base64_ else f"{text}\n", base64_=base64_)


class Text(NamedTuple):
    """
    What the bytes of a part are as text.
    """

    text: str
    is_kept: bool = False
    """Whether the bytes stay as they are while nothing changes: they are UTF-8, or it is not certain what they are."""


def decode(data: bytes, notes: Notes, where: str) -> Text:
    """
    Return *data* as text: UTF-8, with a note for anything else.
    """
    if encoding := encodings.marked(data):
        notes.add(where, f"begins with a byte order mark ({encoding.removesuffix('-sig').upper()})")
        return _wide(data, encoding, notes, where)
    if b"\0" in data[:4]:
        encoding = json.detect_encoding(data)
        notes.add(where, f"is written in {encoding.upper()}")
        return _wide(data, encoding, notes, where)
    stripped = data.rstrip(b"\0")
    if stripped != data:
        notes.add(where, "ends in NUL characters")
        return Text(_old(stripped, notes, where).text)
    return _old(data, notes, where)


def _wide(data: bytes, encoding: str, notes: Notes, where: str) -> Text:
    width = next((width for name, width in (("32", 4), ("16", 2)) if name in encoding), 1)
    # NULs at the end that are no whole character.
    whole = data[: len(data) // width * width]
    data = data if data[len(whole) :].strip(b"\0") else whole
    try:
        return Text(data.decode(encoding).rstrip("\0"))
    except UnicodeDecodeError as error:
        if error.encoding != "utf-8":
            raise FormatError(f"byte {error.start} is not {error.encoding.upper()}", where=where) from error
        return Text(_old(data.removeprefix(codecs.BOM_UTF8), notes, where).text)


def _old(data: bytes, notes: Notes, where: str) -> Text:
    """
    Return the text in *data*, which are UTF-8, damaged UTF-8, or in an encoding of old.
    """
    try:
        return Text(data.decode(), is_kept=True)
    except UnicodeDecodeError as error:
        if found := encodings.chinese(data) or encodings.neighbour(data):
            kind = "of Chinese" if found.encoding in _CHINESE else "of Korean or Japanese"
            notes.add(where, f"is written in {found.encoding}, an old encoding {kind}, and not in UTF-8")
            return Text(found.text)
        notes.add(where, f"byte {error.start} is not UTF-8; read as Windows-1252")
    if encodings.is_damaged_utf8(data):
        # Byte by byte, so that one that is damaged does no harm to all that is UTF-8.
        return Text(data.decode("utf-8", "surrogateescape").translate(_WINDOWS))
    return Text(data.decode("ascii", "surrogateescape").translate(_WINDOWS), is_kept=True)


def _unwrapped(data: bytes, where: str) -> tuple[bytes, int]:
    """
    Return *data* without its layers of base64, and how many there were.
    """
    layers = 0
    while layers <= _MOST_LAYERS and not _looks_like_json(data):
        if data.startswith(_LOCKED):
            raise FormatError("the card is locked with a password (RisuAI)", where=where, hint="unlock it in RisuAI")
        inner = _from_base64(data)
        if inner is None:
            break
        data, layers = inner, layers + 1
    return data, layers


def _from_base64(data: bytes) -> bytes | None:
    data = data.rstrip(b"\0")
    if not _BASE64.fullmatch(data) or not data.strip():
        return None
    plain = b"".join(data.split()).translate(_URL_SAFE).rstrip(b"=")
    # A cut-off text loses at most its last, incomplete group.
    whole = plain[: len(plain) - 1] if len(plain) % 4 == 1 else plain
    try:
        return base64.b64decode(whole + b"=" * (-len(whole) % 4), validate=True)
    except binascii.Error:
        return None


def _is_unusual(data: bytes) -> bool:
    return bool(re.search(rb"[-_\s\0]", data)) or len(data) % 4 != 0


def _looks_like_json(data: bytes) -> bool:
    return data.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")[:1] in (b"{", b"[")


# --- what only has to be understood ---


def mend_mojibake(value: Json, notes: Notes, where: str) -> Json:
    """
    Return *value* with its texts decoded where all of them are UTF-8 that somebody took for Latin-1.
    """
    texts = [text for text in _texts(value) if not text.isascii()]
    if not texts or any(_demojibaked(text) is None for text in texts):
        return value
    notes.add(where, f"{len(texts)} texts are UTF-8 that was taken for Latin-1 (`{texts[0][:12]}`); read as UTF-8")
    return _mapped(value, lambda text: _demojibaked(text) or text)


def mend_surrogates(value: Json, notes: Notes, where: str) -> Json:
    """
    Return *value* with U+FFFD for every half of a surrogate pair, which no program can pass on (WHATWG Encoding).
    """
    broken = [text for text in _texts(value) if _LONE_SURROGATE.search(text)]
    if not broken:
        return value
    notes.add(where, f"{len(broken)} texts have half a surrogate pair; read as U+FFFD")
    return _mapped(value, lambda text: _LONE_SURROGATE.sub("\ufffd", text))


def _demojibaked(text: str) -> str | None:
    for encoding in ("latin-1", "cp1252"):
        try:
            found = text.encode(encoding).decode()
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
        # Nobody writes these: it was UTF-8 by chance.
        return None if _CONTROL.search(found) else found
    return None


def _texts(value: object) -> list[str]:
    found: list[str] = []
    left: list[Iterable[object]] = [[value]]
    while left:
        for item in left.pop():
            if isinstance(item, str):
                found.append(item)
            elif isinstance(item, dict):
                found += item
                left.append(item.values())
            elif isinstance(item, list):
                left.append(item)
    return found


def _mapped(value: Json, change: Callable[[str], str]) -> Json:
    """
    Return *value* with every text and key changed; nested values wait in a list, for they may be deep.
    """
    whole: list[Any] = [None]
    left: list[tuple[Any, str | int, Any]] = [(whole, 0, value)]
    while left:
        holder, key, item = left.pop()
        if isinstance(item, list):
            holder[key] = [None] * len(item)
            left.extend((holder[key], number, inner) for number, inner in enumerate(item))
        elif isinstance(item, dict):
            holder[key] = {change(name): None for name in item}
            left.extend((holder[key], change(name), inner) for name, inner in reversed(item.items()))
        else:
            holder[key] = change(item) if isinstance(item, str) else item
    return whole[0]
