"""Writing that a crash cannot halve."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lorebook import atomic
from lorebook.errors import StorageError


def test_a_file_is_replaced_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "手牌.yaml"
    atomic.write_file(target, b"old")
    atomic.write_file(target, b"new")
    assert target.read_bytes() == b"new"
    assert [path.name for path in target.parent.iterdir()] == ["手牌.yaml"]


def _write(folder: Path, words: str) -> None:
    (folder / "a").write_text(words)


def _write_old(folder: Path) -> None:
    _write(folder, "old")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_that_cannot_be_filled_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "rules"
    atomic.write_folder(target, _write_old)

    def fail(folder: Path) -> None:
        (folder / "a").write_text("half")
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        atomic.write_folder(target, fail)
    assert (target / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["rules"]


def test_a_replacement_cut_short_between_its_renames_is_undone(tmp_path: Path) -> None:
    target = tmp_path / "rules"
    target.mkdir()
    (target / "a").write_text("old")
    target.rename(tmp_path / ".rules.retired")
    assert atomic.retired_names(tmp_path) == ["rules"]
    atomic.recover_folder(target)
    assert (target / "a").read_text() == "old"
    assert atomic.retired_names(tmp_path) == []


def test_a_refusing_disk_is_one_clear_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StorageError, match="cannot write"):
        atomic.write_file(blocked / "inside", b"x")
    with pytest.raises(StorageError, match="cannot write"):
        atomic.write_folder(blocked / "inside", lambda _folder: None)


def test_a_link_stays_and_what_it_points_to_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "book.json", tmp_path / "link"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link.symlink_to(target)
    atomic.write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, data = tmp_path / "pipe", b"x" * 200_000
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    atomic.write_file(pipe, data)
    reader.join(10)
    assert read == [data]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_the_replaced_folder_may_be_a_link_again_and_again(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "rules", tmp_path / "rules"
    target.mkdir(parents=True)
    link.symlink_to(target)
    for words in ("one", "two", "three"):
        atomic.write_folder(link, lambda folder, words=words: _write(folder, words))  # type: ignore[misc]
        assert (target / "a").read_text() == words
    assert link.is_symlink()
    assert names_in(tmp_path) == ["rules", "there"]
    assert names_in(target.parent) == ["rules"]


@pytest.mark.parametrize("can_exchange", [True, False])
def test_what_lies_in_the_place_of_the_retired_folder_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(atomic, "_exchange", lambda _one, _other: False)
    atomic.write_folder(tmp_path / "rules", _write_old)
    (tmp_path / ".rules.retired").symlink_to(tmp_path)
    atomic.write_folder(tmp_path / "rules", lambda folder: _write(folder, "new"))
    assert (tmp_path / "rules" / "a").read_text() == "new"
    assert names_in(tmp_path) == ["rules"]


def test_nothing_is_recovered_while_another_process_replaces(tmp_path: Path) -> None:
    retired = tmp_path / ".rules.retired"
    retired.mkdir()
    with atomic._alone(tmp_path, wait=True):
        atomic.recover_folder(tmp_path / "rules")
        assert names_in(tmp_path) == [retired.name]
    atomic.recover_folder(tmp_path / "rules")
    assert names_in(tmp_path) == ["rules"]


def test_a_lost_race_to_recover_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".rules.retired").mkdir()

    def refuse(_self: Path, _target: Path) -> Path:
        raise OSError(39, "Directory not empty")

    monkeypatch.setattr(Path, "rename", refuse)
    atomic.recover_folder(tmp_path / "rules")
    assert names_in(tmp_path) == [".rules.retired"]


def test_readers_that_recover_never_disturb_writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic, "_exchange", lambda _one, _other: False)
    target, over = tmp_path / "rules", threading.Event()
    faults: list[BaseException] = []

    def recover() -> None:
        try:
            while not over.is_set():
                atomic.recover_folder(target)
        except BaseException as error:  # noqa: BLE001 - told by the assertion below
            faults.append(error)

    readers = [threading.Thread(target=recover) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for turn in range(100):
            atomic.write_folder(target, lambda folder, turn=turn: _write(folder, str(turn)))  # type: ignore[misc]
    finally:
        over.set()
        for reader in readers:
            reader.join()
    assert faults == []
    assert (target / "a").read_text() == "99"


def test_a_folder_is_listed_once_for_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[Path] = []
    monkeypatch.setattr(atomic, "sweep", listed.append)
    for number in range(5):
        atomic.write_file(tmp_path / "one" / str(number), b"")
        atomic.write_file(tmp_path / "other" / str(number), b"")
    assert listed == [tmp_path / "one", tmp_path / "other"]


def test_what_a_killed_process_left_is_swept_once_it_is_old(tmp_path: Path) -> None:
    left = [atomic._beside(tmp_path / "rules"), atomic._beside(tmp_path / "gone"), atomic._beside(tmp_path / "now")]
    for folder in left:
        folder.mkdir()
        _write_old(folder)
    for folder in left[:2]:
        os.utime(folder, (0, 0))
    (tmp_path / ".hidden").write_text("of someone else")
    os.utime(tmp_path / ".hidden", (0, 0))
    atomic.write_folder(tmp_path / "rules", _write_old)
    assert names_in(tmp_path) == sorted([left[2].name, ".hidden", "rules"])
    os.utime(left[2], (0, 0))
    atomic.write_file(tmp_path / "file", b"x")
    assert names_in(tmp_path) == [".hidden", "file", "rules"]


def test_a_folder_is_on_the_disk_before_it_is_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[str] = []
    fsync = os.fsync

    def note(descriptor: int) -> None:
        flushed.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    atomic.write_folder(tmp_path / "rules", _write_old)
    assert flushed[0] == "a"
    assert flushed[1].startswith(".rules.")
    assert flushed[2] == tmp_path.name


def _write_many(folder: Path) -> None:
    (folder / "source").mkdir()
    for number in range(30):
        (folder / f"{number}.yaml").write_text("new")
        (folder / "source" / f"{number}.txt").write_text("new")


def test_every_file_of_a_folder_is_flushed_once_and_before_its_folder_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[str] = []
    monkeypatch.setattr(atomic, "_flush", lambda path: flushed.append(path.name))
    atomic.write_folder(tmp_path / "rules", _write_many)
    *inside, staged, parent = flushed
    assert sorted(inside) == sorted(path.name for path in (tmp_path / "rules").rglob("*"))
    assert staged.startswith(".rules.")
    assert parent == tmp_path.name


def test_a_disk_that_refuses_to_flush_leaves_the_old_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "rules"
    atomic.write_folder(target, _write_old)
    flush = atomic._flush

    def refuse(path: Path) -> None:
        if path.name == "17.yaml":
            raise OSError(errno.ENOSPC, "No space left on device")
        flush(path)

    monkeypatch.setattr(atomic, "_flush", refuse)
    with pytest.raises(StorageError, match="No space left"):
        atomic.write_folder(target, _write_many)
    assert (target / "a").read_text() == "old"
    assert names_in(tmp_path) == ["rules"]


def test_the_mask_of_the_process_holds_and_is_never_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", lambda _mask: pytest.fail("set for all threads"))
        atomic.write_file(tmp_path / "file", b"x")
        atomic.write_folder(tmp_path / "rules", _write_old)
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "rules").stat().st_mode) == 0o750


@pytest.mark.parametrize("mode", [0o600, 0o444, 0o664], ids=oct)
def test_permissions_of_what_is_replaced_stay(tmp_path: Path, mode: int) -> None:
    file, folder = tmp_path / "file", tmp_path / "rules"
    atomic.write_file(file, b"old")
    atomic.write_folder(folder, _write_old)
    file.chmod(mode)
    folder.chmod(mode | 0o300)
    atomic.write_file(file, b"new")
    atomic.write_folder(folder, _write_many)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, folder)] == [mode, mode | 0o300]
    assert (file.read_bytes(), len(names_in(folder)) > 1) == (b"new", True)


def test_a_folder_that_is_not_there_cannot_be_held(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot write"), atomic.alone(tmp_path / "gone"):
        pytest.fail("it is held")


@pytest.mark.slow
def test_kill_at_any_moment_leaves_the_old_folder_or_the_new(tmp_path: Path) -> None:
    target = tmp_path / "rules"
    writer = (
        "import sys, pathlib\n"
        "from lorebook import atomic\n"
        "target = pathlib.Path(sys.argv[1])\n"
        "def fill(folder):\n"
        "    for n in range(20): (folder / str(n)).write_text(str(round))\n"
        "for round in range(10**6): atomic.write_folder(target, fill)\n"
    )
    for attempt in range(20):
        process = subprocess.Popen([sys.executable, "-c", writer, str(target)])
        time.sleep(0.15 + attempt * 0.011)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        atomic.recover_folder(target)
        if attempt > 5 or target.exists():
            contents = {path.read_text() for path in target.iterdir()}
            assert len(list(target.iterdir())) == 20
            assert len(contents) == 1


def test_a_link_to_itself_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    atomic.write_file(tmp_path / "loop", b"x")
    assert (tmp_path / "loop").read_bytes() == b"x"
