"""
The words and runs of words of a text that may be keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lorebook.importers import chinese
from lorebook.importers.english import STOP, singular
from lorebook.scripts import HAN

BEGINNING = 3000
"""How much of a rule is read: its subject is in its beginning."""

_WORD = re.compile(rf"[A-Za-z][A-Za-z'’-]{{2,30}}|[{HAN}]{{2,}}")
_RUN = re.compile(f"[{HAN}]+")
_SHORTEST = 4


class Candidate(NamedTuple):
    """
    What may be a key: by its compared form, and as it is written.
    """

    form: str
    written: str
    several: bool = False
    """Whether it is several Chinese words, which only the document says are a term."""
    before: str | None = None
    after: str | None = None
    """The words beside it that may belong to the term too."""


def candidates(text: str, simplified: Callable[[str], str]) -> Iterator[Candidate]:
    """
    Yield what may be a key of a rule that says *text*, in order; of Chinese also the parts of it.
    """
    simple = simplified_in_place(text[:BEGINNING], simplified)
    before: tuple[str, int] | None = None
    for found in _WORD.finditer(text, 0, BEGINNING):
        word = found.group().strip("-'’")
        if not word.isascii() and _RUN.match(word):
            yield from _chinese(word, simple[found.start() : found.end()])
            before = None
            continue
        small = word.lower()
        if small in STOP or "'" in small or "’" in small:
            before = None
            continue
        if len(small) >= _SHORTEST:
            yield Candidate(singular(small), small)
        if before and text[before[1] : found.start()] == " ":
            yield Candidate(f"{before[0]} {singular(small)}", f"{before[0]} {small}")
        before = (small, found.end())


def simplified_in_place(text: str, simplified: Callable[[str], str]) -> str:
    """
    Return *text* with its Chinese in Simplified characters, each in the place where it stood.
    """
    runs = _RUN.findall(text)
    changed = simplified("\n".join(runs)).split("\n") if runs else []
    if list(map(len, runs)) != list(map(len, changed)):
        return text
    following = iter(changed)
    return _RUN.sub(lambda _: next(following), text)


def _chinese(run: str, simple: str) -> list[Candidate]:
    return [
        Candidate(form, run[start : start + len(form)], words > 1, before, after)
        for form, start, words, before, after in chinese.terms(simple)
    ]
