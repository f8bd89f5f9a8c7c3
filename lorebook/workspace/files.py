"""
Lorebook and card files of whatever origin: looked into and converted; no ruleset is needed for it.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from lorebook import atomic
from lorebook.errors import InputError, LorebookError
from lorebook.formats import LISTED, Document, Export, Format, Origin, convert, find_format, open_document, origin_of
from lorebook.formats.containers.container import Data
from lorebook.matching.tokens import token_counter
from lorebook.reading import LARGEST_PIPE, map_file, read_upto
from lorebook.workspace.views import (
    ConversionView,
    FileFailure,
    FormatView,
    InspectView,
    LossView,
    NoteView,
    PayloadView,
)

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
    data = map_file(path, limit=MAX_FILE_BYTES, hint=_READ_HINT)
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
        return find_format(wanted)
    ending = target.suffix.lower()
    if ending == ".json":
        return find_format("card-v3" if is_card else "world-info")
    for form in LISTED.values():
        if form.writes and form.suffix == ending:
            return form
    raise InputError(f"the ending {target.suffix!r} tells no format", where=str(target), hint="say it with --to")


def pairs(sources: Iterable[Path], target: Path, form: Format) -> list[Pair]:
    """
    Return what is converted where: every file of *sources*, and of the folders among them, into the folder *target*.

    What is in *target* already is left out. A file keeps its name but for the ending; where two would then be called
    alike, they keep their endings, too.
    Raises InputError where two files have the same name altogether.
    """
    found = [pair for source in sources for pair in _files(source) if not _is_inside(pair[0], target, source)]
    alike = Counter(inside.with_suffix("") for _, inside in found)
    made: dict[Path, Path] = {}
    for path, inside in found:
        plain = inside.with_suffix(form.suffix) if alike[inside.with_suffix("")] == 1 else _longer(inside, form)
        to = target / plain
        if to in made:
            hint = "rename one of them, or convert them apart"
            raise InputError(f"both {made[to]} and {path} would be written there", where=str(to), hint=hint)
        made[to] = path
    return [Pair(source, to) for to, source in made.items()]


def _is_inside(path: Path, target: Path, source: Path) -> bool:
    """
    Say whether *path* was written by an earlier run: *target* may be a folder in *source*, the folder that is read.
    """
    folder = Path(os.path.realpath(target))
    return folder in Path(os.path.realpath(path)).parents and Path(os.path.realpath(source)) in folder.parents


def _longer(inside: Path, form: Format) -> Path:
    return inside.with_name(f"{inside.name}{'' if inside.suffix == form.suffix else form.suffix}")


def _files(source: Path) -> Iterator[tuple[Path, Path]]:
    """
    Yield the files of *source*, hidden ones apart, with their names inside of it.
    """
    if not source.is_dir():
        yield source, Path(source.name)
        return
    for path in sorted(source.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(source).parts):
            yield path, path.relative_to(source)


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


def convert_files(wanted: Iterable[Pair], how: Conversion) -> Iterator[ConversionView | FileFailure]:
    """
    Convert one file after the other; one that fails does not stop the rest.
    """
    for pair in wanted:
        try:
            yield convert_file(pair, how)
        except LorebookError as error:
            yield FileFailure(path=str(pair.source), error=str(error))


def inspect_files(
    paths: Iterable[Path], *, read_as: str | None = None, strict: bool = False
) -> Iterator[InspectView | FileFailure]:
    """
    Look into one file after the other; one that fails does not stop the rest.
    """
    for path in paths:
        try:
            yield inspect(open_file(path, form=read_as, strict=strict), str(path))
        except LorebookError as error:
            yield FileFailure(path=str(path), error=str(error))


def all_files(sources: Iterable[Path]) -> list[Path]:
    """
    Return the files of *sources* and of the folders among them.
    """
    return [path for source in sources for path, _ in _files(source)]


def view(document: Document, form: Format, made: Export, *, source: str, target: str) -> ConversionView:
    """
    Return what there is to say of *made*, the conversion of *document* to *form*.
    """
    digest = hashlib.sha256()
    for segment in made.segments:
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
