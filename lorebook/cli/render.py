"""
How results look on a terminal; the only place that prints.

rich leaves colours out when the output is not a terminal or NO_COLOR is set.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby, islice
from typing import TYPE_CHECKING

import typer
from pydantic import BaseModel

# Columns that no line reaches.
_UNWRAPPED = 1_000_000
# Control characters (Unicode, category Cc) move a terminal's cursor, or title, or worse; texts come from anywhere.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}
# How losses are ordered for people: what decides whether and where an entry is put in, then the rest.
_KINDS = ("lost", "changed", "unread")
_FIRST = (
    *("entry", "entries", "keys", "content", "secondary_keys", "secondary_logic"),
    *("enabled", "constant", "position", "probability"),
)
_LEAST = ("extensions", "fields", "inert", "card.extensions", "card.fields")
# Columns that the rest of a table needs beside its names.
_REST = 30
# Runs of entries that one line names.
_RUNS = 8

if TYPE_CHECKING:
    from rich.console import Console

    from lorebook.cli.wrapping import Prose
    from lorebook.workspace.fileviews import LossView


def console(*, stderr: bool = False) -> Console:
    """
    Return a console on standard output (or error); output that is no terminal is not wrapped, unless COLUMNS says so.
    """
    from rich.console import Console  # noqa: PLC0415 (tens of milliseconds)

    is_wrapped = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(stderr=stderr, highlight=False, width=None if is_wrapped else _UNWRAPPED)


def as_json(value: BaseModel | Sequence[BaseModel] | Mapping[str, object]) -> None:
    """
    Print *value* as JSON, characters as they are.
    """
    if isinstance(value, BaseModel):
        plain: object = value.model_dump(mode="json")
    elif isinstance(value, Mapping):
        plain = dict(value)
    else:
        plain = [item.model_dump(mode="json") for item in value]
    sys.stdout.write(_json(plain) + "\n")


def _json(value: object) -> str:
    """
    Return *value* as JSON; where the output is not in UTF-8, as a console of Windows, other characters are escaped.
    """
    is_utf8 = (sys.stdout.encoding or "utf-8").lower().replace("-", "") == "utf8"
    return json.dumps(value, ensure_ascii=not is_utf8, indent=2)


def json_line(value: BaseModel) -> bytes:
    """
    Return *value* as JSON in a line; a byte of a file's name that is no text is escaped as half a surrogate pair.
    """
    plain = json.dumps(value.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))
    return f"{plain}\n".encode(errors="backslashreplace")


def complain(text: str) -> None:
    """
    Print *text* on standard error as the command's.
    """
    typer.echo(f"lorebook: {shown(text)}", err=True)


def complain_of_strays(names: Sequence[str]) -> None:
    """
    Print on standard error that the folders *names* are left out, as they are no rulesets.
    """
    for name in names:
        complain(f"rules/{name}: left out, as it holds records but no ruleset.toml (`lorebook import` writes one)")


def shown(text: str) -> str:
    """
    Return *text* with its control characters as escapes, but for tabs and line breaks.
    """
    return text.translate(_CONTROLS)


def counted(number: int, one: str, several: str) -> str:
    """
    Return *number* with the word for it: *one* thing or *several*.
    """
    return f"{number:,} {one if number == 1 else several}"


def losses(found: Sequence[LossView], most: int, rest: str) -> Iterator[str]:
    """
    Yield what a file does not hold, the worst first, in at most *most* lines; *rest* says where to find what is cut.

    What is lost of several entries for the same reason is one line.
    """
    groups: dict[tuple[str, str, str], list[int | None]] = {}
    for loss in sorted(found, key=_weight):
        groups.setdefault((loss.field, loss.kind, loss.why), []).append(loss.entry)
    for (field, kind, why), entries in islice(groups.items(), most):
        yield f"{_places(entries)}: {field} {kind}: {why}"
    if len(groups) > most:
        yield f"… {len(found):,} losses in all; {rest}"


def _weight(loss: LossView) -> tuple[int, int]:
    if loss.field.startswith(_LEAST):
        return _KINDS.index(loss.kind), len(_FIRST) + 1
    return _KINDS.index(loss.kind), _FIRST.index(loss.field) if loss.field in _FIRST else len(_FIRST)


def _places(entries: Sequence[int | None]) -> str:
    """
    Return *entries* as one text, neighbours as a range: `entries 0-4, 7`; None is the book.
    """
    numbers = sorted({entry for entry in entries if entry is not None})
    if not numbers:
        return "book"
    if len(numbers) == 1:
        return f"entry {numbers[0]}"
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda item: item[1] - item[0])]
    parts = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs[:_RUNS]]
    more = f", … ({len(numbers):,} entries)" if len(runs) > _RUNS else ""
    return f"entries {', '.join(parts)}{more}"


@contextmanager
def json_list() -> Iterator[Callable[[BaseModel], None]]:
    """
    Yield a function that prints its value as the next item of a JSON list.
    """
    before = "[\n"

    def put(value: BaseModel) -> None:
        nonlocal before
        sys.stdout.write(before + _json(value.model_dump(mode="json")))
        before = ",\n"

    yield put
    sys.stdout.write("\n]\n" if before.startswith(",") else "[]\n")


def clear() -> None:
    """
    Clear the terminal; where there is none, draw a line.
    """
    target = console()
    if target.is_terminal:
        target.clear()
    else:
        target.print("-" * 40)


def line(*parts: str | tuple[str, str], indent: int = 0, hanging: int = 0) -> None:
    """
    Print one line made of texts and (text, style) pairs, wrapped to the terminal.

    What does not fit is *hanging*: indented by so many columns more.
    """
    _put(styled(*parts), indent=indent, hanging=hanging)


def styled(*parts: str | tuple[str, str]) -> Prose:
    """
    Return the parts, texts and (text, style) pairs, as one styled text; nothing in them is markup.
    """
    from lorebook.cli.wrapping import Prose  # noqa: PLC0415 (brings rich)

    made = Prose()
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        made.append(shown(text), style)
    return made


def block(text: str, *, indent: int = 2, style: str = "") -> None:
    """
    Print *text* indented, wrapped to the terminal.
    """
    _put(styled((text, style)), indent=indent)


def command(text: str, *, indent: int = 2) -> None:
    """
    Print *text*, which a reader may copy into a shell, on one line however long it is.
    """
    typer.echo(" " * indent + shown(text))


def _put(text: Prose, *, indent: int, hanging: int = 0) -> None:
    from rich.text import Text  # noqa: PLC0415

    target = console()
    for line in text.hung(target.width - indent, hanging):
        target.print(Text(" " * indent) + line if line else "", soft_wrap=True)


def width() -> int:
    """
    Return the columns of the terminal; none where nothing is wrapped.
    """
    columns = console().width
    return 0 if columns == _UNWRAPPED else columns


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numeric: Sequence[int] = (),
    shares: Sequence[int] = (),
) -> None:
    """
    Print a plain table; the columns whose index is in *numeric* are aligned right.

    The first column has names, which are never broken: where they leave no room for the rest, each has a line of its
    own. *shares* divide the whole width between the columns instead.
    """
    from rich.cells import cell_len  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    if not shares and max(cell_len(shown(row[0])) for row in (headings, *rows)) + _REST > console().width:
        for name, *rest in rows:
            line(name)
            line(" · ".join(cell for cell in rest if cell), indent=2)
        return
    made = Table(box=None, pad_edge=False, header_style="bold", expand=bool(shares))
    for index, heading in enumerate(headings):
        ratio = shares[index] if shares else None
        made.add_column(
            heading,
            justify="right" if index in numeric else "left",
            overflow="fold",
            ratio=ratio,
            no_wrap=not (index or shares),
        )
    for row in rows:
        made.add_row(*(styled(cell) for cell in row))
    console().print(made)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """
    Yield a function (done, total) that moves a progress bar on standard error, which its first call brings up.

    It is silent when standard error is no terminal.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.progress import Progress  # noqa: PLC0415

    bar = Progress(console=console(stderr=True), transient=True)
    task = bar.add_task(what, total=None)

    def move(done: int, total: int) -> None:
        bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield move
    finally:
        bar.stop()
