"""
Quotation marks are paired, and nothing but quotation marks changes.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.importers.quotation import mend

_paragraphs = st.lists(st.text("“”，。甲乙", max_size=12), max_size=5)


def balanced(text: str) -> bool:
    depth = 0
    for mark in text:
        depth += (mark == "“") - (mark == "”")
        if depth < 0:
            return False
    return depth == 0


@given(_paragraphs)
def test_every_paragraph_is_balanced(texts: list[str]) -> None:
    assert all(balanced(text) for text in mend(texts).texts)


@given(_paragraphs)
def test_nothing_but_marks_changes(texts: list[str]) -> None:
    bare = str.maketrans("", "", "“”")
    assert [text.translate(bare) for text in mend(texts).texts] == [text.translate(bare) for text in texts]


@given(_paragraphs)
def test_balanced_paragraphs_stay_as_they_are(texts: list[str]) -> None:
    once = list(mend(texts).texts)
    assert mend(once).texts == tuple(once)
    assert not mend(once).changes


@pytest.mark.parametrize(
    ("texts", "mended"),
    [
        (["月之书”的效果。"], ["“月之书”的效果。"]),
        (["解放1只怪兽。”等效果"], ["“解放1只怪兽。”等效果"]),
        (["但是，月之书”的效果。"], ["但是，“月之书”的效果。"]),
        (["用“月之书的效果，变成里侧。"], ["用“月之书的效果”，变成里侧。"]),
        (["可以发动。“", "月之书”的效果。"], ["可以发动。", "“月之书”的效果。"]),
        (["有2种情况。“", "可以发动。"], ["有2种情况。", "可以发动。"]),
        (["“用“月之书”才能召唤。”"], ["“用“月之书”才能召唤。”"]),
    ],
)
def test_mending(texts: list[str], mended: list[str]) -> None:
    assert mend(texts).texts == tuple(mended)
