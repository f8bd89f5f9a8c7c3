"""
Files of every format read and written by lorebook and by its peers from PyPI: what is kept of them, and how fast.

    python -m tests.benchmarks.formats [DIR…] [--json]

The same files go through each library, in a process of its own, and come out as the same kind of file; what is still
in them is looked at by other means than any of the libraries. Without DIR they are the shared examples and quirks or,
where those are not here, a file of every format that we write. A file in which there is nothing is left out. Kept:
all that the file's data says is still said (more may be); whole: so is all else in the file, numbers as they were
spelt, other payloads and chunks among it; bytes: the file is the same byte for byte.

Speed is megabytes of the file a second of the processor, read and written: as it is and, for ours, with another text
in an entry. The last line is JSON. Exit code 1 where ours fails, or loses something, with a file.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from lorebook.errors import LorebookError
from lorebook.formats import FORMATS, OWN_PICTURE, Content, export
from lorebook.workspace.batch import all_files
from lorebook.workspace.files import open_file
from tests.benchmarks.bulk_cards import book, card, noise_picture
from tests.benchmarks.formats_keeping import Outcome, Verdict, compared, has_content
from tests.benchmarks.formats_peers import EDITED, OURS, PEERS, Answer, Job, Library, missing, run
from tests.conftest import SHARED
from tests.formats import lavish

_ENTRIES = 1_000
_PICTURE = 2_900_000
_SECONDS = 3.0


@dataclass(frozen=True)
class Case:
    """
    A file, and the format that it is said to be; none for one that we refuse.
    """

    path: Path
    form: str | None


@dataclass(frozen=True)
class Speed:
    """
    How fast a library reads and writes a file.
    """

    library: str
    file: str
    bytes: int
    milliseconds: float | None
    """The median, of the processor's time; None where it failed."""
    megabytes_per_second: float | None
    kept: bool


def cases(folders: Sequence[Path], made: Path) -> list[Case]:
    """
    Return the files of *folders*, or else the shared ones, or else those that are written into *made*.
    """
    shared = [SHARED / "formats" / name for name in ("examples", "quirks")]
    found = list(folders) or [folder for folder in shared if folder.is_dir()]
    if not found:
        found = [made]
        for form in FORMATS.values():
            if form.writes:
                (made / f"{form.name}{form.suffix}").write_bytes(export(form, lavish.content()).data)
    return [Case(path, _form(path)) for path in all_files(found) if has_content(path)]


def _form(path: Path) -> str | None:
    try:
        return open_file(path).form.name
    except LorebookError:
        return None


def outcomes(library: Library, found: Sequence[Case], folder: Path) -> list[Outcome]:
    """
    Return what becomes of each case in the hands of *library*, which writes into *folder*.
    """
    wanted = [case for case in found if library.claims is None or case.form in library.claims]
    jobs = [Job(case.path, folder / f"{number}{case.path.suffix}") for number, case in enumerate(wanted)]
    answers = dict(zip([case.path for case in wanted], zip(jobs, run(library, jobs), strict=True), strict=True))
    return [_outcome(*answers[case.path]) if case.path in answers else Outcome(Verdict.OUT_OF_SCOPE) for case in found]


def _outcome(job: Job, answer: Answer) -> Outcome:
    if answer.error is not None:
        return Outcome(Verdict.FAILED, says=(answer.error,))
    return compared(job.source, job.target)


def speeds(libraries: Sequence[Library], folder: Path) -> Iterator[Speed]:
    """
    Yield how fast each library is with files of real size.
    """
    content = Content(book(0, _ENTRIES), card(0), {OWN_PICTURE: noise_picture(_PICTURE)})
    sources = [folder / "1000 entries.json", folder / "picture.png"]
    small = Content(book(0), card(0), content.files)
    for source, form, said in zip(sources, ("card-v3", "png"), (content, small), strict=True):
        source.write_bytes(export(FORMATS[form], said).data)
    for library in libraries:
        jobs = [Job(source, folder / f"{library.name} {source.name}", _SECONDS) for source in sources]
        for job, answer in zip(jobs, run(library, jobs), strict=True):
            size = job.source.stat().st_size
            median = statistics.median(answer.milliseconds) if answer.milliseconds else None
            fast = size / 1e3 / median if median else None
            kept = median is not None and _is_kept(library, compared(job.source, job.target))
            yield Speed(library.name, job.source.name, size, median, fast, kept)


def _is_kept(library: Library, outcome: Outcome) -> bool:
    """
    Say whether nothing is lost but the one text that was to change.
    """
    changed = len(outcome.says) == 1 and outcome.says[0].endswith(".entries[0].content")
    return changed if library is EDITED else outcome.verdict is Verdict.KEPT


def summary(found: Sequence[Outcome]) -> dict[str, int]:
    """
    Return how many outcomes are of each sort.
    """
    counts = Counter(outcome.verdict for outcome in found)
    scope = len(found) - counts[Verdict.OUT_OF_SCOPE]
    told = {"cases": scope, **{verdict.value: counts[verdict] for verdict in Verdict}}
    return told | {"whole": sum(outcome.whole for outcome in found), "bytes": sum(outcome.bytes for outcome in found)}


_COLUMNS = ("cases", "kept", "whole", "bytes", "lossy", "failed", "out of scope")


def show(results: dict[str, list[Outcome]], found: Sequence[Case], fast: Sequence[Speed]) -> None:
    """
    Print the tables, and what ours lost or failed with.
    """
    print(f"{'library':20}{''.join(f'{name:>14}' for name in _COLUMNS)}")
    for name, each in results.items():
        counts = summary(each)
        print(f"{name:20}{''.join(f'{counts[column]:>14,}' for column in _COLUMNS)}")
    for case, outcome in zip(found, results[OURS.name], strict=True):
        if outcome.verdict is not Verdict.KEPT:
            print(f"ours, {outcome.verdict}: {case.path.name}: {'; '.join(outcome.says)}")
    if fast:
        print("\nRead and written, in the processor's time (*: not kept)")
    for row in fast:
        speed = f"{row.megabytes_per_second:>9,.1f} MB/s{row.milliseconds:>10,.1f} ms" if row.milliseconds else "failed"
        print(f"{row.library:20}{row.file:20}{row.bytes / 1e6:>6,.1f} MB {speed:>14}{'' if row.kept else ' *'}")


def main() -> int:
    """
    Run everything and print what came of it; 1 where ours failed or lost something.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.formats", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print the last line only, with every file in it")
    parser.add_argument("--no-speed", action="store_true", help="leave out how fast they are")
    given = parser.parse_args()
    absent = {peer.name: why for peer in PEERS if (why := missing(peer))}
    libraries = [OURS, *(peer for peer in PEERS if peer.name not in absent)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        places = {each: folder / each for each in ("made", "fast", *(library.name for library in libraries))}
        for place in places.values():
            place.mkdir()
        found = cases(given.folders, places["made"])
        results = {library.name: outcomes(library, found, places[library.name]) for library in libraries}
        fast = [] if given.no_speed else list(speeds([*libraries[:1], EDITED, *libraries[1:]], places["fast"]))
    if not given.json:
        print(*(f"skipped: {why}" for why in absent.values()), sep="\n", end="\n" if absent else "")
        show(results, found, fast)
    files = {case.path.name: [str(each[at].verdict) for each in results.values()] for at, case in enumerate(found)}
    told = {
        "skipped": absent,
        "libraries": {name: summary(each) for name, each in results.items()},
        "speeds": [asdict(row) for row in fast],
    }
    print(json.dumps(told | ({"files": files} if given.json else {})))
    ours = (outcome.verdict for outcome in results[OURS.name])
    return int(any(verdict is not Verdict.KEPT for verdict in ours))


if __name__ == "__main__":
    sys.exit(main())
