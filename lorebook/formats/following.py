"""
A part that repeats the entries of a card's book for another reader: it takes what changes there, and nothing more.

Entries are the same where they have the same name. What only one of the two has is left alone, so that an edit never
takes away what it was not about.
"""

from __future__ import annotations

from collections.abc import Iterable

from lorebook.book import Book, Entry
from lorebook.formats.format import Content
from lorebook.formats.rebasing import rebased
from lorebook.records import EntrySettings


def followed(repeated: Content, before: Content, after: Content) -> Content:
    """
    Return *repeated*, a copy of *before*, with what *after* says otherwise.
    """
    theirs, was, now = (content.book.entries if content.book else () for content in (repeated, before, after))
    pairs = _pairs(theirs, was)
    mine = {entry.uid for _, entry in pairs}
    known = {entry.uid for entry in was}
    highest = max((entry.uid for entry in (*theirs, *was, *now)), default=0)
    wanted = [entry for entry in now if entry.uid in mine]
    fresh = [entry for entry in now if entry.uid not in known]
    wanted += [entry.model_copy(update={"uid": highest + n}) for n, entry in enumerate(fresh, 1)]
    made = rebased(
        _of(entry for entry, _ in pairs),
        _of(entry for _, entry in pairs),
        _of(wanted),
    )
    return _placed(repeated, {entry.uid for entry, _ in pairs}, made.needed_book.entries)


def gist(content: Content) -> Content:
    """
    Return what both should say alike of *content*; the rest is each reader's own.
    """
    entries = content.book.entries if content.book else ()
    return _of(
        Entry(
            uid=n,
            name=entry.name,
            keys=entry.keys,
            content=entry.content,
            settings=EntrySettings(constant=entry.settings.constant, insertion_order=entry.settings.insertion_order),
        )
        for n, entry in enumerate(entries)
    )


def _of(entries: Iterable[Entry]) -> Content:
    return Content(Book(name="", entries=tuple(entries)))


def _pairs(theirs: Iterable[Entry], ours: Iterable[Entry]) -> list[tuple[Entry, Entry]]:
    """
    Return the entries that are the same; of several with one name the first goes with the first.
    """
    named: dict[str, list[Entry]] = {}
    for entry in ours:
        named.setdefault(entry.name, []).append(entry)
    return [(entry, named[entry.name].pop(0)) for entry in theirs if named.get(entry.name)]


def _placed(repeated: Content, paired: set[int], made: tuple[Entry, ...]) -> Content:
    """
    Return *repeated* with what was *made* of its *paired* entries in their places, and new ones behind all.
    """
    book = repeated.needed_book
    kept = [entry for entry in made if entry.uid in paired]
    there = {entry.uid for entry in kept}
    places = iter(kept)
    entries = [
        next(places) if entry.uid in paired else entry
        for entry in book.entries
        if entry.uid not in paired or entry.uid in there
    ]
    new = [entry for entry in made if entry.uid not in paired]
    return Content(book.model_copy(update={"entries": (*entries, *new)}))
