"""
The laws that hold for every kind of document: detection, errors, coverage, determinism.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook.errors import DocumentError, InputError
from lorebook.importers import IMPORTERS, MOST_BYTES, Action, detect, import_document, markdown
from lorebook.importers.markup import TAG
from lorebook.ruleset import Ruleset, split_lines
from tests.importers.seeds import KINDS, SHARED, cited, seed, seed_path, unaccounted

each_seed = pytest.mark.parametrize("number", KINDS)
each_kind = pytest.mark.parametrize("kind", IMPORTERS)

# Pieces that mean something to one importer or another, put together in every wrong way.
_PIECES = (
    "1. #1Summoning", "Keys: a, b", "Always on · Before character · Order 10 · 100%", "Entry settings",
    "Showing 1 of 1", "A. Draw Phase", "I.Set: Place it face down.", "a. Normal Summon", "1. First:", "Tribute Summon",
    "Play - A turn has phases.", "Example: you draw.", "(Battle Step)", "A. :", "通常召唤", "这个行为称为通常召唤。",
    "例：抽1张。", "例：", "undefined", "召唤成功时”发动。", "可以发动。“", "如下。",
    "[list]", "[*]", "[*]Draw Phase", "[/list]",
    "[*]Normal Spell: a card.", "the types are:[list]", "now then you got your", "# Title", "Title", "=====", "---",
    "your void zone (banish) your pile the deck your mana reserve", "Tatics tatics tatics tatics", ":", "“", "”", "“1",
)  # fmt: skip
_lines = st.one_of(st.sampled_from(_PIECES), st.just(""), st.text(max_size=40))
_documents = st.one_of(st.lists(_lines, max_size=25).map("\n".join), st.text(max_size=300))


@each_seed
def test_a_seed_is_of_its_kind(number: str) -> None:
    detection = detect(seed_path(number).read_text("utf-8"))
    assert detection.kind == KINDS[number] == seed(number).report.kind
    assert detection.reason


@each_seed
def test_every_line_of_a_seed_is_in_a_rule_or_set_aside(number: str) -> None:
    text = seed_path(number).read_text("utf-8")
    assert not unaccounted(seed(number), text)
    (document,) = seed(number).ruleset.manifest.documents
    assert document.line_count == len(split_lines(text)) >= max(cited(seed(number)))


@each_seed
def test_what_is_set_aside_keeps_its_reason_and_text(number: str) -> None:
    lines = split_lines(seed_path(number).read_text("utf-8"))
    (document,) = seed(number).ruleset.manifest.documents
    for item in document.set_aside:
        kept = [lines[n - 1].strip() for span in item.lines for n in span.numbers()]
        assert item.why
        assert item.text.split("\n") == [line for line in kept if line]


@each_seed
def test_judged_quotes_lie_inside_rules(number: str) -> None:
    queries = SHARED / "retrieval" / "dev.jsonl"
    if not queries.is_file():
        pytest.skip("the judged queries are not here")
    lines = split_lines(seed_path(number).read_text("utf-8"))
    inside = {lines[n - 1] for n in cited(seed(number))}
    items = [json.loads(line) for line in queries.read_text("utf-8").splitlines()]
    quotes = {
        quote["quote"]
        for item in items
        for quote in (*item["relevant"], *item.get("relevant_dup", []))
        if quote["source"] == number
    }
    assert quotes
    assert not {quote for quote in quotes if not any(quote in line for line in inside)}


@each_seed
def test_a_seed_survives_the_disk(number: str, tmp_path: Path) -> None:
    folder = tmp_path / "imported"
    seed(number).ruleset.save(folder)
    assert Ruleset.load(folder).digest == seed(number).ruleset.digest


@each_kind
@settings(max_examples=150, deadline=None)
@given(text=_documents)
def test_any_text_is_read_whole_or_refused(kind: str, text: str) -> None:
    """Read as any kind, a text loses no line, gives the same rules twice, and its rules survive the disk."""
    data = text.encode()
    try:
        imported = import_document(data, file_name="any.txt", ruleset="any", kind=kind)
    except DocumentError as error:
        assert str(error)
        return
    assert not unaccounted(imported, imported.kept.decode().removeprefix("\ufeff"))
    assert import_document(data, file_name="any.txt", ruleset="any", kind=kind).report == imported.report
    with tempfile.TemporaryDirectory() as folder:
        imported.ruleset.save(Path(folder) / "any")
        assert Ruleset.load(Path(folder) / "any").digest == imported.ruleset.digest


@given(text=_documents)
@settings(max_examples=150, deadline=None)
def test_any_visible_text_is_of_some_kind(text: str) -> None:
    if re.search(r"[^\s\u200b-\u200f\u2060\ufeff]", text):
        assert detect(text).kind in IMPORTERS
    else:
        with pytest.raises(DocumentError):
            detect(text)


def test_slugs_are_unique_and_short_enough_for_a_file() -> None:
    data = "\n\n".join(["# " + "召唤" * 60, "甲。", "# " + "召唤" * 60, "乙。", "# 𠀀" + "𠀀" * 80, "丙。"]).encode()
    slugs = [rule.slug for rule in import_document(data, file_name="a.md", ruleset="a").ruleset.rules]
    assert slugs == ["召唤" * 30, "召唤" * 30 + "-2", "𠀀" * 50]
    assert all(len(f"{slug}.yaml".encode()) <= 210 for slug in slugs)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        ("\u200b\n\u200d".encode(), "empty"),
        (b"rules\x00rules", "binary"),
        (b"first\nsecond \xff\xfe", "line 2"),
        (b"a" * (MOST_BYTES + 1), "limit is 64 MiB"),
        (b"# Only a heading", "no rule"),
    ],
    ids=["empty", "blank", "unseen", "binary", "not UTF-8", "too large", "no rule"],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(DocumentError) as caught:
        import_document(data, file_name="rules.txt", ruleset="rules")
    assert words in str(caught.value)
    assert str(caught.value).startswith("rules.txt: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (
            '[{"title": "Nets\\ud800", "text": "A net\\udc00.", "keys": ["\\ud83d", "\\ud83d\\ude00"]}]',
            "records",
            "A net\ufffd.",
        ),
        ('[{"title": "Nets", "text": "A net.", "see_also": ["\\ud800"]}]', "records", "A net."),
        ('<p><a href="#\n">A net</a></p>', "html", "A net"),
    ],
    ids=["half characters", "a link to half a character", "a link over two lines"],
)
def test_what_no_record_can_hold_costs_no_rule(text: str, kind: str, said: str) -> None:
    found = import_document(text.encode(), file_name="nets", ruleset="nets", kind=kind)
    assert [rule.wording().text for rule in found.ruleset.rules] == [said]
    assert "\n" not in "".join(notice.what for notice in found.report.notices)


@pytest.mark.parametrize(("length", "is_mark"), [(2000, True), (2001, False)], ids=str)
def test_the_end_of_a_mark_is_looked_for_only_so_far(length: int, *, is_mark: bool) -> None:
    """A line full of marks that never close would take the square of its length."""
    assert bool(TAG.match(f"[url={'x' * length}]")) == is_mark
    assert bool(markdown._MARK.match(f"[A net]({'x' * length})")) == is_mark


_CLAUSE = """{n}. {title}

A net that was cast stays in the water until the end of the round, and{end}
whoever cast it may draw it in before that only if nobody else has cast{end}
one. Fish that were in it

A. go back into the sea where the net was torn, or

B. are counted once more.
"""


@pytest.mark.parametrize(("end", "kind"), [("", "numbered"), ("\\", "outline")], ids=["wrapped", "a paragraph a line"])
def test_lines_of_a_wrapped_text_are_no_outline(end: str, kind: str) -> None:
    titles = ["CASTING", "DRAWING", "MENDING"] * 2
    text = "\n\n".join(_CLAUSE.format(n=n, title=title, end=end) for n, title in enumerate(titles, 1))
    assert detect(text.replace("\\\n", " ")).kind == kind


@pytest.mark.parametrize("kind", [kind for kind in IMPORTERS if kind != "plain"])
def test_a_forced_kind_that_does_not_fit_is_refused(kind: str) -> None:
    with pytest.raises(DocumentError, match="this is not"):
        import_document(b"Only a sentence.", file_name="a.txt", ruleset="a", kind=kind)


def test_an_unknown_kind_lists_the_kinds() -> None:
    with pytest.raises(InputError, match=f"one of {', '.join(IMPORTERS)}"):
        import_document(b"text", file_name="a.txt", ruleset="a", kind="tarot")


@pytest.mark.parametrize("name", ["", "Upper", "a/b", "..", "two words"])
def test_a_name_that_no_folder_can_have_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="cannot name a ruleset"):
        import_document(b"text", file_name="a.txt", ruleset=name)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("new\nline.txt", "new line.txt"),
        (" lead.txt", "lead.txt"),
        ("trail.txt ", "trail.txt"),
        ("r\udce8gles.txt", "r\ufffdgles.txt"),
        ("a/b\\c.txt", "a-b-c.txt"),
        ("\n", "document"),
        ("..", "document"),
        ("规" * 80, "规" * 66),
    ],
)
def test_any_file_name_becomes_one_that_a_record_can_hold(name: str, kept: str) -> None:
    ruleset = import_document(b"One rule.", file_name=name, ruleset="a").ruleset
    assert [document.name for document in ruleset.manifest.documents] == [kept]
    assert {rule.source.document for rule in ruleset.rules if rule.source} == {kept}


def test_progress_runs_from_nothing_to_all_lines() -> None:
    seen: list[tuple[int, int]] = []
    data = b"One.\n\nTwo.\n\nThree.\n"
    import_document(data, file_name="a.txt", ruleset="a", progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 5)
    assert seen[-1] == (5, 5)
    assert seen == sorted(seen)


def test_the_report_counts_what_it_tells() -> None:
    report = seed("003").report
    told = [notice.action for notice in report.notices]
    assert told[0] is Action.MADE
    assert {action: told.count(Action(action)) for action in report.counts if action != "rules"} == {
        action: count for action, count in report.counts.items() if action != "rules"
    }


def test_yaml_may_name_rules_by_their_numbers() -> None:
    text = '100.1: These apply.\n100.2: |\n  A deck.\n\n  A boat.\n"101": The last, see 100.1.\n'
    imported = import_document(text.encode(), file_name="rules.yaml", ruleset="rules")
    assert imported.report.kind == "records"
    assert [(rule.number, rule.wording().text) for rule in imported.ruleset.rules] == [
        ("100.1", "These apply."),
        ("100.2", "A deck.\n\nA boat."),
        ("101", "The last, see 100.1."),
    ]
    assert imported.ruleset.rules[-1].see_also == ("rules/100.1",)
