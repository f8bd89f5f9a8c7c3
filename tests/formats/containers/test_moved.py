r"""
Archives of several members that are in a folder, or have `\` in their names: read, kept and edited where they stand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, Document, export, open_document
from lorebook.formats.containers.archive import ZIP
from lorebook.formats.notes import Notes
from tests.formats.files import PICTURE

_BOOK = Book(name="Tides", entries=(Entry(uid=0, keys=("gate",), content="Opens."),))
_WAYS: dict[str, Callable[[str], str]] = {
    "a folder": lambda name: f"demo/{name}",
    "a Chinese folder": lambda name: f"角色 一/{name}",
    "two folders": lambda name: f"a/b/{name}",
    "a dot": lambda name: f"./{name}",
    "backslashes": lambda name: name.replace("/", "\\"),
    "a folder with backslashes": lambda name: f"demo\\{name}".replace("/", "\\"),
}
each_form = pytest.mark.parametrize("name", ["byaf", "voxta"])


def _members(name: str) -> dict[str, bytes]:
    content = Content(_BOOK, Card(name="Mira", first_mes="Hi."), {OWN_PICTURE: PICTURE})
    parts = open_document(export(FORMATS[name], content).data, file_name="x").opened.parts
    return {member: parts[member] for member in parts}


def _archive(parts: dict[str, bytes]) -> Document:
    return open_document(b"".join(ZIP.build(parts, b"")), file_name="mira.zip")


@each_form
@pytest.mark.parametrize("way", _WAYS)
def test_members_that_all_stand_elsewhere_are_read_and_edited_where_they_are(name: str, way: str) -> None:
    members = _members(name)
    document = _archive({_WAYS[way](member): data for member, data in members.items()} | {"__MACOSX/._x": b"junk"})
    assert document.form.name == name
    assert sum("read as if they were in their place" in note.what for note in document.notes) == 1
    assert document.write().data == document.data
    assert [bytes(data) for data in document.content.files.values()] == [PICTURE]
    assert document.card is not None
    edited = document.write(replace(document.content, card=replace(document.card, first_mes="Mind the step.")))
    after = open_document(edited.data, file_name="x")
    assert after.card == replace(document.card, first_mes="Mind the step.")
    moved = {_WAYS[way](member) for member in members}
    assert moved == {member for member in _all(edited.data) if not member.startswith("__MACOSX")}


def _all(data: bytes) -> set[str]:
    return set(ZIP.open(data, Notes()).parts)


@each_form
def test_members_in_different_places_are_not_sought(name: str) -> None:
    members = {f"demo{number}/{member}": data for number, (member, data) in enumerate(_members(name).items())}
    with pytest.raises(FormatError, match="no lorebook and no card"):
        _archive(members)


def test_a_damaged_member_in_a_folder_is_told() -> None:
    members = {f"demo/{member}": data for member, data in _members("byaf").items()}
    path = next(member for member in members if member.endswith("character.json"))
    with pytest.raises(FormatError, match=r"character\.json`: not JSON"):
        _archive(members | {path: b"{"})
