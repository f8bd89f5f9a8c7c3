"""
The tables of an index, written and read.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lorebook.errors import RetrievalError
from lorebook.retrieval.glossary import Concept, Glossary
from lorebook.retrieval.passages import passages_of
from lorebook.retrieval.recipe import Recipe
from lorebook.retrieval.spread import Spread
from lorebook.retrieval.tables import Tables
from tests.retrieval.worlds import CHESS, GO

GLOSSARY = Glossary((Concept(id="pawn", en=("pawn",), zh=("兵",)),))


@pytest.fixture
def tables() -> Tables:
    passages = [passage for ruleset in (CHESS, GO) for passage in passages_of(ruleset, Recipe().cutting)]
    spreads = {language: Spread.of(np.eye(4, dtype=np.float32)) for language in ("en", "zh")}
    return Tables.build(passages, spreads, Recipe(), GLOSSARY)


def test_what_is_read_is_what_was_written(tables: Tables, tmp_path: Path) -> None:
    tables.save(tmp_path / "tables.npz")
    read = Tables.load(tmp_path / "tables.npz")
    assert read.passages == tables.passages
    assert read.keys.owners == tables.keys.owners
    assert read.familiarity == tables.familiarity
    assert np.array_equal(read.lexical.scores({"pawn": 1}), tables.lexical.scores({"pawn": 1}))
    assert np.array_equal(read.concepts.scores({"pawn": 1}), tables.concepts.scores({"pawn": 1}))
    assert np.array_equal(read.spreads["zh"].covariance, tables.spreads["zh"].covariance)


def test_equal_tables_are_equal_bytes(tables: Tables, tmp_path: Path) -> None:
    tables.save(tmp_path / "first.npz")
    Tables.load(tmp_path / "first.npz").save(tmp_path / "second.npz")
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_rows_belong_to_their_rules(tables: Tables) -> None:
    assert tables.rules == ["chess/castling", "chess/pawn", "chess/en-passant", "go/ko", "go/liberty"]
    owners = [tables.rules[rule] for rule in range(len(tables.rules)) for _ in tables.rows_of(rule)]
    assert owners == [passage.rule for passage in tables.passages]


def test_title_section_and_ruleset_are_searched_as_words(tables: Tables) -> None:
    assert tables.lexical.scores({"go": 1})[-1] > 0
    assert tables.lexical.scores({"liberty": 1}).max() > 0


@pytest.mark.parametrize("share", [0.3, 0.6, 0.99])
def test_cut_tables_are_told(tables: Tables, tmp_path: Path, share: float) -> None:
    path = tmp_path / "tables.npz"
    tables.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(RetrievalError, match="damaged"):
        Tables.load(path)


@pytest.mark.parametrize("size", range(1, 501, 7))
def test_tables_cut_anywhere_are_told(tables: Tables, tmp_path: Path, size: int) -> None:
    path = tmp_path / "tables.npz"
    tables.save(path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(RetrievalError, match="damaged"):
        Tables.load(path)


def test_tables_with_a_flipped_bit_are_read_or_told(tables: Tables, tmp_path: Path) -> None:
    path = tmp_path / "tables.npz"
    tables.save(path)
    whole, told = path.read_bytes(), 0
    for at in range(0, len(whole), 23):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        try:
            Tables.load(path)
        except RetrievalError:
            told += 1
    assert told > 0


@pytest.mark.parametrize("content", [b"", b"nothing", None])
def test_damaged_tables_are_told(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "tables.npz").write_bytes(content)
    with pytest.raises(RetrievalError, match="damaged"):
        Tables.load(tmp_path / "tables.npz")
