"""
The corpus runner: what it finds in the shared files, and that it finds what is planted.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lorebook.formats import FORMATS, Document, Export, Format, export, open_document
from lorebook.formats.containers.container import streamed
from lorebook.formats.patching import patched
from lorebook.formats.payload import packed
from tests.formats import lavish
from tests.formats.containers.pictures import END, PIXEL, chunk, picture, text
from tests.formats.corpus.checking import Result, Verdict, check, is_clear
from tests.formats.corpus.decoding import decoded, unlike

SHARED = Path(__file__).parents[3] / "shared" / "formats"
_FILES = [path for name in ("examples", "quirks") for path in sorted((SHARED / name).glob("*"))]

_BOOK = """{"entries": {"0": {"uid": 0, "key": ["gate"], "content": "It opens.", "order": 100,
  "x-odd": {"one": 1.0, "big": 12345678901234567890123, "half": "\\ud83d", "twice": 1, "twice": 2}, "comment": "Gate"}},
  "x-odd": 1E3}"""


def checked(folder: Path, data: bytes | str, name: str = "file.json") -> Result:
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return check(folder / name, name)


# --- shared files ---


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_shared_files_do_not_fail(path: Path) -> None:
    result = check(path, path.name)
    assert result.verdict is not Verdict.FAILED, "\n".join(result.says)


_REFUSED = {
    "chara_encrypted_rcc.png": "`chara`: the card is locked with a password (RisuAI) (unlock it in RisuAI)",
    "empty.json": "the file is empty (get it again from where it came)",
    "empty_chara.png": "`chara`: not JSON: line 1, column 1: the text ends too early",
    "no_card_json.charx": "no lorebook and no card: in this zip file there is readme.txt",
    "truncated.json": "not JSON: line 10, column 20: the text whose quote opens here has no closing quote",
}
"""Files that hold nothing that could be read, and what is said of each."""


@pytest.mark.skipif(not _FILES, reason="the shared files are not here")
def test_only_files_without_content_are_refused() -> None:
    assert {path.name for path in _FILES if check(path, path.name).verdict is Verdict.REFUSED} == set(_REFUSED)


@pytest.mark.parametrize(("name", "sentence"), _REFUSED.items(), ids=_REFUSED)
def test_refusals_say_what_is_documented(name: str, sentence: str) -> None:
    path = SHARED / "quirks" / name
    if not path.exists():
        pytest.skip("the shared files are not here")
    assert check(path, name).says[0].startswith(f"{name}: {sentence}")


# --- what is planted into good files is kept ---


_ODDITIES = {
    "numbers": '"x-odd": [1.0, 1E3, 0.10, -0, 12345678901234567890123, 1e400]',
    "names twice": '"x-odd": 1, "x-odd": {"x-odd": 2, "x-odd": 3}',
    "half a surrogate": '"x-odd": "\\ud83d x"',
    "escapes": '"x-odd": "\\u0000 \\u00e9 \\/", "": null, " a b.[0]": {}',
    "Latin-1": '"x-odd": "caf\\u00c3\\u00a9"',
    "control characters": '"x-odd": "a\tb"',
    "a comma too many": '"x-odd": [1,]',
    "NaN": '"x-odd": [NaN, -Infinity]',
}
_MENDED = {"control characters": Verdict.JSON, "a comma too many": Verdict.JSON, "NaN": Verdict.LOSSY}
_OBJECT = re.compile(r'"(?:[^"\\]|\\.)*"|\{(?!\s*"0"|\s*\})')


@pytest.mark.parametrize("oddity", _ODDITIES)
@pytest.mark.parametrize("form", [form for form in FORMATS.values() if form.writes], ids=lambda form: form.name)
def test_oddities_in_every_object_of_a_file_are_kept(form: Format, oddity: str, tmp_path: Path) -> None:
    made = open_document(export(form, lavish.content()).data, file_name="x", form=form)
    planted = b"".join(streamed(made.opened.replaced(dict(_planted(made, _ODDITIES[oddity])))))
    result = checked(tmp_path, planted, f"file{form.suffix}")
    assert (result.format, result.verdict) == (form.name, _MENDED.get(oddity, Verdict.BYTES)), "\n".join(result.says)
    assert re.match("entry|card", result.edited)


def _planted(made: Document, members: str) -> Any:
    for reading in made.readings:
        for name, payload in reading.payloads.items():
            put = _OBJECT.sub(lambda found: f"{{{members}," if found[0] == "{" else found[0], payload.json.text)
            yield name, packed(put, base64_=payload.packed)


# --- what is lost is found ---


def _spoil(monkeypatch: pytest.MonkeyPatch, spoil: Callable[[bytes], bytes], *, edits_only: bool) -> None:
    write = Document.write

    def spoilt(self: Document, *args: Any, **options: Any) -> Export:
        made = write(self, *args, **options)
        return made if edits_only and not args else Export((spoil(made.data),), made.losses)

    monkeypatch.setattr(Document, "write", spoilt)


_LOSSES = {
    "a field": (r',\s*"x-odd": 1E3', "", "$.x-odd: '1E3' became nothing"),
    "a number's spelling": (r"1\.0", "1", "x-odd.one: '1.0' became '1'"),
    "digits": ("12345678901234567890123", "12345678901234567000000", "x-odd.big"),
    "half a surrogate": (r"\\ufffd", r"\\udc00", "x-odd.half"),
    "a name that comes twice": ('"twice": 1, ', "", "twice: '1' became '2'"),
    "an order of names": (r'("uid": 0), ("key": \["gate"\])', r"\2, \1", "in another order"),
    "a type": ('"order": 100', '"order": "100"', "$.entries.0.order: '100' became '100'"),
    "another text": ('"Gate"', '"Gates"', "$.entries.0.comment: 'Gate' became 'Gates'"),
    "the edit": (r" \[changed .*?\]", "", "was changed and is not in what was written"),
}


@pytest.mark.parametrize(("pattern", "instead", "says"), _LOSSES.values(), ids=_LOSSES)
def test_a_loss_in_an_edited_file_is_found(
    pattern: str, instead: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert checked(tmp_path, _BOOK).verdict is Verdict.BYTES
    _spoil(monkeypatch, lambda data: re.sub(pattern, instead, data.decode()).encode(), edits_only=True)
    result = checked(tmp_path, _BOOK)
    assert result.verdict is Verdict.FAILED
    assert says in "\n".join(result.says)


def test_a_loss_beside_one_that_was_noted_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    book = _BOOK.replace("1E3", '[NaN, 7], "x-more": 5')
    assert checked(tmp_path, book).verdict is Verdict.LOSSY
    _spoil(monkeypatch, lambda data: data.replace(b'"x-more": 5', b'"x-more": null'), edits_only=False)
    result = checked(tmp_path, book)
    assert result.verdict is Verdict.FAILED
    assert "$.x-more: '5' became None" in result.says[0]


def test_a_writer_that_drops_a_field_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def dropping(*args: Any, **options: Any) -> Any:
        return {name: value for name, value in patched(*args, **options).items() if name != "x-odd"}

    monkeypatch.setattr("lorebook.formats.document.patched", dropping)
    result = checked(tmp_path, _BOOK)
    assert result.verdict is Verdict.FAILED
    assert "$.x-odd: '1E3' became nothing" in result.says[0]


def test_a_lost_chunk_and_a_lost_member_are_found() -> None:
    foreign, chara = chunk(b"prVt", b"x"), text("chara", b"e30=")
    before, after = picture(foreign, PIXEL, chara, END), picture(PIXEL, chara, END)
    assert any("chunk prVt" in str(item) for item in unlike(decoded(before), decoded(after)))
    assert list(unlike(decoded(before), decoded(before))) == []
    members = {"card.json": b"{}", "a.bin": b"x"}
    changed = [archive(members), archive(members | {"a.bin": b"y"}), archive({"card.json": b"{}"})]
    whole, *damaged = map(decoded, changed)
    assert all(any("a.bin" in str(item) for item in unlike(whole, each)) for each in damaged)


def archive(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, data in members.items():
            made.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("line", "hint", "clear"),
    [
        ("a.json: not JSON: line 1, column 1: it ends (get it again)", "get it again", True),
        ("a.json: the file is empty (get it again)", "get it again", True),
        ("b.json: the file is empty (get it again)", "get it again", False),
        ("a.json: something went wrong (get it again)", "get it again", False),
        ("a.json: the file is empty", "", False),
        ("a.json: the file is\nempty (get it again)", "get it again", False),
        (f"a.json: the file is {'x' * 500} (get it again)", "get it again", False),
    ],
    ids=["place", "whole file", "another file", "no place", "no hint", "two lines", "endless"],
)
def test_a_refusal_has_to_be_clear(line: str, hint: str, *, clear: bool) -> None:
    assert is_clear(line, "a.json", hint) is clear


# --- the command ---


def test_the_command_prints_a_table_and_a_summary(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "book.json").write_text(_BOOK)
    (tmp_path / "none.json").write_text("")
    last = json.loads(printed(tmp_path).splitlines()[-1])
    counts = {"files": 1, "read": 1, "bytes": 1, "json": 0, "lossy": 0, "refused": 0, "failed": 0}
    assert last["by_format"]["world-info"] == counts
    assert {name: last[name] for name in counts} == counts | {"files": 2, "refused": 1}
    listed = json.loads(printed(tmp_path, "--json"))
    assert listed[-1] == last
    assert [(result["path"], result["verdict"]) for result in listed[:-1]] == [
        ("inner/book.json", "bytes"),
        ("none.json", "refused"),
    ]


def printed(folder: Path, *options: str) -> str:
    command = [sys.executable, "-m", "tests.formats.corpus", str(folder), *options]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]).stdout
