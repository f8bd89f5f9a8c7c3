"""
The words and runs of words of a text that may be keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from lorebook.importers import chinese
from lorebook.importers.english import ARTICLES, BEFORE_VERBS, DETERMINERS, STOP, base, singular
from lorebook.scripts import HAN

BEGINNING = 3000
"""How much of a rule is read: its subject is in its beginning."""

_WORD = re.compile(rf"[A-Za-z][A-Za-z'’-]{{0,30}}|[{HAN}]{{2,}}")
_RUN = re.compile(f"[{HAN}]+")
_SHORTEST = 3
_LONGEST_PHRASE = 3
_VERBS = ("ed", "ing", "ly")


_Said: TypeAlias = tuple[str, bool]
"""A word of English that says something, in lower case, and whether a capital within a sentence begins it."""


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
    use: int = 0
    """1 where English words stand as a noun does, -1 where as a verb, 0 where neither is seen."""
    is_name: bool = False
    """Whether an English word has a capital within a sentence."""


def candidates(text: str, simplified: Callable[[str], str]) -> Iterator[Candidate]:
    """
    Yield what may be a key of a rule that says *text*, in order; of Chinese also the parts of it.
    """
    simple = simplified_in_place(text[:BEGINNING], simplified)
    row: list[_Said] = []
    before, end = "", 0
    for found in _WORD.finditer(text, 0, BEGINNING):
        word, start = found.group(), found.start()
        if text[end:start] != " ":
            if row:
                yield from _english(row, before, "")
                row = []
            before = ""
        end = found.end()
        if not word.isascii() and _RUN.match(word):
            yield from _chinese(word, simple[start:end])
            continue
        small = word.lower() if word.isalpha() else word.lower().strip("-'’")
        if small in STOP or not (small.isalpha() or _is_said(small)):
            if row:
                yield from _english(row, before, small)
                row = []
            before = small
        else:
            row.append((small, start > 1 and word[0].isupper() and text[start - 2].isalnum()))
    if row:
        yield from _english(row, before, "")


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


def _is_said(word: str) -> bool:
    """Return whether *word* is no shortened one: `don’t`, `it's`; a possessive is part of a term: `bosun's whistle`."""
    head, mark, tail = word.replace("’", "'").partition("'")
    return not mark or (tail == "s" and head not in STOP)


def _english(row: list[_Said], before: str, after: str) -> list[Candidate]:
    """Return the words of the *row* between the words of grammar *before* and *after*, and runs of them."""
    while row and _is_possessive(row[-1][0]):
        row = row[:-1]
    last = len(row) - 1
    # A verb stands behind `you` and before `the`; the rest of the row behind a determiner is a noun.
    is_verb_first, is_verb_last = before in BEFORE_VERBS, after in ARTICLES
    noun_end = last - is_verb_last if before in DETERMINERS and after != "to" else -1
    found = []
    for at, (word, is_name) in enumerate(row):
        if len(word) >= _SHORTEST and not _is_possessive(word):
            alone = is_name and not (at and row[at - 1][1]) and not (at < last and row[at + 1][1])
            is_verb = (at == 0 and is_verb_first) or (at == last and is_verb_last)
            use = -1 if is_verb else int(at == noun_end == 0)
            found.append(Candidate(base(word), word, False, None, None, use, alone))
        if at < last and not _is_possessive(follows := row[at + 1][0]):
            single = singular(follows)
            use = int(at == 0 and noun_end == 1 and _ends_noun(follows, single))
            found.append(Candidate(f"{word} {single}", f"{word} {follows}", False, None, None, use))
    if noun_end == _LONGEST_PHRASE - 1 and not _is_possessive(row[noun_end][0]):
        first, second, third = (word for word, _ in row[: noun_end + 1])
        single = singular(third)
        use = int(_ends_noun(third, single))
        found.append(Candidate(f"{first} {second} {single}", f"{first} {second} {third}", False, None, None, use))
    return found


def _ends_noun(word: str, single: str) -> bool:
    """Return whether *word* ends a noun for standing where nouns do; `deck runs` may be a verb's as well."""
    return single == word and not word.endswith(_VERBS)


def _is_possessive(word: str) -> bool:
    return not word.isalpha() and ("'" in word or "’" in word)


def _chinese(run: str, simple: str) -> list[Candidate]:
    return [
        Candidate(form, run[start : start + len(form)], words > 1, before, after)
        for form, start, words, before, after in chinese.terms(simple)
    ]
