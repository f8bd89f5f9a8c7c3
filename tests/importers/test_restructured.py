"""
reStructuredText that docutils counts otherwise than we do: each block keeps the lines that it stands on.
"""

from __future__ import annotations

import pytest

from lorebook.errors import DocumentError
from lorebook.importers import import_document


def told(text: str) -> list[tuple[str, int]]:
    found = import_document(text.encode(), file_name="nets.rst", ruleset="nets", kind="restructuredtext")
    sources = ((rule.wording().text, rule.source) for rule in found.ruleset.rules)
    return [(said, source.lines[-1][-1]) for said, source in sources if source]


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0c", "\x0b", "\x1d"], ids=ascii)
def test_only_line_feeds_end_lines(sign: str) -> None:
    text = f"Nets\n====\n\nA net{sign}holds{sign}five.\n\nBoats\n=====\n\nA boat floats.\n"
    assert told(text) == [("A net holds five.", 4), ("A boat floats.", 9)]


def test_a_paragraph_below_a_short_line_of_signs_keeps_its_lines() -> None:
    assert told("~~~\nNets\n\nBoats\n=====\n\nA boat floats.\n") == [("~~~ Nets", 2), ("A boat floats.", 7)]


def test_a_document_of_nothing_but_an_unknown_directive_has_no_rule() -> None:
    with pytest.raises(DocumentError, match="no rule found"):
        told("= =\n.. nets::")
