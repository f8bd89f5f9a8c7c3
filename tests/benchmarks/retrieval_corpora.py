"""
A folder of `corpus.jsonl`, `queries.jsonl` and judgements `qrels.tsv`, and what a ranking is worth.

It is the layout of BEIR: any of its data sets can be measured, a paragraph a rule.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lorebook.records import Rule, Wording
from lorebook.ruleset import Manifest, Ruleset
from lorebook.scripts import language_of

DEPTH = 10
RULESET = "corpus"
_TITLE = 40


class Quality(NamedTuple):
    """
    The means over queries.
    """

    ndcg: float
    recall: float
    mrr: float


@dataclass(frozen=True)
class Corpus:
    """
    Paragraphs, questions, and the grades of the paragraphs that answer each, by the ids of the folder.
    """

    name: str
    paragraphs: Mapping[str, str]
    titles: Mapping[str, str]
    queries: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]

    @property
    def ruleset(self) -> Ruleset:
        """
        The corpus as a ruleset: each paragraph a rule, in its order.
        """
        rules = [self._rule(n, name) for n, name in enumerate(self.paragraphs)]
        languages = tuple(sorted({rule.original for rule in rules}))
        manifest = Manifest(
            title=dict.fromkeys(languages, "Corpus"),
            game="any",
            edition="any",
            languages=languages,
            authority="the corpus",
            licence="unknown",
        )
        return Ruleset(RULESET, manifest, rules)

    def paragraph_of(self, rule: str) -> str:
        """
        Return the id of the paragraph that became *rule*.
        """
        return list(self.paragraphs)[int(rule.removeprefix(f"{RULESET}/"))]

    def quality(self, ranked: Mapping[str, Sequence[str]]) -> Quality:
        """
        Return what the rankings *ranked* of paragraphs, by query, are worth in the mean.
        """
        each = [_quality(list(dict.fromkeys(ranked[query]))[:DEPTH], self.grades[query]) for query in self.queries]
        return Quality(*(math.fsum(column) / len(each) for column in zip(*each, strict=True)))

    def _rule(self, number: int, name: str) -> Rule:
        text = self.paragraphs[name]
        language = language_of(text)
        title = self.titles[name] or (text if len(text) <= _TITLE else f"{text[:_TITLE].rstrip()}…")
        wording = Wording(title=" ".join(title.split()), text=text)
        return Rule(id=f"{RULESET}/{number}", order=number, original=language, wordings={language: wording})


def read_corpus(folder: Path, *, every: int = 1) -> Corpus:
    """
    Read *folder*, and of its judged queries every n-th.
    """
    passages = _lines(folder / "corpus.jsonl")
    grades: dict[str, dict[str, int]] = {}
    with (folder / "qrels.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["score"]) > 0:
                grades.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    judged = [row for row in _lines(folder / "queries.jsonl") if row["_id"] in grades][::every]
    return Corpus(
        name=folder.name,
        paragraphs={row["_id"]: row["text"].strip() for row in passages},
        titles={row["_id"]: row.get("title", "").strip() for row in passages},
        queries={row["_id"]: row["text"] for row in judged},
        grades=grades,
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def _quality(top: Sequence[str], grades: Mapping[str, int]) -> Quality:
    gains = [2.0 ** grades.get(name, 0) - 1 for name in top]
    ideal = sorted((2.0**grade - 1 for grade in grades.values()), reverse=True)[:DEPTH]
    found = [rank for rank, gain in enumerate(gains, 1) if gain]
    return Quality(
        ndcg=_discounted(gains) / _discounted(ideal),
        recall=len(found) / len(grades),
        mrr=1 / found[0] if found else 0.0,
    )


def _discounted(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))
