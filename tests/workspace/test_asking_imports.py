"""
A rulebook is imported and asked at once.
"""

from __future__ import annotations

import pytest

from lorebook.workspace import Workspace

RULES = """702. Keyword Abilities

702.19. Trample

702.19a Trample lets the rest of the damage through.

702.19b First the blockers are dealt lethal damage, see rule 702.19a.

703. Hands

703.1 A hand holds at most four cards.

第三条 手牌上限为四张。
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("asked")
    (folder / "rules.txt").write_text(RULES)
    (folder / "second.json").write_text('[{"number": "703.1", "text": "Another game has no hands."}]')
    Workspace.import_documents([folder / "rules.txt", folder / "second.json"], folder / "w")
    return Workspace.open(folder / "w")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("what does 702.19b say?", ["rules/702.19b"]),
        ("rule 702.19", ["rules/702.19a", "rules/702.19b"]),
        ("703.1", ["rules/703.1", "second/703.1"]),
        ("第3条说什么", ["rules/第三条"]),
    ],
)
def test_a_number_leads_straight_to_its_rule(workspace: Workspace, question: str, first: list[str]) -> None:
    hits = workspace.ask(question).hits
    assert [hit.rule.id for hit in hits[: len(first)]] == first
    for hit in hits[: len(first)]:
        assert hit.hit.score == 1.0
        assert f"number {hit.rule.number}" in hit.hit.why()


def test_it_is_asked_by_meaning_too(workspace: Workspace) -> None:
    hits = workspace.ask("How many cards does a hand hold at most?").hits
    assert "rules/703.1" in [hit.rule.id for hit in hits]
