"""
Lorebook and card files of whatever origin: looked into and converted; no ruleset is needed for it.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from lorebook import atomic, reading
from lorebook.errors import InputError
from lorebook.formats import LISTED, Document, Export, Format, Origin, convert, find_format, open_document, origin_of
from lorebook.formats.containers.container import Data, streamed
from lorebook.matching.tokens import token_counter
from lorebook.reading import LARGEST_PIPE, read_upto
from lorebook.workspace.fileviews import ConversionView, FormatView, InspectView, LossView, NoteView, PayloadView

MAX_FILE_BYTES = 4 * 1024**3
TOKENIZER = "o200k_base"
_READ_HINT = "name a lorebook or card file"


@dataclass(frozen=True)
class Conversion:
    """
    What files are converted to, and how.
    """

    to: str | None
    """The format's name; None for what the ending of the target tells."""
    origin: bool = True
    """Whether the original is tucked in for the way back."""
    strict_spec: bool = False
    """Whether the specification is kept to the letter."""
    read_as: str | None = None
    """The format that the files are said to be; None for what they tell."""
    strict: bool = False
    """Whether a file that has to be mended is refused."""
    force: bool = False
    """Whether files that are there may be overwritten."""

    def form_for(self, document: Document, target: Path) -> Format:
        """
        Return the format that *document* is converted to; raises as `target_format` does.
        """
        return target_format(target, self.to, is_card=document.card is not None)

    def of(self, document: Document, form: Format) -> Export:
        """
        Return *document* converted to *form*; raises FormatError as `formats.convert` does.
        """
        return convert(document, form, origin=self.origin, strict=self.strict_spec)


class Pair(NamedTuple):
    """
    A file to be converted, and where to.
    """

    source: Path
    target: Path


def format_views() -> list[FormatView]:
    """
    Return what there is to say of each format.
    """
    return [
        FormatView(
            name=form.name,
            title=form.title,
            suffix=form.suffix,
            character=form.is_card,
            writes=form.writes,
            read_only=form.read_only or None,
            ready_made=form.ready_made or None,
        )
        for form in LISTED.values()
    ]


def open_file(path: Path, *, form: str | None = None, strict: bool = False) -> Document:
    """
    Read the lorebook or card file *path*, as the format *form* where one is named.

    Raises InputError when it cannot be read, FormatError when it is no such file or, with *strict*, has to be mended,
    and UnknownNameError for a format that is not there.
    """
    data = reading.open_file(path, limit=MAX_FILE_BYTES, hint=_READ_HINT)
    return read_data(data, str(path), form=form, strict=strict)


def read_data(data: Data, name: str, *, form: str | None = None, strict: bool = False) -> Document:
    """
    Read the lorebook or card in *data*, called *name* in messages; raises as `open_file` does.
    """
    return open_document(data, file_name=name, form=find_format(form) if form else None, strict=strict)


def read_pipe(pipe: BinaryIO) -> bytes:
    """
    Return all that comes through *pipe*.

    Raises InputError where that is more than a file may have.
    """
    data = read_upto(pipe, LARGEST_PIPE + 1)
    if len(data) > LARGEST_PIPE:
        raise InputError(f"more than {LARGEST_PIPE // 1024**2} MiB", where="standard input", hint="name a file")
    return data


def inspect(document: Document, path: str) -> InspectView:
    """
    Return what there is to say of *document*, read from *path*.
    """
    book, card = document.book, document.card
    entries = book.entries if book else ()
    count = token_counter(TOKENIZER)
    return InspectView(
        path=path,
        format=document.form.name,
        title=document.form.title,
        reason=document.reason,
        size=len(document.data),
        character=card.name if card else None,
        creator=(card.creator or None) if card else None,
        version=(card.character_version or None) if card else None,
        book=book.name if book else None,
        entries=len(entries),
        enabled=sum(entry.settings.enabled for entry in entries),
        constant=sum(entry.settings.constant for entry in entries),
        keys=sum(len(entry.keys) + len(entry.settings.secondary_keys) for entry in entries),
        tokens=sum(count(entry.content) for entry in entries),
        assets=len(document.content.files),
        origin=origin_of(document),
        payloads=tuple(PayloadView(part=reading.name, reason=reading.reason) for reading in document.readings),
        notes=tuple(NoteView(**asdict(note)) for note in document.notes),
    )


def target_format(target: Path, wanted: str | None, *, is_card: bool = False) -> Format:
    """
    Return the format called *wanted*, or the usual one with the ending of *target*; `.json` is a card or a book.

    Raises UnknownNameError for a format that is not there, InputError where the ending tells none.
    """
    if wanted:
        return find_format(wanted, to_write=True)
    ending = target.suffix.lower()
    if ending == ".json":
        return find_format("card-v3" if is_card else "world-info")
    for form in LISTED.values():
        if form.writes and form.suffix == ending:
            return form
    raise InputError(f"the ending {target.suffix!r} tells no format", where=str(target), hint="say it with --to")


def convert_file(pair: Pair, how: Conversion) -> ConversionView:
    """
    Convert one file.

    Raises a LorebookError for what cannot be read, converted or written, or is there already; then nothing is written.
    """
    refuse_existing(pair.target, force=how.force)
    document = open_file(pair.source, form=how.read_as, strict=how.strict)
    form = how.form_for(document, pair.target)
    made = how.of(document, form)
    atomic.write_file(pair.target, *made.segments)
    return view(document, form, made, source=str(pair.source), target=str(pair.target))


def refuse_existing(target: Path, *, force: bool) -> None:
    """
    Raise InputError where *target* is a file already, unless *force* lets it be overwritten.
    """
    # Of a name too long to be looked up os.path says that nothing is there; writing says what is wrong with it.
    if os.path.isfile(target) and not force:  # noqa: PTH113
        raise InputError("there is a file already", where=str(target), hint="--force overwrites it")


def view(document: Document, form: Format, made: Export, *, source: str, target: str) -> ConversionView:
    """
    Return what there is to say of *made*, the conversion of *document* to *form*.
    """
    digest = hashlib.sha256()
    for segment in streamed(made.segments):
        digest.update(segment)
    return ConversionView(
        source=source,
        source_format=document.form.name,
        path=target,
        format=form.name,
        sha256=digest.hexdigest(),
        size=sum(len(segment) for segment in made.segments),
        notes=tuple(NoteView(**asdict(note)) for note in document.notes),
        losses=tuple(LossView(**asdict(loss)) for loss in made.losses),
        origin=made.origin or Origin.LEFT_OUT,
    )
