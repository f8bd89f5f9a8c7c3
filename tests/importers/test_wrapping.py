"""
How the lines of a plain text are broken: what was wrapped comes back whole, and nothing else is joined.
"""

from __future__ import annotations

import textwrap
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lorebook.importers.document import Document
from lorebook.importers.wrapping import Wrapping

_WORDS = "net boat storm harbour sail crew market tide anchor rope Herring Master fish of the a".split()


def paragraph(seed: int) -> str:
    draws = Random(seed)  # noqa: S311 (repeatable text)
    sentences = (" ".join(draws.choices(_WORDS, k=draws.randint(4, 18))) for _ in range(draws.randint(2, 8)))
    return " ".join(f"{sentence.capitalize()}." for sentence in sentences)


def han_paragraph(seed: int) -> str:
    draws = Random(seed)  # noqa: S311 (repeatable text)
    parts = (
        "".join(draws.choices("渔网船风暴港口帆鱼卡", k=draws.randint(6, 30))) for _ in range(draws.randint(4, 12))
    )
    return f"{'，'.join(parts)}。"


_SEED = st.integers(0, 100_000)
_PARAGRAPH, _HAN_PARAGRAPH = _SEED.map(paragraph), _SEED.map(han_paragraph)


def joined(text: str) -> list[str]:
    document = Document.from_text(text)
    wrapping = Wrapping.of(document)
    return [wrapping.joined(block) for block in document.blocks]


@given(st.lists(_PARAGRAPH, min_size=3, max_size=8), st.integers(40, 100))
def test_a_wrapped_text_comes_back_whole(paragraphs: list[str], width: int) -> None:
    wrapped = [textwrap.wrap(paragraph, width) for paragraph in paragraphs]
    assume(sum(len(lines) - 1 for lines in wrapped) >= 4)
    assert joined("\n\n".join(map("\n".join, wrapped))) == paragraphs


@given(st.lists(_HAN_PARAGRAPH, min_size=2, max_size=6), st.integers(20, 50))
def test_a_wrapped_chinese_text_comes_back_whole(paragraphs: list[str], width: int) -> None:
    wrapped = [[text[at : at + width] for at in range(0, len(text), width)] for text in paragraphs]
    assume(sum(len(lines) - 1 for lines in wrapped) >= 4)
    assert joined("\n\n".join(map("\n".join, wrapped))) == paragraphs


@given(st.lists(st.lists(_PARAGRAPH, min_size=1, max_size=4), min_size=1, max_size=4))
def test_paragraphs_that_are_lines_stay_lines(blocks: list[list[str]]) -> None:
    assume(max(len(line) for block in blocks for line in block) > 132)
    assert joined("\n\n".join(map("\n".join, blocks))) == ["\n".join(block) for block in blocks]


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        ("A net holds\nfive fish.", 1),
        ("A net holds the\nHerring.", 1),
        ("A net holds fish.\nA boat has a sail.", 2),
        ("每人走一步\n但不超过六步。", 1),
        ("每人走一步。\n风暴时不走。", 2),
        ("Boats:\n- red\n- blue", 3),
    ],
    ids=["small letter", "left open", "sentences", "但", "Chinese sentences", "list"],
)
def test_where_no_width_shows_the_words_tell(lines: str, rows: int) -> None:
    assert len(joined(lines)[0].split("\n")) == rows
