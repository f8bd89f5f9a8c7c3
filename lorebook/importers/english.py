"""
Words of English text that say nothing by themselves, and the forms of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from lorebook.importers.vocabulary import UNSEEN, rank

_CARDINALS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million".split()
)
NUMBERS = _CARDINALS | frozenset(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth once twice thrice".split()
)
"""
Number words.
"""

ARTICLES = _CARDINALS | frozenset("a an any each every her his its my our the their your".split())
"""
Words before which a verb stands rather than a noun: `takes the`.
"""

DETERMINERS = (
    NUMBERS | ARTICLES | frozenset("all another both either neither no of that these this those whose".split())
)
"""
Words behind which a noun follows, with what describes it.
"""

BEFORE_VERBS = frozenset(
    "can cannot could he i it may might must shall she should they to we who will would you".split()
)
"""
Words behind which a verb follows.
"""

GRAMMAR = DETERMINERS | frozenset(
    "about after and are as at be been before being but by can cannot could did do does for from had has have he him "
    "how i if in into is it may me might must nor not off on only or out over per shall she should so some such than "
    "them then there they to under until up us was we were what when where which while who whom why will with within "
    "would you".split()
)
"""
Words that hold a sentence together.
"""

STOP = GRAMMAR | frozenset(
    "above across again against along already also although always anybody anyone anything around away became because "
    "become becomes begin begins below between case cases cause certain chapter different doing done down during else "
    "end ends equal even event everybody everyone everything example examples except fewer fewest following follows "
    "further gets give given gives goes going greater greatest having here hers herself higher highest himself "
    "however instead itself just larger largest last least less let like longest lower lowest made make makes making "
    "means more most myself near nearest need needs never next nobody none normal nothing now number onto order "
    "other others otherwise ours own part parts place placed places player players possible put puts rather rule "
    "rules said same section see set several simply since smaller smallest somebody someone something still take "
    "taken takes theirs themselves thing things though through thus time times together too unless upon use used uses "
    "using usually very way ways well whatever whenever wherever whether whichever whoever whole whomever without yes "
    "yet yours yourself".split()
)
"""
Words of which texts of every subject are full.
"""


def _by_form(groups: str) -> dict[str, str]:
    """Return the first word of each group by each of the others."""
    told = (group.split() for group in groups.split(","))
    return {form: words[0] for words in told for form in words[1:]}


_NOUNS = _by_form(
    "leaf leaves, half halves, knife knives, life lives, loaf loaves, shelf shelves, thief thieves, wife "
    "wives, wolf wolves, elf elves, dwarf dwarves, calf calves, hoof hooves, scarf scarves, man men, woman "
    "women, child children, foot feet, tooth teeth, goose geese, mouse mice, ox oxen, quiz quizzes, series "
    "series, species species, lens lens, news news, always always, ache aches"
)
_HISSING = ("s", "x", "z", "ch", "sh")
_VERBS = _by_form(
    "begin began begun, break broke broken, bring brought, build built, buy bought, catch caught, choose chose "
    "chosen, deal dealt, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell "
    "fallen, fight fought, find found, fly flew flown, give gave given, go went gone, hide hid hidden, hold "
    "held, keep kept, lay laid, lead led, leave left, lend lent, lose lost losing, pay paid, ride rode ridden, run "
    "ran, sell sold, send sent, shoot shot, speak spoke spoken, spend spent, stand stood, steal stole stolen, "
    "strike struck, swim swam swum, take took taken, throw threw thrown, win won, write wrote written"
)
_VOWEL = re.compile("[aeiouy]")
# A verb whose stem ends so ends with e: `renege`.
_SOFT = "cgvz"
_SHORTEST, _LONG = 3, 5


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """
    Return *word*, lower-case, in the singular, as far as its ending and the vocabulary tell.
    """
    if word in _NOUNS:
        return _NOUNS[word]
    if len(word) <= _SHORTEST or not word.endswith("s") or word.endswith(("ss", "us", "is", "as", "os")):
        return word
    if word.endswith("ies"):
        return _commonest([f"{word[:-3]}y", word[:-1]])
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "tzes", "oes")):
        return _commonest([word[:-2], word[:-1]])
    if word.endswith("ses") and rank(word[:-1]) == UNSEEN:
        return _commonest([word[:-1], word[:-2]])
    return word[:-1]


@lru_cache(maxsize=50_000)
def base(word: str) -> str:
    """
    Return what *word*, lower-case, is a form of: the singular of a noun, the infinitive of a verb.

    Where no word of the vocabulary fits, only an ending that nothing else has is taken off: `scavenged`.
    """
    if word in _VERBS:
        return _VERBS[word]
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST - 1 and _VOWEL.search(stem):
            found = _commonest([*_undoubled(stem), *_whole(stem), f"{stem}e"])
            if rank(found) < UNSEEN:
                return found
            return f"{stem}e" if stem[-1] in _SOFT and len(stem) >= _LONG else word
    return singular(word)


def _undoubled(stem: str) -> list[str]:
    return [stem[:-1]] if stem[-1] == stem[-2] and stem[-1] not in "lsz" else []


def _whole(stem: str) -> list[str]:
    """Return *stem* if it is a word: the vocabulary has beginnings of words, too, but no plural of them, `declar`."""
    is_word = stem.endswith(_HISSING) or rank(f"{stem}s") < UNSEEN or rank(f"{stem}e") == UNSEEN
    return [stem] if is_word else []


def _commonest(words: Iterable[str]) -> str:
    """Return the commonest of *words* that is long enough to be one, the first where none is known."""
    long = [word for word in words if len(word) >= _SHORTEST]
    return min(long, key=rank) if long else next(iter(words))
