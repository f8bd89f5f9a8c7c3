"""
The second look: it reorders the best, adds nothing, and says what it saw.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import ModelError
from lorebook.retrieval.glossary import Glossary
from lorebook.retrieval.hits import Evidence, Hit
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.retrieval.question import Question
from lorebook.retrieval.reranking import open_reranker, reordered
from tests.conftest import Command
from tests.retrieval.test_index import OPEN
from tests.retrieval.tiny import tiny_reranker
from tests.retrieval.worlds import CHESS, GO, HashedWords

ASKED = Question.read("how does a pawn move?", Glossary(()), ["en"])


class ByLength:
    """
    A reranker that likes long passages, and remembers what it read.
    """

    def __init__(self) -> None:
        self.read: list[tuple[str, str]] = []

    def relevance(self, question: str, passages: Sequence[str]) -> list[float]:
        self.read += [(question, passage) for passage in passages]
        return [min(len(passage) / 200, 1.0) for passage in passages]


def hit(number: int, score: float, length: int) -> Hit:
    return Hit(
        rule=f"chess/rule-{number}", ruleset="chess", language="en", text="x" * length, score=score, evidence=Evidence()
    )


@given(
    lengths=st.lists(st.integers(1, 200), max_size=12),
    scores=st.lists(st.floats(0, 1), min_size=12, max_size=12),
    best=st.integers(2, 12),
)
def test_the_best_are_reordered_and_places_keep_their_scores(
    lengths: list[int], scores: list[float], best: int
) -> None:
    ordered = sorted(scores, reverse=True)
    hits = [hit(n, ordered[n], length) for n, length in enumerate(lengths)]
    made = reordered(ASKED, hits, ByLength(), {}, best=best)
    assert [each.score for each in made] == [each.score for each in hits]
    assert made[best:] == hits[best:]
    assert sorted(each.rule for each in made[:best]) == sorted(each.rule for each in hits[:best])
    seen = [each.evidence.relevance for each in made[:best]]
    assert seen == sorted(seen, key=lambda relevance: -(relevance or 0))
    assert [hits[(each.evidence.fused_rank or 0) - 1].rule for each in made[:best]] == [
        each.rule for each in made[:best]
    ]


def test_what_was_seen_is_said() -> None:
    first = reordered(ASKED, [hit(0, 0.9, 20), hit(1, 0.8, 100)], ByLength(), {}, best=2)[0]
    assert first.rule == "chess/rule-1"
    assert first.why() == ["reranked 0.50 (rank 2 before)", "score 0.90"]


@pytest.mark.parametrize("limit", [1, 3])
def test_an_index_takes_a_second_look_at_more_than_it_returns(tmp_path: Path, limit: int) -> None:
    (tmp_path / "recipe.toml").write_text(f"{OPEN}[reranker]\nbest = 3\n")
    index = Index(
        Places(tmp_path / "recipe.toml", tmp_path / "glossary.yaml", tmp_path / "store"),
        embedder=lambda _: HashedWords(),
    )
    index.build([CHESS, GO])
    plain = [each.rule for each in index.search("a pawn moves two squares", limit=3)]
    index.made_of.reranker = reranker = ByLength()
    looked = index.search("a pawn moves two squares", limit=limit)
    assert len(looked) == limit
    assert {each.rule for each in looked} <= set(plain)
    assert {question for question, _ in reranker.read} == {"a pawn moves two squares"}
    assert any(text.startswith("Pawn moves\n") for _, text in reranker.read)
    assert len(reranker.read) == len(plain)
    index.close()


# Real loading


@pytest.mark.slow
def test_a_cross_encoder_in_a_folder_is_loaded_and_reads_pairs(tmp_path: Path) -> None:
    model = open_reranker(str(tiny_reranker(tmp_path / "tiny")))
    passages = ["the pawn moves two squares", "a stone " * 100, "", "\0\ud800"]
    together = model.relevance("pawn moves", passages)
    assert all(0 <= relevance <= 1 for relevance in together)
    assert len({round(relevance, 5) for relevance in together[:2]}) == 2
    assert together == pytest.approx([model.relevance("pawn moves", [each])[0] for each in passages], abs=1e-5)
    assert model.relevance("pawn moves", []) == []


@pytest.mark.slow
def test_a_model_that_classifies_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="3 outputs"):
        open_reranker(str(tiny_reranker(tmp_path / "tiny", outputs=3)))


@pytest.mark.slow
def test_a_folder_without_a_model_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelError, match="does not load") as caught:
        open_reranker(str(tmp_path / "empty"))
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["option", "recipe"])
def test_the_command_line_takes_a_reranker(tmp_path: Path, lorebook: Command, by: str) -> None:
    CHESS.save(tmp_path / "rules" / "chess")
    (tmp_path / "index").mkdir()
    tiny = tiny_reranker(tmp_path / "tiny")
    named = f'[reranker]\nmodel = "{tiny}"\n' if by == "recipe" else ""
    (tmp_path / "index" / "recipe.toml").write_text(OPEN + named)
    option = ("--reranker", tiny) if by == "option" else ()
    done = lorebook("ask", "how does a pawn move?", "--json", "--workspace", tmp_path, *option)
    evidence = [found["hit"]["evidence"] for found in json.loads(done.out)["hits"]]
    assert sorted(each["fused_rank"] for each in evidence) == list(range(1, len(evidence) + 1))
    relevance = [each["relevance"] for each in evidence]
    assert relevance == sorted(relevance, reverse=True)
    plain = lorebook("ask", "how does a pawn move?", "--json", "--workspace", tmp_path, "--reranker", "")
    assert {found["hit"]["evidence"]["relevance"] for found in json.loads(plain.out)["hits"]} == {None}
