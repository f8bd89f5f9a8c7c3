"""Files that somebody names are read to a limit, whatever kind of file they are."""

from __future__ import annotations

import os
import threading
import tracemalloc
from pathlib import Path

import pytest

from lorebook import reading
from lorebook.errors import InputError
from lorebook.reading import map_file, read_file


def test_a_file_at_the_limit_is_read_and_one_beyond_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    assert read_file(path, limit=10, hint="shorten it") == b"x" * 10
    with pytest.raises(InputError, match="larger than"):
        read_file(path, limit=9, hint="shorten it")


def test_an_endless_device_is_refused() -> None:
    with pytest.raises(InputError, match="larger than 1 MiB"):
        read_file(Path("/dev/zero"), limit=2**20, hint="name a file")


def test_a_pipe_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"[]",))
    writer.start()
    assert read_file(pipe, limit=10, hint="") == b"[]"
    writer.join()


def test_a_folder_and_a_missing_file_are_one_line(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(InputError, match="cannot be read"):
            read_file(path, limit=10, hint="name a file")


def test_a_high_limit_costs_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    tracemalloc.start()
    try:
        assert read_file(path, limit=2**32, hint="") == b"x" * 10
        assert tracemalloc.get_traced_memory()[1] < 8 * 2**20
    finally:
        tracemalloc.stop()


def test_what_cannot_be_mapped_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST_PIPE", 2**20)
    with pytest.raises(InputError, match="larger than 1 MiB"):
        map_file(Path("/dev/zero"), limit=2**32, hint="name a file")


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(InputError, match="larger than 4096 MiB"):
        map_file(path, limit=2**32, hint="name a file")
