"""
The benchmark's tables, as text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.benchmarks.activation_growth import TEXTS, Growth, exponents


def show_cases(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print a line a case."""
    print("Milliseconds a scan (medians; +: stopped). same: the activations and their order are the expected ones.")
    print(
        f"{'case':26}{'fire':>5}{'ours':>9}{'real':>10}{'real/ours':>10}{'fast-tavern':>13}{'ft/ours':>9}"
        f"{'ours':>7}{'real':>6}{'ft agrees':>11}"
    )
    for row in rows:
        print(
            f"{row['id']:26}{row['activated']:>5}{row['ours']:>9.2f}{_number(row['real'], '10.1f')}"
            f"{_times(row['real'], row['ours'], 10)}{_number(row['fast_tavern'], '12.1f')}"
            f"{'+' if row['fast_tavern_was_stopped'] else ' '}{_times(row['fast_tavern'], row['ours'], 9)}"
            f"{_verdict(row['ours_is_right']):>7}{_verdict(row['real_is_right']):>6}"
            f"{_number(row['fast_tavern_agrees'], '11.0%')}"
        )


def show_compiling(books: Sequence[Mapping[str, Any]]) -> None:
    """Print a line a book."""
    print("\nCompiling a book, once for any number of scans.")
    print(f"{'book':20}{'entries':>9}{'ms':>9}{'us/entry':>10}")
    for book in books:
        each = book["milliseconds"] * 1000 / book["entries"]
        print(f"{book['book']:20}{book['entries']:>9,}{book['milliseconds']:>9.1f}{each:>10.1f}")


def show_growth(grown: Sequence[Growth]) -> None:
    """Print a line a book, with the costs an entry, a kilobyte and an entry that fires; then how they grow."""
    print("\nGrowth: five keys an entry, the whole text scanned, all that matches fires (CPU ms; entries that fire).")
    scans = "".join(f"{f'{kilobytes:,} kB':>17}" for kilobytes in TEXTS)
    print(
        f"{'entries':>8}{'compile s':>11}{'us/entry':>10}{'peak MB':>9}{'kB/entry':>10}"
        f"{scans}{'ms/kB':>8}{'us/fired':>10}"
    )
    for book in grown:
        times = "".join(f"{f'{book.scans[size]:,.1f} ({book.activated[size]:,})':>17}" for size in TEXTS)
        longest = book.scans[TEXTS[-1]]
        print(
            f"{book.entries:>8,}{book.compile:>11.2f}{book.compile * 1e6 / book.entries:>10.1f}{book.memory:>9.0f}"
            f"{book.memory * 1024 / book.entries:>10.1f}{times}{longest / TEXTS[-1]:>8.2f}"
            f"{longest * 1000 / book.activated[TEXTS[-1]]:>10.0f}"
        )
    sizes, largest = [book.entries for book in grown], grown[-1]
    print("The power of the size with which costs grow, step by step (1 is linear):")
    print("  compiling, of entries:", _powers(sizes, [book.compile for book in grown]))
    print("  memory, of entries:   ", _powers(sizes, [book.memory for book in grown]))
    print(f"  scanning, of text at {largest.entries:,} entries:", _powers(TEXTS, list(largest.scans.values())))


def _powers(sizes: Sequence[float], costs: Sequence[float]) -> str:
    return ", ".join(f"{power:.2f}" for power in exponents(sizes, costs))


def _number(value: float | None, form: str) -> str:
    return format(value, f">{form}") if value is not None else " " * int(form.partition(".")[0])


def _times(theirs: float | None, ours: float, width: int) -> str:
    return f"{f'{theirs / ours:,.0f}x':>{width}}" if theirs is not None else " " * width


def _verdict(is_right: bool | None) -> str:  # noqa: FBT001 (three values)
    return "" if is_right is None else "same" if is_right else "DIFFER"
