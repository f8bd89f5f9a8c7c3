"""
Thousands of cards inspected and converted, and one entry edited in very large ones: time, memory, and what is read.

    python -m tests.benchmarks.bulk [--cards N] [--megabytes N] [--json]

The cards are JSON, PNG and CHARX in turn, all different, half of them Chinese; each command runs in a process of its
own, whose start is in the time. Memory is held against that for a hundred cards: it must not grow with the folder.
An edit writes the file anew, flushed to the disk; `cp` of the same file stands beside it, with and without flushing;
each is the quickest of three. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from lorebook import atomic
from lorebook.formats import FORMATS, export
from tests.benchmarks.bulk_cards import KINDS, large_card, write_cards
from tests.benchmarks.bulk_child import Took

_TIMES = 3
FEW = 100
"""Cards beside which the memory for all is held."""

_ROOT = Path(__file__).parents[2]
_WORK = {
    "inspect": ("inspect", "{cards}", "--json"),
    **{f"to {to}": ("convert", "{cards}", "{out}", "--to", to, "--json") for to in ("card-v3", "png")},
}


@dataclass(frozen=True)
class Bulk:
    """
    One command over a folder.
    """

    work: str
    files: int
    bytes: int
    seconds: float
    cpu: float
    """Seconds of the processor."""
    files_per_second: float
    peak: int
    peak_of_few: int


@dataclass(frozen=True)
class Edit:
    """
    One entry changed in a large file: the quickest of a few times.
    """

    kind: str
    bytes: int
    read: Took
    """Opening the file alone."""
    edit: Took
    """Opening it, changing the entry, and writing it anew."""
    cp: float
    """Seconds that `cp` took."""
    cp_flushed: float
    """Seconds that `cp` and flushing its copy took."""


def bulks(folder: Path, count: int) -> Iterator[Bulk]:
    """
    Yield what each command took over *count* cards made in *folder*.
    """
    few, many = folder / "few", folder / "many"
    for made, number in ((few, min(FEW, count)), (many, count)):
        made.mkdir()
        size = write_cards(made, number)
    for work, words in _WORK.items():
        took = {}
        for cards in (few, many):
            out = folder / f"{work} {cards.name}"
            took[cards] = run(folder, "command", *(word.format(cards=cards, out=out) for word in words))
        seconds = took[many].seconds
        yield Bulk(work, count, size, seconds, took[many].cpu, count / seconds, took[many].peak, took[few].peak)


def edits(folder: Path, size: int) -> Iterator[Edit]:
    """
    Yield what an edit of each kind of card of about *size* bytes takes.
    """
    for kind in KINDS[1:]:
        source, target = folder / f"large.{kind}", folder / f"edited.{kind}"
        atomic.write_file(source, *export(FORMATS[kind], large_card(kind, size)).segments)
        copied, read, edited = [], [], []
        for _ in range(_TIMES):
            copied.append(_copied(source, target))
            read.append(run(folder, "read", str(source)))
            edited.append(run(folder, "edit", str(source), str(target)))
        cp, flushed = (min(seconds) for seconds in zip(*copied, strict=True))
        yield Edit(kind, source.stat().st_size, _quickest(read), _quickest(edited), cp, flushed)


def run(folder: Path, *words: str) -> Took:
    """
    Run a process that measures itself.

    Raises CalledProcessError where it failed.
    """
    report = folder / "report.json"
    child = [sys.executable, "-m", "tests.benchmarks.bulk_child", str(report), *words]
    began = time.perf_counter()
    subprocess.run(child, check=True, cwd=_ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    whole = time.perf_counter() - began
    took = Took(**json.loads(report.read_text()))
    return replace(took, seconds=whole) if words[0] == "command" else took


def _quickest(times: list[Took]) -> Took:
    return min(times, key=lambda took: took.seconds)


def _copied(source: Path, target: Path) -> tuple[float, float]:
    began = time.perf_counter()
    subprocess.run(["cp", str(source), str(target)], check=True)
    copied = time.perf_counter() - began
    subprocess.run(["sync", str(target)], check=True)
    flushed = time.perf_counter() - began
    target.unlink()
    return copied, flushed


def show_bulks(rows: list[Bulk]) -> None:
    """
    Print a line a command.
    """
    print(
        f"{'work':12}{'files':>7}{'MB':>8}{'seconds':>9}{'CPU s':>8}{'files/s':>9}"
        f"{'peak MB':>9}{f'of {FEW}':>9}{'ratio':>7}"
    )
    for row in rows:
        print(
            f"{row.work:12}{row.files:>7,}{row.bytes / 1e6:>8,.0f}{row.seconds:>9.1f}{row.cpu:>8.1f}"
            f"{row.files_per_second:>9,.0f}{row.peak / 1e6:>9,.0f}{row.peak_of_few / 1e6:>9,.0f}"
            f"{row.peak / row.peak_of_few:>7.2f}"
        )


def show_edits(rows: list[Edit]) -> None:
    """
    Print a line a file.
    """
    print("\nOne entry edited. looked at: bytes read or mapped, by the size; own: peak without mapped ones.")
    print(
        f"{'kind':8}{'MB':>6}{'read s':>8}{'edit s':>8}{'cp s':>8}{'/cp':>7}{'/cp+sync':>10}"
        f"{'read looked at':>16}{'edit looked at':>16}{'own MB':>8}"
    )
    for row in rows:
        size = row.bytes
        print(
            f"{row.kind:8}{size / 1e6:>6,.0f}{row.read.seconds:>8.2f}{row.edit.seconds:>8.2f}{row.cp:>8.2f}"
            f"{row.edit.seconds / row.cp:>7.2f}{row.edit.seconds / row.cp_flushed:>10.2f}"
            f"{row.read.looked_at / size:>16.3f}{row.edit.looked_at / size:>16.3f}{row.edit.own / 1e6:>8.0f}"
        )


def main() -> int:
    """
    Run everything and print what came of it.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bulk", description=__doc__)
    parser.add_argument("--cards", type=int, default=5_000, metavar="N", help="cards in the folder")
    parser.add_argument("--megabytes", type=int, default=200, metavar="N", help="size of the large ones")
    parser.add_argument("--json", action="store_true", help="print the last line only")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        bulk, edited = list(bulks(Path(name), given.cards)), list(edits(Path(name), given.megabytes * 10**6))
    if not given.json:
        show_bulks(bulk)
        show_edits(edited)
    print(json.dumps({"bulk": [asdict(row) for row in bulk], "edits": [asdict(row) for row in edited]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
