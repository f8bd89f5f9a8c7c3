"""
Writing that a crash cannot halve.

A file is written beside its place, flushed to the disk and renamed over it; a folder likewise. A rename
within one file system is atomic (POSIX rename), so a reader sees the old content or the new, never a part.
Where the system can exchange two folders in one step (Linux, renameat2), one that is replaced is never
missing; elsewhere it is for a moment, and what a crash leaves then, `recover_folder` undoes.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from lorebook.errors import StorageError

# A folder that is being replaced waits under this ending; `recover_folder` brings it back after a crash.
_RETIRED = ".retired"
_STAGED = re.compile(r"\..*\.[0-9a-f]{16}\.staged")
# Seconds after which what was staged is taken for a killed process's; no write takes so long.
_STALE = 3600
# When this process swept which folder.
_swept: dict[Path, float] = {}
_REMEMBERED = 1000
# Flushes under way at a time; more gained nothing on ext4.
_FLUSHES = 8


def write_file(path: Path, *data: bytes | memoryview | Iterable[bytes]) -> None:
    """
    Put *data*, a whole or its segments, at *path*, creating parent folders; the old file stays whole until then.

    A segment may come in steps. Permissions stay; so does a symbolic link, and what it points to is written; a device
    or a pipe is written into. Raises StorageError when the disk refuses.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            _write_into(path, _steps(data))
        else:
            _replace_file(Path(os.path.realpath(path)), _steps(data))
    except OSError as error:
        raise refusal(path, error) from error


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """
    Put at *path* the folder that *fill* writes into an empty one; an old folder there is replaced whole.

    The folder's permissions stay; of a symbolic link, the folder that it points to is replaced. Raises StorageError
    when the disk refuses; whatever *fill* raises passes through, leaving *path* as it was.
    """
    try:
        target = Path(os.path.realpath(path))
        with _staged(target) as staged:
            sweep(target.parent)
            staged.mkdir()
            fill(staged)
            _keep_mode(target, staged)
            _flush_all(staged)
            with _alone(target.parent, wait=True):
                _swap(staged, target)
            _flush(target.parent)
    except OSError as error:
        raise refusal(path, error) from error


def recover_folder(path: Path) -> None:
    """
    Undo a replacement of the folder *path* that a crash cut short between its two renames.

    Nothing is done while another process is at it, nor where this one may not write.
    """
    retired = _retired(path)
    if not os.path.lexists(retired):
        return
    # Refused means that the folder is locked, that another was quicker, or that it is read-only.
    with suppress(OSError), _alone(path.parent, wait=False):
        if path.exists():
            _remove(retired)
        else:
            retired.rename(path)


def retired_names(parent: Path) -> list[str]:
    """
    Return the names of the folders in *parent* whose replacement a crash may have cut short.
    """
    return sorted(found.name[1 : -len(_RETIRED)] for found in parent.glob(f".*{_RETIRED}"))


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """
    Hold *folder* while what was read in it is changed, waiting until whoever else holds it lets go.

    A process that dies lets go. Raises StorageError when the disk refuses.
    """
    with ExitStack() as held:
        try:
            held.enter_context(_alone(folder, wait=True))
        except OSError as error:
            raise refusal(folder, error) from error
        yield


def sweep(folder: Path) -> None:
    """
    Take away what killed processes left half-written in *folder*.
    """
    # A folder that may be written but not listed, or an entry that another process took, is not swept.
    with suppress(OSError):
        left = [found for found in folder.iterdir() if _STAGED.fullmatch(found.name)]
        for found in left:
            if time.time() - found.lstat().st_mtime > _STALE:
                _remove(found)


def _sweep_sometimes(folder: Path) -> None:
    """
    Sweep *folder* unless this process did lately: a listing for each of thousands of files would be millions of names.
    """
    if time.monotonic() - _swept.get(folder, -_STALE) >= _STALE:
        if len(_swept) >= _REMEMBERED:
            _swept.clear()
        _swept[folder] = time.monotonic()
        sweep(folder)


def refusal(path: Path, error: OSError) -> StorageError:
    """
    Return the error that says what the disk refused at *path*.
    """
    reason = error.strerror or type(error).__name__
    return StorageError(f"cannot write: {reason}", where=str(path), hint="check permissions and free space")


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}.staged")


def _steps(data: Iterable[bytes | memoryview | Iterable[bytes]]) -> Iterator[bytes | memoryview]:
    for segment in data:
        if isinstance(segment, bytes | memoryview):
            yield segment
        else:
            yield from segment


def _write_into(path: Path, data: Iterable[bytes | memoryview]) -> None:
    with path.open("wb", buffering=0) as file:
        for segment in data:
            rest = memoryview(segment)
            while rest:
                rest = rest[file.write(rest) :]


def _replace_file(target: Path, data: Iterable[bytes | memoryview]) -> None:
    with _staged(target) as staged:
        _sweep_sometimes(target.parent)
        with staged.open("xb") as file:
            _keep_mode(target, staged)
            file.writelines(data)
            file.flush()
            os.fsync(file.fileno())
        staged.replace(target)


def _keep_mode(old: Path, new: Path) -> None:
    """
    Give *new* the permissions of *old*, if there is one: what only its owner may read stays so.
    """
    try:
        mode = stat.S_IMODE(old.stat().st_mode)
    except OSError:
        # There is none, or only a link to itself.
        return
    if mode != stat.S_IMODE(new.stat().st_mode):
        new.chmod(mode)


@contextmanager
def _staged(target: Path) -> Iterator[Path]:
    """
    Yield a place beside *target*, whose folder is made; what is still there in the end is taken away.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    staged = _beside(target)
    try:
        yield staged
    finally:
        _remove(staged)


def _retired(path: Path) -> Path:
    return path.with_name(f".{path.name}{_RETIRED}")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _swap(staged: Path, path: Path) -> None:
    """
    Put *staged* at *path*; what stood there is under the name of *staged* then, or gone.
    """
    if path.exists() and not _exchange(staged, path):
        _remove(_retired(path))
        path.rename(_retired(path))
    if staged.exists() and not path.exists():
        staged.rename(path)
    if os.path.lexists(_retired(path)):
        _remove(_retired(path))


def _exchange(one: Path, other: Path) -> bool:
    """
    Exchange two paths in one step; return False where the system or the disk cannot.

    The numbers are of Linux: AT_FDCWD in fcntl.h, RENAME_EXCHANGE in linux/fs.h.
    """
    import ctypes  # noqa: PLC0415 - only a replacement needs it

    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    here, exchange = -100, 2
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)


def _flush_all(folder: Path) -> None:
    """
    Flush everything in *folder*: side by side, for a disk writes many files at once in little more time than one.
    """
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - only a folder's writing needs it

    found = [Path(place, name) for place, folders, files in os.walk(folder) for name in (*folders, *files)]
    with ThreadPoolExecutor(_FLUSHES) as threads:
        for _ in threads.map(_flush_each, (found[start::_FLUSHES] for start in range(_FLUSHES))):
            pass
    _flush(folder)


def _flush_each(paths: Iterable[Path]) -> None:
    for path in paths:
        if not path.is_symlink():
            _flush(path)


if sys.platform == "win32":  # pragma: no cover

    def _flush(path: Path) -> None:
        """
        Leave *path* to the system: Windows flushes neither folders nor files opened for reading.
        """

    @contextmanager
    def _alone(_folder: Path, *, wait: bool) -> Iterator[None]:
        """
        Lock nothing: Windows opens no folder as a file.
        """
        del wait
        yield

else:
    import fcntl

    def _flush(path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    @contextmanager
    def _alone(folder: Path, *, wait: bool) -> Iterator[None]:
        """
        Hold the lock on *folder*, which the system lets go of when the process dies.

        Raises BlockingIOError when another has it and this one is not to *wait*.
        """
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        finally:
            os.close(descriptor)
