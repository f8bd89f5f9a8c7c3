"""
The law of every importer: each word of a document's body stands in one rule, and its headings are not lost.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook.importers import IMPORTERS, Imported, import_document
from lorebook.ruleset import decode
from tests.importers.seeds import unaccounted
from tests.importers.shapes import MAKERS, Shape


def imported(kind: str, seed: int) -> tuple[Shape, Imported]:
    shape = Shape(Random(seed))  # noqa: S311 (repeatable documents)
    made = MAKERS[kind](shape)
    data = made.encode() if isinstance(made, str) else made
    return shape, import_document(data, file_name="shape.txt", ruleset="shape", kind=kind.partition(",")[0])


@pytest.mark.parametrize("kind", MAKERS)
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1_000_000))
def test_each_word_of_the_body_stands_in_one_rule(kind: str, seed: int) -> None:
    shape, found = imported(kind, seed)
    wordings = [rule.wording() for rule in found.ruleset.rules]
    texts = "\n".join("\n".join([wording.text, *wording.examples]) for wording in wordings).lower()
    assert {word: texts.count(word) for word in shape.body if texts.count(word) != 1} == {}
    manifest = found.ruleset.manifest
    said = [part for wording in wordings for part in (wording.title, *wording.section)]
    aside = [item.text for document in manifest.documents for item in document.set_aside]
    told = "\n".join([texts, *said, *aside, *manifest.title.values()]).lower()
    assert [word for word in shape.headings if word not in told] == []
    assert unaccounted(found, decode(found.kept)) == {}


def test_every_kind_has_its_shapes() -> None:
    assert {kind.partition(",")[0] for kind in MAKERS} == set(IMPORTERS)
