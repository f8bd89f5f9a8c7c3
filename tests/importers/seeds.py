"""
The four source documents, where they lie beside the checkout.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from lorebook.importers import Imported, import_document
from lorebook.records import Rule
from lorebook.ruleset import split_lines

SHARED = Path(__file__).parents[3] / "shared"
KINDS = {"000": "listing", "002": "outline", "003": "flat-chinese", "004": "bbcode"}


def seed_path(number: str) -> Path:
    """
    Return the document whose name begins with *number*, or skip the test where it is not there.
    """
    found = sorted((SHARED / "seeds").glob(f"{number}_*.txt"))
    if not found:
        pytest.skip("the source documents are not here")
    return found[0]


@cache
def _imported(path: Path) -> Imported:
    return import_document(path.read_bytes(), file_name=path.name, ruleset="imported")


def seed(number: str) -> Imported:
    """
    Return the document *number* as rules; it is read once.
    """
    return _imported(seed_path(number))


def unaccounted(imported: Imported, text: str) -> dict[int, str]:
    """
    Return the lines of *text* that are neither in a rule's source nor set aside.
    """
    lines = {number: line for number, line in enumerate(split_lines(text), 1) if line.strip()}
    (document,) = imported.ruleset.manifest.documents
    told = set(cited(imported)) | {n for item in document.set_aside for span in item.lines for n in span.numbers()}
    return {number: line for number, line in lines.items() if number not in told}


def cited(imported: Imported) -> Iterator[int]:
    """
    Yield the number of every line that a rule restates.
    """
    for rule in imported.ruleset.rules:
        yield from lines_of(rule)


def lines_of(rule: Rule) -> list[int]:
    """
    Return the numbers of the lines that *rule* restates.
    """
    assert rule.source
    return [number for span in rule.source.lines for number in span.numbers()]
