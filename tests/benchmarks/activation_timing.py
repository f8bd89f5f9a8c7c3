"""
Timing: medians of several runs, and an end to what takes too long.
"""

from __future__ import annotations

import signal
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Runs(Generic[Answer]):
    """Runs of the same thing: milliseconds each, and the last answer."""

    milliseconds: list[float]
    answer: Answer

    @property
    def median(self) -> float:
        """The median of the milliseconds."""
        return statistics.median(self.milliseconds)


def timed(
    act: Callable[[], Answer], *, seconds: float, most: int = 200, clock: Callable[[], float] = time.perf_counter
) -> Runs[Answer]:
    """Run *act* until *seconds* are over, once at least; two more runs warm it up if it is quick."""
    times: list[float] = []
    until = clock() + seconds
    warm = 2
    while True:
        began = clock()
        answer = act()
        times.append((clock() - began) * 1000)
        if warm and times[0] < seconds * 100:
            times.clear()
            warm -= 1
        elif clock() >= until or len(times) >= most:
            return Runs(times, answer)


@contextmanager
def no_longer_than(seconds: float) -> Iterator[None]:
    """Raise TimeoutError when what is done inside, in Python, takes longer than *seconds*."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
