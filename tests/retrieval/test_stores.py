"""
One contract, every vector store.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from lorebook.errors import RetrievalError, StorageError
from lorebook.retrieval.space import Space
from lorebook.retrieval.stores import Home, Row, Shelf, Store
from lorebook.retrieval.stores.address import Address
from lorebook.retrieval.stores.folder import FolderHome
from lorebook.retrieval.stores.memory import MemoryStore
from lorebook.retrieval.stores.server import ServerHome
from tests.peers.chroma import ChromaServer
from tests.retrieval.worlds import MemoryHome

ROWS = [Row("a", "chess", "en"), Row("b", "chess", "zh"), Row("c", "go", "en"), Row("d", "go", "en")]
VECTORS = np.asarray([[1, 0, 0], [0, 1, 0], [0.8, 0.6, 0], [0, 0, 1]], dtype=np.float32)
QUESTION = VECTORS[0]


@pytest.fixture(params=["memory", "folder", "server"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    match request.param:
        case "memory":
            return MemoryHome()
        case "folder":
            return FolderHome(tmp_path / "store")
        case _:
            server: ChromaServer = request.getfixturevalue("chroma")
            return ServerHome(Address.parse(server.address))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(Space("model", 3), str(tmp_path))


@pytest.fixture
def store(home: Home, shelf: Shelf) -> Iterator[Store]:
    opened = home.open(shelf)
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


def test_rows_are_counted(store: Store, home: Home) -> None:
    assert store.count() == len(ROWS)
    store.remove(["a"])
    assert store.count() == len(ROWS) - 1
    empty = home.open(Shelf(Space("empty", 3), ""))
    assert empty.count() == 0
    empty.close()


def test_more_rows_than_a_batch_are_added_and_removed(home: Home, shelf: Shelf) -> None:
    many = home.open(shelf)
    rows = [Row(f"row {n}", "chess", "en") for n in range(2_345)]
    many.add(rows, np.random.default_rng(5).normal(size=(len(rows), 3)).astype(np.float32))
    assert many.count() == len(rows)
    many.remove([row.id for row in rows[1:]])
    assert many.ids() == {"row 0"}
    many.close()


def test_the_nearest_of_many_are_those_of_an_exact_search(home: Home, shelf: Shelf) -> None:
    draw = np.random.default_rng(7)
    vectors = draw.normal(size=(3_000, 24)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = [Row(f"row {n}", "chess" if n % 3 else "go", "en" if n % 2 else "zh") for n in range(len(vectors))]
    many, exact = home.open(Shelf(Space("many", 24), shelf.content)), MemoryStore()
    for store in (many, exact):
        store.add(rows, vectors)
    for question in vectors[draw.choice(len(vectors), 10)]:
        found, wanted = (store.nearest(question, limit=100, language="en", rulesets={"go"}) for store in (many, exact))
        assert [name for name, _ in found][:20] == [name for name, _ in wanted][:20]
        assert len({name for name, _ in found} & {name for name, _ in wanted}) >= 97
    many.close()


def test_rows_are_kept(store: Store, home: Home, shelf: Shelf) -> None:
    store.close()
    again = home.open(shelf)
    assert again.ids() == {"a", "b", "c", "d"}
    assert again.nearest(QUESTION, limit=1, language="en")[0][0] == "a"
    again.close()


def test_two_readers_of_one_shelf_see_the_same(store: Store, home: Home, shelf: Shelf) -> None:
    other = home.open(shelf)
    store.remove(["a"])
    assert other.ids() == store.ids() == {"b", "c", "d"}
    other.close()


def test_spaces_of_two_models_do_not_mix(store: Store, home: Home, shelf: Shelf) -> None:
    other = home.open(Shelf(Space("another model", 2), shelf.content))
    assert other.ids() == set()
    other.add([Row("a", "chess", "en")], np.asarray([[0, 1]], dtype=np.float32))
    assert len(store.ids()) == len(ROWS)
    other.close()


def test_what_is_discarded_is_gone_and_can_be_made_again(store: Store, home: Home, shelf: Shelf) -> None:
    store.close()
    home.discard(shelf)
    home.discard(shelf)
    again = home.open(shelf)
    assert again.ids() == set()
    again.add(ROWS, VECTORS)
    assert again.nearest(QUESTION, limit=1, language="en")[0][0] == "a"
    again.close()


@pytest.mark.usefixtures("store")
def test_what_is_used_is_not_swept(home: Home, shelf: Shelf) -> None:
    home.sweep()
    again = home.open(shelf)
    assert len(again.ids()) == len(ROWS)
    again.close()


def test_a_vector_of_another_length_is_refused(store: Store, home: Home) -> None:
    if isinstance(home, MemoryHome):
        pytest.skip("memory takes what it is given")
    with pytest.raises(RetrievalError, match="dimension"):
        store.nearest(np.asarray([1, 0], dtype=np.float32), limit=1, language="en")


# A folder


def test_a_damaged_folder_says_so_in_one_line(tmp_path: Path, shelf: Shelf) -> None:
    home = FolderHome(tmp_path / "store")
    home.open(shelf).close()
    (tmp_path / "store" / "chroma.sqlite3").write_bytes(b"not a database at all" * 100)
    with pytest.raises(RetrievalError, match="vector store") as caught:
        home.open(shelf).ids()
    assert "\n" not in str(caught.value)


def test_a_place_that_cannot_be_a_folder(tmp_path: Path, shelf: Shelf) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RetrievalError, match="no folder"):
        FolderHome(tmp_path / "file").open(shelf)
    with pytest.raises(StorageError):
        FolderHome(tmp_path / "file" / "below").open(shelf)


class Panic(BaseException):
    """
    What a panic of Chroma's Rust core looks like from Python: no Exception.
    """


@pytest.mark.parametrize(("raised", "told"), [(Panic, RetrievalError), (KeyboardInterrupt, KeyboardInterrupt)])
def test_a_panic_is_told_and_an_interrupt_is_not_held_up(
    tmp_path: Path,
    shelf: Shelf,
    monkeypatch: pytest.MonkeyPatch,
    raised: type[BaseException],
    told: type[BaseException],
) -> None:
    store = FolderHome(tmp_path / "store").open(shelf)
    store.add(ROWS, VECTORS)

    def fail(**_: object) -> None:
        raise raised

    monkeypatch.setattr(store._collections["en"], "query", fail)
    with pytest.raises(told):
        store.nearest(QUESTION, limit=1, language="en")
    store.close()
