"""
Judged queries run against rulesets: the figures by which retrieval is tuned and reported.

Queries name a source by the beginning of its document's file name (`000` for `000_….txt`). The filter of a
query is applied before ranking; an empty one means every source that the queries know.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from pydantic import ValidationError

from lorebook.errors import DataError, InputError
from lorebook.records import Frozen, Rule
from lorebook.retrieval.judging import DEPTH, Judge, JudgedQuery, Quote, Record, Scores
from lorebook.ruleset import Ruleset, decode

Ranker: TypeAlias = Callable[[str, frozenset[str]], Sequence[str]]
"""From a query and the rulesets it may look into to the ids of rules, best first, cut at the threshold."""


class Figures(Frozen):
    """
    The means over *n* answerable queries.
    """

    n: int
    ndcg_at_10: float
    recall_at_5: float
    answer_at_5: float
    mrr_at_10: float


class Lost(Frozen):
    """
    A judged quote that stands in no record.
    """

    query: str
    source: str
    quote: str


class Report(Frozen):
    """
    The figures of one run. *macro* averages the kinds, *micro* the queries; *false_activation* is the share of
    unanswerable queries that got a record, *silenced* the share of answerable ones that got none.
    """

    kinds: dict[str, Figures]
    macro: Figures
    micro: Figures
    unanswerable: int
    false_activation: float
    silenced: float
    lost: tuple[Lost, ...]


class Run(NamedTuple):
    """
    A report, and what it was computed from: the hits of each query and the records they were judged by.
    """

    report: Report
    hits: dict[str, list[str]]
    records: list[Record]


def read_queries(path: Path) -> list[JudgedQuery]:
    """
    Read judged queries, one JSON object a line.

    Raises InputError when the file cannot be read and DataError, with the line, when it is not what it should be.
    """
    try:
        lines = decode(path.read_bytes()).split("\n")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    queries = [_read_query(line, f"{path.name}:{n}") for n, line in enumerate(lines, 1) if line.strip()]
    if not queries:
        raise DataError("holds no query", where=str(path))
    return queries


def _read_query(line: str, where: str) -> JudgedQuery:
    try:
        return JudgedQuery.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise DataError(f"{field}: {first['msg']}" if field else first["msg"], where=where) from error


def evaluate(
    queries: Sequence[JudgedQuery], rulesets: Iterable[Ruleset], ranker: Ranker, *, documents: Path | None = None
) -> Run:
    """
    Run all *queries* through *ranker* and judge its hits by the records of *rulesets*.

    The text of a document is taken from its ruleset, or from the folder *documents* where it was not kept.
    Raises InputError when no ruleset restates a document that the queries name.
    """
    sources = _Sources(queries, rulesets, documents)
    hits = {query.id: list(ranker(query.query, sources.filter_of(query)))[:DEPTH] for query in queries}
    judge = Judge(sources.records, sources.texts)
    return Run(_report(queries, judge, hits), hits, sources.records)


class _Sources:
    """
    The sources that queries name, found among rulesets.
    """

    def __init__(self, queries: Iterable[JudgedQuery], rulesets: Iterable[Ruleset], documents: Path | None) -> None:
        self.records: list[Record] = []
        self.texts: dict[str, str] = {}
        self._rulesets: defaultdict[str, set[str]] = defaultdict(set)
        names = {name for query in queries for name in (*query.source, *(quote.source for quote in query.quotes))}
        for ruleset in rulesets:
            for document in ruleset.manifest.documents:
                name = next((name for name in sorted(names) if document.name.startswith(name)), None)
                if name is not None:
                    self._add(name, ruleset, document.name, documents)
        if missing := sorted(names - set(self._rulesets)):
            hint = "import the documents, or name another workspace"
            raise InputError(f"no ruleset restates the document {', '.join(missing)} of the queries", hint=hint)

    def _add(self, name: str, ruleset: Ruleset, document: str, folder: Path | None) -> None:
        self._rulesets[name].add(ruleset.name)
        self.texts[name] = ruleset.source_text(document) or _text_in(folder, document)
        self.records += [
            _record(rule, name) for rule in ruleset.rules if rule.source and rule.source.document == document
        ]

    def filter_of(self, query: JudgedQuery) -> frozenset[str]:
        names = query.source or tuple(self._rulesets)
        return frozenset(ruleset for name in names for ruleset in self._rulesets[name])


def _text_in(folder: Path | None, document: str) -> str:
    path = folder / document if folder else None
    return decode(path.read_bytes()) if path and path.is_file() else ""


def _record(rule: Rule, source: str) -> Record:
    wording = rule.wording()
    text = "\n".join((wording.title, wording.text, *wording.examples))
    return Record(record=rule.id, source=source, text=text, lines=rule.source.lines if rule.source else ())


def _report(queries: Sequence[JudgedQuery], judge: Judge, hits: Mapping[str, list[str]]) -> Report:
    answerable = [query for query in queries if query.quotes]
    hopeless = [query for query in queries if not query.quotes]
    scores = {query.id: judge.score(query, hits[query.id]) for query in answerable}
    by_kind: defaultdict[str, list[Scores]] = defaultdict(list)
    for query in answerable:
        by_kind[query.kind].append(scores[query.id])
    kinds = {kind: _mean(rows) for kind, rows in by_kind.items()}
    return Report(
        kinds=kinds,
        macro=_macro(list(kinds.values())),
        micro=_mean(list(scores.values())),
        unanswerable=len(hopeless),
        false_activation=_share(bool(hits[query.id]) for query in hopeless),
        silenced=_share(not hits[query.id] for query in answerable),
        lost=tuple(_lost(query, quote) for query in answerable for quote in judge.lost(query)),
    )


def _lost(query: JudgedQuery, quote: Quote) -> Lost:
    return Lost(query=query.id, source=quote.source, quote=quote.quote)


def _mean(rows: Sequence[Scores]) -> Figures:
    ndcg, recall, answer, mrr = (
        (math.fsum(column) / len(rows) for column in zip(*rows, strict=True)) if rows else [0.0] * 4
    )
    return Figures(n=len(rows), ndcg_at_10=ndcg, recall_at_5=recall, answer_at_5=answer, mrr_at_10=mrr)


def _macro(kinds: Sequence[Figures]) -> Figures:
    means = _mean([Scores(kind.ndcg_at_10, kind.recall_at_5, kind.answer_at_5, kind.mrr_at_10) for kind in kinds])
    return means.model_copy(update={"n": len(kinds)})


def _share(flags: Iterable[bool]) -> float:
    held = list(flags)
    return sum(held) / len(held) if held else 0.0


def run_lines(run: Run) -> str:
    """
    Return the hits as JSON lines `{"id": query, "hits": [rule, …]}`, for any other scorer.
    """
    return "".join(
        f"{json.dumps({'id': query, 'hits': hits}, ensure_ascii=False)}\n" for query, hits in run.hits.items()
    )


def record_lines(run: Run) -> str:
    """
    Return the records as JSON lines `{"record", "source", "text", "lines"}`, for any other scorer.
    """
    return "".join(f"{record.model_dump_json()}\n" for record in run.records)
