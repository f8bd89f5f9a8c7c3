"""
`python -m tests.formats.corpus DIR [--json]`: what becomes of every file in a folder; exit code 1 where one failed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.formats.corpus.checking import Result, Verdict, check

_COLUMNS = ("files", "read", *Verdict)
_HEADS = {
    "files": "files",
    "read": "read",
    Verdict.BYTES: "byte for byte",
    Verdict.JSON: "same JSON",
    Verdict.LOSSY: "lossy, said",
    Verdict.REFUSED: "refused",
    Verdict.FAILED: "failed",
}


def results(folder: Path) -> Iterator[Result]:
    """
    Check every file in *folder* and the folders in it, hidden ones apart.
    """
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and not any(part.startswith(".") for part in inside.parts):
            yield check(path, str(inside))


def counts(found: Iterable[Result]) -> dict[str, int]:
    """
    Return how many files there are of each column.
    """
    found = list(found)
    verdicts = Counter(result.verdict for result in found)
    read = sum(result.format is not None for result in found)
    return {"files": len(found), "read": read} | {verdict.value: verdicts[verdict] for verdict in Verdict}


def summary(found: list[Result]) -> dict[str, Any]:
    """
    Return the counts of all files, and by format.
    """
    names = sorted({result.format or "" for result in found}, key=lambda name: (not name, name))
    grouped = {name or "no format": counts(item for item in found if (item.format or "") == name) for name in names}
    return counts(found) | {"by_format": grouped}


def table(found: list[Result]) -> Iterator[str]:
    """
    Yield the lines of a table, and what is said of single files.
    """
    rows = summary(found).pop("by_format") | {"all": counts(found)}
    width = max(map(len, (*rows, "format")))
    yield "  ".join([f"{'format':{width}}", *(f"{head:>13}" for head in _HEADS.values())])
    for name, row in rows.items():
        yield "  ".join([f"{name:{width}}", *(f"{row[column]:>13,}" for column in _COLUMNS)])
    for verdict in (Verdict.LOSSY, Verdict.REFUSED, Verdict.FAILED):
        for result in (item for item in found if item.verdict is verdict):
            yield f"\n{verdict}: {result.path}"
            yield from (f"  {line}" for line in result.says)


def main() -> int:
    """
    Check a folder and print what came of it; 1 where a file failed.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.formats.corpus", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true", help="print a list of the files, and the summary as its last")
    given = parser.parse_args()
    if not given.folder.is_dir():
        parser.error(f"{given.folder} is no folder")
    found = list(results(given.folder))
    if given.json:
        print(json.dumps([*map(asdict, found), summary(found)], indent=1))
    else:
        print(*table(found), "", json.dumps(summary(found)), sep="\n")
    return 1 if any(result.verdict is Verdict.FAILED for result in found) else 0


if __name__ == "__main__":
    sys.exit(main())
