"""
One contract, every vector store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from lorebook.errors import RetrievalError, StorageError
from lorebook.retrieval.stores import Row, Store
from lorebook.retrieval.stores.chroma import ChromaStore
from lorebook.retrieval.stores.memory import MemoryStore
from lorebook.retrieval.vectors import Space

SPACE = Space("model", 3)
ROWS = [Row("a", "chess", "en"), Row("b", "chess", "zh"), Row("c", "go", "en"), Row("d", "go", "en")]
VECTORS = np.asarray([[1, 0, 0], [0, 1, 0], [0.8, 0.6, 0], [0, 0, 1]], dtype=np.float32)
QUESTION = VECTORS[0]

OPENERS: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _: MemoryStore(),
    "chroma": lambda folder: ChromaStore(folder / "store", SPACE),
}


@pytest.fixture(params=OPENERS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = OPENERS[request.param](tmp_path)
    opened.add(ROWS, VECTORS)
    yield opened
    opened.close()


def test_the_nearest_come_first_with_their_similarity(store: Store) -> None:
    found = store.nearest(QUESTION, limit=2, language="en")
    assert [name for name, _ in found] == ["a", "c"]
    assert [similarity for _, similarity in found] == pytest.approx([1.0, 0.8], abs=1e-5)


@pytest.mark.parametrize(
    ("language", "rulesets", "names"),
    [
        ("en", None, {"a", "c", "d"}),
        ("zh", None, {"b"}),
        ("en", {"go"}, {"c", "d"}),
        ("zh", {"go"}, set()),
        ("en", {"go", "chess"}, {"a", "c", "d"}),
        ("en", set(), set()),
        ("en", {"shogi"}, set()),
    ],
)
def test_filters_come_before_the_limit(store: Store, language: str, rulesets: set[str] | None, names: set[str]) -> None:
    found = store.nearest(QUESTION, limit=3, language=language, rulesets=rulesets)
    assert {name for name, _ in found} == names


def test_adding_again_changes_nothing(store: Store) -> None:
    store.add(ROWS[:1], VECTORS[1:2])
    assert store.ids() == {"a", "b", "c", "d"}
    assert store.nearest(QUESTION, limit=1, language="en")[0][1] == pytest.approx(1.0, abs=1e-5)


def test_removed_rows_are_gone_and_unknown_ones_no_error(store: Store) -> None:
    store.remove(["a", "nobody"])
    assert store.ids() == {"b", "c", "d"}
    assert [name for name, _ in store.nearest(QUESTION, limit=9, language="en")] == ["c", "d"]


def test_chroma_keeps_its_rows(tmp_path: Path) -> None:
    first = OPENERS["chroma"](tmp_path)
    first.add(ROWS, VECTORS)
    first.close()
    second = OPENERS["chroma"](tmp_path)
    assert second.ids() == {"a", "b", "c", "d"}
    second.close()


def test_spaces_of_two_models_do_not_mix(tmp_path: Path) -> None:
    first = OPENERS["chroma"](tmp_path)
    first.add(ROWS, VECTORS)
    other = ChromaStore(tmp_path / "store", Space("another model", 2))
    assert other.ids() == set()
    other.add([Row("a", "chess", "en")], np.asarray([[0, 1]], dtype=np.float32))
    assert len(first.ids()) == len(ROWS)
    first.close()
    other.close()


def test_a_damaged_chroma_says_so_in_one_line(tmp_path: Path) -> None:
    store = OPENERS["chroma"](tmp_path)
    store.close()
    (tmp_path / "store" / "chroma.sqlite3").write_bytes(b"not a database at all" * 100)
    with pytest.raises(RetrievalError, match="vector store") as caught:
        ChromaStore(tmp_path / "store", SPACE).ids()
    assert "\n" not in str(caught.value)


def test_a_place_that_cannot_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RetrievalError, match="no folder"):
        ChromaStore(tmp_path / "file", SPACE)
    with pytest.raises(StorageError):
        ChromaStore(tmp_path / "file" / "below", SPACE)


class Panic(BaseException):
    """
    What a panic of Chroma's Rust core looks like from Python: no Exception.
    """


@pytest.mark.parametrize(("raised", "told"), [(Panic, RetrievalError), (KeyboardInterrupt, KeyboardInterrupt)])
def test_a_panic_is_told_and_an_interrupt_is_not_held_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: type[BaseException], told: type[BaseException]
) -> None:
    store = ChromaStore(tmp_path / "store", SPACE)

    def fail(**_: object) -> None:
        raise raised

    monkeypatch.setattr(store._collection, "query", fail)
    with pytest.raises(told):
        store.nearest(QUESTION, limit=1, language="en")
    store.close()
