"""Wrong input gives one clear line and a non-zero exit, and leaves nothing half-written."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from pathlib import Path

import pytest

from tests.conftest import Command

DOCUMENT = "# Hand limit\n\nDiscard down to six cards when the turn ends.\n"


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def refused(outcome: tuple[int, str, str], *parts: str) -> None:
    code, out, err = outcome
    assert code == 1
    assert out == ""
    assert err.startswith("lorebook: ")
    assert err.count("\n") == 1
    for part in parts:
        assert part in err


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("missing.txt", None, "cannot be read: No such file"),
        ("empty.txt", b"", "empty"),
        ("blank.txt", b" \n\n\t\n", "empty"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
        ("latin.txt", b"Gr\xfc\xdfe " * 200, "UTF-8"),
    ],
)
def test_a_document_that_cannot_be_read(
    lorebook: Command, tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    before = files_in(tmp_path)
    refused(lorebook("import", tmp_path / name, "--workspace", tmp_path / "new"), name, says)
    assert files_in(tmp_path) == before


def test_one_bad_file_among_good_ones_imports_none(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(DOCUMENT)
    (tmp_path / "bad.md").write_bytes(b"")
    refused(lorebook("import", tmp_path / "good.md", tmp_path / "bad.md", "-w", tmp_path / "new"), "bad.md")
    assert not (tmp_path / "new").exists()


def test_a_folder_is_no_document(lorebook: Command, tmp_path: Path) -> None:
    refused(lorebook("import", tmp_path, "-w", tmp_path / "new"), f"{tmp_path}: a folder, not a document")


def test_a_document_from_standard_input(lorebook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused(lorebook("import", "-", "-w", "new"), "-: a document is not read from standard input (write it into a file")
    assert files_in(tmp_path) == set()
    Path("-").write_text(DOCUMENT)
    assert lorebook("import", "-", "-w", "new").code == 0


def test_a_ruleset_changed_by_hand_is_replaced_by_force_only(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    command = ("import", tmp_path / "notes.txt", "-w", tmp_path / "w")
    assert lorebook(*command).code == 0
    (record,) = (tmp_path / "w" / "rules" / "notes").glob("*.yaml")
    text = record.read_text().replace("six", "eight")
    record.write_text(text)
    refused(lorebook(*command, "--replace"), f"notes/{record.stem}", "--replace --force")
    assert record.read_text() == text
    assert lorebook(*command, "--replace", "--force").code == 0
    assert record.read_text() != text


@pytest.mark.parametrize("words", [("rulesets",), ("rules",), ("ask", "hand limit")], ids=" ".join)
def test_records_in_no_ruleset_are_told(lorebook: Command, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    assert lorebook("import", tmp_path / "notes.txt", "-w", tmp_path / "w").code == 0
    for name in ("empty", "records"):
        (tmp_path / "w" / "rules" / name).mkdir()
    (tmp_path / "w" / "rules" / "records" / "hand.yaml").write_text("id: records/hand\n")
    done = lorebook(*words, "-w", tmp_path / "w")
    assert done.code == 0
    assert done.err == (
        "lorebook: rules/records: left out, as it holds records but no ruleset.toml (`lorebook import` writes one)\n"
    )


def test_the_ruleset_that_is_named_is_rewritten(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    assert lorebook("import", tmp_path / "notes.txt", "-w", tmp_path / "w").code == 0
    (record,) = (tmp_path / "w" / "rules" / "notes").glob("*.yaml")
    record.write_text("# ours\n" + record.read_text())
    again = ("rules", "notes", "--rewrite", "-w", tmp_path / "w")
    refused(lorebook(*again[:1], "nodes", *again[2:]), "no ruleset 'nodes'", "did you mean notes?")
    refused(lorebook(*again[:1], f"notes/{record.stem}", *again[2:]), "--rewrite takes a whole ruleset")
    assert lorebook(*again).out == f"rules/notes/{record.name}\n1 file written in canonical form.\n"
    assert lorebook(*again).out == "Every file was in canonical form.\n"


def test_the_wrong_kind(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    refused(lorebook("import", tmp_path / "notes.txt", "--as", "listing", "-w", tmp_path / "new"), "notes.txt", "not")
    refused(lorebook("import", tmp_path / "notes.txt", "--as", "tarot", "-w", tmp_path / "new"), "tarot", "listing")
    assert not (tmp_path / "new").exists()


def test_an_unwritable_workspace(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    (tmp_path / "file").write_text("x")
    refused(lorebook("import", tmp_path / "notes.txt", "-w", tmp_path / "file"), "file", "not a folder")
    refused(lorebook("import", tmp_path / "notes.txt", "-w", tmp_path / "file" / "in"), "cannot write")
    assert (tmp_path / "file").read_text() == "x"


def test_a_ruleset_that_is_there_is_not_overwritten(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    command = ("import", tmp_path / "notes.txt", "-w", tmp_path / "w")
    assert lorebook(*command).code == 0
    (tmp_path / "notes.txt").write_text(DOCUMENT.replace("six", "seven"))
    refused(lorebook(*command), "notes", "--replace")
    assert "six" in next((tmp_path / "w" / "rules" / "notes").glob("*.yaml")).read_text()
    assert lorebook(*command, "--replace").code == 0
    assert "seven" in next((tmp_path / "w" / "rules" / "notes").glob("*.yaml")).read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("ask", "hand limit", "-r", "chess"), "no ruleset 'chess'"),
        (("rules", "chess"), "no ruleset 'chess'"),
        (("rules", "bfm-v2/castling"), "no rule 'bfm-v2/castling'"),
        (("export", "chess"), "no ruleset 'chess'"),
        (("export", "bfm-v2", "--to", "pdf", "-o", "x.pdf"), "no format 'pdf'"),
        (("export", "bfm-v2", "-l", "fr", "-o", "x.json"), "no language 'fr'"),
        (("match", "--book", "chess", "--chat", "nothing.json"), "nothing.json: cannot be read"),
        (("match", "--book", "bfm-v2", "--tokenizer", "abacus", "--chat", "chat.json"), "no tokenizer 'abacus'"),
        (("match", "--book", "chess", "--chat", "chat.json"), "no ruleset and no file 'chess'"),
        (("match", "--book", "chat.json", "--chat", "chat.json"), "chat.json: no lorebook"),
        (
            ("ask", "x", "-w", "nowhere"),
            "not a workspace: there is no such folder (check the path; `lorebook init nowh",
        ),
        (
            ("ask", "x", "-w", "."),
            "not a workspace, which has rules/ and index/ in it (`lorebook init .` makes it one)",
        ),
        (("ask", "x", "--prefer", "chess"), "--prefer chess: the shipped rules: no ruleset 'chess' (there are: bfm-v2"),
        (("rules", "bfm-v2/" + "a" * 300), "no rule 'bfm-v2/aaa"),
        (("rules", "bfm-v2/" + "手" * 82), "no rule 'bfm-v2/手"),
        (("match", "--book", "a" * 300, "--chat", "chat.json"), "no ruleset and no file 'aaa"),
        (("export", "bfm-v2", "-o", "a" * 300), "cannot write: File name too long"),
        (("ask", "x", "-w", "a" * 300), "not a workspace"),
        (("eval", "queries.jsonl"), "queries.jsonl: cannot be read"),
    ],
)
def test_what_is_named_must_exist(
    lorebook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "hi"}]')
    before = files_in(tmp_path)
    refused(lorebook(*words), says)
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("name", ["a" * 300, "a" * 101, "手" * 34])
def test_a_name_too_long_for_a_ruleset(lorebook: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    refused(lorebook("import", tmp_path / "notes.txt", "--name", name, "-w", tmp_path / "w"), "at most 100 bytes")
    assert not (tmp_path / "w").exists()


def test_the_longest_names_can_be_replaced(lorebook: Command, tmp_path: Path) -> None:
    document = tmp_path / f"{'手' * 80}.txt"
    document.write_text(DOCUMENT)
    for words in ((), ("--replace",), ("--name", "a" * 100), ("--name", "a" * 100, "--replace")):
        assert lorebook("import", document, "-w", tmp_path / "w", *words).code == 0
    names = sorted(path.name for path in (tmp_path / "w" / "rules").iterdir())
    assert names == ["a" * 100, "手" * 33]


@pytest.mark.parametrize(
    "manifest",
    [
        '{"files": 5}',
        '{"files": null}',
        '{"files": [{"path": "kept"}]}',
        '{"files": [{"path": "a\\u0000b"}, {"path": "\\ud800"}, {"path": ""}]}',
        '{"files": [{"path": "' + "a" * 300 + '"}]}',
        "[" * 100_000,
    ],
)
def test_a_damaged_manifest_of_exports_is_written_anew(lorebook: Command, tmp_path: Path, manifest: str) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    assert lorebook("import", tmp_path / "notes.txt", "-w", tmp_path / "w").code == 0
    exports = tmp_path / "w" / "exports"
    (exports / "kept").mkdir()
    (exports / "manifest.json").write_text(manifest)
    assert lorebook("export", "--all", "-w", tmp_path / "w").code == 0
    assert (exports / "kept").is_dir()
    (exports / "notes" / ".notes.en.json.0123456789abcdef.staged").write_text("left by a killed process")
    assert lorebook("export", "--all", "--check", "-w", tmp_path / "w").code == 0


def test_a_schema_that_is_no_text_is_only_stale(lorebook: Command, tmp_path: Path) -> None:
    assert lorebook("init", tmp_path / "w").code == 0
    (tmp_path / "w" / "rules" / "rule.schema.json").write_bytes(b"\xff\xfe")
    code, out, err = lorebook("schema", "--check", "-w", tmp_path / "w")
    assert code == 1
    assert "Traceback" not in out + err
    assert lorebook("schema", "-w", tmp_path / "w").code == 0
    assert lorebook("schema", "--check", "-w", tmp_path / "w").code == 0


def test_an_export_to_a_device_leaves_the_device(lorebook: Command, tmp_path: Path) -> None:
    device = tmp_path / "nothing"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        device.write_bytes(b"")
    except OSError:
        pytest.skip("devices cannot be made here")
    assert lorebook("export", "bfm-v2", "-o", device).code == 0
    assert device.is_char_device()


def test_an_export_overwrites_a_file_only_by_force(
    lorebook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (("-o", "mine.json"), ("-o", "."), ()):
        written = Path(json.loads(lorebook("export", "bfm-v2", *words, "--force", "--json").out)["path"])
        written.write_text("mine")
        refused(lorebook("export", "bfm-v2", *words), written.name, "there is a file already", "--force overwrites it")
        assert written.read_text() == "mine"
        assert lorebook("export", "bfm-v2", *words, "-f").code == 0
        assert written.read_text() != "mine"
    assert lorebook("export", "bfm-v2", "-o", "-").out.startswith("{")


def test_an_export_into_a_folder_that_cannot_be(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    refused(lorebook("export", "bfm-v2", "-o", tmp_path / "file" / "card.json"), "cannot write")


def test_a_broken_record_is_named(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    assert lorebook("import", tmp_path / "notes.txt", "-w", tmp_path / "w").code == 0
    record = next((tmp_path / "w" / "rules" / "notes").glob("*.yaml"))
    record.write_text(record.read_text().replace("order:", "ordre:"))
    refused(lorebook("rules", "-w", tmp_path / "w"), f"notes/{record.name}", "ordre")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("export", "name a ruleset"),
        ("ask", "Missing argument"),
        ("asc", "Did you mean 'ask'?; `lorebook --help` says how"),
        ("ask x --limit 0", "'--limit' / '-n'"),
        ("ask x --limit five", "'--limit' / '-n'"),
        ("compare ocg-zh", "RULESET"),
        ("ask x --rulset y", "--ruleset"),
    ],
    ids=str,
)
def test_wrong_usage_is_one_line_and_code_two(lorebook: Command, words: str, says: str) -> None:
    code, out, err = lorebook(*words.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
    assert err.rstrip().endswith("--help` says how")


def test_without_a_command_the_help_is_shown(lorebook: Command) -> None:
    code, out, err = lorebook()
    assert (code, err) == (2, "")
    assert "Usage: lorebook" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("ask x -r ygo-clasic", "did you mean ygo-classic? there are: bfm-v2"),
        ("ask x --prefer ocgzh", "did you mean ocg-zh?"),
        ("compare ygo-classic mutegannu", "did you mean mutegannu-ekrats?"),
        ("rules ygo-classic/tribute-sumon", "did you mean ygo-classic/tribute-summon?"),
        ("match -b bfmv2 -c {chat}", "did you mean bfm-v2?"),
        ("match -b bfm-v2 -c {chat} --switch longest_term=off", "did you mean longest_terms?"),
        ("match -b bfm-v2 -c {chat} --preset silytavern", "did you mean sillytavern?"),
    ],
    ids=str,
)
def test_the_nearest_name_is_suggested(lorebook: Command, tmp_path: Path, words: str, says: str) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text('[{"role": "user", "content": "hi"}]')
    refused(lorebook(*words.format(chat=chat).split()), says)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("ask 手牌", "there is no rule to index (`lorebook import FILE` makes rules of a document)"),
        ("eval {queries}", "there is no rule to index"),
        ("index", "there is no rule to index"),
        ("compare a b", "no ruleset 'a' (there are: none yet)"),
        ("export a", "no ruleset 'a' (there are: none yet)"),
    ],
    ids=str,
)
def test_an_empty_workspace_says_that_it_has_no_rules(lorebook: Command, tmp_path: Path, words: str, says: str) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"id": "1", "kind": "term", "query": "hand limit", "relevant": []}\n')
    assert lorebook("init", tmp_path / "w").code == 0
    refused(lorebook(*words.format(queries=queries).split(), "-w", tmp_path / "w"), says)


@pytest.mark.parametrize("words", ["rules", "rulesets"])
def test_a_list_of_nothing_says_how_to_begin(lorebook: Command, tmp_path: Path, words: str) -> None:
    assert lorebook("init", tmp_path / "w").code == 0
    said = lorebook(words, "-w", tmp_path / "w")
    assert (said.code, said.out.count("\n")) == (0, 1)
    assert "`lorebook import FILE --workspace" in said.out
    assert lorebook(words, "-w", tmp_path / "w", "--json").out == "[]\n"


def test_rules_are_listed_in_a_language(lorebook: Command) -> None:
    assert "主要阶段1 > 盖放或召唤怪兽" in lorebook("rules", "ygo-classic", "--language", "zh").out
    assert "Main Phase 1 > Set or Summon" in lorebook("rules", "ygo-classic").out
    refused(lorebook("rules", "ygo-classic", "-l", "fr"), "no language 'fr' (there are: en, zh)")


def test_nothing_is_exported_of_nothing(lorebook: Command, tmp_path: Path) -> None:
    assert lorebook("init", tmp_path / "w").code == 0
    assert lorebook("export", "--all", "-w", tmp_path / "w").out.endswith("exports, as there are no rules yet\n")


def test_what_a_match_reads_is_named(lorebook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "hi"}]')
    with (tmp_path / "empty").open("w+", encoding="utf-8") as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        refused(lorebook("match", "-b", "bfm-v2"), "standard input: is empty", "a chat is")
    state = ("--state", tmp_path)
    refused(lorebook("match", "-b", "bfm-v2", "-c", tmp_path / "chat.json", *state), "name a file for the state")


def test_a_file_is_no_workspace_and_a_folder_no_file(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    refused(lorebook("ask", "x", "-w", tmp_path / "file"), "a file", "name a workspace's folder")
    refused(lorebook("eval", tmp_path), "Is a directory", "judged queries")
    refused(lorebook("inspect", tmp_path / "none.png"), "No such file", "name a lorebook or card file")


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("PREFER", "chess", "LOREBOOK_PREFER=chess: the shipped rules: no ruleset 'chess' ("),
        (
            "WORKSPACE",
            "nowhere",
            "LOREBOOK_WORKSPACE=nowhere: not a workspace: there is no such folder (check the path",
        ),
    ],
)
def test_a_setting_that_is_wrong_is_named(
    lorebook: Command, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, says: str
) -> None:
    monkeypatch.setenv(f"LOREBOOK_{variable}", value)
    refused(lorebook("ask", "hand limit"), says)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("wnid", "(did you mean notes/wind? `lorebook rules notes{}` lists them)"),
        ("99", "(`lorebook rules notes{}` lists them)"),
        ("9.2", "(`lorebook rules notes{}` lists them)"),
    ],
)
def test_only_what_is_near_is_suggested(
    lorebook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    (tmp_path / "notes.txt").write_text("# Wind\n\nIt blows.\n\n# 9.1\n\nIt is calm.\n")
    assert lorebook("import", tmp_path / "notes.txt", "-w", tmp_path / "w").code == 0
    monkeypatch.chdir(tmp_path)
    refused(lorebook("rules", f"notes/{name}", "-w", "w"), says.format(" --workspace w"))
    monkeypatch.chdir(tmp_path / "w")
    refused(lorebook("rules", f"notes/{name}"), says.format(""))


def test_a_workspace_that_git_took_the_empty_folders_from_is_one(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    assert lorebook("import", tmp_path / "notes.txt", "-w", tmp_path / "w").code == 0
    for name in ("index", "exports"):
        shutil.rmtree(tmp_path / "w" / name)
    assert lorebook("ask", "hand limit", "-w", tmp_path / "w").out.startswith("1. ")
    assert lorebook("export", "--all", "-w", tmp_path / "w").code == 0


def test_a_file_that_may_not_be_read_is_told_as_any_that_cannot_be(
    lorebook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chat.json").write_text("[]")
    # Whoever runs the tests may be one who may read everything.
    monkeypatch.setattr(os, "access", lambda *_args, **_how: False)
    refused(
        lorebook("match", "-b", "bfm-v2", "-c", tmp_path / "chat.json"),
        f"{tmp_path / 'chat.json'}: cannot be read: Permission denied",
    )


def test_a_question_that_is_a_document(lorebook: Command) -> None:
    refused(lorebook("ask", "手牌上限 " * 2001), "10,005 characters", "10,000")


def test_a_lorebook_file_is_no_document(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "world.json").write_text('{"entries": {}}')
    refused(
        lorebook("import", tmp_path / "world.json", "-w", tmp_path / "new"), "world.json", "is JSON", "match --book"
    )
    assert not (tmp_path / "new").exists()


def test_a_document_from_which_no_rule_can_come(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text("通常召唤\n“\n")
    outcome = lorebook("import", tmp_path / "odd.txt", "-w", tmp_path / "new")
    assert outcome.code == 0 or outcome.err.count("\n") == 1


def test_an_import_goes_into_no_workspace_that_was_not_named(
    lorebook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.txt").write_text(DOCUMENT)
    monkeypatch.chdir(tmp_path)
    refused(lorebook("import", "notes.txt"), "no workspace around this folder", "--workspace")


def test_replacing_says_what_is_gone(lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(f"{DOCUMENT}\n# Wind\n\nThe wind puts out two lanterns.\n")
    command = ("import", tmp_path / "notes.md", "-w", tmp_path / "w")
    assert lorebook(*command).code == 0
    (tmp_path / "notes.md").write_text(DOCUMENT)
    assert "gone with the ruleset that was replaced: wind" in lorebook(*command, "--replace").out


@pytest.mark.parametrize(
    ("words", "says"), [(("ask", " "), "the question is empty"), (("ask", "x", "-l", "fr"), "no rule in fr")]
)
def test_questions_that_cannot_be_meant(lorebook: Command, words: tuple[str, ...], says: str) -> None:
    refused(lorebook(*words), says)


def test_an_endless_document_is_refused(lorebook: Command, tmp_path: Path) -> None:
    refused(lorebook("import", "/dev/zero", "-w", tmp_path / "new"), "/dev/zero", "larger than 64 MiB")
    assert not (tmp_path / "new").exists()
