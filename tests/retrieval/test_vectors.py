"""
Vectors kept by content.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from lorebook.retrieval.space import Space
from lorebook.retrieval.vectors import Vault, kept_keys

SPACE = Space("some/model-v1", 4)
KEYS = [f"{n:064x}" for n in (3, 1, 2)]


def rows(count: int) -> NDArray[np.float32]:
    made = np.random.default_rng(3).normal(size=(count, SPACE.dimension)).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def filled(folder: Path, keys: list[str]) -> Vault:
    vault = Vault(SPACE)
    vault.add(keys, rows(len(keys)))
    vault.save(folder, keys)
    return vault


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_stored_and_fresh_vectors_are_the_same_and_of_unit_length(tmp_path: Path) -> None:
    fresh = filled(tmp_path, KEYS).rows(KEYS)
    assert np.array_equal(Vault(SPACE, [tmp_path]).rows(KEYS), fresh)
    assert np.linalg.norm(fresh, axis=1) == pytest.approx(1, abs=1e-6)
    assert fresh == pytest.approx(rows(3), abs=1e-3)


@given(order=st.permutations(KEYS))
def test_equal_content_gives_equal_bytes(tmp_path_factory: pytest.TempPathFactory, order: list[str]) -> None:
    first, second = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    vault = filled(first, KEYS)
    vault.save(second, order)
    assert content(first) == content(second)
    assert set(content(first)) == {"some-model-v1-4/keys.txt", "some-model-v1-4/vectors.npy"}


def test_only_what_is_asked_for_is_kept(tmp_path: Path) -> None:
    filled(tmp_path, KEYS)
    Vault(SPACE, [tmp_path]).save(tmp_path, KEYS[:1])
    assert kept_keys(SPACE, tmp_path) == frozenset(KEYS[:1])
    assert Vault(SPACE, [tmp_path]).missing([*KEYS, KEYS[1]]) == KEYS[1:]


def test_an_unchanged_file_is_not_written(tmp_path: Path) -> None:
    filled(tmp_path, KEYS)
    before = (tmp_path / SPACE.slug / "vectors.npy").stat().st_mtime_ns
    Vault(SPACE, [tmp_path]).save(tmp_path, KEYS)
    assert (tmp_path / SPACE.slug / "vectors.npy").stat().st_mtime_ns == before


def test_the_first_folder_that_has_a_vector_wins_and_others_fill_in(tmp_path: Path) -> None:
    filled(tmp_path / "a", KEYS[:2])
    filled(tmp_path / "b", KEYS[2:])
    assert Vault(SPACE, [tmp_path / "none", tmp_path / "a", tmp_path / "b"]).missing(KEYS) == []


@pytest.mark.parametrize("damage", ["cut rows", "cut keys", "no keys", "other model", "not numpy"])
def test_files_that_do_not_fit_together_count_as_absent(tmp_path: Path, damage: str) -> None:
    filled(tmp_path, KEYS)
    keys, vectors = (tmp_path / SPACE.slug / name for name in ("keys.txt", "vectors.npy"))
    match damage:
        case "cut rows":
            vectors.write_bytes(vectors.read_bytes()[:-5])
        case "cut keys":
            keys.write_text("\n".join(keys.read_text().splitlines()[:-1]) + "\n")
        case "no keys":
            keys.write_bytes(b"")
        case "other model":
            keys.write_text(keys.read_text().replace("some/model-v1", "some/model-v2"))
        case _:
            vectors.write_bytes(b"nothing")
    assert Vault(SPACE, [tmp_path]).missing(KEYS) == KEYS
    assert kept_keys(SPACE, tmp_path) is None
