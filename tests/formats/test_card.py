"""
The card of a judge: who speaks, in which language, and the fields that cards must have.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lorebook.book import ExportLanguage, from_ruleset
from lorebook.formats import FORMATS, OWN_PICTURE, Content, card_for, cover_for, export
from lorebook.records import Rule, Wording
from lorebook.ruleset import COVER, Manifest, Ruleset
from tests.formats.containers.pictures import opened
from tests.formats.files import PICTURE, saved

_CHINESE = re.compile("[\u4e00-\u9fff]")
_MANIFEST = Manifest(
    title={"zh": "国际象棋", "en": "Chess"},
    game="Chess",
    edition="2023",
    languages=("zh", "en"),
    authority="FIDE",
    licence="CC0-1.0",
    description={"en": "The laws of the game."},
)


@pytest.fixture
def chess(tmp_path: Path) -> Ruleset:
    wordings = {
        "zh": Wording(title="王车易位", text="王向车走两格。", keys=("易位",)),
        "en": Wording(title="Castling", text="The king moves two squares.", keys=("castle",)),
    }
    ruleset = Ruleset("chess", _MANIFEST, [Rule(id="chess/castling", order=0, original="zh", wordings=wordings)])
    ruleset.save(tmp_path / "chess")
    (tmp_path / "chess" / COVER).write_bytes(PICTURE)
    return Ruleset.load(tmp_path / "chess")


def test_in_one_language_every_text_is_in_it(chess: Ruleset) -> None:
    english = card_for(chess, ExportLanguage.EN)
    chinese = card_for(chess, ExportLanguage.ZH)
    assert (english.name, chinese.name) == ("Chess Judge", "国际象棋 裁判")
    for field in ("name", "nickname", "description", "personality", "scenario", "first_mes", "creator_notes"):
        assert not _CHINESE.search(getattr(english, field)), field
        assert _CHINESE.search(getattr(chinese, field)), field


def test_in_both_languages_the_original_stands_first(chess: Ruleset) -> None:
    both = card_for(chess, ExportLanguage.BOTH)
    assert both.name == "国际象棋 裁判 / Chess Judge"
    assert list(both.creator_notes_multilingual) == ["zh", "en"]
    parts = [card_for(chess, language).description for language in (ExportLanguage.ZH, ExportLanguage.EN)]
    assert both.description == "\n\n".join(parts)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (ExportLanguage.EN, r"both|opponent|\bfield\b|\bphase\b|\beither\b|\bmonster"),
        (ExportLanguage.ZH, "双方|对手|场上|阶段|怪兽"),
    ],
)
def test_a_judge_takes_no_number_of_players_and_no_field_for_granted(
    chess: Ruleset, language: ExportLanguage, words: str
) -> None:
    made = card_for(chess, language)
    texts = (made.description, made.personality, made.scenario, made.first_mes, made.mes_example, made.creator_notes)
    assert [re.findall(words, text) for text in texts] == [[]] * len(texts)


def test_templates_are_filled_and_macros_are_left_to_the_chat_program(chess: Ruleset) -> None:
    both = card_for(chess)
    texts = [both.description, both.first_mes, both.scenario, both.mes_example, both.creator_notes]
    for text in texts:
        assert not re.sub(r"\{\{(char|user)\}\}", "", text).count("{")
        assert "  " not in text
    assert "{{char}}" in both.description
    assert "The laws of the game." in both.creator_notes
    assert "CC0-1.0" in both.creator_notes


def test_what_readers_are_told_is_in_the_language_of_the_card(chess: Ruleset) -> None:
    said = {
        "game": {"en": "Chess", "zh": "国际象棋"},
        "edition": {"en": "draft", "zh": "草稿"},
        "authority": {"en": "the federation", "zh": "棋联"},
        "licence": {"en": "free", "zh": "自由使用"},
    }
    ruleset = Ruleset("chess", Manifest.model_validate(dict(_MANIFEST) | said), chess.rules)
    english, chinese = (card_for(ruleset, language) for language in (ExportLanguage.EN, ExportLanguage.ZH))
    assert "Source: the federation. Edition: draft. Licence: free." in english.creator_notes
    assert "来源：棋联。版本：草稿。许可：自由使用。" in chinese.creator_notes
    assert (english.tags[0], chinese.tags[0]) == ("Chess", "国际象棋")
    assert card_for(ruleset).tags[:2] == ("国际象棋", "Chess")


def test_the_version_changes_with_the_rules(chess: Ruleset) -> None:
    more = Ruleset("chess", _MANIFEST, [], chess.folder)
    assert card_for(chess).character_version == card_for(chess, ExportLanguage.EN).character_version
    assert card_for(chess).character_version != card_for(more).character_version


@pytest.mark.parametrize("name", ["card-v2", "card-v3"])
def test_every_field_that_a_card_must_have_is_there(name: str, chess: Ruleset) -> None:
    whole = saved(name, from_ruleset(chess), card_for(chess))
    texts = "name description personality scenario first_mes mes_example creator_notes system_prompt"
    texts += " post_history_instructions creator character_version"
    assert all(isinstance(whole["data"][field], str) for field in texts.split())
    lists = ["alternate_greetings", "tags", *(["group_only_greetings", "assets"] if name == "card-v3" else [])]
    assert all(isinstance(whole["data"][field], list) for field in lists)
    assert whole["data"]["extensions"] == {}
    assert whole["spec_version"] == ("3.0" if name == "card-v3" else "2.0")
    assert whole["data"]["character_book"]["entries"][0]["extensions"]["lorebook"] == {"rule": "chess/castling"}


def test_the_picture_is_the_cover_of_the_folder_with_two_texts_more(chess: Ruleset) -> None:
    files = {OWN_PICTURE: cover_for(chess)}
    data = export(FORMATS["png"], Content(from_ruleset(chess), card_for(chess), files)).data
    assert files[OWN_PICTURE] == PICTURE
    end = PICTURE[-12:]
    assert data.startswith(PICTURE.removesuffix(end))
    assert data.endswith(end)
    assert list(opened(data)[0]) == ["chara", "ccv3"]
