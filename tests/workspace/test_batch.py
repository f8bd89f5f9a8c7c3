"""
Many files: what each is called, and what comes of each in one process and in several.
"""

from __future__ import annotations

import json
import os
import signal
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import InputError
from lorebook.formats import FORMATS
from lorebook.workspace import batch
from lorebook.workspace.batch import convert_files, inspect_files, pairs
from lorebook.workspace.files import Conversion, Pair, convert_file
from lorebook.workspace.fileviews import ConversionView, FileFailure, InspectView

CHARX, V3 = FORMATS["charx"], FORMATS["card-v3"]


def named(names: list[str], form: str) -> list[str]:
    """
    Return what files of these names are called as *form*; they need not be there.
    """
    made = pairs([Path("in") / name for name in names], Path("out"), FORMATS[form])
    assert [pair.source for pair in made] == [Path("in") / name for name in names]
    return [str(pair.target.relative_to("out")) for pair in made]


@pytest.mark.parametrize(
    ("names", "form", "found"),
    [
        (["mira.png", "vell.json"], "charx", ["mira.charx", "vell.charx"]),
        (["mira.png", "mira.json"], "charx", ["mira.png.charx", "mira.json.charx"]),
        (["Mira.png", "mira.json"], "charx", ["Mira.png.charx", "mira.json.charx"]),
        (["Mira.png", "mira.png"], "charx", ["Mira.png.charx", "mira.png-2.charx"]),
        (["Mira.json", "MIRA.json", "mira.json"], "card-v3", ["Mira.json", "MIRA-2.json", "mira-3.json"]),
        (["Mira.json", "MIRA.json", "mira-2.json"], "card-v3", ["Mira.json", "MIRA-2.json", "mira-2-2.json"]),
        (["Mira.json", "mira.json", "mira-2.json"], "card-v3", ["Mira.json", "mira-2.json", "mira-2-2.json"]),
        (["caf\u00e9.png", "cafe\u0301.png"], "charx", ["caf\u00e9.png.charx", "cafe\u0301.png-2.charx"]),
        (["STRASSE.png", "stra\u00dfe.png"], "charx", ["STRASSE.png.charx", "stra\u00dfe.png-2.charx"]),
    ],
)
def test_no_two_files_are_called_so_that_a_disk_takes_them_for_one(
    names: list[str], form: str, found: list[str]
) -> None:
    assert named(names, form) == found


_NAMES = st.lists(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["a", "A", "\u00e9", "e\u0301", "\u00c9", "\u00df", "SS"]),
        st.sampled_from(["", "", "-2", "-3"]),
        st.sampled_from([".json", ".JSON", ".png", ""]),
    ),
    unique=True,
    max_size=12,
)


@given(names=_NAMES, form=st.sampled_from(["card-v3", "charx"]))
def test_names_stay_apart_on_every_disk(names: list[str], form: str) -> None:
    try:
        found = named(names, form)
    except InputError:
        return
    for code in ("NFC", "NFD"):
        alike = [unicodedata.normalize(code, unicodedata.normalize(code, name).casefold()) for name in found]
        assert len(set(alike)) == len(names)


def test_folders_that_differ_in_case_are_heeded(tmp_path: Path) -> None:
    for folder in ("Tide", "tide"):
        (tmp_path / "in" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / folder / "mira.json").touch()
    if len(list((tmp_path / "in").iterdir())) < 2:
        pytest.skip("this disk heeds no case")
    made = pairs([tmp_path / "in"], tmp_path / "out", V3)
    assert [pair.target.relative_to(tmp_path / "out").as_posix() for pair in made] == [
        "Tide/mira.json",
        "tide/mira-2.json",
    ]


# --- done ---


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """
    A folder of cards with a ruin among them.
    """
    made = tmp_path / "in"
    made.mkdir()
    for number in range(5):
        card = {"name": f"Mira {number}", "character_book": {"entries": []}}
        (made / f"{number}.json").write_text(json.dumps({"spec": "chara_card_v2", "data": card}))
    (made / "3.json").write_text("no card")
    return made


def test_two_processes_say_what_one_says(folder: Path, tmp_path: Path) -> None:
    paths = batch.all_files([folder])
    one = list(inspect_files(paths))
    assert [type(view) for view in one] == [InspectView] * 3 + [FileFailure, InspectView]
    assert list(inspect_files(paths, jobs=2)) == one
    wanted = pairs([folder], tmp_path / "out", CHARX)
    done = list(convert_files(wanted, Conversion("charx")))
    assert [type(view) for view in done] == [ConversionView] * 3 + [FileFailure, ConversionView]
    assert list(convert_files(wanted, Conversion("charx", force=True), jobs=2)) == done


def test_a_file_that_is_there_is_refused_before_any_work(folder: Path, tmp_path: Path) -> None:
    wanted = [*pairs([folder], tmp_path / "out", CHARX), Pair(tmp_path / "missing", tmp_path / "there")]
    (tmp_path / "there").write_text("mine")
    for jobs in (1, 2):
        how = Conversion("charx", force=False)
        *_, last = convert_files(wanted, how, jobs=jobs)
        assert isinstance(last, FileFailure)
        assert "there is a file already" in last.error
    assert (tmp_path / "there").read_text() == "mine"


@dataclass(frozen=True)
class _Deadly(batch._Inspecting):
    """
    Ends its process at one file.
    """

    def do(self, path: Path) -> InspectView | FileFailure:
        if path.name == "1.json":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().do(path)


def test_a_process_that_ends_is_told_in_a_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_Inspecting", _Deadly)
    views = list(inspect_files(batch.all_files([folder]), jobs=2))
    assert [type(view) for view in views] == [InspectView, FileFailure, InspectView, FileFailure, InspectView]
    failed = views[1]
    assert isinstance(failed, FileFailure)
    assert failed.error.startswith(f"{folder / '1.json'}: the process that read it was ended by the system (")
    assert "\n" not in failed.error


@dataclass(frozen=True)
class _Faulty(batch._Inspecting):
    """
    Meets a fault in our own code at one file.
    """

    def do(self, path: Path) -> InspectView | FileFailure:
        with pytest.MonkeyPatch.context() as patch:
            if path.name == "1.json":
                patch.setattr(batch, "inspect", lambda _document, _name: 1 // 0)
            return super().do(path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_of_ours_at_one_file_stops_no_other(folder: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(batch, "_Inspecting", _Faulty)
    views = list(inspect_files(batch.all_files([folder]), jobs=jobs))
    assert [type(view) for view in views] == [InspectView, FileFailure, InspectView, FileFailure, InspectView]
    failed = views[1]
    assert isinstance(failed, FileFailure)
    assert failed.error.startswith(f"{folder / '1.json'}: a fault of lorebook's own, ZeroDivisionError: ")
    assert "\n" not in failed.error


def test_a_fault_of_ours_at_one_conversion_stops_no_other(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def convert(pair: Pair, how: Conversion) -> ConversionView:
        if pair.source.name == "1.json":
            raise KeyError("many\nlines " + "x" * 1000)
        return convert_file(pair, how)

    monkeypatch.setattr(batch, "convert_file", convert)
    views = list(convert_files(pairs([folder], tmp_path / "out", CHARX), Conversion("charx")))
    assert [type(view) for view in views] == [ConversionView, FileFailure, ConversionView, FileFailure, ConversionView]
    failed = views[1]
    assert isinstance(failed, FileFailure)
    assert "a fault of lorebook's own, KeyError: " in failed.error
    assert "\n" not in failed.error
    assert len(failed.error) < len(str(folder)) + 300
