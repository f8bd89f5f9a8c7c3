"""
What an index was made from: written last, so that an index without it does not count as one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
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
    The ingredients of an index, and the name of its tables.
    """

    layout: int = _LAYOUT
    model: str
    space: str
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


def difference(manifest: IndexManifest, wanted: IndexManifest) -> str | None:
    """
    Say in a few words why *manifest* is not *wanted*, None when it is.
    """
    for field, what in (("model", "model"), ("recipe", "recipe"), ("glossary", "glossary")):
        if getattr(manifest, field) != getattr(wanted, field):
            return f"the {what} changed"
    return _rulesets_difference(manifest.rulesets, wanted.rulesets)


def _rulesets_difference(old: Mapping[str, str], new: Mapping[str, str]) -> str | None:
    changes = (
        ("is new", new.keys() - old.keys()),
        ("is gone", old.keys() - new.keys()),
        ("changed", {name for name in old.keys() & new.keys() if old[name] != new[name]}),
    )
    said = [f"{', '.join(sorted(names))} {what}" for what, names in changes if names]
    return "; ".join(said) or None
