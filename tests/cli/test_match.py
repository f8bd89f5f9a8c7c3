"""`lorebook match`: explanations, state from turn to turn, watching."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lorebook.matching.presets import SWITCHES
from tests.conftest import Command

CHAT = [{"role": "user", "content": "A dragon lands on the tower."}]
BOOK = {
    "entries": {
        "0": {"uid": 0, "key": ["dragon"], "comment": "Dragons", "content": "Dragons nest on a tower.", "order": 100},
        "1": {"uid": 1, "key": ["tower"], "comment": "Towers", "content": "Towers are old.", "order": 50, "sticky": 2},
        "2": {"uid": 2, "key": ["moon"], "comment": "Moons", "content": "There are two.", "order": 10},
    }
}
COMMON = {"position": 0, "constant": False, "selective": True, "probability": 100, "useProbability": True}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    book = {"entries": {slot: {**COMMON, **entry} for slot, entry in BOOK["entries"].items()}}
    (tmp_path / "book.json").write_text(json.dumps(book))
    (tmp_path / "chat.json").write_text(json.dumps(CHAT))
    return tmp_path / "book.json", tmp_path / "chat.json"


def test_why_explains_one_entry(lorebook: Command, files: tuple[Path, Path]) -> None:
    command = ("match", "-b", files[0], "-c", files[1], "--vectors", "0", "--why")
    fires = lorebook(*command, "0").out
    assert "0: Dragons fires" in fires
    assert "speaks for it: key 'dragon' in message 1" in fires
    out = lorebook(*command, "Moons").out
    assert "2: Moons left out" in out
    assert "held back: none of 1 keys in the last 1 messages" in out
    assert json.loads(lorebook(*command, "2", "--json").out)["obstacle"]["kind"] == "no_key"
    refused = lorebook(*command, "Suns")
    assert refused.code == 1
    assert "no entry 'Suns'" in refused.err
    assert "no entry 'Dragosn' (did you mean Dragons? --all lists" in lorebook(*command, "Dragosn").err


def test_recursion_says_which_entry_fed_it(lorebook: Command, files: tuple[Path, Path]) -> None:
    files[1].write_text(json.dumps([{"role": "user", "content": "A dragon!"}]))
    command = ("match", "-b", files[0], "-c", files[1], "--vectors", "0", "--recursive", "--why", "1")
    assert "key 'tower' in the text of entry 0" in lorebook(*command).out


def test_state_carries_stickiness_to_the_next_turn(lorebook: Command, files: tuple[Path, Path]) -> None:
    book, chat = files
    state = chat.with_name("state.json")
    command = ("match", "-b", book, "-c", chat, "--vectors", "0", "--depth", "1", "--state", state, "--why", "1")
    assert "fires" in lorebook(*command).out
    chat.write_text(json.dumps([*CHAT, {"role": "user", "content": "We walk on."}]))
    assert "sticky until the chat has 3 messages" in lorebook(*command).out
    state.write_text("[]")
    assert "no state of an earlier match" in lorebook(*command).err


def test_the_presets_differ_where_they_say(lorebook: Command, files: tuple[Path, Path]) -> None:
    files[1].write_text(json.dumps([{"role": "user", "content": "A DRAGON\u2019s cave"}]))
    for preset in ("lorebook", "sillytavern"):
        result = json.loads(
            lorebook("match", "-b", files[0], "-c", files[1], "--vectors", "0", "--preset", preset, "--json").out
        )
        assert result["activation"]["entries"][0]["uid"] in {0, 1}
    assert lorebook("match", "-b", files[0], "-c", files[1], "--preset", "risu").code == 1


@pytest.mark.slow
def test_watch_runs_again_when_a_file_changes(files: tuple[Path, Path]) -> None:
    book, chat = files
    program = "from lorebook.cli import main; main()"
    words = ["match", "-b", str(book), "-c", str(chat), "--vectors", "0", "--watch"]
    with subprocess.Popen(
        [sys.executable, "-u", "-c", program, *words], stdout=subprocess.PIPE, text=True, env={**os.environ}
    ) as process:
        assert process.stdout
        seen = ""
        while "2 entries fire" not in seen:
            seen = process.stdout.readline()
        time.sleep(1)
        chat.write_text(json.dumps([{"role": "user", "content": "The moon rises."}]))
        while "1 entry fires" not in seen:
            seen = process.stdout.readline()
        process.send_signal(signal.SIGINT)


def test_differences_of_the_presets_are_switched_by_name(lorebook: Command, files: tuple[Path, Path]) -> None:
    files[1].write_text(json.dumps([{"role": "user", "content": "Two dragons."}]))
    command = ("match", "-b", files[0], "-c", files[1], "--vectors", "0", "--why", "0")
    assert "fires" in lorebook(*command).out
    assert "left out" in lorebook(*command, "--switch", "counts_plurals=off").out
    assert "no switch 'plurals'" in lorebook(*command, "--switch", "plurals=off").err
    assert "neither on nor off" in lorebook(*command, "--switch", "counts_plurals").err
    listed = json.loads(lorebook("presets", "--json").out)
    assert all((row["sillytavern"], row["lorebook"]) == (False, True) for row in listed.values())


def test_a_difference_is_told_with_what_is_done_on_and_off(lorebook: Command) -> None:
    told = lorebook("presets", "longest_terms").out
    assert told.startswith("longest_terms  off in sillytavern, on in lorebook\n  on: Of terms")
    assert "\n  off: Every key counts" in told
    assert lorebook("presets").out.count("\n  off: ") == len(SWITCHES)
    assert "did you mean longest_terms?" in lorebook("presets", "longest_term").err


def test_the_character_and_its_tags_are_named_on_the_command_line(lorebook: Command, files: tuple[Path, Path]) -> None:
    book, chat = files
    filters = {"names": ["Mira Vell"], "tags": []}, {"names": [], "tags": ["sea"]}
    held = json.loads(book.read_text())
    for uid, chosen in zip("01", filters, strict=True):
        held["entries"][uid]["characterFilter"] = chosen | {"isExclude": False}
    book.write_text(json.dumps(held))
    command = ("match", "-b", book, "-c", chat, "--vectors", "0")
    assert "0  Dragons  its character filter lets in only Mira Vell, and no character is named (--character)" in (
        lorebook(*command).out
    )
    assert "the character has no tag (--tag)" in lorebook(*command, "--character", "Mira Vell").out
    assert "2 entries fire" in lorebook(*command, "--character", "Mira Vell", "--tag", "sky", "--tag", "sea").out


def test_what_may_come_in_by_meaning_is_told_by_its_score(lorebook: Command, files: tuple[Path, Path]) -> None:
    files[1].write_text(json.dumps([{"role": "user", "content": "Old stone, high up: who lives there?"}]))
    command = ("match", "-b", files[0], "-c", files[1], "--floor")
    assert "by meaning, score" in lorebook(*command, "0").out
    out = lorebook(*command, "1").out
    assert "0 entries fire" in out
    assert "and the chat is not near enough in meaning (--all lists them)" in out
    assert "is below 1.00" not in out
    assert "is below 1.00" in lorebook(*command, "1", "--all").out
    assert lorebook(*command, "2").code != 0
