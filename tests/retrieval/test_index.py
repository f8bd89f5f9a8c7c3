"""
An index built, asked, outdated, damaged and mended.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lorebook.errors import ModelError, RetrievalError
from lorebook.records import Rule, Wording
from lorebook.retrieval import manifest as manifests
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.fingerprints import fingerprint, fingerprint_of
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.ruleset import Ruleset
from tests.retrieval.worlds import CHESS, GO, HashedWords, rule, ruleset

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Vectors

GLOSSARY = """\
concepts:
  - id: liberty
    en: [liberty, breathing space]
    zh: [气]
  - id: ko
    en: [ko]
    zh: [打劫, 劫争]
"""
PAWN = ruleset("chess", *CHESS.rules[:1], rule("chess/pawn", "Pawn moves\nA pawn never moves back.", order=1))

# Everything is returned, however weak: the fake model's similarities mean little.
OPEN = "[calibration]\nfirst = 0.0\nothers = 0.0\n"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "glossary.yaml").write_text(GLOSSARY)
    (tmp_path / "recipe.toml").write_text(OPEN)
    return Places(tmp_path / "recipe.toml", tmp_path / "glossary.yaml", tmp_path / "store", (tmp_path / "kept",))


@pytest.fixture
def model() -> HashedWords:
    return HashedWords()


@pytest.fixture
def index(places: Places, model: HashedWords) -> Iterator[Index]:
    opened = Index(places, embedder=lambda _: model)
    opened.build([CHESS, GO])
    yield opened
    opened.close()


def reopened(places: Places, model: HashedWords | None = None) -> Index:
    held = model or HashedWords()
    return Index(places, embedder=lambda _: held)


def fingerprints(*rulesets: Ruleset) -> dict[str, str]:
    return {each.name: fingerprint_of(each) for each in rulesets}


def found(index: Index, query: str, rulesets: set[str] | None = None) -> list[str]:
    return [hit.rule for hit in index.search(query, rulesets=rulesets)]


# Asking


def test_a_hit_names_its_rule_its_passage_and_its_evidence(index: Index) -> None:
    hit = index.search("pawn moves two squares")[0]
    assert (hit.rule, hit.ruleset, hit.language) == ("chess/pawn", "chess", "en")
    assert hit.text == "A pawn moves one square ahead, or two from where it starts."
    assert hit.evidence.keys == ("Pawn moves",)
    assert hit.evidence.words == ("pawn", "moves", "two", "squares")
    assert (hit.evidence.lexical_rank, hit.evidence.dense_rank) == (1, 1)
    assert hit.evidence.similarity is not None
    assert 0 < hit.score < 1
    assert hit.why()[0] == "key Pawn moves"


@pytest.mark.parametrize(("lines", "sign"), [(0, 0.0), (1, 0.1), (10, 1.0), (30, 1.0)])
def test_a_rule_that_is_asked_for_in_few_ways_resembles_few_questions(
    places: Places, model: HashedWords, lines: int, sign: float
) -> None:
    wording = Wording(
        title="Pawns", text="A pawn moves.", asked=tuple(f"how does pawn {n} move?" for n in range(lines))
    )
    asked = Rule(id="chess/pawn", order=0, original="en", wordings={"en": wording})
    index = reopened(places, model)
    index.build([ruleset("chess", asked)])
    assert [found.asked for _, found in index.signs("how does a pawn move?", rulesets={"chess"}, limit=1)] == [sign]
    index.close()


def test_hits_come_best_first_and_each_rule_once(index: Index) -> None:
    hits = index.search("a pawn that moved two squares")
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.rule for hit in hits}) == len(hits)


def test_the_passage_is_in_the_language_of_the_query(index: Index) -> None:
    assert next((hit.rule, hit.language) for hit in index.search("没有气的棋子")) == ("go/liberty", "zh")
    assert next((hit.rule, hit.language) for hit in index.search("a stone without liberty")) == ("go/liberty", "en")


def test_other_words_for_a_concept_find_it(index: Index) -> None:
    hit = index.search("劫争", languages={"en"})[0]
    assert (hit.rule, hit.language) == ("go/ko", "en")
    assert hit.evidence.concepts == ("ko",)
    assert found(index, "breathing space")[0] == "go/liberty"


@pytest.mark.parametrize(
    ("rulesets", "languages", "allowed"),
    [
        ({"go"}, {"en", "zh"}, {("go", "en"), ("go", "zh")}),
        ({"chess"}, {"zh"}, set()),
        ({"go", "chess"}, {"zh"}, {("go", "zh")}),
        (set(), {"en"}, set()),
        ({"shogi"}, {"en"}, set()),
    ],
)
def test_only_what_the_filters_allow_is_found(
    index: Index, rulesets: set[str], languages: set[str], allowed: set[tuple[str, str]]
) -> None:
    for query in ("a stone may not repeat a move", "打劫", "pawn"):
        hits = index.search(query, rulesets=rulesets, languages=languages)
        assert {(hit.ruleset, hit.language) for hit in hits} <= allowed


def test_filters_come_before_ranking(index: Index) -> None:
    everywhere = found(index, "move")
    assert found(index, "move", rulesets={"go"}) == [name for name in everywhere if name.startswith("go/")]


@pytest.mark.parametrize("query", ["", "  \n", "…", "?"])
def test_a_query_without_words_finds_nothing(index: Index, query: str) -> None:
    assert found(index, query) == []


@pytest.mark.parametrize("query", ["a\0b pawn", "\ud800 pawn", "pawn " * 4000, "OR 1=1; --", "{}", "气" * 5000])
def test_odd_queries_are_answered(index: Index, query: str) -> None:
    index.search(query)


def test_of_a_long_query_only_the_beginning_is_embedded(
    index: Index, model: HashedWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def embed_queries(texts: Sequence[str]) -> Vectors:
        read.extend(texts)
        return model.embed_passages(texts)

    monkeypatch.setattr(model, "embed_queries", embed_queries)
    query = "pawn 气 " * 2000
    index.search(query)
    assert query.startswith(read[0])
    assert {len(text) <= 1500 for text in read} == {True}


def test_nothing_is_returned_when_the_best_is_too_weak(index: Index, places: Places) -> None:
    scores = [hit.score for hit in index.search("pawn")]
    for first, others, kept in ((scores[0], scores[1], 2), (scores[0], scores[0], 1), (scores[0] + 0.01, 0.1, 0)):
        places.recipe.write_text(f"[calibration]\nfirst = {first - 1e-6}\nothers = {others - 1e-6}\n")
        cut = reopened(places)
        assert len(cut.search("pawn")) == kept
        cut.close()


@pytest.mark.usefixtures("index")
@pytest.mark.parametrize("weights", ["terms = 0", "parts = 0", "parts = 1", "other_language = 0", "other_language = 1"])
def test_a_part_of_nothing_or_all_still_ranks(places: Places, weights: str) -> None:
    places.recipe.write_text(f"[fusion]\n{weights}\n")
    opened = reopened(places)
    assert found(opened, "How does a pawn move? 兵怎么走？")
    opened.close()


@pytest.mark.usefixtures("index")
def test_a_bias_out_of_reach_silences(places: Places) -> None:
    places.recipe.write_text("[calibration]\nbias = -1e9\n")
    silent = reopened(places)
    assert found(silent, "pawn") == []
    silent.close()


def test_the_limit_holds(index: Index) -> None:
    assert len(index.search("a move of a pawn, a stone or the king", limit=1)) == 1


# Building


@pytest.mark.usefixtures("index")
def test_only_new_passages_are_embedded(places: Places) -> None:
    model = HashedWords()
    again = reopened(places, model)
    report = again.build([CHESS, GO])
    assert (report.embedded, report.added, report.removed, model.embedded) == (0, 0, 0, [])
    report = again.build([PAWN, GO])
    assert model.embedded == ["Pawn moves\nA pawn never moves back.\nPawn moves"]
    assert (report.embedded, report.added, report.removed) == (1, 1, 2)
    assert "chess/en-passant" not in found(again, "en passant taken")
    assert again.search("a pawn moves")[0].text == "A pawn never moves back."
    again.close()


def test_vectors_beside_the_rules_save_the_embedding(index: Index, places: Places, tmp_path: Path) -> None:
    index.build([CHESS, GO], keep_vectors=tmp_path / "kept")
    index.discard()
    assert reopened(places).build([CHESS, GO]).embedded == 0


def test_kept_vectors_are_those_of_the_rules_and_byte_stable(index: Index, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert index.kept_staleness([CHESS], kept) == "no vectors of hashed-words 64 are kept"
    index.build([CHESS], keep_vectors=kept)
    before = [path.read_bytes() for path in sorted(kept.rglob("*.*"))]
    assert index.kept_staleness([CHESS], kept) is None
    assert index.kept_staleness([PAWN], kept) == "1 vectors are missing, 2 belong to no passage"
    shutil.rmtree(kept)
    index.build([CHESS], keep_vectors=kept)
    assert [path.read_bytes() for path in sorted(kept.rglob("*.*"))] == before


def test_progress_is_told_to_the_end(places: Places) -> None:
    told: list[tuple[int, int]] = []
    reopened(places).build([CHESS, GO], progress=lambda *at: told.append(at))
    assert told
    assert told[-1][0] == told[-1][1]


def test_nothing_to_index_is_said(places: Places) -> None:
    with pytest.raises(RetrievalError, match="no rule to index"):
        reopened(places).build([])


# Staleness


def test_a_fresh_index_is_current(index: Index) -> None:
    assert index.staleness(fingerprints(CHESS, GO)) is None


@pytest.mark.parametrize(
    ("rulesets", "said"),
    [
        ((CHESS,), "go is gone"),
        ((CHESS, GO, ruleset("shogi")), "shogi is new"),
        ((PAWN, GO), "chess changed"),
        ((PAWN, ruleset("shogi")), "shogi is new; go is gone; chess changed"),
    ],
)
def test_changed_rules_make_it_stale(index: Index, rulesets: tuple[Ruleset, ...], said: str) -> None:
    assert index.staleness(fingerprints(*rulesets)) == said


def test_a_changed_file_changes_the_fingerprint(tmp_path: Path) -> None:
    CHESS.save(tmp_path / "chess")
    before = fingerprint(tmp_path / "chess")
    PAWN.save(tmp_path / "chess")
    assert fingerprint(tmp_path / "chess") != before


@pytest.mark.usefixtures("index")
def test_a_changed_glossary_recipe_or_model_makes_it_stale(places: Places) -> None:
    now = fingerprints(CHESS, GO)
    assert Index(places, Choices(model="another")).staleness(now) == "the model changed"
    places.recipe.write_text("[cutting]\nlongest = 200\n")
    assert reopened(places).staleness(now) == "the recipe changed"
    places.recipe.write_text("[fusion]\nkeys = 0.5\n")
    assert reopened(places).staleness(now) is None
    places.glossary.write_text(GLOSSARY.replace("劫争", "劫"))
    assert reopened(places).staleness(now) == "the glossary changed"


def test_an_index_that_was_never_built(places: Places) -> None:
    assert reopened(places).staleness({}) == "it was never built"
    with pytest.raises(RetrievalError, match="no complete index"):
        reopened(places).search("pawn")


def test_without_its_manifest_an_index_is_half_built(index: Index, places: Places) -> None:
    index.close()
    (places.store / manifests.FILE).unlink()
    assert reopened(places).staleness(fingerprints(CHESS, GO)) == "an earlier build did not finish"
    mended = reopened(places)
    assert mended.build([CHESS, GO]).embedded == 0
    assert found(mended, "pawn")
    mended.close()


@pytest.mark.usefixtures("index")
def test_vectors_of_another_model_are_not_mixed(places: Places) -> None:
    class Other(HashedWords):
        name = "other-words"

    with pytest.raises(ModelError, match="hashed-words"):
        reopened(places, Other()).search("pawn")
    other = reopened(places, Other())
    assert other.build([CHESS, GO]).embedded > 0
    assert found(other, "castling rook")[:1] == ["chess/castling"]
    other.close()


# Damage


@pytest.mark.parametrize("damage", ["manifest", "tables", "store", "store a file", "store gone", "all gone"])
def test_damage_is_noticed_and_a_build_mends_it(index: Index, places: Places, damage: str) -> None:
    index.close()
    match damage:
        case "manifest":
            (places.store / manifests.FILE).write_text("{")
        case "tables":
            next(places.store.glob("tables-*")).write_bytes(b"nothing")
        case "store":
            (places.store / "vectors.chroma" / "chroma.sqlite3").write_bytes(b"nothing like a database" * 50)
        case "store a file":
            shutil.rmtree(places.store / "vectors.chroma")
            (places.store / "vectors.chroma").write_bytes(b"")
        case "store gone":
            shutil.rmtree(places.store / "vectors.chroma")
        case _:
            shutil.rmtree(places.store)
    broken = reopened(places)
    with pytest.raises(RetrievalError) as caught:
        broken.search("pawn")
    assert "lorebook index" in str(caught.value)
    broken.close()
    mended = reopened(places)
    mended.build([CHESS, GO])
    assert found(mended, "castling rook")[:1] == ["chess/castling"]
    mended.close()


def test_a_reader_follows_a_build_by_another(index: Index, places: Places) -> None:
    assert found(index, "en passant taken")
    builder = reopened(places)
    builder.build([PAWN, GO])
    builder.close()
    assert found(index, "pawn never moves back")[0] == "chess/pawn"
    assert "chess/en-passant" not in found(index, "en passant taken")


def test_discard_leaves_nothing_but_the_lock(index: Index, places: Places) -> None:
    index.discard()
    assert [path.name for path in places.store.iterdir()] == ["lock"]
    index.build([CHESS, GO])
    assert found(index, "castling rook")[:1] == ["chess/castling"]
