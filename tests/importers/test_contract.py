"""
One suite for every importer: what goes in is accounted for, line by line and word by word, the same way twice.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook.errors import DocumentError
from lorebook.importers import IMPORTERS, Imported, import_document
from lorebook.importers.document import MOST_LINES
from lorebook.ruleset import decode, dump_manifest, dump_rule, split_lines
from tests.importers.pdfs import Set, pdf
from tests.importers.seeds import lines_of, unaccounted
from tests.importers.test_cases import cases

_TOLD = [Set("7. Combat", 16, bold=True), Set("7.1 Attack first, see rule 7.2."), Set("7.2 Then defend well.")]
DOCUMENTS = [
    *((kind, title, document.encode()) for kind, title, document, _ in cases()),
    ("pdf", "numbered", pdf([_TOLD])),
    ("pdf", "by size", pdf([[Set("Nets", 18), Set("A net holds five fish, al-"), Set("ways.")]])),
]
each_document = pytest.mark.parametrize(
    ("kind", "data"), [(kind, data) for kind, _, data in DOCUMENTS], ids=[f"{k}: {t}"[:50] for k, t, _ in DOCUMENTS]
)
_WORD = re.compile(r"[^\W_]+")


def read(kind: str, data: bytes) -> Imported:
    return import_document(data, file_name="contract.txt", ruleset="contract", kind=kind)


@each_document
def test_every_line_that_is_not_blank_is_accounted_for(kind: str, data: bytes) -> None:
    imported = read(kind, data)
    assert not unaccounted(imported, decode(imported.kept))


@each_document
def test_ids_are_unique_and_importing_twice_gives_the_same_bytes(kind: str, data: bytes) -> None:
    first, second = read(kind, data), read(kind, data)
    ids = [rule.id for rule in first.ruleset.rules]
    assert len(ids) == len(set(ids))
    assert [dump_rule(rule) for rule in first.ruleset.rules] == [dump_rule(rule) for rule in second.ruleset.rules]
    assert dump_manifest(first.ruleset.manifest) == dump_manifest(second.ruleset.manifest)
    assert (first.report, first.kept) == (second.report, second.kept)


@each_document
def test_what_a_rule_says_stands_on_the_lines_that_it_cites(kind: str, data: bytes) -> None:
    imported = read(kind, data)
    lines = split_lines(decode(imported.kept))
    for rule in imported.ruleset.rules:
        cited = "".join(lines[n - 1] for n in lines_of(rule)).replace("-", "")
        wording = rule.wording()
        # Numbers of lists may be counted by the markup.
        for word in _WORD.findall(" ".join([wording.text, *wording.examples])):
            counted = kind in ("html", "restructuredtext") or (kind == "markdown" and word.isdecimal())
            assert word in cited or counted, (rule.id, word)


@each_document
def test_links_lead_to_rules_of_the_document(kind: str, data: bytes) -> None:
    rules = read(kind, data).ruleset.rules
    known = {rule.id for rule in rules}
    for rule in rules:
        assert set(rule.see_also) <= known - {rule.id}


@each_document
def test_keys_are_few_and_mean_something(kind: str, data: bytes) -> None:
    for rule in read(kind, data).ruleset.rules:
        keys = rule.wording().keys
        assert len(keys) == len({key.casefold() for key in keys})
        assert not [key for key in keys if not re.search(r"[^\W\d_]", key)]
        assert kind == "listing" or len(keys) <= 12


_WORDS = st.text("abcdefg", min_size=2, max_size=6)
_SENTENCE = st.lists(_WORDS, min_size=3, max_size=8).map(lambda words: " ".join(words).capitalize() + ".")
_ENDINGS = {
    "markdown": "# Top\n\n{}\n", "html": "<html><h1>Top</h1><p>{}</p>", "restructuredtext": "Top\n~~~~\n\n{}\n",
    "numbered": "1.1 {}\n", "plain": "{}\n", "records": '[{{"text": "{}"}}]',
}  # fmt: skip


@pytest.mark.parametrize("kind", _ENDINGS)
@settings(max_examples=40, deadline=None)
@given(sentences=st.lists(_SENTENCE, min_size=1, max_size=6))
def test_no_word_of_the_text_is_lost(kind: str, sentences: list[str]) -> None:
    parting = {"html": "</p><p>", "numbered": "\n\n1.2 ", "records": '"}, {"text": "'}.get(kind, "\n\n")
    data = _ENDINGS[kind].format(parting.join(sentences)).encode()
    rules = read(kind, data).ruleset.rules
    said = Counter(
        _WORD.findall(" ".join(chain.from_iterable((r.wording().text, *r.wording().examples) for r in rules)))
    )
    wanted = Counter(_WORD.findall(" ".join(dict.fromkeys(sentences))))
    assert not [word for word in wanted if not said[word]]


_SIZE = 20_000
_ODD = {
    "brackets": ("# a\n# b\n" + "[" * _SIZE, "a.md"),
    "pictures": ("# a\n# b\n" + "![[" * (_SIZE // 3), "a.md"),
    "quotations": ("# a\n# b\nx\n" + ">" * _SIZE, "a.md"),
    "stars": ("# a\n# b\n" + "*a **b " * (_SIZE // 7), "a.md"),
    "comments": ("<html>" + "<!--" * _SIZE, "a.html"),
    "open quotations": ("<html>" + '<a b="' * _SIZE, "a.html"),
    "open tags": ("<html>" + "<div>" * _SIZE + "x", "a.html"),
    "angles": ("<html>" + "<" * _SIZE, "a.html"),
    "equal numbers": ("1.1 a.\n" * _SIZE, "a.txt"),
    "points": ("1.1 a" + " ." * _SIZE + "x\n1.2 b.\n1.3 c.\n", "a.txt"),
    "digits": ("1." * _SIZE, "a.txt"),
    "numerals": ("第一条" * _SIZE, "a.txt"),
    "references": ("1.1 a\n1.2 a\n1.3 " + "see rule 1.1 and " * (_SIZE // 10), "a.txt"),
    "titles": ("# A\n# B\n" + "参见“" * _SIZE, "a.md"),
    "open marks": ("A\n~~~\n\n" + "*a " * _SIZE, "a.rst"),
    "inner lists": ("A\n~~~\n\n" + "* " * _SIZE, "a.rst"),
    "endless lists": ("[" * _SIZE, "a.json"),
    "endless mappings": ('{"rules":' * _SIZE, "a.json"),
    "sequences": ("- " * _SIZE + "a", "a.yaml"),
    "flow": ("text: " + "[" * _SIZE, "a.yaml"),
    "spaces": ("a" + " " * _SIZE + "b", "a.txt"),
}


@pytest.mark.parametrize(("text", "name"), _ODD.values(), ids=list(_ODD))
def test_no_input_takes_long(text: str, name: str) -> None:
    began = time.process_time()
    try:
        assert import_document(text.encode(), file_name=name, ruleset="odd").ruleset.rules
    except DocumentError as error:
        assert "\n" not in str(error)
    assert time.process_time() - began < 5


def test_too_many_lines_are_refused() -> None:
    with pytest.raises(DocumentError, match="2,000,001 lines; the limit is 2,000,000"):
        import_document(b"a\n" * (MOST_LINES + 1), file_name="a.txt", ruleset="a")


@pytest.mark.parametrize("kind", IMPORTERS)
def test_every_kind_says_what_it_needs(kind: str) -> None:
    assert IMPORTERS[kind].kind == kind
    assert IMPORTERS[kind].needs
    assert kind in {known for known, _, _ in DOCUMENTS}
