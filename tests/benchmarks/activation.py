"""
Time activation: our engine, SillyTavern's own and fast-tavern, on the same books and chats in one run.

    python -m tests.benchmarks.activation [--quick] [--cases PART]

Ours scans afresh each time with a book compiled once; compile time and memory are told apart. Every engine's answer is
compared with what the real engine once answered. fast-tavern, which can take hours, is stopped after some seconds. The
last line is JSON. Exit code 1 when an answer of ours or of the real engine differs, or a case of ours is slower than
the real engine's.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass

from tests.benchmarks.activation_cases import FOLDER, Case, cases, known_milliseconds
from tests.benchmarks.activation_growth import SIZES, Growth, measured
from tests.benchmarks.activation_ours import Ours, compiled
from tests.benchmarks.activation_peers import (
    FastTavern,
    RealEngine,
    agreement,
    fast_tavern_is_missing,
    real_is_missing,
)
from tests.benchmarks.activation_tables import show_cases, show_compiling, show_growth
from tests.benchmarks.activation_timing import Runs, no_longer_than, timed

QUICK = 1_000.0
"""Milliseconds of the real engine beyond which `--quick` leaves a case out."""


@dataclass(frozen=True)
class Row:
    """One case: medians in milliseconds, None where a peer is missing; whether the answers are the expected ones."""

    id: str
    activated: int
    ours: float
    real: float | None
    fast_tavern: float | None
    """Where it was stopped: the limit."""
    fast_tavern_was_stopped: bool
    ours_is_right: bool
    real_is_right: bool | None
    fast_tavern_agrees: float | None
    """The share of activations that fast-tavern has in common with the real engine."""


@dataclass(frozen=True)
class Compiling:
    """What compiling one book takes."""

    book: str
    entries: int
    milliseconds: float


def main(*, quick: bool, part: str) -> int:
    """Run everything, print the tables, say whether ours is right and never slower."""
    missing = [reason for reason in (real_is_missing(), fast_tavern_is_missing()) if reason]
    for reason in missing:
        print(f"without a peer: {reason}")
    chosen = [case for case in cases(part) if not quick or known_milliseconds().get(case.id, 0.0) <= QUICK]
    seconds, limit = (0.3, 1.0) if quick else (0.5, 3.0)
    rows = list(_rows(chosen, seconds, limit))
    show_cases([asdict(row) for row in rows])
    books = [_compiling(case) for case in {case.book: case for case in chosen}.values()]
    show_compiling([asdict(book) for book in books])
    grown = [measured(size) for size in (SIZES[:-1] if quick else SIZES)]
    show_growth(grown)
    print(json.dumps(_summary(rows, books, grown)))
    return int(any(_fails(row) for row in rows))


def _rows(chosen: list[Case], seconds: float, limit: float) -> Iterator[Row]:
    with ExitStack() as stack:
        real = None if real_is_missing() else stack.enter_context(RealEngine())
        for case in chosen:
            print(f"{case.id} …", end="\r", file=sys.stderr, flush=True)
            yield _row(case, real, seconds, limit)


def _row(case: Case, real: RealEngine | None, seconds: float, limit: float) -> Row:
    ours = timed(Ours(case), seconds=seconds)
    theirs = real.run(case, seconds=seconds) if real else None
    tavern = _tavern(case, seconds, limit)
    return Row(
        id=case.id,
        activated=len(case.expected),
        ours=ours.median,
        real=theirs.median if theirs else None,
        fast_tavern=tavern.median if tavern else None,
        fast_tavern_was_stopped=tavern is not None and tavern.answer is None,
        ours_is_right=ours.answer == case.expected,
        real_is_right=theirs.answer == case.expected if theirs else None,
        fast_tavern_agrees=agreement(tavern.answer, case.expected) if tavern and tavern.answer is not None else None,
    )


def _tavern(case: Case, seconds: float, limit: float) -> Runs[list[object] | None] | None:
    if fast_tavern_is_missing():
        return None
    try:
        with no_longer_than(limit):
            return timed(FastTavern(case), seconds=seconds)
    except TimeoutError:
        return Runs([limit * 1000], None)


def _compiling(case: Case) -> Compiling:
    runs = timed(lambda: compiled(case.entries, case.settings), seconds=1.0, most=20)
    return Compiling(case.book, len(case.entries["entries"]), runs.median)


def _fails(row: Row) -> bool:
    is_slower = row.real is not None and row.ours > row.real
    return not row.ours_is_right or row.real_is_right is False or is_slower


def _summary(rows: list[Row], books: list[Compiling], grown: list[Growth]) -> dict[str, object]:
    ratios = [row.real / row.ours for row in rows if row.real]
    return {
        "least_ratio": min(ratios, default=None),
        "greatest_ratio": max(ratios, default=None),
        "all_right": all(row.ours_is_right for row in rows),
        "failed": [row.id for row in rows if _fails(row)],
        "cases": [asdict(row) for row in rows],
        "compiling": [asdict(book) for book in books],
        "growth": [asdict(growth) for growth in grown],
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.activation", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes long (under a minute)")
    parser.add_argument("--cases", default="", metavar="PART", help="only the cases whose id contains this")
    return parser.parse_args()


if __name__ == "__main__":
    if not FOLDER.is_dir():
        sys.exit(f"the benchmark's books and chats are not here: {FOLDER}")
    given = _arguments()
    sys.exit(main(quick=given.quick, part=given.cases))
