"""
Case tables: small documents and the rules they become, one file a kind, readable without Python.

A case is a title, the document and what it becomes, parted by lines of a single dot. A rule is shown as its
lines, number, section and title, then its text, examples and what it has of settings; a notice starts with `!`.
`UPDATE_CASES=1 pytest tests/importers` writes what is read now; look at the difference before keeping it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lorebook.importers import IMPORTERS, Action, Imported, import_document
from lorebook.records import EntrySettings, Rule

CASES = Path(__file__).parent / "cases"
_CASE = re.compile(r"## (?P<title>.+)\n\.\n(?P<document>[\s\S]*?)\n\.\n(?P<expected>[\s\S]*?)\n\.\n")


def cases() -> Iterator[tuple[str, str, str, str]]:
    for path in sorted(CASES.glob("*.md")):
        for case in _CASE.finditer(path.read_text("utf-8")):
            yield path.stem, case["title"], case["document"], case["expected"]


def show(imported: Imported) -> str:
    rules = [line for rule in imported.ruleset.rules for line in show_rule(rule)]
    told = [notice for notice in imported.report.notices if notice.action is not Action.MADE]
    notices = [f"! {notice.action} {','.join(map(str, notice.lines))}: {notice.what}" for notice in told]
    return "\n".join([*rules, *notices])


def show_rule(rule: Rule) -> Iterator[str]:
    wording = rule.wording()
    assert rule.source
    number = f" {rule.number}." if rule.number else ""
    path = " > ".join([*wording.section, wording.title])
    yield f"{','.join(map(str, rule.source.lines))}:{number} {path}"
    yield from (f"    {line}" for line in wording.text.split("\n"))
    yield from (f"    e.g. {example}" for example in wording.examples)
    yield f"    keys: {', '.join(wording.keys)}"
    if rule.see_also:
        yield f"    see also: {', '.join(rule.see_also)}"
    if rule.settings != EntrySettings():
        changed = rule.settings.model_dump(mode="json", exclude_defaults=True)
        yield f"    {', '.join(f'{name}={value}' for name, value in changed.items())}"


@pytest.mark.parametrize(("kind", "title", "document", "expected"), list(cases()), ids=lambda part: str(part)[:40])
def test_case(kind: str, title: str, document: str, expected: str) -> None:
    shown = show(import_document(document.encode(), file_name="case.txt", ruleset="case", kind=kind))
    if os.environ.get("UPDATE_CASES"):
        path = CASES / f"{kind}.md"
        old = f"## {title}\n.\n{document}\n.\n{expected}\n.\n"
        path.write_text(path.read_text("utf-8").replace(old, f"## {title}\n.\n{document}\n.\n{shown}\n.\n"), "utf-8")
    else:
        assert shown == expected


def test_every_kind_has_cases() -> None:
    """All but PDF, which no text can show."""
    assert {kind for kind, *_ in cases()} == set(IMPORTERS) - {"pdf"}
