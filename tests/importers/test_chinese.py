"""
Words and terms of Chinese text.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.importers import chinese
from lorebook.importers.chinese import Kind
from lorebook.importers.draft import Draft
from lorebook.importers.keywords import Keywords

# Characters that rules are written with: of words, of grammar, of numbers.
_RUNS = st.text("渔船停在场时可以撒网的鱼饵分蚯蚓从手牌打出一张放入弃堆行情板", max_size=30)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("珊瑚礁", Kind.KEY),
        ("撒网", Kind.KEY),
        ("随从", Kind.KEY),
        ("牌", Kind.PART),
        ("同步", Kind.PART),
        ("价格", Kind.PART),
        ("担任", Kind.PART),
        ("阶段", Kind.PART),
        ("门前", Kind.PART),
        ("当前", Kind.PART),
        ("杯", Kind.PART),
        ("两张牌", Kind.BETWEEN),
        ("最大者", Kind.BETWEEN),
        ("用来", Kind.BETWEEN),
        ("可以", Kind.BETWEEN),
        ("情况", Kind.BETWEEN),
        ("玩家", Kind.BETWEEN),
        ("自己", Kind.BETWEEN),
        ("三张", Kind.BETWEEN),
        ("通过", Kind.BETWEEN),
        ("的", Kind.BETWEEN),
        ("每", Kind.BETWEEN),
    ],
    ids=str,
)
def test_words_are_keys_or_parts_of_terms_or_hold_sentences_together(word: str, kind: Kind) -> None:
    assert chinese.kind(word) is kind


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("牌堆放在桌子", ["牌堆", "放在", "桌子"]),
        ("起手摸六张", ["起手", "摸", "六张"]),
        ("进入弃牌堆", ["进入", "弃牌堆"]),
        ("手牌上限", ["手牌", "上限"]),
        ("发起手续", ["发起", "手续"]),
    ],
    ids=str,
)
def test_terms_of_card_games_are_words(run: str, words: list[str]) -> None:
    assert chinese.words_of(run) == words


@pytest.mark.parametrize(
    ("text", "key", "is_key"),
    [
        ("每个回合只能续杯一次，续杯需付一枚铜钱。", "续杯", True),
        ("每名玩家最多有四盏灯。", "盏灯", False),
        ("玩家从牌堆摸两张牌。", "两张牌", False),
        ("茶馆容纳五位客人，第六位进门前先请走一位。", "门前", False),
        ("它可以用来押注。", "用来", False),
        ("它可以用来押注。", "押注", True),
    ],
)
def test_what_a_rule_of_a_tea_house_gives(text: str, key: str, is_key: bool) -> None:  # noqa: FBT001 (a column)
    drafts = [Draft(text, text, (1,), named=False), *(Draft(str(n), "风平浪静。", (n,)) for n in range(2, 6))]
    assert (key in Keywords(drafts).of(drafts[0])) is is_key


@given(_RUNS)
def test_a_term_is_whole_words_in_a_row(run: str) -> None:
    words = chinese.words_of(run)
    assert "".join(words) == run
    edges = {sum(map(len, words[:at])) for at in range(len(words) + 1)}
    for term in chinese.terms(run):
        end = term.start + len(term.form)
        assert run[term.start : end] == term.form
        assert {term.start, end} <= edges
        assert len(term.form) <= 8
        assert all(chinese.kind(word) is not Kind.BETWEEN for word in chinese.words_of(term.form)[: term.length])


@given(_RUNS, st.integers(0, 40))
def test_a_text_is_cut_between_words(run: str, most: int) -> None:
    cut = chinese.whole_words(run, most)
    assert run.startswith(cut)
    assert len(cut) <= most
    assert cut in {"".join(chinese.words_of(run)[:at]) for at in range(len(run) + 1)}


@pytest.mark.parametrize(
    ("texts", "wanted", "unwanted"),
    [
        pytest.param(
            ["鱼价看行情板。", "按行情板卖鱼。", "每轮掷骰。"], "行情板", "情板", id="a made-up term is put together"
        ),
        pytest.param(
            ["从弃牌堆摸牌。", "弃牌堆洗匀。", "手里的牌。"], "弃牌堆", "牌堆", id="of characters that no word is"
        ),
        pytest.param(
            ["渔船停在港口。", "渔船停在原地。", "渔船回港。"], "港口", "渔船停", id="what always goes on is no term"
        ),
        pytest.param(
            ["牌库摸两张，牌库摸完了，牌库洗匀，牌库放好。", "鱼饵。"], "牌库", "牌库摸", id="what is said is no term"
        ),
        pytest.param(["这种情况可以垂钓。", "其他方法。"], "垂钓", "情况", id="general words are no keys"),
        pytest.param(
            ["珊瑚礁里撒网。", "鱼饵不足。"], "珊瑚礁", "撒网会", id="a word of the dictionary needs one place"
        ),
    ],
)
def test_keys_are_whole_words_and_terms(texts: list[str], wanted: str, unwanted: str) -> None:
    drafts = [Draft(text, text, (at,), named=False) for at, text in enumerate(texts, 1)]
    keywords = Keywords(drafts)
    assert wanted in keywords.of(drafts[0])
    assert unwanted not in {key for draft in drafts for key in keywords.of(draft)}


@pytest.mark.parametrize(("text", "loaded"), [("# Nets\n\nA net is heavy.", False), ("# 渔网\n\n渔网很重。", True)])
def test_the_dictionary_is_loaded_for_chinese_only(text: str, loaded: bool) -> None:  # noqa: FBT001 (a column)
    statement = (
        "import sys; from lorebook.importers import import_document; "
        f"import_document({text.encode()!r}, file_name='a.md', ruleset='a'); print('rjieba' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", statement], capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout.strip() == str(loaded)
