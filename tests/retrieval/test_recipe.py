"""
The recipe's file.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lorebook.errors import RetrievalError
from lorebook.retrieval.recipe import Calibration, Fusion, Recipe
from tests.retrieval.worlds import ROOT


def test_a_missing_file_is_the_default(tmp_path: Path) -> None:
    assert Recipe.load(tmp_path / "recipe.toml") == Recipe()


def test_what_a_file_leaves_out_is_the_default(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text("[fusion]\nlexical = 0.5\n")
    assert Recipe.load(tmp_path / "recipe.toml") == Recipe(fusion=Fusion(lexical=0.5))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[fusion]\nlexcal = 0.5\n", "fusion.lexcal"),
        ("[lexical]\nb = 2\n", "lexical.b"),
        ("neighbours = 'many'\n", "neighbours"),
        ("[fusion\n", "TOML"),
        ("[calibration]\nmidpoint = nan\n", "calibration.midpoint"),
        ("[calibration]\nwidth = inf\n", "calibration.width"),
        ("[fusion]\nkeys = nan\n", "fusion.keys"),
        ("a = " + "[" * 5000, "TOML: nested too deeply"),
    ],
)
def test_a_wrong_recipe_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(text)
    with pytest.raises(RetrievalError, match=said) as caught:
        Recipe.load(path)
    assert str(path) in str(caught.value)


def test_only_what_is_built_in_makes_an_index_stale() -> None:
    reweighed = Recipe(fusion=Fusion(lexical=1.0), calibration=Calibration(first=0.9), neighbours=20)
    assert reweighed.digest == Recipe().digest
    assert Recipe.model_validate({"lexical": {"b": 0.1}}).digest != Recipe().digest
    assert Recipe.model_validate({"cutting": {"longest": 300}}).digest != Recipe().digest


def test_the_shipped_recipe_writes_out_every_value_and_the_code_has_the_same() -> None:
    plain = tomllib.loads((ROOT / "index" / "recipe.toml").read_text("utf-8"))
    assert Recipe.model_validate(plain) == Recipe()
    assert plain == Recipe().model_dump(exclude_none=True)
