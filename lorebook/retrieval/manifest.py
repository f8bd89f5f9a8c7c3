"""
What an index was made from: written last, so that an index without it does not count as one.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import ValidationError

from lorebook import atomic
from lorebook.errors import RetrievalError, RulesetError
from lorebook.records import Frozen
from lorebook.ruleset import MANIFEST as RULESET_MANIFEST
from lorebook.ruleset import Ruleset

FILE = "manifest.json"
_LAYOUT = 4
# A file that changed just before it was read may change again without another time: clocks of file systems are coarse.
_SETTLED = 3_000_000_000
_KNOWN: dict[Path, tuple[bytes | None, str]] = {}
"""How each folder looked when it was read, and its fingerprint."""


class IndexManifest(Frozen):
    """
    The ingredients of an index, where its vectors are, and the name of its tables.

    *content* is the sha256 of the ids of its passages.
    """

    layout: int = _LAYOUT
    model: str
    space: str
    store: str = ""
    content: str
    recipe: str
    glossary: str
    rulesets: dict[str, str]
    languages: tuple[str, ...] = ()
    passages: int

    @property
    def tables(self) -> str:
        """
        The file name of the tables: other ingredients are another file.
        """
        digest = hashlib.sha256(self.model_dump_json().encode()).hexdigest()
        return f"tables-{digest[:16]}.npz"

    def save(self, store: Path) -> None:
        """
        Make this the index in *store*.

        Raises StorageError when the disk refuses.
        """
        atomic.write_file(store / FILE, f"{self.model_dump_json(indent=1)}\n".encode())


def read(store: Path) -> IndexManifest | None:
    """
    Return the manifest in *store*, or None where there is none that this version understands.
    """
    manifest = _read(store)
    while manifest is not None and not (store / manifest.tables).is_file():
        # Another process may have put a newer index in place between the two looks.
        newer = _read(store)
        manifest = newer if newer != manifest else None
    return manifest


def complete(store: Path) -> IndexManifest:
    """
    Return the manifest in *store*.

    Raises RetrievalError where `read` finds none.
    """
    manifest = read(store)
    if manifest is None:
        raise RetrievalError("there is no complete index", where=str(store), hint="`lorebook index` builds it")
    return manifest


def _read(store: Path) -> IndexManifest | None:
    try:
        manifest = IndexManifest.model_validate_json((store / FILE).read_bytes())
    except (OSError, ValidationError):
        return None
    return manifest if manifest.layout == _LAYOUT else None


def withdraw(store: Path) -> None:
    """
    Make what is in *store* no index, before a part of it is taken away: a crash then leaves nothing that lies.

    Raises StorageError when the disk refuses.
    """
    try:
        (store / FILE).unlink(missing_ok=True)
    except OSError as error:
        raise atomic.refusal(store / FILE, error) from error


def is_of_another_version(store: Path) -> bool:
    """
    Tell whether the manifest in *store* was written by a version of lorebook that kept an index otherwise.
    """
    try:
        plain = json.loads((store / FILE).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(plain, dict) and plain.get("layout") != _LAYOUT


def content_of(ids: Iterable[str]) -> str:
    """
    Return the sha256 of the passages with *ids*.
    """
    return hashlib.sha256("\n".join(sorted(ids)).encode(errors="surrogatepass")).hexdigest()


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


def _names(folder: Path) -> list[str]:
    try:
        held = os.listdir(folder)  # noqa: PTH208 (a Path for each of many files takes longer than the look at it)
    except OSError:
        held = []  # reading its manifest says what is wrong
    return sorted([*(name for name in held if name.endswith(".yaml") and name[0] != "."), RULESET_MANIFEST])


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


def fingerprint_of(ruleset: Ruleset) -> str:
    """
    Return the fingerprint of *ruleset*'s folder, or its digest where it has none.
    """
    if ruleset.folder and (ruleset.folder / RULESET_MANIFEST).is_file():
        return fingerprint(ruleset.folder)
    return ruleset.digest


def rulesets_difference(old: Mapping[str, str], new: Mapping[str, str]) -> str | None:
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
