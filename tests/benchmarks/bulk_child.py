"""
What the bulk benchmark measures, in a process of its own; what it took is written down when it is over.

    python -m tests.benchmarks.bulk_child REPORT command ARGUMENT…
    python -m tests.benchmarks.bulk_child REPORT read SOURCE
    python -m tests.benchmarks.bulk_child REPORT edit SOURCE TARGET
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from lorebook import atomic, cli
from lorebook.formats import Content, Document, open_document
from lorebook.reading import open_file

MARK = " [changed 改]"
"""What is added to the text of an entry."""


@dataclass(frozen=True)
class Took:
    """
    What a process, or the part of it that is measured, took.
    """

    seconds: float
    cpu: float
    """Seconds of the processor, which other programs on the machine disturb little; of the whole process."""
    peak: int
    """Bytes of memory at most, those mapped from files among them."""
    mapped: int
    """Bytes of mapped files that came into memory, in runs of pages; the system takes them back when it needs room."""
    read: int
    """Bytes that were read from files by calls."""

    @property
    def looked_at(self) -> int:
        """
        Bytes of files that came into memory, in one way or the other.
        """
        return self.mapped + self.read

    @property
    def own(self) -> int:
        """
        Bytes of memory at most without the mapped files.
        """
        return self.peak - self.mapped


def command(*words: str) -> None:
    """
    Run the command line.
    """
    sys.argv = ["lorebook", *words]
    cli.main()


def read(source: str) -> Document:
    """
    Return what is in the file *source*.
    """
    return open_document(open_file(Path(source), limit=2**32, hint="name a card"), file_name=source)


def edit(source: str, target: str) -> Document:
    """
    Change one entry of the file *source*, write it to *target*, and return what was read.
    """
    document = read(source)
    atomic.write_file(Path(target), *document.write(changed(document)).segments)
    return document


def changed(document: Document) -> Content:
    """
    Return the content with another text in the first entry.
    """
    book = document.content.needed_book
    first = book.entries[0].model_copy(update={"content": book.entries[0].content + MARK})
    return replace(document.content, book=book.model_copy(update={"entries": (first, *book.entries[1:])}))


ACTS: Mapping[str, Callable[..., object]] = {"command": command, "read": read, "edit": edit}


def measure(report: Path, act: Callable[..., object], *words: str) -> None:
    """
    Do it, and write into *report* what it took; what it returns is kept until then.
    """
    began, calls, mapped, kept = time.perf_counter(), _read_by_calls(), _status("RssFile"), None
    try:
        kept = act(*words)
    finally:
        took = Took(
            seconds=time.perf_counter() - began,
            cpu=time.process_time(),
            peak=_status("VmHWM"),
            mapped=_status("RssFile") - mapped,
            read=_read_by_calls() - calls,
        )
        del kept
        report.write_text(json.dumps(asdict(took)))


def _read_by_calls() -> int:
    counted = re.search(r"rchar: (\d+)", Path("/proc/self/io").read_text())
    return int(counted[1]) if counted else 0


def _status(name: str) -> int:
    found = re.search(rf"{name}:\s*(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) * 1024 if found else 0


if __name__ == "__main__":
    measure(Path(sys.argv[1]), ACTS[sys.argv[2]], *sys.argv[3:])
