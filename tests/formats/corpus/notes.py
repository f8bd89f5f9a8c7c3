"""
Which differences between a file and what was written back a document's notes name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lorebook.formats import Note
from tests.formats.corpus.decoding import Decoded
from tests.formats.corpus.trees import MISSING, Difference, Number, Tree, leaves, steps

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_JSON = ("NaN", "Infinity", "-Infinity")
_OLD = re.compile(r"is written in ([\w-]+), an old encoding")
_PART = re.compile(r"`(.*?)`")


def unnamed(found: Iterable[Difference], notes: Iterable[Note], written: Decoded) -> list[Difference]:
    """
    Return the differences to the file *written* that none of *notes* names.
    """
    notes = list(notes)
    return [item for item in found if not any(_is_of(note, item) and _names(note, item, written) for note in notes)]


def _is_of(note: Note, item: Difference) -> bool:
    """
    Say whether *note* is of the payload that *item* is in, as far as it names one.
    """
    named = _PART.match(note.where)
    return named is None or named[1] == item.part


def _names(note: Note, item: Difference, written: Decoded) -> bool:
    """
    Say whether *note* tells that *item* was to come: the same place, and what became of it.
    """
    before, after = item.before, item.after
    if note.what.startswith("differs from `"):
        return _is_kept_in_step(note.what, item, written)
    if isinstance(before, Number) and before in _NOT_JSON:
        return steps(note.where) == item.path and after is None and f"is {before}, which is not JSON" in note.what
    if type(before) is str and type(after) is str:
        return after in _mended(note.what, before)
    if item.path:
        return False
    if item.part == "chunk IEND":
        return before is MISSING and "(IEND) is missing" in note.what
    return MISSING not in (before, after) and "cut off" in note.what


def _mended(what: str, before: str) -> set[str]:
    """
    Return what a text may be read as by a note that says *what*.
    """
    if "taken for Latin-1" in what:
        return {found for code in ("latin-1", "cp1252") if (found := _again(before, code)) is not None}
    if old := _OLD.search(what):
        return {found} if (found := _bytes(before).decode(old[1], "replace")) else set()
    return {_LONE_SURROGATE.sub("\ufffd", before)} if "half a surrogate pair" in what else set()


def _bytes(text: str) -> bytes:
    """
    Return the bytes that were read as Windows-1252 where there was no other way.
    """
    return b"".join(sign.encode("cp1252", "ignore") or sign.encode("latin-1", "replace") for sign in text)


def _again(text: str, encoding: str) -> str | None:
    try:
        return text.encode(encoding).decode()
    except UnicodeError:
        return None


def _is_kept_in_step(what: str, item: Difference, written: Decoded) -> bool:
    """
    Say whether the payload of *item* now says what that one says which counts, in a field that the note named.
    """
    differs, _, fields = what.partition(", which counts: ")
    first: Tree = written.payloads.get(_PART.findall(differs)[0], MISSING)
    is_named = "…" in fields or bool(set(re.findall(r"\w+", fields)) & set(map(str, item.path)))
    return is_named and all(leaf in leaves(first) for leaf in leaves(item.after))
