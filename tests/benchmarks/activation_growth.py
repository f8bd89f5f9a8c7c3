"""
How the cost of our engine grows with the book and with the text: one process a book, so that memory is its own.

    python -m tests.benchmarks.activation_growth ENTRIES

Books are grown from the benchmark's: its entries with words of our own. Everything that matches fires, so a text costs
what finding, recursion and acceptance cost, and no budget cuts it short. Times are the
processor's, which other programs on the machine disturb little.
"""

from __future__ import annotations

import gc
import json
import math
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from tests.benchmarks.activation_cases import cases
from tests.benchmarks.activation_ours import compiled, request, run
from tests.benchmarks.activation_timing import timed

SIZES = (1_000, 10_000, 30_000, 100_000)
"""Entries."""
TEXTS = (4, 64, 256, 1_000)
"""Kilobytes."""
MESSAGE = 1_000
"""Characters of a message; so the longest text is as many messages as are ever scanned."""

_SYLLABLES = "ar bel cim dor fen gul hast ir jun kel lom mir nev or pran quet ris sul tam ur vel wex yl zan".split()
_SIGNS = "晨雾潭岭鸦烛帆盐铃桥霜穗砂塔井犬炉舟莲矛"
_REMARKS = (
    "Give me a moment to read this.",
    "That was closer than I thought.",
    "Whose turn is it now?",
    "I would rather keep two cards back.",
    "Nobody saw that coming.",
)


@dataclass(frozen=True)
class Growth:
    """What one book costs: seconds, megabytes, and by kilobytes of text the milliseconds and the entries that fire."""

    entries: int
    compile: float
    memory: float
    scans: dict[int, float]
    activated: dict[int, int]


def measured(entries: int) -> Growth:
    """Measure a book of so many *entries* in a process of its own."""
    words = [sys.executable, "-m", "tests.benchmarks.activation_growth", str(entries)]
    answer = subprocess.run(words, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    plain = json.loads(answer.stdout)
    by_text = {name: {int(kilobytes): value for kilobytes, value in plain[name].items()} for name in _BY_TEXT}
    return Growth(**{**plain, **by_text})


_BY_TEXT = ("scans", "activated")


def measure(entries: int) -> Growth:
    """Measure a book of so many *entries* in this process."""
    settings = cases()[0].settings | {"world_info_depth": 1_000}
    book, names = grown_book(entries)
    before, began = _peak(), time.process_time()
    books = compiled(book, settings)
    seconds = time.process_time() - began
    scans, activated = {}, {}
    for kilobytes in TEXTS:
        asked = request(chat(names, kilobytes), max_context=10**9, macros={})
        gc.collect()  # what compiling left behind is not this text's cost
        runs = timed(partial(run, books, asked), seconds=0.5, clock=time.process_time)
        scans[kilobytes], activated[kilobytes] = runs.median, len(runs.answer.fired)
    return Growth(entries, seconds, _peak() - before, scans, activated)


def exponents(sizes: Sequence[float], costs: Sequence[float]) -> list[float]:
    """Return, from each size to the next, the power of the size with which the cost grew: 1 is linear."""
    pairs = list(zip(sizes, costs, strict=True))
    return [math.log(later[1] / earlier[1]) / math.log(later[0] / earlier[0]) for earlier, later in pairwise(pairs)]


def grown_book(entries: int) -> tuple[dict[str, Any], list[str]]:
    """Return a book of so many *entries*, five keys each, and its words; every third entry names another one."""
    template = next(iter(cases()[0].entries["entries"].values()))
    words = list(islice(_words(), 3 * entries))
    signs = random.Random(2)  # noqa: S311 (no secrets)
    slots = {}
    for uid in range(entries):
        first, second, third = words[3 * uid : 3 * uid + 3]
        content = f"Of {first} it is ruled that whoever plays it first shows the top card, then pays for it."
        slots[str(uid)] = template | {
            "uid": uid,
            "key": [first, second, f"{third} order", "".join(signs.choices(_SIGNS, k=5)), third],
            "comment": first,
            "content": content if uid % 3 else f"{content} It yields to {words[uid * 7919 % len(words)]}.",
        }
    return {"entries": slots}, words


def _words() -> Iterator[str]:
    """Yield made-up words, no two the same."""
    draw, known = random.Random(1), set[str]()  # noqa: S311 (no secrets)
    while True:
        word = "".join(draw.choices(_SYLLABLES, k=5))
        if word not in known:
            known.add(word)
            yield word


def chat(names: list[str], kilobytes: int) -> list[str]:
    """Return messages, newest first, that hold so many *kilobytes* and name an entry every sixty characters or so."""
    draw = random.Random(kilobytes)  # noqa: S311 (no secrets)
    messages = []
    for _ in range(kilobytes):
        said = ""
        while len(said) < MESSAGE:
            said += f"Next comes the {draw.choice(names)}, then. {draw.choice(_REMARKS)} "
        messages.append(f"Mira: {said[:MESSAGE]}")
    return messages


def _peak() -> float:
    """Return the most memory that this process has had, in megabytes."""
    status = Path("/proc/self/status")
    if status.is_file():
        # Unlike getrusage, this leaves out what the process was before it became this program.
        peak = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
        return int(peak[1]) / 2**10 if peak else 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    print(json.dumps(asdict(measure(int(sys.argv[1])))))
