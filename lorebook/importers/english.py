"""
Words of English text that say nothing by themselves, and the number that a word is in.
"""

from __future__ import annotations

from functools import lru_cache

GRAMMAR = frozenset(
    "a about after all an and any are as at be been before being both but by can could did do does each either for "
    "from had has have how i if in into is it its may me might must my no nor not of off on once one only or our out "
    "over per shall should so some such than that the their them then there these they this those three to two under "
    "until up was we were what when where which while who whom whose why will with within would you your".split()
)
"""
Words that hold a sentence together.
"""

STOP = GRAMMAR | frozenset(
    "above again against also although always another anyone anything became because become becomes begin begins below "
    "between cannot case cases cause certain chapter different doing done down during else end ends even event every "
    "example examples except first following follows further gets give given gives goes going having he her here hers "
    "herself him himself his however instead itself just last least less like made make makes making means more most "
    "myself near need needs neither never next none normal nothing now number ones onto order other others otherwise "
    "own part parts place placed places player players possible put puts rather rule rules said same second section "
    "see set several she simply since something still take taken takes themselves thing things third though through "
    "thus time times together too unless upon us use used uses using usually very way ways well whenever whether whole "
    "without yes yet yours yourself".split()
)
"""
Words of which texts of every subject are full.
"""


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """
    Return *word*, lower-case, in the singular, as far as its ending tells.
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is", "as", "os")):  # noqa: PLR2004
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes")) else word[:-1]


def plural(word: str) -> str:
    """
    Return *word*, lower-case and in the singular, in the plural.
    """
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "sh", "ch", "x", "z")) else f"{word}s"
