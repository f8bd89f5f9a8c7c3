"""
Judged queries run against rulesets: the figures by which retrieval is tuned and reported.

Queries name a source by the beginning of its document's file name (`000` for `000_….txt`). The filter of a
query is applied before ranking; an empty one means every source that the queries know.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from pydantic import ValidationError

from lorebook.errors import DataError, InputError
from lorebook.progress import Progress
from lorebook.records import Frozen, Rule, faults
from lorebook.retrieval.judging import DEPTH, Judge, JudgedQuery, Quote, Record, Scores
from lorebook.ruleset import Ruleset, decode

Ranker: TypeAlias = Callable[[str, frozenset[str]], Sequence[str]]
"""From a query and the rulesets it may look into to the ids of rules, best first, cut at the threshold."""


class Figures(Frozen):
    """
    The means over *n* answerable queries, or over *n* kinds of them.
    """

    n: int
    ndcg: float
    recall: float
    answer: float
    mrr: float

    @property
    def scores(self) -> Scores:
        """
        The figures as those of one list.
        """
        return Scores(self.ndcg, self.recall, self.answer, self.mrr)

    def named(self) -> dict[str, float]:
        """
        Return the figures by their usual names, with the depth that they look at.
        """
        measures = {"ndcg@10": self.ndcg, "recall@5": self.recall, "answer@5": self.answer, "mrr@10": self.mrr}
        return {"n": self.n, **measures}


class RunRow(Frozen):
    """
    The rules that a query found, best first.
    """

    id: str
    hits: tuple[str, ...]


class Lost(Frozen):
    """
    A judged quote that stands in no record.
    """

    query: str
    source: str
    quote: str


class Report(Frozen):
    """
    The figures of one run, and what they were computed from.

    *macro* averages the kinds, *micro* the queries; *false_activation* is the share of unanswerable queries
    that got a rule, *silenced* the share of answerable ones that got none.
    """

    kinds: dict[str, Figures]
    macro: Figures
    micro: Figures
    unanswerable: int
    false_activation: float
    silenced: float
    lost: tuple[Lost, ...]
    run: tuple[RunRow, ...]
    records: tuple[Record, ...]

    def summary(self) -> dict[str, dict[str, float] | float]:
        """
        Return the figures alone, by kind and in all.
        """
        rows = {**self.kinds, "macro": self.macro, "micro": self.micro}
        return {
            **{kind: figures.named() for kind, figures in rows.items()},
            "false_activation": self.false_activation,
            "silenced": self.silenced,
            "quotes_in_no_record": len(self.lost),
        }


def read_queries(path: Path) -> list[JudgedQuery]:
    """
    Read judged queries, one JSON object a line.

    Raises InputError when the file cannot be read and DataError, with the line, when it is not what it should be.
    """
    try:
        lines = decode(path.read_bytes()).split("\n")
    except OSError as error:
        hint = "name a file of judged queries, one JSON object a line"
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), hint=hint) from error
    queries = [_read_query(line, f"{path.name}:{n}") for n, line in enumerate(lines, 1) if line.strip()]
    if not queries:
        raise DataError("holds no query", where=str(path))
    return queries


def _read_query(line: str, where: str) -> JudgedQuery:
    try:
        return JudgedQuery.model_validate_json(line)
    except ValidationError as error:
        raise DataError(faults(error, whole="the query")[0], where=where) from error


def evaluate(
    queries: Sequence[JudgedQuery],
    rulesets: Iterable[Ruleset],
    ranker: Ranker,
    *,
    documents: Path | None = None,
    progress: Progress | None = None,
) -> Report:
    """
    Run all *queries* through *ranker* and judge its hits by the records of *rulesets*.

    The text of a document is taken from its ruleset, or from the folder *documents* where it was not kept.
    Raises InputError when no ruleset restates a document that the queries name.
    """
    sources = Sources(queries, rulesets, documents)
    rows = []
    for done, query in enumerate(queries, 1):
        hits = dict.fromkeys(ranker(query.query, sources.filter_of(query)))
        rows.append(RunRow(id=query.id, hits=tuple(hits)[:DEPTH]))
        if progress:
            progress(done, len(queries))
    return _report(queries, sources, rows)


class Sources:
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

    def judge(self) -> Judge:
        """
        Return who judges lists of these sources' rules.
        """
        return Judge(self.records, self.texts)

    def _add(self, name: str, ruleset: Ruleset, document: str, folder: Path | None) -> None:
        self._rulesets[name].add(ruleset.name)
        self.texts[name] = ruleset.source_text(document) or _text_in(folder, document)
        self.records += [
            _record(rule, name) for rule in ruleset.rules if rule.source and rule.source.document == document
        ]

    def filter_of(self, query: JudgedQuery) -> frozenset[str]:
        """
        Return the rulesets that *query* may look into.
        """
        names = query.source or tuple(self._rulesets)
        return frozenset(ruleset for name in names for ruleset in self._rulesets[name])


def _text_in(folder: Path | None, document: str) -> str:
    path = folder / document if folder else None
    return decode(path.read_bytes()) if path and path.is_file() else ""


def _record(rule: Rule, source: str) -> Record:
    wording = rule.wording()
    text = "\n".join((wording.title, wording.text, *wording.examples))
    return Record(record=rule.id, source=source, text=text, lines=rule.source.lines if rule.source else ())


class _Judged(NamedTuple):
    query: JudgedQuery
    row: RunRow
    scores: Scores


def _report(queries: Sequence[JudgedQuery], sources: Sources, rows: Sequence[RunRow]) -> Report:
    judge = sources.judge()
    answered = list(zip(queries, rows, strict=True))
    judged = [_Judged(query, row, judge.score(query, row.hits)) for query, row in answered if query.quotes]
    hopeless = [row for query, row in answered if not query.quotes]
    kinds = _by_kind(judged)
    return Report(
        kinds=kinds,
        macro=_mean([figures.scores for figures in kinds.values()]),
        micro=_mean([each.scores for each in judged]),
        unanswerable=len(hopeless),
        false_activation=_share(bool(row.hits) for row in hopeless),
        silenced=_share(not each.row.hits for each in judged),
        lost=tuple(_lost(each.query, quote) for each in judged for quote in judge.lost(each.query)),
        run=tuple(rows),
        records=tuple(sources.records),
    )


def _by_kind(judged: Iterable[_Judged]) -> dict[str, Figures]:
    scores: defaultdict[str, list[Scores]] = defaultdict(list)
    for each in judged:
        scores[each.query.kind].append(each.scores)
    return {kind: _mean(held) for kind, held in scores.items()}


def _lost(query: JudgedQuery, quote: Quote) -> Lost:
    return Lost(query=query.id, source=quote.source, quote=quote.quote)


def _mean(rows: Sequence[Scores]) -> Figures:
    columns = zip(*rows, strict=True) if rows else [(0.0,)] * len(Scores._fields)
    ndcg, recall, answer, mrr = (math.fsum(column) / len(column) for column in columns)
    return Figures(n=len(rows), ndcg=ndcg, recall=recall, answer=answer, mrr=mrr)


def _share(flags: Iterable[bool]) -> float:
    held = list(flags)
    return sum(held) / len(held) if held else 0.0


def json_lines(rows: Iterable[RunRow | Record]) -> str:
    """
    Return *rows* as JSON lines, for any other scorer.
    """
    return "".join(f"{row.model_dump_json()}\n" for row in rows)


def documents_near(queries: Path) -> Path | None:
    """
    Return the folder `seeds` beside the judged *queries* or their folder, where source documents are kept.
    """
    folders = (queries.resolve().parent / "seeds", queries.resolve().parents[1] / "seeds")
    return next((folder for folder in folders if folder.is_dir()), None)
