"""
Keys proposed for a rule whose document lists none: what a player would type to mean it.

Few and sure rather than many: the title, terms that the text writes in capitals, words in Chinese quotation
marks, which are mostly cards. Word forms and abbreviations are for the people who edit the records.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from lorebook.importers.english import GRAMMAR
from lorebook.scripts import HAN

_MOST = 8
_MOST_WORDS = 5
_LONGEST_TITLE = 40
_CAPITALISED = re.compile(r"\b[A-Z][\w'’-]*(?:[ /-](?:[A-Z][\w'’-]*|\d+\b))+")
_QUOTED = re.compile(f"[“「『《]([{HAN}A-Za-z0-9· -]{{3,10}})[”」』》]")
# Words that open an English sentence and are no part of the term behind them.
_OPENERS = GRAMMAR | frozenset(
    "during each some other however therefore also see use place select play set although despite many certain".split()
)


def propose(title: str, text: str, *, most: int = _MOST) -> tuple[str, ...]:
    """
    Return up to *most* keys for the rule *title* that says *text*, surest first.
    """
    return unique([*_from_title(title), *written_as_terms(text)])[:most]


def written_as_terms(text: str) -> list[str]:
    """
    Return what *text* writes in capitals or quotation marks, the commonest first.
    """
    return [term for term, _ in Counter(_terms(text)).most_common()]


def unique(keys: Iterable[str]) -> tuple[str, ...]:
    """
    Return *keys* as single lines, the first of those that differ only in case.
    """
    found: dict[str, str] = {}
    for key in keys:
        line = " ".join(key.split())
        if line:
            found.setdefault(line.casefold(), line)
    return tuple(found.values())


def _from_title(title: str) -> list[str]:
    whole = title.rstrip("…")
    return [whole] if whole == title and len(title) <= _LONGEST_TITLE else list(_terms(whole))


def _terms(text: str) -> list[str]:
    capitalised = [_without_openers(term) for term in _CAPITALISED.findall(text)]
    return [term for term in capitalised if " " in term or "-" in term] + _QUOTED.findall(text)


def _without_openers(term: str) -> str:
    """Return the words of *term* that are a term; nothing for a run of capitals too long to be one."""
    words = term.split(" ")
    start, end = 0, len(words)
    while start < end and words[start].lower() in _OPENERS:
        start += 1
    while start < end and words[end - 1].lower() in _OPENERS:
        end -= 1
    return " ".join(words[start:end]) if end - start <= _MOST_WORDS else ""
