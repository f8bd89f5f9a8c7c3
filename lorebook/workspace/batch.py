"""
Many lorebook and card files at once: which there are, what each becomes, and all of them done, whatever one is like.
"""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from lorebook.errors import InputError, LorebookError
from lorebook.formats import Format
from lorebook.workspace import own_faults
from lorebook.workspace.crew import work_through
from lorebook.workspace.files import Conversion, Pair, convert_file, inspect, open_file, refuse_existing
from lorebook.workspace.fileviews import ConversionView, FileFailure, InspectView

_View = TypeVar("_View")


def all_files(sources: Iterable[Path]) -> list[Path]:
    """
    Return the files of *sources* and of the folders among them.
    """
    return [path for source in sources for path, _ in _files(source)]


def pairs(sources: Iterable[Path], target: Path, form: Format) -> list[Pair]:
    """
    Return what is converted where: every file of *sources*, and of the folders among them, into the folder *target*.

    What is in *target* already is left out. A file keeps its name but for the ending; where two would then be called
    alike, they keep their endings, too, and where that leaves names that a disk may take for one, the later file gets
    a number. Raises InputError where two files have the same name altogether.
    """
    found = [pair for source in sources for pair in _files(source) if not _is_inside(pair[0], target, source)]
    alike = Counter(_on_disk(inside.with_suffix("")) for _, inside in found)
    wanted: dict[Path, Path] = {}
    made: dict[str, Pair] = {}
    for path, inside in found:
        is_alone = alike[_on_disk(inside.with_suffix(""))] == 1
        to = target / (inside.with_suffix(form.suffix) if is_alone else _longer(inside, form))
        if to in wanted:
            hint = "rename one of them, or convert them apart"
            raise InputError(f"both {wanted[to]} and {path} would be written there", where=str(to), hint=hint)
        wanted[to] = path
        free = _numbered(to, made) if _on_disk(to) in made else to
        made[_on_disk(free)] = Pair(path, free)
    return list(made.values())


def refuse_report(report: Path | None, wanted: Iterable[Pair]) -> None:
    """
    Raise InputError where *report* would be written over a file that is read, or made, for one of the pairs *wanted*.
    """
    if report is None:
        return
    place = _real(report)
    for path in (path for pair in wanted for path in pair):
        if _real(path) == place:
            what = f"the report would be written over {path}, which is one of the files that are converted"
            raise InputError(what, where=str(report), hint="give the report another name")


def _real(path: Path) -> str:
    return _on_disk(Path(os.path.realpath(path)))


def _on_disk(path: Path) -> str:
    """
    Return what is equal for paths that a disk may take for one: many heed neither case nor Unicode's spellings.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", str(path)).casefold())


def _numbered(path: Path, taken: Collection[str]) -> Path:
    """
    Return *path* with the lowest number from 2 behind its name that makes it none of those *taken*.
    """
    candidates = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(2, len(taken) + 3))
    return next(found for found in candidates if _on_disk(found) not in taken)


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


def convert_files(wanted: Iterable[Pair], how: Conversion, *, jobs: int = 1) -> Iterator[ConversionView | FileFailure]:
    """
    Convert the files in *jobs* processes, and yield in their order what came of each; one that fails stops no other.
    """
    yield from work_through(wanted, _Converting(how), jobs)


def inspect_files(
    paths: Iterable[Path], *, read_as: str | None = None, strict: bool = False, jobs: int = 1
) -> Iterator[InspectView | FileFailure]:
    """
    Look into the files in *jobs* processes, and yield in their order what is in each; one that fails stops no other.
    """
    yield from work_through(paths, _Inspecting(read_as, strict), jobs)


@dataclass(frozen=True)
class _Converting:
    how: Conversion

    def refuse(self, pair: Pair) -> FileFailure | None:
        """
        Look before any work whether the file may be written: done twice, for its process ended, it is there.
        """
        try:
            refuse_existing(pair.target, force=self.how.force)
        except LorebookError as error:
            return FileFailure(path=str(pair.source), error=str(error))
        return None

    def do(self, pair: Pair) -> ConversionView | FileFailure:
        return _told(pair.source, lambda: convert_file(pair, replace(self.how, force=True)))

    def lost(self, pair: Pair) -> FileFailure:
        return _lost(pair.source)


@dataclass(frozen=True)
class _Inspecting:
    read_as: str | None
    strict: bool

    def refuse(self, _path: Path) -> None:
        return None

    def do(self, path: Path) -> InspectView | FileFailure:
        return _told(path, lambda: inspect(open_file(path, form=self.read_as, strict=self.strict), str(path)))

    def lost(self, path: Path) -> FileFailure:
        return _lost(path)


def _told(path: Path, do: Callable[[], _View]) -> _View | FileFailure:
    """
    Return what *do* makes of the file *path*, or why it made nothing: a fault of ours stops no other file either.
    """
    try:
        return do()
    except LorebookError as error:
        told = error
    except Exception as error:  # noqa: BLE001 (whatever it is: it is told, and the other files are done)
        told = own_faults.told(error, str(path))
    return FileFailure(path=str(path), error=str(told))


def _lost(path: Path) -> FileFailure:
    error = InputError(
        "the process that read it was ended by the system",
        where=str(path),
        hint="there may be too little memory, or another program changed the file meanwhile",
    )
    return FileFailure(path=str(path), error=str(error))
