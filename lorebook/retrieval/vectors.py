"""
Vectors kept by the content they were made from, so that only a changed passage is embedded again.

A folder `<vectors>/<model>/` holds `keys.txt` (one sha256 a line, sorted, after a line that names the model)
and `vectors.npy` (float16 rows in the order of the keys). Equal content gives equal bytes. Both files are
replaced together; a pair that does not fit is treated as absent, because everything in it can be made again.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lorebook import atomic
from lorebook.retrieval.space import Space

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lorebook.retrieval.embedders import Vectors

FOLDER = "vectors"
"""The folder of an index where its vectors are."""

_KEYS = "keys.txt"
_ROWS = "vectors.npy"
# Rounding to float16 changes a length by far less; damage, by more.
_LENGTH_ERROR = 0.02


class Vault:
    """
    The vectors of one space that are already known, from one or more folders; the first that has one wins.
    """

    def __init__(self, space: Space, folders: Iterable[Path] = ()) -> None:
        """
        Read what *folders* hold of *space*.
        """
        self.space = space
        self._parts = [part for folder in folders if (part := _read(folder / space.slug, space))]
        self._fresh: dict[str, NDArray[np.float16]] = {}

    def missing(self, keys: Iterable[str]) -> list[str]:
        """
        Return those of *keys* that have no vector yet, each once, in their order.
        """
        return [key for key in dict.fromkeys(keys) if key not in self]

    def add(self, keys: Sequence[str], rows: Vectors) -> None:
        """
        Keep *rows*, rounded as the files round them, so that fresh and stored vectors give the same results.
        """
        self._fresh |= dict(zip(keys, _pack(rows), strict=True))

    def rows(self, keys: Sequence[str]) -> Vectors:
        """
        Return one float32 row of unit length a key; KeyError for an unknown one.
        """
        return _unpack(self._packed(keys))

    def save(self, folder: Path, keys: Iterable[str]) -> None:
        """
        Write the vectors of *keys*, and no others, into *folder*; nothing is touched when they are there already.

        Raises StorageError when the disk refuses.
        """
        ordered = sorted(set(keys))
        place = folder / self.space.slug
        known = _read(place, self.space)
        if known is not None and list(known.keys) == ordered:
            return
        listing = "\n".join([f"# {self.space.title}", *ordered, ""]).encode()
        rows = _npy(self._packed(ordered))

        def fill(staged: Path) -> None:
            (staged / _KEYS).write_bytes(listing)
            (staged / _ROWS).write_bytes(rows)

        atomic.write_folder(place, fill)

    def __contains__(self, key: str) -> bool:
        return key in self._fresh or any(key in part.keys for part in self._parts)

    def _packed(self, keys: Sequence[str]) -> NDArray[np.float16]:
        rows = np.empty((len(keys), self.space.dimension), dtype=np.float16)
        for at, key in enumerate(keys):
            rows[at] = self._row(key)
        return rows

    def _row(self, key: str) -> NDArray[np.float16]:
        part = next((part for part in self._parts if key in part.keys), None)
        return part.rows[part.keys[key]] if part else self._fresh[key]


def recover(space: Space, folder: Path) -> None:
    """
    Bring back the vectors of *space* in *folder* if a crash came while they were replaced; for their only writer.
    """
    atomic.recover_folder(folder / space.slug)


def kept_keys(space: Space, folder: Path) -> frozenset[str] | None:
    """
    Return the keys of the vectors of *space* in *folder*, None where there are none that can be read.
    """
    part = _read(folder / space.slug, space)
    return frozenset(part.keys) if part else None


class _Part(NamedTuple):
    keys: Mapping[str, int]
    rows: NDArray[np.float16]


def _read(place: Path, space: Space) -> _Part | None:
    try:
        title, *keys = (place / _KEYS).read_text("utf-8").splitlines()
        rows = np.load(place / _ROWS, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    fits = title == f"# {space.title}" and rows.shape == (len(keys), space.dimension) and rows.dtype == np.float16
    return _Part({key: row for row, key in enumerate(keys)}, rows) if fits and _are_directions(rows) else None


def _are_directions(rows: NDArray[np.float16]) -> bool:
    """
    Tell whether all rows have about unit length, as the vectors that were written had.
    """
    lengths = np.einsum("ij,ij->i", rows, rows, dtype=np.float32)
    return bool(np.all(np.abs(lengths - 1) < _LENGTH_ERROR))


def _pack(rows: Vectors) -> NDArray[np.float16]:
    return rows.astype(np.float16)


def _unpack(rows: NDArray[np.float16]) -> Vectors:
    wide = rows.astype(np.float32)
    lengths = np.linalg.norm(wide, axis=-1, keepdims=True)
    return np.asarray(wide / np.maximum(lengths, np.float32(1e-9)), dtype=np.float32)


def _npy(rows: NDArray[np.float16]) -> bytes:
    file = io.BytesIO()
    np.save(file, rows, allow_pickle=False)
    return file.getvalue()
