"""
One file: read, written back as it is, and with one text changed; what comes of it is looked at without lorebook.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from lorebook.errors import FormatError
from lorebook.formats import Content, Document, Note, open_document
from tests.formats.corpus.decoding import Decoded, decoded, unlike
from tests.formats.corpus.notes import unnamed
from tests.formats.corpus.trees import Difference, Number

MARK = " [changed 改]"
"""What is added to a text; it is in no file."""

_PLACE = re.compile(r"`[^`]+`|\b(line|byte|member|chunk|record) |\$|the file is|no lorebook and no card: ")
_LONGEST = 500
_SHOWN = 5
_AROUND = 40


class Verdict(StrEnum):
    """
    What became of a file.
    """

    BYTES = "bytes"
    """Written back byte for byte."""
    JSON = "json"
    """The same JSON to the letter, and the same everything else."""
    LOSSY = "lossy"
    """Something is not the same, and exactly that was said."""
    REFUSED = "refused"
    """Not read, with a line that says which file, where and what to do."""
    FAILED = "failed"


@dataclass(frozen=True)
class Result:
    """
    A file and what became of it.
    """

    path: str
    format: str | None
    verdict: Verdict
    edited: str
    """The text that was changed for a trial, or why none was."""
    says: tuple[str, ...] = ()
    """The refusal, what was named as lost, or what is wrong."""


class _WrongError(Exception):
    """
    What may not happen, line by line.
    """


def check(path: Path, name: str) -> Result:
    """
    Return what becomes of the file *path*, called *name* in the report.
    """
    data, form = path.read_bytes(), None
    try:
        document = open_document(data, file_name=path.name)
        form = document.form.name
        verdict, says = _kept(document, data)
        return Result(name, form, verdict, _edit(document, data), tuple(says))
    except FormatError as error:
        if form is None and is_clear(str(error), path.name, error.hint):
            return Result(name, form, Verdict.REFUSED, "not read", (str(error),))
        says = [f"refused without a clear line: {error}" if form is None else f"read, but not written: {error}"]
    except _WrongError as error:
        says = list(error.args)
    except Exception:  # noqa: BLE001 (whatever it is, it is the result)
        says = traceback.format_exc(limit=-3).splitlines()
    return Result(name, form, Verdict.FAILED, "failed", tuple(says))


def is_clear(line: str, name: str, hint: str) -> bool:
    """
    Say whether the refusal *line* names the file *name* and the place in it and, in its *hint*, what to do.
    """
    told = line.startswith(f"{name}: ") and bool(_PLACE.search(line.removeprefix(f"{name}: ")))
    return told and bool(hint) and line.endswith(f"({hint})") and line.isprintable() and len(line) <= _LONGEST


def _kept(document: Document, data: bytes) -> tuple[Verdict, list[str]]:
    """
    Write the document back as it is.
    """
    written = document.write().data
    after = decoded(written)
    found = list(unlike(decoded(data), after))
    wrong = [f"differs without a note: {item}" for item in unnamed(found, document.notes, after)]
    if written != data and not document.notes:
        wrong.append("other bytes were written than were read, and nothing was noted")
    _refuse([*wrong, *_again(written, document, document.content)])
    if written == data:
        return Verdict.BYTES, []
    return Verdict.LOSSY if found else Verdict.JSON, list(map(str, found[:_SHOWN]))


def _edit(document: Document, data: bytes) -> str:
    """
    Change one text and write the document; return which, or why none.
    """
    if not document.form.writes:
        return "only read"
    edit = next(edits(document.content), None)
    if edit is None:
        return "no text in it"
    field, _, content = edit
    export = document.write(content)
    after = decoded(export.data)
    found = list(unlike(decoded(data), after))
    others = [item for item in found if not is_edit(item, document.notes, after)]
    wrong = [f"{field} was changed, and also: {item}" for item in unnamed(others, document.notes, after)]
    if len(others) == len(found):
        wrong.append(f"{field} was changed and is not in what was written")
    wrong += [f"{field} was changed, and this named as lost: {loss}" for loss in export.losses]
    _refuse([*wrong, *_again(export.data, document, content)])
    return field


def edits(content: Content) -> Iterator[tuple[str, str, Content]]:
    """
    Yield where a text may be changed, best first, the text, and the content with it changed.
    """
    book, card = content.book, content.card
    for place, entry in enumerate(book.entries if book else ()):
        if book and entry.content.strip():
            changed = entry.model_copy(update={"content": entry.content + MARK})
            entries = (*book.entries[:place], changed, *book.entries[place + 1 :])
            made = replace(content, book=book.model_copy(update={"entries": entries}))
            yield f"entry {entry.uid}: content", entry.content, made
    for name in ("description", "personality", "scenario", "first_mes"):
        if card and (text := getattr(card, name)).strip():
            yield f"card: {name}", text, replace(content, card=replace(card, **{name: text + MARK}))


def is_edit(item: Difference, notes: Iterable[Note], written: Decoded) -> bool:
    """
    Say whether *item* is the text that was changed, which may have been mended as *notes* say.
    """
    told = isinstance(item.before, str | Number) and isinstance(item.after, str) and MARK in item.after
    if not told:
        return False
    plain = replace(item, after=item.after.replace(MARK, ""))
    return plain.after == str(plain.before) or not unnamed([plain], notes, written)


def _again(written: bytes, document: Document, content: Content) -> Iterator[str]:
    """
    Yield where reading *written* does not give *content*, and that writing that does not give the same bytes.
    """
    again = open_document(written, file_name="the written file")
    wanted = (document.form.name, content.book, content.card, dict(content.files))
    got = (again.form.name, again.book, again.card, dict(again.content.files))
    for name, one, other in zip(("format", "book", "card", "files"), wanted, got, strict=True):
        if one != other:
            yield f"read again, the {name} is another: {_apart(one, other)}"
    if again.write().data != written:
        yield "written twice, it is not what it was when written once"


def _apart(one: object, other: object) -> str:
    """
    Return two values as text, from where they begin to differ.
    """
    ours, theirs = repr(one), repr(other)
    same = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0)
    start = max(same - _AROUND, 0)
    return " and ".join(f"…{text[start : same + _AROUND]}…" for text in (ours, theirs))


def _refuse(wrong: list[str]) -> None:
    if wrong:
        raise _WrongError(*wrong[:_SHOWN])
