"""
How far a ruleset is written in the glossary's words, and what the glossary counts there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.records import Rule, Wording
from lorebook.retrieval.familiarity import familiarity
from lorebook.retrieval.glossary import Concept, Glossary
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.retrieval.passages import Passage, passages_of
from lorebook.retrieval.recipe import Recipe
from lorebook.retrieval.tables import Tables
from lorebook.ruleset import Ruleset
from tests.retrieval.worlds import HashedWords, rule, ruleset

CARDS = Glossary(
    (
        Concept(id="hand", en=("hand",), zh=("手牌",)),
        Concept(id="graveyard", en=("graveyard",), zh=("墓地",)),
    )
)
OPEN = "[calibration]\nfirst = 0.0\nothers = 0.0\n"


def passages(*rulesets: Ruleset) -> list[Passage]:
    return [passage for each in rulesets for passage in passages_of(each, Recipe().cutting)]


def written(*texts: str) -> Ruleset:
    return ruleset("any", *(rule(f"any/{n}", f"Title\n{text}", order=n) for n, text in enumerate(texts)))


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        (["hand, graveyard!"], 1.0),
        (["The field is green."], 0.0),
        (["hand foot"], 0.5),
        (["hand", "foot"], 0.5),
        (["手牌墓地"], 1.0),
        (["手牌上限"], 0.5),
        (["hand"] * 300 + ["foot"] * 300, 0.5),
    ],
    ids=["only terms", "no term", "half of a text", "half of the texts", "Chinese", "half Chinese", "a sample"],
)
def test_it_is_the_share_of_letters_that_name_concepts(texts: Sequence[str], share: float) -> None:
    (found,) = familiarity(passages(written(*texts)), CARDS).values()
    assert found == pytest.approx(share, abs=0.01)


def test_what_is_asked_says_nothing_of_how_rules_are_written() -> None:
    wording = Wording(title="Title", text="The field is green.", asked=("hand?", "graveyard?"))
    asked = ruleset("any", Rule(id="any/0", order=0, original="en", wordings={"en": wording}))
    assert familiarity(passages(asked), CARDS) == {"any": 0.0}


@given(
    st.lists(
        st.text(st.sampled_from("hand foot手牌田 ."), min_size=1).map(str.strip).filter(bool), min_size=1, max_size=8
    )
)
def test_every_ruleset_has_a_share(texts: list[str]) -> None:
    rulesets = written(*texts), ruleset("other", rule("other/a", "A\nhand"))
    found = familiarity(passages(*rulesets), CARDS)
    assert set(found) == {"any", "other"}
    assert all(0 <= share <= 1 for share in found.values())


@pytest.mark.parametrize(("familiar", "trust"), [(0.25, 1.0), (0.5, 1.0), (1.0, 0.5)])
def test_the_glossary_counts_as_far_as_a_ruleset_is_written_in_it(familiar: float, trust: float) -> None:
    cards, other = written("hand foot"), ruleset("other", rule("other/a", "A\nThe field is green."))
    tables = Tables.build(passages(cards, other), {}, Recipe(), CARDS)
    assert np.allclose(tables.trust(familiar), [trust if name == "any" else 0 for name in tables.rulesets])


def test_chance_mentions_do_not_lead_astray(tmp_path: Path) -> None:
    """One harvest among texts of other things names a term of the cards; its words alone must count."""
    (tmp_path / "glossary.yaml").write_text(
        "concepts:\n  - id: field\n    en: [field, battlefield]\n    zh: [战场]\n", "utf-8"
    )
    plain = "Nothing of what is told here is about cards at all, and there is much to tell of harvests and weather. "
    texts = [f"{plain}The {n} of {n * n} is tall." for n in range(40)]
    rules = ruleset(
        "farm",
        *(rule(f"farm/{n}", f"Day\n{text}", order=n) for n, text in enumerate(texts)),
        rule("farm/wheat", f"Wheat\n{plain}A field of wheat.", order=90),
    )
    scores = {}
    for familiar in (0.25, 1e-9):
        (tmp_path / "recipe.toml").write_text(f"{OPEN}[fusion]\nfamiliar = {familiar}\n")
        places = Places(tmp_path / "recipe.toml", tmp_path / "glossary.yaml", tmp_path / f"{familiar}", ())
        index = Index(places, embedder=lambda _: HashedWords())
        index.build([rules])
        scores[familiar] = {hit.rule: hit.score for hit in index.search("战场", limit=50)}
        index.close()
    assert scores[0.25]["farm/wheat"] < scores[1e-9]["farm/wheat"]
