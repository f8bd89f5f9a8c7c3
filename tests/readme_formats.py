"""
The README's tables of formats, made from the registry: how each is read and written, and what each can hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, LISTED, OWN_PICTURE, Content, Format, Origin, convert, export, open_document
from lorebook.formats.features import FEATURES, Held, table
from lorebook.formats.writing import DOT

_MARKED = re.compile(r"<!-- (?P<name>formats|features) -->\n.*?<!-- /(?P=name) -->", re.DOTALL)
_SIGNS = {Held.YES: "yes", Held.UNREAD: "ours", Held.PARTLY: "partly", Held.NO: "–"}
_BOOK = Book(name="Archive", entries=(Entry(uid=0, keys=("salt gate",), content="It opens."),))


def refreshed_tables(text: str) -> str:
    """Return *text* with the tables between its markers as they are now."""
    made = {"formats": formats_table, "features": features_table}
    return _MARKED.sub(
        lambda found: f"<!-- {found['name']} -->\n{made[found['name']]()}<!-- /{found['name']} -->", text
    )


def formats_table() -> str:
    """Return how each format is read and written, and what it does not hold at all."""
    heads = ("name", "what", "file", "read", "written", "there and back", "does not hold")
    return _table(heads, map(_row, LISTED.values()))


def features_table() -> str:
    """Return what each format that is written can hold."""
    names = [feature.name for feature in FEATURES]
    rows = ([f"`{form}`", *(_SIGNS[Held(held[name])] for name in names)] for form, held in _held().items())
    return _table(("", *names), rows)


@cache
def _held() -> dict[str, dict[str, str]]:
    """Return how each format that is written holds each feature."""
    written = [form for form in LISTED.values() if form.writes]
    rows = table(written)
    return {form.name: {row[0]: row[n] for row in rows} for n, form in enumerate(written, 1)}


def _row(form: Format) -> Sequence[str]:
    what = (f"`{form.name}`", form.title, f"`{form.suffix}`", "yes")
    if not form.writes:
        return *what, f"no: {form.read_only}", "", ""
    lacking = [name for name, held in _held()[form.name].items() if held == Held.NO]
    return *what, "yes", _way_back(form), ", ".join(lacking)


def _way_back(form: Format) -> str:
    """Return what there is again of a file that was converted to *form* and back."""
    other = FORMATS["chub" if form.name == "world-info" else "world-info"]
    source = open_document(export(other, Content(_BOOK, None, {OWN_PICTURE: DOT})).data, file_name="x")
    return "all, byte for byte" if convert(source, form).origin is Origin.KEPT else "what it holds"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
