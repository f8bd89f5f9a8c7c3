"""
Files too large to be read at once: edited as small ones are, and refused where another program cuts them off meanwhile.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from lorebook import atomic
from lorebook.book import Book, Entry
from lorebook.errors import InputError
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, Document, Export, Format, export, open_document
from lorebook.reading import LargeFile
from lorebook.workspace.batch import inspect_files
from lorebook.workspace.files import Conversion, Pair, convert_file, open_file
from lorebook.workspace.fileviews import FileFailure
from tests.formats.containers.pictures import END, PIXEL, chunk, picture

_BOOK = Book(name="Tides", entries=(Entry(uid=0, name="Gate", keys=("gate",), content="It opens."),))
_LARGE = picture(chunk(b"prVt", bytes(5_000_000)), PIXEL, END)
_SHOWING = [FORMATS[name] for name in ("png", "charx", "charx-jpeg", "byaf", "voxta")]

each_format = pytest.mark.parametrize("known", _SHOWING, ids=lambda known: known.name)


def card(folder: Path, known: Format) -> Path:
    path = folder / f"mira{known.suffix}"
    path.write_bytes(export(known, Content(_BOOK, Card(name="Mira"), {OWN_PICTURE: _LARGE})).data)
    return path


def edited(document: Document) -> Export:
    assert document.book is not None
    entry = document.book.entries[0].model_copy(update={"content": "It shuts."})
    book = document.book.model_copy(update={"entries": (entry,)})
    return document.write(replace(document.content, book=book))


@each_format
def test_an_edit_is_the_same_as_that_of_a_file_read_whole(
    known: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lorebook.reading._LARGE", 1)
    path = card(tmp_path, known)
    document = open_file(path)
    assert isinstance(document.data, LargeFile)
    made = edited(document)
    atomic.write_file(tmp_path / "edited", *made.segments)
    assert (tmp_path / "edited").read_bytes() == made.data == edited(whole(path)).data
    assert document.write().data == path.read_bytes()
    assert dict(document.content.files) == dict(whole(path).content.files)


def whole(path: Path) -> Document:
    return open_document(path.read_bytes(), file_name="x")


def test_a_file_in_its_own_place_is_edited(tmp_path: Path) -> None:
    path = card(tmp_path, FORMATS["charx"])
    wanted = edited(whole(path)).data
    atomic.write_file(path, *edited(open_file(path)).segments)
    assert path.read_bytes() == wanted


def test_an_archive_that_is_cut_off_before_it_is_written_leaves_no_trace(tmp_path: Path) -> None:
    path = card(tmp_path, FORMATS["charx"])
    made = edited(open_file(path))
    os.truncate(path, 2_000_000)
    with pytest.raises(InputError, match="cut off at byte 2000000 while it was read"):
        atomic.write_file(tmp_path / "edited", *made.segments)
    assert [found.name for found in tmp_path.iterdir()] == ["mira.charx"]


@pytest.mark.parametrize("name", ["png", "charx"])
def test_a_file_that_is_cut_off_while_it_is_opened_is_told_in_a_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = card(tmp_path, FORMATS[name])
    real = LargeFile.__init__

    def cut(self: LargeFile, path: Path, file: int, size: int) -> None:
        real(self, path, file, size)
        os.truncate(path, size // 2)

    monkeypatch.setattr(LargeFile, "__init__", cut)
    (failed,) = inspect_files([path])
    assert isinstance(failed, FileFailure)
    assert "cut off at byte" in failed.error
    assert "\n" not in failed.error
    with pytest.raises(InputError):
        convert_file(Pair(card(tmp_path, FORMATS[name]), tmp_path / "out.json"), Conversion("card-v3"))
    assert not (tmp_path / "out.json").exists()
