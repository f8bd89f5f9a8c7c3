"""
What a second import would take away is known, and refused unless it is said that it may.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lorebook.errors import InputError
from lorebook.workspace import Workspace
from lorebook.workspace.edits import DIGESTS, edited

DOCUMENT = "# Lanterns\n\n## Hand\n\nA hand holds four lanterns.\n\n## Wind\n\nThe wind puts out two lanterns.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The ruleset of the document, just imported."""
    (tmp_path / "lanterns.md").write_text(DOCUMENT)
    Workspace.import_documents([tmp_path / "lanterns.md"], tmp_path / "w")
    return tmp_path / "w" / "rules" / "lanterns"


def _replace(folder: Path, *, force: bool = False) -> None:
    root = folder.parents[1]
    Workspace.import_documents([root.parent / "lanterns.md"], root, replace=True, force=force)


def _add(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text((folder / name).read_text() + text)


def _new(folder: Path) -> None:
    text = (folder / "wind.yaml").read_text()
    (folder / "rain.yaml").write_text(text.replace("lanterns/wind", "lanterns/rain"))


CHANGES = [
    pytest.param(lambda _: None, (), id="nothing"),
    pytest.param(_add("wind.yaml", "# ask again\n"), ("wind.yaml",), id="a comment"),
    pytest.param(_add("wind.yaml", "keyz: 1\n"), ("wind.yaml",), id="what is no record any more"),
    pytest.param(_add("wind.yaml", "conflicts_with: [7]\n"), ("wind.yaml",), id="links that are none"),
    pytest.param(_add("ruleset.toml", 'description = {en = "Ours"}\n'), ("ruleset.toml",), id="the manifest"),
    pytest.param(_new, ("rain.yaml",), id="a record of one's own"),
    pytest.param(lambda folder: (folder / "wind.yaml").unlink(), (), id="a record taken away"),
    pytest.param(
        lambda folder: (folder / "wind.yaml").write_bytes((folder / "wind.yaml").read_bytes().replace(b"\n", b"\r\n")),
        (),
        id="ends of lines",
    ),
    pytest.param(lambda folder: (folder / DIGESTS).unlink(), (), id="imported before digests were kept"),
]


@pytest.mark.parametrize(("change", "names"), CHANGES)
def test_what_was_changed_is_named(folder: Path, change: Callable[[Path], object], names: tuple[str, ...]) -> None:
    change(folder)
    assert edited(folder) == names


@pytest.mark.parametrize(("change", "names"), CHANGES)
def test_a_change_is_given_up_only_by_force(
    folder: Path, change: Callable[[Path], object], names: tuple[str, ...]
) -> None:
    change(folder)
    before = {path: path.read_bytes() for path in folder.glob("*.*")}
    if names:
        with pytest.raises(InputError, match=f"lost with a new one: lanterns/{names[0].removesuffix('.yaml')} "):
            _replace(folder)
        assert {path: path.read_bytes() for path in folder.glob("*.*")} == before
    _replace(folder, force=True)
    assert edited(folder) == ()


def test_a_link_is_no_change_and_stays(folder: Path) -> None:
    root = folder.parents[1]
    (root.parent / "storm.md").write_text(DOCUMENT)
    workspace = Workspace(root)
    Workspace.import_documents([root.parent / "storm.md"], root)
    workspace.link("lanterns/wind", "storm/wind")
    assert edited(folder) == ()
    _replace(folder)
    assert workspace.rule("lanterns/wind").conflicts_with == ("storm/wind",)
    assert edited(folder) == ()
    path = folder / "wind.yaml"
    path.write_text(path.read_text().replace("two lanterns", "three lanterns"))
    assert edited(folder) == ("wind.yaml",)


def test_of_many_changes_the_first_are_named(folder: Path) -> None:
    for number in range(5):
        (folder / f"{number}.yaml").write_text("")
    with pytest.raises(InputError, match=r"lanterns/0, lanterns/1, lanterns/2 and 2 more"):
        _replace(folder)
