"""
Writing that a crash cannot halve.

A file is written beside its place, flushed to the disk and renamed over it; a folder likewise. A rename
within one file system is atomic (POSIX rename), so a reader sees the old content or the new, never a part.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from lorebook.errors import StorageError

# A folder that is being replaced waits under this ending; `recover_folder` brings it back after a crash.
_RETIRED = ".retired"


def write_file(path: Path, data: bytes) -> None:
    """
    Put *data* at *path*, creating parent folders; the old file stays whole until the new one is.

    Raises StorageError when the disk refuses.
    """
    staged: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:40]}.", delete=False) as file:
            staged = Path(file.name)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        staged.chmod(0o666 & ~_umask())
        staged.replace(path)
    except OSError as error:
        raise refusal(path, error) from error
    finally:
        if staged is not None:
            staged.unlink(missing_ok=True)


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """
    Put at *path* the folder that *fill* writes into an empty one; an old folder there is replaced whole.

    Raises StorageError when the disk refuses; whatever *fill* raises passes through, leaving *path* as it was.
    """
    staged: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        staged = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name[:40]}."))
        fill(staged)
        staged.chmod(0o777 & ~_umask())
        _swap(staged, path)
    except OSError as error:
        raise refusal(path, error) from error
    finally:
        if staged is not None:
            shutil.rmtree(staged, ignore_errors=True)


def recover_folder(path: Path) -> None:
    """
    Undo a replacement of the folder *path* that a crash cut short between its two renames.
    """
    retired = path.with_name(f".{path.name}{_RETIRED}")
    if not retired.exists():
        return
    if path.exists():
        shutil.rmtree(retired, ignore_errors=True)
    else:
        retired.rename(path)


def retired_names(parent: Path) -> list[str]:
    """
    Return the names of the folders in *parent* whose replacement a crash may have cut short.
    """
    return sorted(found.name[1 : -len(_RETIRED)] for found in parent.glob(f".*{_RETIRED}"))


def _swap(staged: Path, path: Path) -> None:
    retired = path.with_name(f".{path.name}{_RETIRED}")
    if path.exists():
        shutil.rmtree(retired, ignore_errors=True)
        path.rename(retired)
    staged.rename(path)
    shutil.rmtree(retired, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def refusal(path: Path, error: OSError) -> StorageError:
    """
    Return the error that says what the disk refused at *path*.
    """
    reason = error.strerror or type(error).__name__
    return StorageError(f"cannot write: {reason}", where=str(path), hint="check permissions and free space")
