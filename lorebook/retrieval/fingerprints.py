"""
Fingerprints of rulesets, by which an index knows whether it still fits them.

They are of the files' bytes: a question is not to wait until thousands of records have been parsed.
"""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from lorebook.errors import RulesetError
from lorebook.ruleset import MANIFEST, Ruleset

# A file that changed just before it was read may change again without another time: clocks of file systems are coarse.
_SETTLED = 3_000_000_000
_KNOWN: dict[Path, tuple[bytes | None, str]] = {}
"""How each folder looked when it was read, and its fingerprint."""


def fingerprint(folder: Path) -> str:
    """
    Return the sha256 of the files of the ruleset in *folder*, without reading what they mean.

    Of a folder that has not changed since it was last read in this process, only the files' sizes and times are looked
    at. Raises RulesetError, naming the file, for one that cannot be read.
    """
    looked, names = time.time_ns(), _names(folder)
    seen, newest = _looks(folder, names)
    known, digest = _KNOWN.get(folder.absolute(), (None, ""))
    if seen != known:
        digest = _read_fingerprint(folder, names)
        if newest + _SETTLED < looked:
            _KNOWN[folder.absolute()] = (seen, digest)
    return digest


def fingerprint_of(ruleset: Ruleset) -> str:
    """
    Return the fingerprint of *ruleset*'s folder, or its digest where it has none.

    Raises RulesetError as `fingerprint` does.
    """
    if ruleset.folder and (ruleset.folder / MANIFEST).is_file():
        return fingerprint(ruleset.folder)
    return ruleset.digest


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> str | None:
    """
    Say in a few words why the fingerprints *old* are not *new*, None when they are.
    """
    changes = (
        ("is new", new.keys() - old.keys()),
        ("is gone", old.keys() - new.keys()),
        ("changed", {name for name in old.keys() & new.keys() if old[name] != new[name]}),
    )
    said = [f"{', '.join(sorted(names))} {what}" for what, names in changes if names]
    return "; ".join(said) or None


def _names(folder: Path) -> list[str]:
    try:
        held = os.listdir(folder)  # noqa: PTH208 (a Path for each of many files takes longer than the look at it)
    except OSError:
        held = []  # reading its manifest says what is wrong
    return sorted([*(name for name in held if name.endswith(".yaml") and name[0] != "."), MANIFEST])


def _looks(folder: Path, names: Iterable[str]) -> tuple[bytes, float]:
    """
    Return what a file system says of the files, and when the newest change was.

    A program may set the time of a file's content, but not that of its last change (on Windows, of its making).
    """
    said, newest = [], 0.0
    for name in names:
        try:
            found = os.stat(f"{folder}{os.sep}{name}")  # noqa: PTH116
        except OSError:
            return b"", math.inf
        said.append(f"{name}\0{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}")
        newest = max(newest, found.st_mtime_ns, found.st_ctime_ns)
    return hashlib.sha256("\n".join(said).encode(errors="surrogateescape")).digest(), newest


def _read_fingerprint(folder: Path, names: Iterable[str]) -> str:
    total = hashlib.sha256()
    for name in names:
        try:
            data = (folder / name).read_bytes()
        except OSError as error:
            raise RulesetError(f"cannot be read: {error.strerror}", where=f"{folder.name}/{name}") from error
        total.update(f"{name}\0".encode(errors="surrogateescape"))
        total.update(hashlib.sha256(data).digest())
    return total.hexdigest()
