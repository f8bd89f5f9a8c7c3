"""
The measures, by hand and against the scorer that the queries come with.
"""

from __future__ import annotations

import importlib.util
import json
import math
import random
from pathlib import Path
from types import ModuleType

import pytest

from lorebook.records import Span
from lorebook.retrieval.evaluation import read_queries
from lorebook.retrieval.judging import Judge, JudgedQuery, Quote, Record
from tests.retrieval.worlds import SHARED

TEXT = "first line\nsecond line\nthird line\n"


def query(**grades: int) -> JudgedQuery:
    quotes = tuple(Quote(source="900", quote=word, grade=grade) for word, grade in grades.items())
    return JudgedQuery(id="q", query="?", kind="any", relevant=quotes)


def judge(**texts: str) -> Judge:
    return Judge([Record(record=name, source="900", text=text) for name, text in texts.items()], {"900": TEXT})


def test_a_perfect_list() -> None:
    scores = judge(a="apple", b="pear").score(query(apple=2, pear=1), ["a", "b"])
    assert scores == (1.0, 1.0, 1.0, 1.0)


def test_a_late_answer_is_discounted() -> None:
    scores = judge(a="apple", b="pear", c="plum").score(query(apple=2, pear=1), ["c", "b", "a"])
    ideal = 3 + 1 / math.log2(3)
    assert scores.ndcg == pytest.approx((1 / math.log2(3) + 3 / math.log2(4)) / ideal)
    assert scores.mrr == 0.5


def test_a_quote_counts_once_and_the_second_record_keeps_its_rank() -> None:
    scores = judge(a="apple", b="apple", c="pear").score(query(apple=2, pear=2), ["a", "b", "c"])
    assert scores.ndcg == pytest.approx((3 + 3 / math.log2(4)) / (3 + 3 / math.log2(3)))


def test_one_record_with_all_quotes_can_be_ideal() -> None:
    assert judge(a="apple pear").score(query(apple=2, pear=2), ["a"]).ndcg == 1.0


def test_a_repeated_hit_takes_no_rank() -> None:
    assert judge(a="apple", b="pear").score(query(apple=2, pear=2), ["a", "a", "b"]).ndcg == 1.0


def test_recall_looks_at_five_and_answer_at_grade_two() -> None:
    texts = {f"r{n}": "" for n in range(5)} | {"a": "apple", "b": "pear"}
    scores = judge(**texts).score(query(apple=2, pear=1), ["r0", "r1", "b", "r2", "r3", "a"])
    assert (scores.recall, scores.answer) == (0.5, 0.0)


@pytest.mark.parametrize(("lines", "held"), [((2, 2), True), ((1, 3), True), ((1, 1), False), ((3, 3), False)])
def test_a_record_that_restates_lines_holds_the_quotes_on_them(lines: tuple[int, int], held: bool) -> None:  # noqa: FBT001
    records = [Record(record="a", source="900", text="own words", lines=(Span(*lines),))]
    quote = Quote(source="900", quote="second line", grade=2)
    assert bool(Judge(records, {"900": TEXT}).holders(quote)) is held


def test_white_space_does_not_hide_a_quote() -> None:
    assert judge(a="some\n  apple \tpie").holders(Quote(source="900", quote="apple pie", grade=1)) == {"a"}


def test_lost_quotes_are_told() -> None:
    assert [quote.quote for quote in judge(a="apple").lost(query(apple=2, pear=1))] == ["pear"]


def test_no_hit_scores_nothing() -> None:
    assert judge(a="apple").score(query(apple=2), []) == (0.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def scorer() -> ModuleType:
    path = SHARED / "retrieval" / "score.py"
    if not path.is_file():
        pytest.skip("the scorer is not here")
    spec = importlib.util.spec_from_file_location("score", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_agrees_with_the_scorer_of_the_queries(scorer: ModuleType) -> None:
    path = SHARED / "retrieval" / "dev.jsonl"
    plain = {item["id"]: item for item in map(json.loads, path.read_text("utf-8").splitlines())}
    records, documents = random_records(random.Random(5))  # noqa: S311
    theirs = scorer.Judge([record.model_dump() for record in records], str(SHARED / "seeds"))
    ours = Judge(records, documents)
    draw = random.Random(6)  # noqa: S311
    for item in read_queries(path):
        hits = [record.record for record in draw.sample(records, 14)]
        hits += [name for quote in item.quotes for name in ours.holders(quote)][:4]
        draw.shuffle(hits)
        wanted = theirs.score(plain[item.id], hits)
        assert len(ours.lost(item)) == wanted.pop("lost")
        assert ours.score(item, hits) == pytest.approx(tuple(wanted.values()), abs=1e-9)


def random_records(draw: random.Random) -> tuple[list[Record], dict[str, str]]:
    """The documents cut at random: some records keep the text, some only cite lines, some lines are left out."""
    records, documents = [], {}
    for path in sorted((SHARED / "seeds").glob("*.txt")):
        source, text = path.name[:3], path.read_text("utf-8")
        documents[source] = text
        lines, at = text.split("\n"), 0
        while at < len(lines):
            size = draw.randint(1, 6)
            span = (Span(at + 1, min(at + size, len(lines))),) if draw.random() < 0.5 else ()
            kept = "" if span else "\n".join(lines[at : at + size])
            if draw.random() < 0.9:
                records.append(Record(record=f"{source}-{at}", source=source, text=kept, lines=span))
            at += size
    return records, documents


def test_the_scorer_is_given_what_it_reads(tmp_path: Path) -> None:
    record = Record(record="a", source="900", text="apple", lines=(Span(1, 2),))
    (tmp_path / "records.jsonl").write_text(record.model_dump_json())
    assert json.loads((tmp_path / "records.jsonl").read_text()) == {
        "record": "a",
        "source": "900",
        "text": "apple",
        "lines": [[1, 2]],
    }
