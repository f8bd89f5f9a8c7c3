"""
The benchmark of formats: its comparer finds what is lost, a library that dies is told, ours keeps all that it reads.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks import formats_peers
from tests.benchmarks.formats_keeping import Outcome, Verdict, compared, has_content
from tests.benchmarks.formats_peers import OURS, PEERS, Answer, Job, Library, missing, run
from tests.formats.containers.pictures import END, PIXEL, picture, text

_ROOT = Path(__file__).parents[2]
_CARD = """{"spec": "chara_card_v2", "data": {"name": "Mira", "tags": ["a", "b"],
  "extensions": {"depth": 4, "half": 0.50, "note": null}}}"""


def became(folder: Path, before: str | bytes, after: str | bytes, suffix: str = ".json") -> Outcome:
    paths = [folder / f"{name}{suffix}" for name in ("before", "after")]
    for path, held in zip(paths, (before, after), strict=True):
        path.write_bytes(held if isinstance(held, bytes) else held.encode())
    return compared(*paths)


_LOSSES = {
    "a field": (', "note": null', "", "$.extensions.note"),
    "an item of a list": (', "b"', "", "$.tags"),
    "another text": ("Mira", "mira", "$.name"),
    "another number": ("0.50", "0.51", "$.extensions.half"),
    "another type": ('"depth": 4', '"depth": "4"', "$.extensions.depth"),
    "a value that became nothing": ('["a", "b"]', "null", "$.tags"),
    "the data": ('"data"', '"date"', "$.name"),
}


@pytest.mark.parametrize(("part", "instead", "place"), _LOSSES.values(), ids=_LOSSES)
def test_a_loss_is_found(part: str, instead: str, place: str, tmp_path: Path) -> None:
    outcome = became(tmp_path, _CARD, _CARD.replace(part, instead))
    assert outcome.verdict is Verdict.LOSSY
    assert place in outcome.says


_KEPT = {
    "more beside it": (_CARD.replace('"name"', '"more": 1, "name"'), False),
    "a number spelt otherwise": (_CARD.replace("0.50", "5e-1"), False),
    "other spaces": (_CARD.replace(", ", " ,").replace(": ", " :"), True),
}


@pytest.mark.parametrize(("after", "whole"), _KEPT.values(), ids=_KEPT)
def test_what_says_the_same_is_kept(after: str, *, whole: bool, tmp_path: Path) -> None:
    assert became(tmp_path, _CARD, after) == Outcome(Verdict.KEPT, whole=whole, bytes=False)


def test_the_same_file_is_kept_byte_for_byte(tmp_path: Path) -> None:
    assert became(tmp_path, _CARD, _CARD) == Outcome(Verdict.KEPT, whole=True, bytes=True)


def test_an_old_card_that_is_written_as_a_newer_one_is_kept(tmp_path: Path) -> None:
    old = '{"char_name": "Mira", "char_persona": "Calm."}'
    new = '{"spec": "chara_card_v2", "data": {"name": "Mira", "description": "Calm.", "tags": []}}'
    assert became(tmp_path, old, new).verdict is Verdict.KEPT
    assert became(tmp_path, new, old).verdict is Verdict.LOSSY


def test_the_newest_card_of_a_picture_counts_and_the_rest_of_it_is_the_whole(tmp_path: Path) -> None:
    new, old = text("ccv3", _CARD.encode()), text("chara", b'{"name": "Old"}')
    both, one = picture(PIXEL, old, new, END), picture(PIXEL, text("chara", _CARD.encode()), END)
    assert became(tmp_path, both, one, ".png") == Outcome(Verdict.KEPT, whole=False, bytes=False)
    assert became(tmp_path, one, both, ".png") == Outcome(Verdict.KEPT, whole=False, bytes=False)
    assert became(tmp_path, both, picture(PIXEL, old, END), ".png").verdict is Verdict.LOSSY
    assert became(tmp_path, both, picture(PIXEL, END), ".png").verdict is Verdict.FAILED


@pytest.mark.parametrize(("held", "there"), [("{", False), ("", False), ("{}", False), ('{"a": 1}', True)])
def test_files_with_nothing_in_them_are_no_cases(held: str, *, there: bool, tmp_path: Path) -> None:
    (tmp_path / "file.json").write_text(held)
    assert has_content(tmp_path / "file.json") is there


def test_a_library_that_dies_is_told_for_every_file(tmp_path: Path) -> None:
    jobs = [Job(tmp_path / "no.json", tmp_path / f"out {number}.json") for number in range(2)]
    assert run(Library("nobody's"), jobs) == [Answer("the process died (1)", [])] * 2


def test_ours_answers_in_order_and_says_what_it_refuses(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text(_CARD)
    (tmp_path / "none.json").write_text("{")
    names = ("card", "none", "card")
    jobs = [Job(tmp_path / f"{name}.json", tmp_path / f"out {at}.json") for at, name in enumerate(names)]
    first, second, third = run(OURS, jobs)
    assert first.error is None
    assert len(first.milliseconds) == 1
    assert second.error is not None
    assert "none.json: not JSON: line 1, column 2" in second.error
    assert third.error is None
    assert jobs[2].target.read_text() == _CARD


@pytest.mark.slow
def test_a_peer_that_cannot_be_installed_is_skipped_with_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats_peers, "CACHE", tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    said = missing(PEERS[0])
    assert said.startswith("tavern-card==0.1.1 cannot be installed: ")
    assert "\n" not in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_ours_keeps_all_that_it_reads(tmp_path: Path) -> None:
    (tmp_path / "v2.json").write_text(_CARD.replace('"tags"', '"description": "", "tags"'))
    (tmp_path / "none.json").write_text("")
    (tmp_path / "card.png").write_bytes(picture(PIXEL, text("chara", base64.b64encode(_CARD.encode())), END))
    (tmp_path / "book.json").write_text('{"entries": {"0": {"uid": 0, "key": ["a"], "content": "b", "x": 1E3}}}')
    command = [sys.executable, "-m", "tests.benchmarks.formats", str(tmp_path), "--json", "--no-speed"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=_ROOT).stdout)
    assert sorted(told["files"]) == ["book.json", "card.png", "v2.json"]
    counts = {"cases": 3, "kept": 3, "lossy": 0, "failed": 0, "out of scope": 0, "whole": 3, "bytes": 3}
    assert told["libraries"]["lorebook"] == counts
    assert {*told["libraries"], *told["skipped"]} == {"lorebook", *(peer.name for peer in PEERS)}
    assert all(row["out of scope"] == 1 for name, row in told["libraries"].items() if name != "lorebook")
