"""
In which condition an index is: told apart, and mended by no more work than is needed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lorebook.errors import RetrievalError, UnreachableError
from lorebook.retrieval import manifest as manifests
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.condition import State
from lorebook.retrieval.hits import Hit
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.retrieval.mending import mended
from lorebook.retrieval.stores import Home, Shelf
from lorebook.retrieval.stores.address import Address
from lorebook.retrieval.stores.folder import FolderHome
from lorebook.retrieval.stores.server import ServerHome
from tests.conftest import Command
from tests.peers.chroma import ChromaServer
from tests.retrieval.test_index import GLOSSARY, OPEN, PAWN, fingerprints, found
from tests.retrieval.worlds import CHESS, GO, HashedWords


class Other(HashedWords):
    name = "other-words"


class Longer(HashedWords):
    dimension = 65


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "recipe.toml").write_text(OPEN)
    return Places(tmp_path / "recipe.toml", tmp_path / "glossary.yaml", tmp_path / "store")


@pytest.fixture(params=["folder", "server"])
def address(request: pytest.FixtureRequest) -> str:
    return "" if request.param == "folder" else str(request.getfixturevalue("chroma").address)


def opened(places: Places, address: str, model: HashedWords | None = None) -> Index:
    held = model or HashedWords()
    return Index(places, Choices(store=address), embedder=lambda _: held)


def home(places: Places, address: str) -> Home:
    return ServerHome(Address.parse(address)) if address else FolderHome(places.store / "vectors.chroma")


def lose_a_row(places: Places, address: str) -> None:
    held = manifests.read(places.store)
    assert held
    store = home(places, address).open(Shelf(opened(places, address).made_of.space, held.content))
    store.remove(sorted(store.ids())[:1])
    store.close()


def lose_all_rows(places: Places, address: str) -> None:
    held = manifests.read(places.store)
    assert held
    home(places, address).discard(Shelf(opened(places, address).made_of.space, held.content))


def tables(places: Places) -> Path:
    return next(places.store.glob("tables-*"))


def set_layout(places: Places, layout: int) -> None:
    path = places.store / manifests.FILE
    path.write_text(json.dumps({**json.loads(path.read_text()), "layout": layout}))


DAMAGE: dict[str, tuple[State, Callable[[Places, str], object]]] = {
    "nothing": (State.CURRENT, lambda _, __: None),
    "all gone": (State.ABSENT, lambda places, _: shutil.rmtree(places.store)),
    "manifest gone": (State.HALF_BUILT, lambda places, _: (places.store / manifests.FILE).unlink()),
    "manifest cut": (State.CORRUPT, lambda places, _: (places.store / manifests.FILE).write_text("{")),
    "manifest of an older version": (State.STALE, lambda places, _: set_layout(places, 1)),
    "tables gone": (State.CORRUPT, lambda places, _: tables(places).unlink()),
    "tables cut": (State.CORRUPT, lambda places, _: tables(places).write_bytes(tables(places).read_bytes()[:-9])),
    "a row lost": (State.CORRUPT, lose_a_row),
    "all rows lost": (State.CORRUPT, lose_all_rows),
    "recipe changed": (State.STALE, lambda places, _: places.recipe.write_text(f"{OPEN}[lexical]\nk1 = 2\n")),
    "glossary changed": (State.STALE, lambda places, _: places.glossary.write_text(GLOSSARY)),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_each_state_is_named_and_a_build_mends_it_without_the_model(places: Places, address: str, damage: str) -> None:
    opened(places, address).build([CHESS, GO], keep_vectors=places.store.with_name("kept"))
    state, do = DAMAGE[damage]
    do(places, address)
    again = opened(Places(places.recipe, places.glossary, places.store, (places.store.with_name("kept"),)), address)
    before = again.examined(fingerprints(CHESS, GO))
    assert (before.state, before.why is None) == (state, state is State.CURRENT)
    assert again.build([CHESS, GO]).embedded == 0
    assert again.examined(fingerprints(CHESS, GO)).is_current
    assert found(again, "castling rook")[0] == "chess/castling"
    again.close()


@pytest.mark.parametrize(
    ("model", "state", "why"),
    [
        (Other(), State.WRONG_MODEL, "it holds vectors of hashed-words, the model is other-words"),
        (Longer(), State.WRONG_DIMENSION, "it holds vectors of length 64, the model makes 65"),
    ],
    ids=["other model", "longer vectors"],
)
def test_another_model_is_named_and_embeds_anew_and_the_first_one_finds_its_vectors_again(
    places: Places, address: str, model: HashedWords, state: State, why: str
) -> None:
    opened(places, address).build([CHESS, GO])
    other = opened(places, address, model)
    seen = other.examined(fingerprints(CHESS, GO))
    assert (seen.state, seen.why) == (state, why)
    model.embedded.clear()
    assert other.build([CHESS, GO]).embedded == len(model.embedded) > 0
    assert other.examined(fingerprints(CHESS, GO)).is_current
    assert found(other, "castling rook")[0] == "chess/castling"
    other.close()
    first = opened(places, address)
    assert first.build([CHESS, GO]).embedded == 0
    assert found(first, "castling rook")[0] == "chess/castling"
    first.close()


def test_what_another_version_left_in_the_folder_goes(places: Places) -> None:
    opened(places, "").build([CHESS, GO])
    stray = places.store / "vectors.chroma" / "stray"
    stray.touch()
    assert opened(places, "").build([CHESS, GO]).embedded == 0
    assert stray.exists()
    set_layout(places, 1)
    assert opened(places, "").build([CHESS, GO]).embedded == 0
    assert not stray.exists()


def test_vectors_in_another_store_are_carried_over(places: Places, chroma: ChromaServer) -> None:
    opened(places, "").build([CHESS, GO])
    moved = opened(places, chroma.address)
    assert moved.examined(fingerprints(CHESS, GO)).why == "the store changed"
    assert moved.build([CHESS, GO]).embedded == 0
    assert found(moved, "castling rook")[0] == "chess/castling"
    moved.close()


def test_rules_that_changed_make_it_stale_and_only_what_is_new_is_embedded(places: Places, address: str) -> None:
    opened(places, address).build([CHESS, GO])
    model = HashedWords()
    index = opened(places, address, model)
    seen = index.examined(fingerprints(PAWN, GO))
    assert (seen.state, seen.why) == (State.STALE, "chess changed")
    model.embedded.clear()
    assert index.build([PAWN, GO]).embedded == 1
    assert model.embedded == ["Pawn moves\nA pawn never moves back.\nPawn moves"]
    index.close()


def test_a_vault_that_cannot_be_read_is_made_anew(places: Places, address: str) -> None:
    opened(places, address).build([CHESS, GO])
    for path in (places.store / "vectors").rglob("*.npy"):
        path.write_bytes(path.read_bytes()[:-3])
    index = opened(places, address)
    assert index.build([CHESS, GO]).embedded > 0
    assert index.examined(fingerprints(CHESS, GO)).is_current


def test_vectors_that_are_no_directions_are_not_taken(places: Places, address: str) -> None:
    opened(places, address).build([CHESS, GO])
    path = next((places.store / "vectors").rglob("*.npy"))
    rows = np.load(path)
    rows[0] = np.nan
    np.save(path, rows)
    index = opened(places, address)
    assert index.build([CHESS, GO]).embedded > 0
    index.close()


# Mending on the way to an answer


class Damaged(Index):
    """
    An index that notes how it is mended.
    """

    def __init__(self) -> None:
        self.done: list[str] = []

    def close(self) -> None:
        self.done.append("reopened")

    def build(self, *_: object, refill: bool = False, **__: object) -> None:  # type: ignore[override]
        self.done.append("refilled" if refill else "built")


@pytest.mark.parametrize(
    ("needed", "done"),
    [
        ("reopened", ["reopened"]),
        ("built", ["reopened", "built"]),
        ("refilled", ["reopened", "built", "refilled"]),
    ],
)
def test_no_more_is_mended_than_is_needed(needed: str, done: list[str]) -> None:
    index = Damaged()

    def search() -> list[Hit]:
        if needed not in index.done:
            raise RetrievalError("damaged")
        return []

    assert mended(search, index, list, None) == []
    assert index.done == done


def test_what_cannot_be_mended_is_told_after_all_was_tried_and_absence_at_once() -> None:
    index = Damaged()
    for error, tried in ((RetrievalError("damaged"), 3), (UnreachableError("away"), 0)):
        index.done.clear()

        def search(error: RetrievalError = error) -> list[Hit]:
            raise error

        with pytest.raises(type(error)):
            mended(search, index, list, None)
        assert len(index.done) == tried


def test_the_command_line_names_the_state_and_the_next_question_mends_it(tmp_path: Path, lorebook: Command) -> None:
    CHESS.save(tmp_path / "rules" / "chess")
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "recipe.toml").write_text(OPEN)

    def checked() -> tuple[int, str]:
        done = lorebook("index", "--check", "--json", "--workspace", tmp_path)
        return done.code, json.loads(done.out)["state"]

    assert checked() == (1, "absent")
    assert lorebook("ask", "pawn", "--workspace", tmp_path).code == 0
    assert checked() == (0, "current")
    store = tmp_path / "index" / "store"
    next(store.glob("tables-*")).write_bytes(b"nothing")
    assert checked() == (1, "corrupt")
    assert "chess/pawn" in lorebook("ask", "pawn moves", "--workspace", tmp_path).out
    assert checked() == (0, "current")
    (store / manifests.FILE).unlink()
    assert checked() == (1, "half-built")
    done = lorebook("index", "--check", "--workspace", tmp_path)
    assert done.out == "The index is half-built: an earlier build did not finish. Run `lorebook index`.\n"
    assert lorebook("index", "--workspace", tmp_path).code == 0
    assert checked() == (0, "current")
