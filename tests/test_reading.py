"""Files that somebody names are read to a limit, whatever kind of file they are."""

from __future__ import annotations

import mmap
import os
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook import reading
from lorebook.errors import InputError
from lorebook.formats.containers.container import held, streamed, stretch
from lorebook.reading import LargeFile, open_file, read_file


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
        open_file(Path("/dev/zero"), limit=2**32, hint="name a file")


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(InputError, match="larger than 4096 MiB"):
        open_file(path, limit=2**32, hint="name a file")


# --- a large file ---


def large(path: Path) -> LargeFile:
    with path.open("rb") as file:
        return LargeFile(path, file.fileno(), path.stat().st_size)


_ENDS = st.none() | st.integers(-30, 30)


@given(data=st.binary(max_size=20), start=_ENDS, stop=_ENDS)
def test_a_slice_is_what_it_is_of_bytes(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, start: int | None, stop: int | None
) -> None:
    path = tmp_path_factory.getbasetemp() / "sliced"
    path.write_bytes(data)
    file = large(path)
    assert file[start:stop] == data[start:stop]
    assert len(file) == len(data)
    assert b"".join(streamed([stretch(file, start or 0, stop)])) == data[start or 0 : stop]
    assert len(stretch(file, start or 0, stop)) == len(data[start or 0 : stop])


def test_a_large_file_is_read_where_it_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as written:
        written.truncate(2**31)
    tracemalloc.start()
    try:
        file = open_file(path, limit=2**32, hint="")
        assert isinstance(file, LargeFile)
        assert file[2**31 - 3 :] == bytes(3)
        assert isinstance(held(file), mmap.mmap)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_a_file_that_is_cut_off_meanwhile_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(5_000_000))
    file = open_file(path, limit=2**32, hint="")
    os.truncate(path, 4_000_000)
    assert file[3_999_990:4_000_000] == bytes(10)
    with pytest.raises(InputError) as caught:
        file[3_999_990:4_000_001]
    assert str(caught.value) == (
        f"{path}: it was cut off at byte 4000000 while it was read (try again when no other program writes it)"
    )


def test_a_file_that_nobody_looks_at_any_more_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")
    file = large(path)
    number = file._file
    assert os.fstat(number).st_size == 1
    del file
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(number)
