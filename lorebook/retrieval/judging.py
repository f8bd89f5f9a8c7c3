"""
How good a ranked list of records is, given the quotes that should be found in it.

A record holds a judged quote when its text contains the quote (white space folded) or when it restates a
line of the document on which the quote stands. A quote counts once a list. The gain of a record is
2^grade - 1 for the best quote that it adds, discounted by log2(rank + 1); the ideal list is built greedily
from the same records, so records of the size of an entry and of a sentence can both reach 1.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from lorebook.records import LineSpan
from lorebook.ruleset import split_lines

DEPTH = 10
TOP = 5
_ANSWERS = 2


class Quote(BaseModel):
    """
    Words of a document that a good list holds; grade 2 answers the query, grade 1 helps.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    source: str
    quote: str = Field(min_length=1)
    grade: int = Field(ge=1)


class JudgedQuery(BaseModel):
    """
    A query, the documents it asks, and what it should find; nothing, when no document answers it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    query: str
    kind: str
    source: tuple[str, ...] = ()
    relevant: tuple[Quote, ...] = ()
    relevant_dup: tuple[Quote, ...] = ()
    group: str = ""

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """
        All judged quotes, those that their document prints twice included.
        """
        return (*self.relevant, *self.relevant_dup)


class Record(BaseModel):
    """
    What a list ranks: its id, its document, its text and the lines that it restates.
    """

    model_config = ConfigDict(frozen=True)

    record: str
    source: str
    text: str = ""
    lines: tuple[LineSpan, ...] = ()


class Scores(NamedTuple):
    """
    The measures of one list, each between 0 and 1.
    """

    ndcg: float
    recall: float
    answer: float
    mrr: float


class Judge:
    """
    Credits the quotes of queries to records.
    """

    def __init__(self, records: Iterable[Record], documents: Mapping[str, str]) -> None:
        """
        Keep *records* and the text of each source document, by the name that queries use for it.
        """
        self._by_source: defaultdict[str, list[_Holder]] = defaultdict(list)
        for record in records:
            self._by_source[record.source].append(_Holder(record))
        self._texts = {source: "\n".join(split_lines(text)) for source, text in documents.items()}
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def holders(self, quote: Quote) -> frozenset[str]:
        """
        Return the ids of the records that hold *quote*.
        """
        key = (quote.source, quote.quote)
        if key not in self._known:
            numbers = _line_numbers(self._texts.get(quote.source, ""), quote.quote)
            holders = self._by_source[quote.source]
            self._known[key] = frozenset(holder.id for holder in holders if holder.holds(quote.quote, numbers))
        return self._known[key]

    def lost(self, query: JudgedQuery) -> list[Quote]:
        """
        Return the quotes of *query* that no record holds: the importer changed or lost text.
        """
        return [quote for quote in query.quotes if not self.holders(quote)]

    def score(self, query: JudgedQuery, hits: Sequence[str]) -> Scores:
        """
        Measure the list of record ids *hits*, best first.
        """
        graded = dict(enumerate(query.quotes))
        credit: defaultdict[str, set[int]] = defaultdict(set)
        for number, quote in graded.items():
            for record in self.holders(quote):
                credit[record].add(number)
        return _measure(list(dict.fromkeys(hits))[:DEPTH], credit, {n: quote.grade for n, quote in graded.items()})


class _Holder:
    def __init__(self, record: Record) -> None:
        self.id = record.record
        self._record = record

    def holds(self, quote: str, numbers: set[int]) -> bool:
        return _fold(quote) in self._text or any(
            first <= n <= last for first, last in self._record.lines for n in numbers
        )

    @cached_property
    def _text(self) -> str:
        return _fold(self._record.text)


def _line_numbers(text: str, quote: str) -> set[int]:
    """
    The lines of *text*, counted from 1, on which *quote* begins.
    """
    return {text.count("\n", 0, match.start()) + 1 for match in re.finditer(re.escape(quote), text)}


def _fold(text: str) -> str:
    return " ".join(text.split())


def _measure(top: list[str], credit: Mapping[str, set[int]], grades: Mapping[int, int]) -> Scores:
    gains: list[int] = []
    done: set[int] = set()
    first_five: set[int] = set()
    for rank, record in enumerate(top):
        gains.append(_gain(credit.get(record, set()) - done, grades))
        done |= credit.get(record, set())
        if rank < TOP:
            first_five = set(done)
    ideal = _discounted(_ideal(credit, grades))
    answers = {n for n, grade in grades.items() if grade == _ANSWERS}
    return Scores(
        ndcg=_discounted(gains) / ideal if ideal else 0.0,
        recall=_share(first_five, set(grades)),
        answer=_share(first_five, answers),
        mrr=next((1 / rank for rank, gain in enumerate(gains, 1) if gain), 0.0),
    )


def _gain(quotes: set[int], grades: Mapping[int, int]) -> int:
    return max((grades[n] for n in quotes), default=0)


def _ideal(credit: Mapping[str, set[int]], grades: Mapping[int, int]) -> list[int]:
    """
    Take at each rank the best grade that is left, and of equal ones the record that uses up fewest quotes.
    """
    left, done, gains = set(credit), set[int](), list[int]()
    while left and len(gains) < DEPTH:
        best = max(left, key=lambda record: (_gain(credit[record] - done, grades), -len(credit[record] - done), record))
        if not _gain(credit[best] - done, grades):
            break
        gains.append(_gain(credit[best] - done, grades))
        done |= credit[best]
        left.discard(best)
    return gains


def _discounted(gains: Sequence[int]) -> float:
    return math.fsum((2.0**gain - 1) / math.log2(rank + 2) for rank, gain in enumerate(gains))


def _share(found: set[int], wanted: set[int]) -> float:
    return min(1.0, len(found & wanted) / min(TOP, len(wanted))) if wanted else 0.0
