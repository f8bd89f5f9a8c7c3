"""
What an index was made from: written last, so that an index without it does not count as one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import Field, ValidationError

from lorebook import atomic
from lorebook.errors import RetrievalError
from lorebook.records import Frozen

FILE = "manifest.json"
_LAYOUT = 4


class IndexManifest(Frozen):
    """
    The ingredients of an index, where its vectors are, and the name of its tables.

    *space* is the title of a `Space`, *content* the sha256 of the ids of its passages.
    """

    layout: int = _LAYOUT
    model: str
    space: str = Field(pattern=r"(?s)^.* [0-9]{1,9}$")
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
    Take the manifest out of *store* before a part of the index is removed, so that a crash leaves none that lies.

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
