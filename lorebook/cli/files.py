"""
`convert`, `inspect`: commands about lorebook and card files of whatever origin.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from lorebook.cli import completing, render, showing
from lorebook.cli.options import ForceOption, JsonOption, ServedJsonOption

if TYPE_CHECKING:
    from pydantic import BaseModel

    from lorebook.formats import Document
    from lorebook.workspace.files import Conversion
    from lorebook.workspace.fileviews import ConversionView

    View = TypeVar("View", bound=BaseModel)

STDIO = Path("-")

FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="Read it as this format; default: what its content tells.",
        autocompletion=completing.formats,
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        min=1,
        help="Processes for many files; default: one for each core; at most four for each, and one for each file.",
    ),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Refuse a file that has to be mended or interpreted.")]


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's commands to *app*.
    """
    app.command(epilog="Try: lorebook inspect mira.png   lorebook inspect ~/cards --json")(inspect)
    app.command(
        epilog="Try: lorebook convert world.json mira.charx   lorebook convert ~/cards out/ --to card-v3"
        "   cat story.lorebook | lorebook convert - - --to world-info > world.json"
    )(convert)


def inspect(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files, or folders of them; - reads a pipe.")],
    *,
    read_as: FromOption = None,
    strict: StrictOption = False,
    jobs: JobsOption = None,
    as_json: ServedJsonOption = False,
) -> None:
    """
    Say what lorebook and card files are and why, what is in them, and what had to be mended to read them.

    Exit code 1 where one of several files could not be read.
    """
    from lorebook.workspace import batch, crew, own_faults  # noqa: PLC0415
    from lorebook.workspace import files as work  # noqa: PLC0415

    if len(files) == 1 and not files[0].is_dir():
        with own_faults.as_one_line(str(files[0])):
            view = work.inspect(_document(files[0], read_as, strict=strict), str(files[0]))
        render.as_json(view) if as_json else showing.inspected(view)
        return
    if STDIO in files:
        raise typer.BadParameter("a pipe is read alone, without other files", param_hint="FILE...")
    paths = batch.all_files(files)
    jobs = crew.fitting_jobs(len(paths), jobs)
    views = _counted("Inspecting", batch.inspect_files(paths, read_as=read_as, strict=strict, jobs=jobs), len(paths))
    failed = _listed(views, as_json=as_json)
    _sum_up(failed, len(paths), "read")
    raise typer.Exit(1 if failed else 0)


def convert(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="IN... OUT", help="Files or folders, then a file or, for several, a folder; - is a pipe."
        ),
    ],
    *,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="`lorebook formats` lists them; default: OUT's ending.",
            autocompletion=completing.written_formats,
        ),
    ] = None,
    read_as: FromOption = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was lost and mended, a line of JSON for each file.")
    ] = None,
    no_origin: Annotated[
        bool, typer.Option("--no-origin", help="Do not store the original inside for the way back.")
    ] = False,
    strict: StrictOption = False,
    strict_spec: Annotated[
        bool, typer.Option("--strict-spec", help="Write to the letter of the specification, not for the applications.")
    ] = False,
    force: ForceOption = False,
    jobs: JobsOption = None,
    as_json: JsonOption = False,
) -> None:
    """
    Convert lorebook and card files, and name everything that the new format does not hold.

    Exit code 1 where one of several files could not be converted; the others are.
    """
    from lorebook.workspace import batch, crew, own_faults  # noqa: PLC0415
    from lorebook.workspace import files as work  # noqa: PLC0415

    *sources, target = files
    if not sources:
        raise typer.BadParameter("name at least one file and where to convert it", param_hint="IN... OUT")
    if len(sources) > 1 and STDIO in files:
        raise typer.BadParameter("through a pipe goes one file", param_hint="IN... OUT")
    if len(sources) > 1 and not _is_folder(target):
        raise typer.BadParameter("several files go into a folder, not into one file", param_hint="OUT")
    failed = 0
    how = work.Conversion(to, not no_origin, strict_spec, read_as, strict, force)
    with _reporting(report) as write:
        if STDIO in files:
            batch.refuse_report(report, [work.Pair(sources[0], target)])
            with own_faults.as_one_line(str(sources[0])):
                view = _pipe(sources[0], target, how)
            write(view)
        elif len(sources) == 1 and not sources[0].is_dir() and not _is_folder(target):
            batch.refuse_report(report, [work.Pair(sources[0], target)])
            with own_faults.as_one_line(str(sources[0])):
                view = work.convert_file(work.Pair(sources[0], target), how)
            write(view)
            render.as_json(view) if as_json else showing.converted(view)
        else:
            wanted = batch.pairs(sources, target, work.target_format(target, to))
            batch.refuse_report(report, wanted)
            jobs = crew.fitting_jobs(len(wanted), jobs)
            views = _counted("Converting", batch.convert_files(wanted, how, jobs=jobs), len(wanted))
            failed = _listed(views, as_json=as_json, also=write)
            _sum_up(failed, len(wanted), "converted")
    raise typer.Exit(1 if failed else 0)


def _is_folder(target: Path) -> bool:
    # Of a name too long to be looked up os.path says that nothing is there; pathlib raises.
    return os.path.isdir(target) or not (target.suffix or os.path.exists(target))  # noqa: PTH110, PTH112


def _document(path: Path, read_as: str | None, *, strict: bool) -> Document:
    from lorebook.workspace import files as work  # noqa: PLC0415

    if path == STDIO:
        return work.read_data(work.read_pipe(sys.stdin.buffer), "standard input", form=read_as, strict=strict)
    return work.open_file(path, form=read_as, strict=strict)


def _pipe(source: Path, target: Path, how: Conversion) -> ConversionView:
    """
    Convert one file where it or what is made of it goes through a pipe; what there is to say goes to standard error.
    """
    from lorebook import atomic  # noqa: PLC0415
    from lorebook.formats.containers.container import streamed  # noqa: PLC0415
    from lorebook.workspace import files as work  # noqa: PLC0415

    document = _document(source, how.read_as, strict=how.strict)
    form = how.form_for(document, target)
    made = how.of(document, form)
    if target == STDIO:
        sys.stdout.buffer.writelines(streamed(made.segments))
    else:
        work.refuse_existing(target, force=how.force)
        atomic.write_file(target, *made.segments)
    view = work.view(document, form, made, source=str(source), target=str(target))
    if not showing.leads_back(view):
        render.complain(f"the way back {showing.WAY_BACK[view.origin]}")
    for line in render.losses(view.losses, showing.SHOWN, "--report writes them down"):
        render.complain(line)
    return view


@contextmanager
def _reporting(report: Path | None) -> Iterator[Callable[[BaseModel], None]]:
    """
    Yield a function that adds a line to *report*, which appears whole when all is done, or what was done before a stop.
    """
    if report is None:
        yield lambda _view: None
        return
    from lorebook import atomic  # noqa: PLC0415

    with tempfile.TemporaryFile() as lines:
        is_done = False
        try:
            yield lambda view: lines.writelines((render.json_line(view),))
            is_done = True
        finally:
            if is_done or lines.tell():
                lines.seek(0)
                atomic.write_file(report, *lines)


def _counted(what: str, views: Iterable[View], total: int) -> Iterator[View]:
    with render.progress(what) as move:
        for done, view in enumerate(views, 1):
            yield view
            move(done, total)


def _listed(views: Iterable[View], *, as_json: bool, also: Callable[[BaseModel], None] = lambda _view: None) -> int:
    """
    Print the views as they come, each told to *also* first, and return how many of them are failures.
    """
    failed = 0
    with render.json_list() if as_json else nullcontext(showing.line) as put:
        for view in views:
            also(view)  # before it is printed: that may wait for a reader, and be stopped there
            put(view)
            failed += hasattr(view, "error")
    return failed


def _sum_up(failed: int, total: int, done: str) -> None:
    render.complain(f"{total - failed} of {total} files {done}")
