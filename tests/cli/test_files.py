"""
`lorebook inspect` and `convert`: one file and many, folders and pipes, and everything that may go wrong with them.
"""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.cli import render
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, export, open_document
from lorebook.formats.format import LossKind
from lorebook.workspace import batch, files, own_faults
from lorebook.workspace.fileviews import ConversionView, LossView
from tests.conftest import Command
from tests.formats.files import PICTURE

COMMAND = (sys.executable, "-c", "from lorebook.cli import main; main()")
BOOK = Book(
    name="Archive",
    entries=(
        Entry(uid=0, name="Gate", keys=("salt gate", "盐门"), content="It opens at low water."),
        Entry(uid=1, name="Bell", keys=("bell",), content="It rings."),
    ),
)
CARD = Card(name="Mira", creator="tide", character_version="2", first_mes="Hi.")


def made(folder: Path, name: str, form: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(export(FORMATS[form], Content(BOOK, CARD, {OWN_PICTURE: PICTURE})).data)
    return path


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return made(tmp_path, "world.json", "world-info")


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    """
    A folder of good files with a ruin in the middle, a folder inside and something hidden.
    """
    folder = tmp_path / "cards"
    made(folder, "a.json", "card-v2")
    (folder / "b.json").write_text("no card")
    made(folder, "deep/c.png", "png")
    made(folder, ".hidden/d.json", "card-v2")
    return folder


def format_of(path: Path) -> str:
    return open_document(path.read_bytes(), file_name=path.name).form.name


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


# --- inspect ---


def test_inspect_tells_what_a_file_is_and_has(lorebook: Command, tmp_path: Path) -> None:
    told = lorebook("inspect", made(tmp_path, "mira.png", "png"))
    assert told.code == 0
    assert told.err == ""
    for part in (
        "Character card in a PNG picture (png)",
        "character: Mira by tide, version 2",
        "lorebook: Archive",
        "2 entries (0 constant, 0 off), 3 keys",
        "payloads: ccv3, chara",
    ):
        assert part in told.out


def test_inspect_prints_the_same_as_json(lorebook: Command, world: Path) -> None:
    view = json.loads(lorebook("inspect", world, "--json").out)
    assert (view["format"], view["book"], view["entries"], view["character"]) == ("world-info", "Archive", 2, None)
    assert view["path"] == str(world)


def test_inspect_says_what_had_to_be_mended_and_strict_refuses_it(lorebook: Command, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text('{"entries": {"0": {"uid": 0, "key": ["a"], "content": "x", "order": "7"}},}')
    told = lorebook("inspect", path)
    assert (told.code, told.out.count("note: ")) == (0, 2)
    refused = lorebook("inspect", path, "--strict")
    assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
    assert "without --strict it is read" in refused.err


def test_inspect_tells_of_many_files_a_line_each(lorebook: Command, world: Path, cards: Path) -> None:
    told = lorebook("inspect", world, cards)
    assert told.code == 1
    assert [line.split(": ")[0] for line in told.out.splitlines()] == [
        *(str(path) for path in (world, cards / "a.json", cards / "deep" / "c.png"))
    ]
    assert "b.json" in told.err
    assert "3 of 4 files read" in told.err


def test_inspect_lists_many_files_as_json_the_ruin_among_them(lorebook: Command, cards: Path) -> None:
    told = lorebook("inspect", cards, "--json")
    views = json.loads(told.out)
    assert told.code == 1
    assert [view.get("format") for view in views] == ["card-v2", None, "png"]
    assert "not JSON" in views[1]["error"]


def test_an_empty_folder_is_an_empty_list(lorebook: Command, tmp_path: Path) -> None:
    told = lorebook("inspect", tmp_path, "--json")
    assert (told.code, json.loads(told.out)) == (0, [])


def test_inspect_reads_a_pipe(world: Path) -> None:
    done = run("inspect", "-", input=world.read_bytes(), capture_output=True)
    assert done.returncode == 0
    assert done.stdout.startswith(b"-: SillyTavern World Info")


def test_a_pipe_is_read_alone(lorebook: Command, world: Path) -> None:
    told = lorebook("inspect", "-", world)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert "a pipe is read alone" in told.err


def test_a_file_is_read_as_what_it_is_said_to_be(lorebook: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"entries": {}}')
    assert json.loads(lorebook("inspect", path, "--from", "chub", "--json").out)["format"] == "chub"
    refused = lorebook("inspect", path, "--from", "png")
    assert refused.code == 1
    assert "leave --from out" in refused.err


# --- convert ---


def test_convert_writes_the_file_and_says_what_is_lost(lorebook: Command, world: Path, tmp_path: Path) -> None:
    told = lorebook("convert", world, tmp_path / "out.lorebook")
    assert (told.code, told.err) == (0, "")
    assert format_of(tmp_path / "out.lorebook") == "novelai"
    assert "novelai, from world-info" in told.out
    assert "way back: does not restore the original: the format has no place for it" in told.out
    assert "what the format does not hold: " in told.out


def test_equal_losses_are_one_line_and_what_decides_most_comes_first() -> None:
    lost, unread = LossKind.LOST, LossKind.UNREAD
    said = [(1, "position", unread), (0, "extensions.x", lost), (None, "name", lost), (4, "keys", LossKind.CHANGED)]
    said += [(uid, "probability", lost) for uid in (7, 2, 0, 1)] + [(9, "content", lost)]
    found = [LossView(entry=entry, field=field, why="so", kind=kind) for entry, field, kind in said]
    lines = [
        "entry 9: content lost: so",
        "entries 0-2, 7: probability lost: so",
        "book: name lost: so",
        "entry 0: extensions.x lost: so",
        "entry 4: keys changed: so",
        "entry 1: position unread: so",
    ]
    assert list(render.losses(found, 6, "see there")) == lines
    assert list(render.losses(found, 2, "see there")) == [*lines[:2], "… 9 losses in all; see there"]


def test_a_line_names_some_runs_of_entries_and_counts_them() -> None:
    found = [LossView(entry=uid, field="role", why="so", kind=LossKind.LOST) for uid in range(0, 40, 2)]
    (line,) = render.losses(found, 1, "")
    assert line == "entries 0, 2, 4, 6, 8, 10, 12, 14, … (20 entries): role lost: so"


def test_convert_says_that_the_way_back_restores_the_original(lorebook: Command, world: Path, tmp_path: Path) -> None:
    there, back = tmp_path / "there.charx", tmp_path / "back.json"
    assert "way back: restores the original" in lorebook("convert", world, there).out
    told = lorebook("convert", there, back, "--to", "world-info", "--json")
    assert json.loads(told.out)["origin"] == "restored"
    assert back.read_bytes() == world.read_bytes()
    assert "it is left out" in lorebook("convert", world, there, "--no-origin", "--force").out


@pytest.mark.parametrize(
    ("name", "source", "form"),
    [
        ("x.json", "card-v2", "card-v3"),
        ("x.json", "chub", "world-info"),
        ("x.JSON", "chub", "world-info"),
        ("x.charx", "card-v2", "charx"),
        ("x.png", "card-v2", "png"),
        ("x.jpg", "card-v2", "charx-jpeg"),
        ("x.lorebook", "card-v2", "novelai"),
        ("x.risum", "card-v2", "risum"),
        ("x.byaf", "card-v2", "byaf"),
        ("x.voxpkg", "card-v2", "voxta"),
    ],
)
def test_the_ending_tells_the_format(lorebook: Command, tmp_path: Path, name: str, source: str, form: str) -> None:
    path = made(tmp_path, "in" if source != "card-v2" else "in.png", "png" if source == "card-v2" else source)
    assert lorebook("convert", path, tmp_path / name).code == 0
    assert format_of(tmp_path / name) == form


def test_the_letter_of_the_specification_is_kept_when_asked(lorebook: Command, tmp_path: Path) -> None:
    path, out = tmp_path / "in.json", tmp_path / "out.json"
    path.write_text('{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Mira", "odd": 1}}')
    assert lorebook("convert", path, out, "--to", "card-v3").code == 0
    assert json.loads(out.read_text())["data"]["odd"] == 1
    assert "card.fields.odd lost" in lorebook("convert", path, out, "--to", "card-v3", "--strict-spec", "-f").out
    assert "odd" not in json.loads(out.read_text())["data"]


def test_many_files_go_into_a_folder_and_a_ruin_stops_none(lorebook: Command, cards: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out", tmp_path / "report.jsonl"
    told = lorebook("convert", cards, out, "--to", "charx", "--report", report)
    assert told.code == 1
    assert names(out) == {"a.charx", "deep/c.charx"}
    assert "b.json" in told.err
    assert "2 of 3 files converted" in told.err
    views = [json.loads(line) for line in report.read_text().splitlines()]
    assert [view.get("format") for view in views] == ["charx", None, "charx"]
    assert views[0]["origin"] == "kept"


def test_many_files_as_json(lorebook: Command, cards: Path, tmp_path: Path) -> None:
    told = lorebook("convert", cards, tmp_path / "out", "--to", "novelai", "--json")
    views = json.loads(told.out)
    assert told.code == 1
    assert [view.get("origin") for view in views] == ["no room", None, "no room"]


def test_files_of_one_name_keep_their_endings(lorebook: Command, tmp_path: Path) -> None:
    sources = [made(tmp_path, "mira.json", "card-v2"), made(tmp_path, "mira.png", "png")]
    told = lorebook("convert", *sources, tmp_path / "out", "--to", "charx")
    assert told.code == 0
    assert names(tmp_path / "out") == {"mira.json.charx", "mira.png.charx"}


def test_files_that_would_be_one_are_refused(lorebook: Command, tmp_path: Path) -> None:
    sources = [made(tmp_path / name, "mira.json", "card-v2") for name in ("one", "two")]
    told = lorebook("convert", *sources, tmp_path / "out", "--to", "charx")
    assert (told.code, told.err.count("\n")) == (1, 1)
    assert not (tmp_path / "out").exists()


def test_several_files_do_not_go_into_one(lorebook: Command, world: Path, tmp_path: Path) -> None:
    told = lorebook("convert", world, made(tmp_path, "b.json", "chub"), tmp_path / "out.png")
    assert told.code == 2
    assert "folder" in told.err
    assert not (tmp_path / "out.png").exists()


def test_a_file_that_is_there_is_overwritten_only_by_force(lorebook: Command, world: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.charx"
    target.write_bytes(b"mine")
    refused = lorebook("convert", world, target)
    assert (refused.code, target.read_bytes()) == (1, b"mine")
    assert "--force overwrites it" in refused.err
    assert lorebook("convert", world, target, "--force").code == 0
    assert format_of(target) == "charx"


def test_a_file_is_converted_in_its_place_only_by_force(lorebook: Command, world: Path) -> None:
    before = world.read_bytes()
    assert lorebook("convert", world, world, "--to", "card-v3").code == 1
    assert world.read_bytes() == before
    assert lorebook("convert", world, world, "--to", "card-v3", "--force").code == 0
    assert format_of(world) == "card-v3"
    assert lorebook("convert", world, world, "--to", "world-info", "--force").code == 0
    assert world.read_bytes() == before


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("{world} {out} --to tarot", 1, "no format 'tarot'"),
        ("{world} {out} --from tarot", 1, "no format 'tarot'"),
        ("{world} {out} --to ooba", 1, "is only read"),
        ("{world} {out}.tarot", 1, "tells no format"),
        ("{world} {world} {folder}/new", 1, "tells no format"),
        ("{folder}/missing.json {out}", 1, "cannot be read"),
        ("{world}", 2, "where to convert it"),
        ("{world} -", 1, "tells no format"),
        ("{world} {world} - --to chub", 2, "one file"),
        ("{world} {world}/in/it.charx", 1, "cannot write"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line_and_leaves_nothing(
    lorebook: Command, world: Path, command: str, code: int, says: str
) -> None:
    places = {"world": world, "out": world.with_name("out.charx"), "folder": world.parent}
    told = lorebook("convert", *(word.format(**places) for word in command.split()))
    assert told.code == code
    assert says in " ".join(told.err.split())
    assert told.out == ""
    assert names(world.parent) == {"world.json"}


@pytest.mark.parametrize("command", ["inspect {world}", "convert {world} {out}", "convert {world} - --to charx"])
def test_a_fault_of_ours_is_one_line_and_its_traceback_is_told_when_asked_for(
    lorebook: Command, world: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def stumble(*_values: object, **_options: object) -> object:
        raise KeyError("many\nlines")

    for name in ("inspect", "convert"):
        monkeypatch.setattr(files, name, stumble)
    words = command.format(world=world, out=world.with_name("out.charx")).split()
    told = lorebook(*words)
    assert (told.code, told.out, told.err.count("\n")) == (1, "", 1)
    assert f"{world}: a fault of lorebook's own, KeyError: " in told.err
    assert names(world.parent) == {"world.json"}
    monkeypatch.setenv(own_faults.TRACEBACK, "1")
    with pytest.raises(KeyError):
        lorebook(*words)


def test_a_card_without_a_book_is_no_lorebook(lorebook: Command, tmp_path: Path) -> None:
    path = tmp_path / "mira.json"
    path.write_bytes(export(FORMATS["card-v2"], Content(None, CARD)).data)
    told = lorebook("convert", path, tmp_path / "out.json", "--to", "world-info")
    assert (told.code, told.err.count("\n")) == (1, 1)
    assert "there is no lorebook in it" in told.err
    assert not (tmp_path / "out.json").exists()


def test_a_report_of_one_file(lorebook: Command, world: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    assert lorebook("convert", world, tmp_path / "x.lorebook", "--report", report).code == 0
    (view,) = map(json.loads, report.read_text().splitlines())
    assert view["losses"]
    assert view["format"] == "novelai"


@pytest.mark.parametrize(
    ("command", "report"),
    [
        ("{folder}/a.json {folder}/b.json {folder}/out --to card-v3 --force", "{folder}/out/b.json"),
        ("{folder}/a.json {folder}/b.json {folder}/out --to card-v3", "{folder}/out/../a.json"),
        ("{folder} {folder}/out --to card-v3", "{folder}/link.json"),
        ("{folder}/a.json {folder}/new.charx", "{folder}/new.charx"),
        ("{folder}/a.json {folder}/new.charx", "{folder}/a.json"),
        ("{folder}/a.json - --to chub", "{folder}/a.json"),
    ],
    ids=["one made", "one read", "by way of a link", "the one made", "the one read", "read for a pipe"],
)
def test_a_report_is_written_over_none_of_the_files(
    lorebook: Command, tmp_path: Path, command: str, report: str
) -> None:
    folder = tmp_path / "in"
    before = [made(folder, name, "world-info").read_bytes() for name in ("a.json", "b.json")]
    (folder / "out").mkdir()
    (folder / "link.json").symlink_to(folder / "out" / "b.json")
    told = lorebook("convert", *command.format(folder=folder).split(), "--report", report.format(folder=folder))
    assert (told.code, told.out, told.err.count("\n")) == (1, "", 1)
    assert "the report would be written over" in told.err
    assert names(folder) == {"a.json", "b.json"}
    assert [(folder / name).read_bytes() for name in ("a.json", "b.json")] == before


# --- pipes and terminals ---


def run(*words: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *map(str, words)], check=False, timeout=120, **options)


def test_a_pipe_goes_through(world: Path) -> None:
    done = run("convert", "-", "-", "--to", "novelai", input=world.read_bytes(), capture_output=True)
    assert done.returncode == 0
    assert open_document(done.stdout, file_name="-").form.name == "novelai"
    assert done.stderr.startswith(b"lorebook: the way back does not restore the original")


def test_a_pipe_that_nothing_comes_through_is_an_empty_file() -> None:
    done = run("convert", "-", "-", "--to", "novelai", input=b"", capture_output=True)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
    assert b"the file is empty" in done.stderr


def test_a_reader_that_goes_away_stops_the_command_without_a_word(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number}.json").write_text('{"entries": {}}')
    words = [*COMMAND, "inspect", str(tmp_path), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=120) != 0


@pytest.mark.parametrize("command", [("inspect",), ("convert", "{out}.charx")], ids=lambda words: words[0])
def test_colours_are_for_terminals_only(world: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    name, *rest = command
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"}

    def words(number: int) -> tuple[object, ...]:
        return (name, world, *(word.format(out=tmp_path / str(number)) for word in rest))

    piped = run(*words(1), env=environment, capture_output=True)
    assert piped.returncode == 0
    assert b"\x1b[" not in piped.stdout
    ours, theirs = pty.openpty()
    assert run(*words(2), env=environment, stdout=theirs).returncode == 0
    os.close(theirs)
    assert b"\x1b[1m" in os.read(ours, 65536)
    os.close(ours)


def test_a_name_that_is_no_text_is_reported(lorebook: Command, world: Path, tmp_path: Path) -> None:
    folder, report = tmp_path / "in", tmp_path / "report.jsonl"
    folder.mkdir()
    odd = folder / os.fsdecode(b"\xff\xe7.json")
    odd.write_bytes(world.read_bytes())
    assert lorebook("convert", str(folder), str(tmp_path / "out"), "--to", "card-v3", "--report", str(report)).code == 0
    assert Path(json.loads(report.read_text())["source"]) == odd


def test_a_name_too_long_to_be_written_stops_no_other(lorebook: Command, world: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.json", f"{'n' * 250}.json"):
        (folder / name).write_bytes(world.read_bytes())
    said = lorebook("convert", str(folder), str(tmp_path / "out"), "--to", "risum")
    assert said.code == 1
    assert "File name too long" in said.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.risum"]


def test_a_folder_converted_into_itself_does_not_grow(lorebook: Command, world: Path) -> None:
    out = world.parent / "out"
    for force in ([], ["--force"]):
        assert lorebook("convert", str(world.parent), str(out), "--to", "card-v3", *force).code == 0
        assert [path.name for path in out.rglob("*")] == ["world.json"]


def test_an_error_among_many_names_the_folder_too(lorebook: Command, cards: Path) -> None:
    assert str(cards / "b.json") in lorebook("inspect", str(cards)).err


def test_a_device_is_no_folder(world: Path) -> None:
    run = subprocess.run(
        [*COMMAND, "convert", str(world), "/dev/stdout", "--to", "novelai"], capture_output=True, check=True
    )
    assert b"lorebookVersion" in run.stdout


def test_a_stop_leaves_the_report_of_what_was_done(
    lorebook: Command, cards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, real = tmp_path / "report.jsonl", files.convert_file

    def stopped(pair: files.Pair, how: files.Conversion) -> ConversionView:
        if pair.source.name == "c.png":
            raise KeyboardInterrupt
        return real(pair, how)

    monkeypatch.setattr(batch, "convert_file", stopped)
    args = ("convert", str(cards), str(tmp_path / "out"), "--to", "charx", "--report", str(report))
    assert lorebook(*args).code != 0
    said = [json.loads(line) for line in report.read_text().splitlines()]
    assert [line.get("source") or line["path"] for line in said] == [str(cards / "a.json"), str(cards / "b.json")]


def test_no_text_of_a_file_controls_the_terminal(lorebook: Command, tmp_path: Path) -> None:
    card = Card(name="Mi\x1b]0;owned\x07ra\x9b2J", first_mes="Hi.")
    path = tmp_path / "a\x1b[31m.json"
    path.write_bytes(export(FORMATS["card-v2"], Content(None, card)).data)
    said = lorebook("inspect", str(path)).out + lorebook("inspect", f"{path}.gone").err
    assert r"Mi\x1b]0;owned\x07ra\x9b2J" in said
    assert r"a\x1b[31m.json.gone" in said
    assert not set(said) & {"\x1b", "\x07", "\x9b"}


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_json_is_json_in_every_encoding(world: Path, encoding: str) -> None:
    name = world.with_name("é盐😀.json")
    name.write_bytes(world.read_bytes())
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    for paths in ([str(name)], [str(name), str(world)]):
        run = subprocess.run([*COMMAND, "inspect", *paths, "--json"], capture_output=True, check=True, env=environment)
        said = json.loads(run.stdout)
        assert (said[0] if isinstance(said, list) else said)["path"] == str(name)


def test_of_many_payloads_some_are_named(lorebook: Command, tmp_path: Path) -> None:
    path = made(tmp_path, "mira.png", "png")
    data = path.read_bytes()
    at = data.index(b"tEXt") - 4
    end = at + 12 + int.from_bytes(data[at : at + 4], "big")
    path.write_bytes(data[:at] + data[at:end] * 50 + data[end:])
    said = lorebook("inspect", path).out
    line = next(line for line in said.splitlines() if line.startswith("  payloads:"))
    assert line.count("chara") + line.count("ccv3") == 12
    payloads = json.loads(lorebook("inspect", path, "--json").out)["payloads"]
    assert f"… {len(payloads)} in all" in line
