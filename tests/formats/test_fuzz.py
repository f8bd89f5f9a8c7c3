"""
Whatever bytes there are: they are refused with a FormatError or read, and what was read is written and read again.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lorebook.book import Book
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Document, Format, export, open_document
from lorebook.formats.containers.text import TEXT
from tests.formats.anything import contents, values
from tests.formats.likeness import gone, unsaid

SHARED = Path(__file__).parents[3] / "shared" / "formats"
_EXAMPLES = [path for path in sorted(SHARED.glob("*/*.*")) if path.stat().st_size < 20_000]
_OTHERS: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    10**30,
    "",
    "5",
    "true",
    "text",
    [],
    {},
    [None],
    [[]],
    {"a": {}},
    [5],
)
_WRITTEN = [known for known in FORMATS.values() if known.writes]

in_the_wild = pytest.mark.skipif(not _EXAMPLES, reason="the collection of files is not beside the checkout")
few, many = settings(max_examples=60), settings(max_examples=3000)


def check(data: bytes) -> None:
    """
    Either *data* are refused in one line, or what they say is still there when they are written back.
    """
    try:
        document = open_document(data, file_name="x")
    except FormatError as error:
        assert error.what
        assert "\n" not in str(error)
        return
    written = document.write().data
    again = open_document(written, file_name="x")
    assert unsaid(document.content, again.content) == set()
    assert again.write().data == written
    if not document.notes:
        assert written == data
    # Losses are those of the payload that counts: it has to be the one with the book.
    if document.form.writes and document.book is not None and document.readings[0].content.book is not None:
        check_edit(document, document.book)


def check_edit(document: Document, book: Book) -> None:
    wanted = replace(document.content, book=book.model_copy(update={"name": "Renamed"}))
    try:
        edited = document.write(wanted)
    except FormatError:  # a damaged archive may be read and yet not be edited without harm to its other members
        assert document.form.container is not TEXT
        return
    again = open_document(edited.data, file_name="x")
    # Where the one text that was not UTF-8 taken for Latin-1 is gone, the others are read as such.
    if not any("taken for Latin-1" in note.what for note in again.notes):
        assert unsaid(wanted, again.content) == gone(edited.losses)


# --- bytes ---

_STARTS = [
    *(b"", b"{", b"[", b'{"entries":', b'{"spec":"chara_card_v2","data":', b"\xff\xfe", b"\xef\xbb\xbf{", b"name: x\n"),
    *(b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"RIFF\0\0\0\0WEBP", b"\xff\xd8\xff\xe1", b"\x6f\0", b"eyJ", b"\0\0\0{"),
]
_bytes = st.builds(bytes.__add__, st.sampled_from(_STARTS), st.binary(max_size=60))


@few
@given(data=_bytes)
def test_bytes(data: bytes) -> None:
    check(data)


@pytest.mark.slow
@many
@given(data=_bytes)
def test_many_bytes(data: bytes) -> None:
    check(data)


# --- JSON ---

_names = st.sampled_from(
    [
        *("entries", "spec", "data", "name", "character_book", "key", "keys", "content", "extensions", "uid", "id"),
        *("lorebookVersion", "kind", "type", "position", "description", "first_mes", "card", "lorebook", "order"),
        *("worldinfo", "gamestarted", "secondary_keys", "keysecondary", "enabled", "title", "text", "settings"),
    ]
)
_strange = st.recursive(
    values | st.sampled_from(["chara_card_v2", "chara_card_v3", "lorebook_v3", "risu", "memory", "character", "[{}]"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=6),
    max_leaves=20,
)


@few
@given(value=_strange)
@example(value={"name": [], "data": {"entries": []}})
def test_json(value: object) -> None:
    check(json.dumps(value).encode())


@pytest.mark.slow
@many
@given(value=_strange)
def test_much_json(value: object) -> None:
    check(json.dumps(value).encode())


@pytest.mark.parametrize("depth", [90, 240, 480, 499, 5000])
@pytest.mark.parametrize("around", ['{"entries":{"0":{"key":[],"x":%s}}}', '{"spec":"chara_card_v2","data":{"x":%s}}'])
@pytest.mark.parametrize("inside", ['"\\ud83d"', '"Ã©"', "1", '{"a":1,"a":2}'], ids=["half", "mojibake", "1", "twice"])
def test_deep_nesting(depth: int, around: str, inside: str) -> None:
    check((around % ("[" * depth + inside + "]" * depth)).encode())
    check((around % ('{"a":' * depth + inside + "}" * depth)).encode())


# --- files of the wild, damaged ---


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """
    Yield the path of every value in *value*.
    """
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def swapped(value: Any, path: tuple[Any, ...], other: object) -> Any:
    """
    Return *value* with *other* at *path*.
    """
    if not path:
        return other
    result = copy.deepcopy(value)
    holder = result
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = other
    return result


def damaged(data: bytes, chance: random.Random) -> bytes:
    """
    Return *data* with a few bytes changed, cut off, left out or said twice.
    """
    at, length = chance.randrange(len(data)), chance.randrange(1, 9)
    return chance.choice(
        [
            data[:at],
            data[:at] + data[at + length :],
            data[:at] + bytes(chance.randrange(256) for _ in range(length)) + data[at + length :],
            data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :],
            data[: at + length] + data[at:],
        ]
    )


def damage(path: Path, times: int) -> None:
    """
    Check the file at *path* damaged in so many ways, the same ones every time.
    """
    source = path.read_bytes()
    if not source:
        check(source)
        return
    chance = random.Random(path.name)  # noqa: S311 (no secret)
    for _ in range(times):
        check(damaged(source, chance))


def swap(path: Path, times: int) -> None:
    """
    Check the file at *path* with values replaced by those of other types, all of one place or two of two.
    """
    try:
        value = json.loads(path.read_bytes())
    except ValueError:
        return
    chance = random.Random(path.name)  # noqa: S311 (no secret)
    everywhere = list(places(value))
    for _ in range(times):
        once = swapped(value, chance.choice(everywhere), chance.choice(_OTHERS))
        check(json.dumps(once).encode())
        there = list(places(once))
        check(json.dumps(swapped(once, chance.choice(there), chance.choice(_OTHERS))).encode())


@in_the_wild
@pytest.mark.parametrize("path", _EXAMPLES, ids=lambda path: path.name)
def test_damaged_files(path: Path) -> None:
    check(path.read_bytes())
    damage(path, 8)
    swap(path, 5)


@pytest.mark.slow
@in_the_wild
@pytest.mark.parametrize("path", _EXAMPLES, ids=lambda path: path.name)
def test_files_damaged_in_many_ways(path: Path) -> None:
    damage(path, 500)
    swap(path, 300)


@pytest.mark.parametrize("known", _WRITTEN, ids=lambda known: known.name)
@settings(max_examples=5)
@given(data=st.data())
def test_damaged_exports(known: Format, data: st.DataObject) -> None:
    source = export(known, data.draw(contents(known))).data
    chance = random.Random(len(source))  # noqa: S311 (no secret)
    for _ in range(4):
        check(damaged(source, chance))
