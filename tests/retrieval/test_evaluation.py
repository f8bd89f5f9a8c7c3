"""
Judged queries run against rulesets.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from lorebook.errors import DataError, InputError
from lorebook.retrieval.evaluation import Report, evaluate, json_lines, read_queries
from lorebook.retrieval.judging import JudgedQuery
from tests.retrieval.worlds import DOCUMENT, rule, ruleset

GAME = ruleset(
    "game",
    rule("game/draw", "Draw\nOwn words on drawing.", lines=(1, 1)),
    rule("game/end", "End\nthe end", lines=(2, 2)),
)
LINES = "Every player draws a card.\nThe turn is over.\n"


def query(name: str, quote: str = "", *, kind: str = "keyword", grade: int = 2) -> JudgedQuery:
    relevant = [{"source": "900", "quote": quote, "grade": grade}] if quote else []
    return JudgedQuery.model_validate(
        {"id": name, "query": name, "kind": kind, "source": ["900"], "relevant": relevant}
    )


def run(queries: list[JudgedQuery], answers: dict[str, list[str]], tmp_path: Path) -> Report:
    (tmp_path / DOCUMENT).write_text(LINES)

    def ranker(text: str, rulesets: frozenset[str]) -> Sequence[str]:
        assert rulesets == {"game"}
        return answers.get(text, [])

    return evaluate(queries, [GAME], ranker, documents=tmp_path)


def test_kinds_are_averaged_with_equal_weight_and_queries_too(tmp_path: Path) -> None:
    queries = [query("a", "draws a card"), query("b", "draws a card"), query("c", "turn is over", kind="chat")]
    report = run(queries, {"a": ["game/draw"], "b": ["game/end"], "c": ["game/end"]}, tmp_path)
    assert report.kinds["keyword"].ndcg == 0.5
    assert report.kinds["chat"].ndcg == 1.0
    assert report.macro.ndcg == 0.75
    assert report.micro.ndcg == pytest.approx(2 / 3)
    assert (report.macro.n, report.micro.n) == (2, 3)


def test_false_activation_and_silence_are_shares_of_their_own_queries(tmp_path: Path) -> None:
    queries = [
        query("a", "draws"),
        query("b", "draws"),
        query("x", kind="unanswerable"),
        query("y", kind="unanswerable"),
    ]
    report = run(queries, {"a": ["game/draw"], "x": ["game/end"]}, tmp_path)
    assert (report.unanswerable, report.false_activation, report.silenced) == (2, 0.5, 0.5)
    assert list(report.kinds) == ["keyword"]


def test_a_quote_that_no_record_holds_is_told(tmp_path: Path) -> None:
    report = run([query("a", "nowhere at all")], {}, tmp_path)
    assert [(lost.query, lost.quote) for lost in report.lost] == [("a", "nowhere at all")]
    assert report.summary()["quotes_in_no_record"] == 1


def test_rows_are_what_other_scorers_read(tmp_path: Path) -> None:
    report = run([query("a", "draws")], {"a": ["game/draw", "game/draw", "game/end"]}, tmp_path)
    assert json.loads(json_lines(report.run)) == {"id": "a", "hits": ["game/draw", "game/end"]}
    assert [json.loads(line)["lines"] for line in json_lines(report.records).splitlines()] == [[[1, 1]], [[2, 2]]]


def test_a_source_without_a_ruleset_is_an_error() -> None:
    wanted = JudgedQuery.model_validate({"id": "a", "query": "?", "kind": "k", "source": ["777"]})
    with pytest.raises(InputError, match="777"):
        evaluate([wanted], [GAME], lambda _, __: [])


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    evaluate(
        [query("a"), query("b")], [GAME], lambda _, __: [], documents=tmp_path, progress=lambda *at: told.append(at)
    )
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}\n", "queries.jsonl:1"),
        ('\n{"id": "a"', "queries.jsonl:2"),
        ("\n\n", "no query"),
        ("[1]\n", "queries.jsonl:1"),
    ],
)
def test_a_wrong_file_of_queries_is_named_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match=said):
        read_queries(path)


def test_a_missing_file_of_queries(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_queries(tmp_path / "none.jsonl")
