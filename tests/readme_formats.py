"""
The README's table of formats, made from the registry: what there is again after a way there and back, what is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, LISTED, OWN_PICTURE, Content, Format, Origin, convert, export, open_document
from lorebook.formats.features import FEATURES, Held, table
from lorebook.formats.writing import DOT

_MARKED = re.compile(r"<!-- formats -->\n.*?<!-- /formats -->", re.DOTALL)
_BOOK = Book(name="Archive", entries=(Entry(uid=0, keys=("salt gate",), content="It opens."),))
# What is missed most comes first: cells name so many losses and count the others.
_NAMED = 3
_MISSED_MOST = (
    "constant",
    "switched off",
    "secondary keys",
    "patterns as keys",
    "order",
    "place, depth, role",
    "probability",
)


def refreshed_tables(text: str) -> str:
    """Return *text* with the table between its markers as it is now."""
    return _MARKED.sub(lambda _: f"<!-- formats -->\n{formats_table()}<!-- /formats -->", text)


def formats_table() -> str:
    """Return what is missed most in each format that is written, and the names of those that are only read."""
    others = [f"{form.title} (`{form.name}`)" for form in LISTED.values() if not form.writes]
    made = _table(("name", "what", "file", "there and back", "lost"), map(_row, _written()))
    return f"{made}\nOnly read: {', '.join(others)}.\n"


@cache
def _held() -> dict[str, dict[str, str]]:
    """Return how each format that is written holds each feature."""
    rows = table(_written())
    return {form.name: {row[0]: row[n] for row in rows} for n, form in enumerate(_written(), 1)}


def _written() -> Sequence[Format]:
    return [form for form in LISTED.values() if form.writes]


def _row(form: Format) -> Sequence[str]:
    return f"`{form.name}`", form.title, f"`{form.suffix}`", _way_back(form), _losses(form)


def _losses(form: Format) -> str:
    """Return what *form* holds nothing of, in a few words."""
    lacking = [feature.name for feature in FEATURES if _held()[form.name][feature.name] == Held.NO]
    if "keys" in lacking:
        return "the lorebook"
    first = [name for name in _MISSED_MOST if name in lacking]
    lacking = first + [name for name in lacking if name not in first]
    more = [f"{len(lacking) - _NAMED} more"] if len(lacking) > _NAMED else []
    return "; ".join(lacking[:_NAMED] + more)


def _way_back(form: Format) -> str:
    """Return what there is again of a file that was converted to *form* and back."""
    other = FORMATS["chub" if form.name == "world-info" else "world-info"]
    source = open_document(export(other, Content(_BOOK, None, {OWN_PICTURE: DOT})).data, file_name="x")
    return "every byte" if convert(source, form).origin is Origin.KEPT else "what it holds"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
