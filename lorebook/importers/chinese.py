"""
Words of Chinese text, and the runs of words that may be a term.

Chinese is written without spaces. A dictionary says where words end; what it does not know, such as the terms that
a game makes up, falls into single characters and is put together again where it returns in the document (see
`rarity`). Without a dictionary, from runs of characters that return alone, fewer rules are found by their keys, more
wrong ones fire, and more keys are pieces of words. The dictionary's own guesses at new words are left out: they make
`从卡组` one.
"""

from __future__ import annotations

import math
import re
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from lorebook.scripts import HAN

_HAN = re.compile(f"[{HAN}]")
_LONGEST, _MOST_WORDS = 8, 3
# How often a word stands in the 60 million words that the dictionary's makers counted. Above the first it says little
# of what a text is about: `情况` 33,000, `阶段` 9,600; `玩家` has 265. A single character above the second holds
# sentences together, whatever else it may be: 是, 有, 会, 人. Below the third a preposition of two characters is a
# mistake: `随从`.
_COMMON, _COMMON_CHARACTER, _COMMON_PREPOSITION = 9_000, 50_000, 1000
# A verb above it says what is done in texts of every subject: `担任` 6,400, `说明` 8,400; `交换` has 3,600.
_COMMON_VERB = 6000
# Parts of speech: conjunctions, particles, pronouns, places (以上, 之后), exclamations, suffixes, punctuation.
_BINDING = frozenset("curyfekx")
# Of single characters also prepositions, adverbs, numerals, measures and times (当).
_BINDING_CHARACTER = _BINDING | frozenset("pdmqt")
_ALONE_NOTHING = frozenset("adst")
_NUMERAL = re.compile("[〇零一二三四五六七八九十百千万亿两几半多每第单双]")
# The dictionary has these as nouns and verbs; in rules they only hold sentences together, or stand in every rule.
_HOLDING = frozenset(
    "不能 没有 作为 进行 当作 视为 成为 变成 变为 称为 叫作 叫做 称作 得到 获得 失去 受到 使用 利用 持有 拥有 具有 "
    "存在 属于 包含 包括 需要 必须 可能 能够 应当 应该 允许 不会 不得 不可 只能 才能 仅限 是否 直到 为止 导致 处于 "
    "位于 有关 关于 以及 分别 再次 随时 至多 至少 最多 最少 照常 即刻 立刻 立即 永远 一直 已经 并未 随意 任意 上述 "
    "下列 如下 以下 其余 剩余 剩下 带有 放入 放进 放到 放在 放回 拿走 拿取 拿到 加入 返回 回到 交给 付给 送去 移到 "
    "来到 看到 收到 留下 完成 到达 位置 时候 情况 场合 方法 方式 时点 瞬间 期间 全部 部分 所有 所在 种类 数量 其中 "
    "字样 如何 怎样 本来 原本 原来 对应 相应 相同 不同 相符 可用 基本上 玩家 卡片 游戏 规则 例子 例如 例外 令 让 请 "
    "给 使 结束 代替 余下 面朝 参见 参照 参考 分为 行为 对方 双方 "
    "用来 适合".split()
)
# Terms of card games that the dictionary takes apart otherwise: `牌 堆放 在`, `起 手摸`.
_GAME_TERM = re.compile("(弃牌堆|牌堆|牌库|手牌|弃牌|起手(?=[摸抽拿]))")
# Measures that are things as well: `续杯`.
_VESSELS = frozenset("杯碗壶瓶盘盒箱袋")
# What the dictionary has as one word: `两张牌`, and behind a numeral `盏灯`.
_COUNTED = re.compile("[〇零一二三四五六七八九十百两几每][张枚只名盏个支颗]|[最更].")
_MEASURED, _COUNT = re.compile("[张枚只名盏个支颗]."), re.compile("[〇零一二三四五六七八九十百两几每]+")
# What is done to the end, `打出`, `赢得`, `倒掉`: a verb with how it ends is no term by itself.
_COMPLETED = re.compile("[出下得掉满到入回住]$")
_LEADING_ON = frozenset("的之和与與及或并並在从從对對把將将被由以为為是，、：；“「『 ")


class Kind(Enum):
    """
    What a word can be in a key.
    """

    KEY = "a key by itself"
    PART = "a part of a term"
    BETWEEN = "no part of a term"


def is_chinese(text: str) -> bool:
    """
    Return whether *text* begins with a Chinese character.
    """
    return _HAN.match(text) is not None


def words_of(text: str) -> list[str]:
    """
    Return the words of *text*, Simplified Chinese, and what stands between them.
    """
    from rjieba import cut  # noqa: PLC0415 (loads its dictionary, 0.3 s)

    pieces = _GAME_TERM.split(text)
    return [word for at, piece in enumerate(pieces) for word in ([piece] if at % 2 else cut(piece, hmm=False))]


class Term(NamedTuple):
    """
    Words in a row that may be a term, and where they begin.

    *before* and *after* are the words beside them that may belong to the term too.
    """

    form: str
    start: int
    length: int
    before: str | None
    after: str | None


def terms(run: str) -> list[Term]:
    """
    Return what may be a term or a part of one in *run*, an unbroken run of Simplified Chinese.
    """
    words = words_of(run)
    parts = [kind(word) is not Kind.BETWEEN for word in words]
    parts = [part and not _is_counted(*pair) for part, pair in zip(parts, pairwise(["", *words]), strict=True)]
    found: list[Term] = []
    start = 0
    for first, word in enumerate(words):
        end = start
        before = _beside(words, parts, first - 1, word)
        for last in range(first, min(len(words), first + _MOST_WORDS)):
            end += len(words[last])
            if not parts[last] or end - start > _LONGEST:
                break
            found.append(
                Term(run[start:end], start, last + 1 - first, before, _beside(words, parts, last + 1, words[last]))
            )
        start += len(word)
    return found


def _is_counted(before: str, word: str) -> bool:
    """Tell whether *word* is a measure and what is counted, as in `四盏灯`."""
    return _MEASURED.fullmatch(word) is not None and _COUNT.fullmatch(before) is not None


def _beside(words: list[str], parts: list[bool], at: int, edge: str) -> str | None:
    """Return the word *at* if it may belong to a term that ends with the word *edge*: single characters often do."""
    if not 0 <= at < len(words) or (len(edge) > 1 and not parts[at]):
        return None
    return words[at]


def whole_words(text: str, most: int) -> str:
    """
    Return as many whole words of *text* as *most* characters hold, without one that leads on to what is cut off.
    """
    words: list[str] = []
    for word in words_of(text):
        most -= len(word)
        if most < 0:
            break
        words.append(word)
    while len(words) > 1 and words[-1] in _LEADING_ON:
        words.pop()
    return "".join(words)


@lru_cache(maxsize=100_000)
def kind(word: str) -> Kind:
    """
    Return what *word*, Simplified Chinese, can be in a key.
    """
    speech, often = _speech(word), _frequency(word)
    if word in _HOLDING or _holds_together(word, speech, often):
        return Kind.BETWEEN
    # Adverbs, adjectives, places and times are parts of terms, 通常怪兽; alone they say nothing.
    is_part = len(word) == 1 or often > (_COMMON_VERB if speech == "v" else _COMMON) or speech in _ALONE_NOTHING
    return Kind.PART if is_part or (speech == "v" and _COMPLETED.search(word)) else Kind.KEY


def _holds_together(word: str, speech: str, often: int) -> bool:
    if word in _VESSELS:
        return False
    if len(word) == 1:
        return speech in _BINDING_CHARACTER or often > _COMMON_CHARACTER or _NUMERAL.match(word) is not None
    if _COUNTED.match(word):
        return True
    if speech == "p":
        return often > _COMMON_PREPOSITION
    return speech in _BINDING or (speech == "m" and _NUMERAL.match(word) is not None)


def says_little(term: str) -> bool:
    """
    Return whether *term*, Simplified Chinese, is a word of which texts of every subject are full.
    """
    return kind(term) is Kind.BETWEEN or _frequency(term) > _COMMON


@lru_cache(maxsize=100_000)
def opens_statement(word: str) -> bool:
    """
    Return whether *word* begins what is said, not what it is said of: `决定怪兽`.
    """
    return len(word) > 1 and _speech(word) == "v" and _frequency(word) > _COMMON


@lru_cache(maxsize=100_000)
def ends_statement(word: str) -> bool:
    """
    Return whether *word* may say something of the term before it: `牌库摸`, `怪兽特殊`.
    """
    speech = _speech(word)
    return speech in {"a", "d"} or (speech == "v" and (len(word) == 1 or _frequency(word) > _COMMON))


@lru_cache(maxsize=100_000)
def weight(word: str) -> float:
    """
    Return what *word* counts, from about 0.5 for the commonest to 1.5 for one that hardly any text has.
    """
    return 1.75 - math.log10(1 + _frequency(word)) / 4


def _frequency(word: str) -> int:
    from rjieba import suggest_freq  # noqa: PLC0415 (loads its dictionary, 0.3 s)

    return suggest_freq(word)


def _speech(word: str) -> str:
    """Return the letter of a part of speech; none for what is several words."""
    from rjieba import tag  # noqa: PLC0415 (loads its dictionary, 0.3 s)

    tagged = tag(word)
    return tagged[0][1][:1] if len(tagged) == 1 else ""
