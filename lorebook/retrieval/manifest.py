"""
What an index was made from: written last, so that an index without it does not count as one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import ValidationError

from lorebook import atomic
from lorebook.errors import RulesetError
from lorebook.records import Frozen
from lorebook.ruleset import MANIFEST as RULESET_MANIFEST
from lorebook.ruleset import Ruleset

FILE = "manifest.json"
_LAYOUT = 2


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

    Raises RulesetError, naming the file, for one that cannot be read.
    """
    total = hashlib.sha256()
    for path in sorted([*folder.glob("[!.]*.yaml"), folder / RULESET_MANIFEST]):
        try:
            data = path.read_bytes()
        except OSError as error:
            raise RulesetError(f"cannot be read: {error.strerror}", where=f"{folder.name}/{path.name}") from error
        total.update(f"{path.name}\0".encode(errors="surrogateescape"))
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
