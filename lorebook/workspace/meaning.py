"""
The entries of a book that a text means.

A book that was made from a ruleset is looked up in the workspace's index; any other is embedded, and its index kept in
this machine's cache. A chat is never held up: where meaning cannot be looked up, that is said, and its keys are matched
all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lorebook.book import Book
from lorebook.errors import StorageError, UnreachableError
from lorebook.matching.reasons import VectorHit
from lorebook.progress import Progress
from lorebook.retrieval.hits import Hit
from lorebook.retrieval.mending import mended
from lorebook.ruleset import Ruleset
from lorebook.workspace.books import BookRuleset, as_ruleset
from lorebook.workspace.searching import Searching

MOST_EMBEDDED = 2000
"""Entries of a book that is no ruleset that are embedded at most: about a minute of two cores."""

# More than the best ten are needed, since entries that a key found already do not count.
_MOST_HITS = 20


class Meaning(NamedTuple):
    """
    The entries of a book that a text means or comes near to, by uid, and what there is to say about the search.
    """

    hits: Mapping[int, VectorHit]
    said: str
    floor: float = 0.0
    """The least score of what is meant, the same with which a question has an answer."""


def by_meaning(
    searching: Searching, text: str | None, chosen: Ruleset | Book, book: Book, *, progress: Progress | None = None
) -> Meaning:
    """
    Return the entries of *book* that *text* means, None where nobody asks; *chosen* is what the book was made from.
    """
    if text is None:
        return Meaning({}, "meaning not asked for")
    if not text:
        return Meaning({}, "no text to look meaning up for")
    if isinstance(chosen, Ruleset):
        return _of_ruleset(searching, text, chosen.name, book, progress)
    return _of_book(searching, text, as_ruleset(chosen), progress)


def _of_ruleset(searching: Searching, text: str, ruleset: str, book: Book, progress: Progress | None) -> Meaning:
    try:
        hits = searching.search(text, rulesets={ruleset}, limit=_MOST_HITS, progress=progress)
        hits = hits or searching.index.nearest(text, rulesets={ruleset}, limit=_MOST_HITS)
    except UnreachableError as error:
        return _left_out(error)
    return _looked_up(hits, {entry.rule: entry.uid for entry in book.entries if entry.rule}, searching)


def _of_book(searching: Searching, text: str, book: BookRuleset, progress: Progress | None) -> Meaning:
    if len(book.uids) > MOST_EMBEDDED:
        return _left_out(f"more than {MOST_EMBEDDED} entries would have to be embedded")
    try:
        hits = _search_book(searching, text, book.ruleset, progress) if book.uids else []
    except StorageError as error:
        return _left_out(error)
    return _looked_up(hits, book.uids, searching)


def _search_book(searching: Searching, text: str, book: Ruleset, progress: Progress | None) -> list[Hit]:
    index = searching.index_of(book)
    index.load_models(to_search=True)
    try:
        if index.staleness({book.name: book.digest}) is not None:
            index.build([book], progress=progress)
        hits = mended(lambda: index.search(text, limit=_MOST_HITS), index, lambda: [book], progress)
        return hits or index.nearest(text, limit=_MOST_HITS)
    finally:
        index.close()


def _left_out(why: object) -> Meaning:
    return Meaning({}, f"meaning left out: {why}")


def _looked_up(hits: Iterable[Hit], uids: Mapping[str, int], searching: Searching) -> Meaning:
    found = {uids[hit.rule]: VectorHit(score=hit.score, passage=hit.text) for hit in hits if hit.rule in uids}
    return Meaning(found, "meaning looked up", searching.least_score)
