"""
What a ruleset says of a document that says nothing of itself: in the document's language, as its readers are told it.
"""

from __future__ import annotations

import re

import pytest

from lorebook.formats import card_for
from lorebook.importers import import_document
from lorebook.ruleset import Manifest

CHINESE = "# 茶馆\n\n## 出牌\n\n轮到的人出一张牌。\n\n## 收牌\n\n点数最大的人收走桌上的牌。\n"
ENGLISH = "# Tea House\n\n## Playing\n\nWhoever's turn it is plays a card.\n"
CHINESE_STATED = f"---\n版本: 第二版\n许可: 自由使用\nauthor: 掌柜\n---\n{CHINESE}"
GERMAN = f"---\nlang: de\n---\n{ENGLISH}"

IMPORTED_FROM = "imported from tea.md", "the imported document", "unknown: the document states none"
TOLD = {
    "an English one": (ENGLISH, "tea.md", IMPORTED_FROM),
    "a Chinese one": (CHINESE, "茶馆.md", ("导入自“茶馆.md”", "所导入的文档", "未知（文档没有写明）")),
    "one in a language that we do not write": (GERMAN, "tea.md", IMPORTED_FROM),
    "one that says all of it": (CHINESE_STATED, "茶馆.md", ("第二版", "掌柜", "自由使用")),
    "one that is named like a blank to fill": (
        CHINESE,
        "{file}.md",
        ("导入自“{file}.md”", "所导入的文档", "未知（文档没有写明）"),
    ),
}


def manifest_of(text: str, file_name: str) -> Manifest:
    return import_document(text.encode(), file_name=file_name, ruleset="tea").ruleset.manifest


@pytest.mark.parametrize(("text", "file_name", "said"), TOLD.values(), ids=TOLD)
def test_what_a_document_does_not_say_is_told_in_its_language(
    text: str, file_name: str, said: tuple[str, str, str]
) -> None:
    manifest = manifest_of(text, file_name)
    assert (manifest.edition, manifest.authority, manifest.licence) == said


def test_the_card_of_a_chinese_document_has_notes_in_chinese() -> None:
    card = card_for(import_document(CHINESE.encode(), file_name="茶馆.txt", ruleset="tea").ruleset)
    assert "许可：未知（文档没有写明）。" in card.creator_notes
    assert re.findall(r"[A-Za-z]+", card.creator_notes) == ["txt"]
