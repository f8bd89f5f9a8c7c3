"""
Documents and books on their way into and out of a workspace.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from lorebook.errors import FormatError
from lorebook.records import Rule, Source, Span, Wording
from lorebook.ruleset import Ruleset, source_text
from lorebook.workspace.answers import _source_lines
from lorebook.workspace.importing import read_documents, save
from lorebook.workspace.matching import book_from_json


@pytest.mark.parametrize("name", [b"new\nline.txt", b" lead.txt", b"trail.txt ", b"r\xe8gles.txt"])
def test_a_document_of_any_name_is_kept_under_the_name_its_rules_cite(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    path.write_bytes(b"One rule.\n")
    (read,) = read_documents([path], name="a")
    assert save(tmp_path, read).ruleset.name == "a"
    ruleset = Ruleset.load(tmp_path / "rules" / "a")
    (document,) = ruleset.manifest.documents
    assert ruleset.source_text(document.name) == "One rule.\n"


def test_lines_after_the_last_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "d.txt").write_text("first\nsecond\n")
    rule = Rule(
        id="a/b",
        order=0,
        original="en",
        wordings={"en": Wording(title="A", text="B")},
        source=Source(document="d.txt", lines=(Span(2, 200_000_000), Span(7, 9))),
    )
    assert source_text(tmp_path, "d.txt") is not None
    started = time.process_time()
    assert [(line.number, line.text) for line in _source_lines(tmp_path, rule)] == [(2, "second")]
    assert time.process_time() - started < 1


def test_an_inline_book_with_half_a_surrogate_pair_is_read_as_a_file_is() -> None:
    book = book_from_json({"entries": {"0": {"uid": 0, "key": ["a"], "content": "\ud83d"}}})
    assert book.entries[0].content == "\ufffd"


def test_an_inline_book_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(FormatError, match="JSON cannot hold it"):
        book_from_json({"entries": {}, "x": float("nan")})
