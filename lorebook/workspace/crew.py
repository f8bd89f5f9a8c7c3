"""
Work on many things in several processes: in order, with few of them under way, and outliving a process that ends.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from functools import partial
from types import FrameType
from typing import Generic, Protocol, TypeVar

_Item = TypeVar("_Item")
_Item_contra = TypeVar("_Item_contra", contravariant=True)
_Result = TypeVar("_Result")
_Result_co = TypeVar("_Result_co", covariant=True)

AT_ONCE = 4
"""Things under way or done and not yet taken, for each process."""
_WORTH_A_PROCESS = 300
"""Things whose work takes as long as a process to begin: files at 3 ms, and 0.8 s to start and to load a tokenizer."""

_MOST_ON_A_CORE = 4
"""Processes for each core that are not too many: some may wait for a slow disk."""
_MOST = 61
"""Processes for which `concurrent.futures` can wait on Windows."""


class Work(Protocol[_Item_contra, _Result_co]):
    """
    What is done with each thing; it goes to other processes, and so do the things and the results.
    """

    def refuse(self, item: _Item_contra, /) -> _Result_co | None:
        """
        Return the result where nothing is to be done; called in this process, before the work.
        """
        ...

    def do(self, item: _Item_contra, /) -> _Result_co:
        """
        Do the work; once more where the process in which it was done ended before it could say so.
        """
        ...

    def lost(self, item: _Item_contra, /) -> _Result_co:
        """
        Return the result where the process ended each time.
        """
        ...


def fitting_jobs(count: int, wanted: int | None = None) -> int:
    """
    Return in how many processes *count* things are done: as many as are *wanted*, but for those that would only idle.

    For None it is one for each core, where there is enough to do.
    """
    most = min(count // _WORTH_A_PROCESS, cores()) if wanted is None else min(wanted, count, cores() * _MOST_ON_A_CORE)
    return max(1, min(most, _MOST))


def cores() -> int:
    """
    Return how many cores this process may use.
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work_through(items: Iterable[_Item], work: Work[_Item, _Result], jobs: int) -> Generator[_Result, None, None]:
    """
    Yield in order what comes of each of *items*, done in so many *jobs*: processes, or this one for a single job.
    """
    if jobs > 1:
        yield from _Crew(work, jobs).results(iter(items))
        return
    for item in items:
        refused = work.refuse(item)
        yield work.do(item) if refused is None else refused


class _Stop:
    """
    What Ctrl-C does to a crew: the first one lets it end what it has begun, a second one ends its processes.

    Where somebody else has a say in what Ctrl-C does, it stays so.
    """

    def __init__(self) -> None:
        self.presses = 0
        self.is_ours = True
        """Whether the crew is waiting, and not at work who takes the results."""

    def __enter__(self) -> None:
        self._heeds = threading.current_thread() is threading.main_thread()
        self._heeds = self._heeds and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._heeds:
            signal.signal(signal.SIGINT, self._pressed)

    def __exit__(self, *_: object) -> None:
        # After a Ctrl-C the program ends, and one more in its last moments is none of its errors.
        if self._heeds and not self.presses:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _pressed(self, _signal: int, _frame: FrameType | None) -> None:
        self.presses += 1
        if self.presses > 1:
            _end_processes()
        elif not self.is_ours:
            raise KeyboardInterrupt


def _end_processes() -> None:
    import multiprocessing  # noqa: PLC0415 (most work is done in one process)

    for process in multiprocessing.active_children():
        process.terminate()


class _Crew(Generic[_Item, _Result]):
    """
    Processes at work.
    """

    def __init__(self, work: Work[_Item, _Result], jobs: int) -> None:
        self._work, self._jobs = work, jobs
        self._pool, self._spare = _pool(jobs), _pool(1)
        self._stop = _Stop()

    def results(self, items: Iterator[_Item]) -> Iterator[_Result]:
        """
        Yield the results in order; after a Ctrl-C those of what was begun, and then raise KeyboardInterrupt.
        """
        with self._stop:
            try:
                for result in self._in_order(items):
                    self._stop.is_ours = False
                    yield result
                    self._stop.is_ours = True
            finally:
                self._end()
            if self._stop.presses:
                raise KeyboardInterrupt

    def _in_order(self, items: Iterator[_Item]) -> Iterator[_Result]:
        under_way: deque[Callable[[], _Result]] = deque()
        for item in items:
            if self._stop.presses:
                break
            under_way.append(self._given(item))
            if len(under_way) == self._jobs * AT_ONCE:
                yield from self._result(under_way.popleft())
        while under_way:
            if self._stop.presses:
                self._end()
            yield from self._result(under_way.popleft())

    def _result(self, wait: Callable[[], _Result]) -> Iterator[_Result]:
        """
        Yield what *wait* returns; nothing where a Ctrl-C came before the work was begun, or a second one ended it.
        """
        try:
            yield wait()
        except (CancelledError, BrokenExecutor):
            if not self._stop.presses:
                raise

    def _end(self) -> None:
        """
        Begin nothing more, and wait for what is under way.
        """
        for pool in (self._pool, self._spare):
            pool.shutdown(cancel_futures=True)

    def _given(self, item: _Item) -> Callable[[], _Result]:
        """
        Let a process begin with *item*, and return what waits for the result.
        """
        refused = self._work.refuse(item)
        if refused is not None:
            return partial(_same, refused)
        try:
            future = _submit(self._pool, self._work.do, item)
        except BrokenExecutor:
            self._pool.shutdown()
            self._pool = _pool(self._jobs)
            future = _submit(self._pool, self._work.do, item)
        return partial(self._taken, item, future)

    def _taken(self, item: _Item, future: Future[_Result]) -> _Result:
        try:
            return future.result()
        except BrokenExecutor:
            if self._stop.presses:
                raise
            return self._alone(item)

    def _alone(self, item: _Item) -> _Result:
        """
        Do *item* once more: with one process that ended, all of them do, and nobody says on which item.
        """
        try:
            return _submit(self._spare, self._work.do, item).result()
        except BrokenExecutor:
            self._spare.shutdown()
            self._spare = _pool(1)
            return self._work.lost(item)


def _same(result: _Result) -> _Result:
    return result


def _pool(jobs: int) -> Executor:
    """
    Return an executor whose processes start when there is work; they are new ones, for a copy has no threads.
    """
    import multiprocessing  # noqa: PLC0415 (most work is done in one process)
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 (likewise)

    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin)


def _submit(pool: Executor, do: Callable[[_Item], _Result], item: _Item) -> Future[_Result]:
    """
    Give *item* to *pool*; a process that starts for it is deaf to Ctrl-C from its first instant: this one ends it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return pool.submit(do, item)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(do, item)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """
    Make this process one of a crew: deaf to Ctrl-C, and gone when the one that started it is gone.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    import multiprocessing  # noqa: PLC0415 (most work is done in one process)

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
