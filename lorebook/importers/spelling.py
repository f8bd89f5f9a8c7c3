"""
Misspellings in a document, so that a rule is found by the right spelling as well as by its own.

What counts as a word is asked of a tokenizer's vocabulary, which holds the commonest words of a very large
amount of text: a word that is one token is spelt right. The rest is compared with the words that the
document itself repeats, and with that vocabulary. The text is never changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from string import ascii_lowercase

from lorebook.importers.vocabulary import ranks

_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_SHORTEST = 4
# A short word has too many neighbours to guess beyond the document; a long one may have slipped twice.
_LONG = 6
_REPEATED = 2
# The vocabulary's first words are on every page; below this rank a word says nothing about the subject.
_COMMON = 10_000
_ESTABLISHED = 3
# Bounds the comparison of words in a very long document: the commonest unknown words come first.
_MOST_UNKNOWN = 1000
_ENDINGS = ("s", "es", "d", "ed", "ing", "er", "r", "ly", "nt", "st")


@dataclass(frozen=True)
class Spellings:
    """
    For each misspelt word, in lower case, the word that is meant; for a name, its other spelling.
    """

    meant: dict[str, str]

    def correct(self, text: str) -> str:
        """
        Return *text* with the words that are meant, their capitals kept.
        """
        return _WORD.sub(lambda found: self._correct_word(found.group()), text)

    def keys_for(self, text: str) -> tuple[str, ...]:
        """
        Return what *text* means by its misspelt words, each once; a common word only with its neighbour.

        A key such as `another` would fire in every chat; `another card` finds the rule and little else.
        """
        words = _WORD.findall(text.lower())
        pairs = zip(["", *words], words, [*words[1:], ""], strict=False)
        found = (self._key(*around) for around in pairs if around[1] in self.meant)
        return tuple(dict.fromkeys(found))

    def _key(self, before: str, word: str, after: str) -> str:
        meant = self.meant[word]
        if meant not in _common_words():
            return meant
        return f"{before} {meant}" if len(before) >= _SHORTEST or not after else f"{meant} {after}"

    def _correct_word(self, word: str) -> str:
        meant = self.meant.get(word.lower(), word)
        return meant.capitalize() if word[:1].isupper() else meant


def find(texts: Iterable[str]) -> Spellings:
    """
    Return the misspellings in the English *texts* of one document.
    """
    written = Counter(word for text in texts for word in _WORD.findall(text) if word.isalpha())
    counts: Counter[str] = Counter()
    for word, count in written.items():
        counts[word.lower()] += count
    unknown = [word for word in sorted(counts) if len(word) >= _SHORTEST and not _is_word(word)]
    unknown = sorted(unknown, key=lambda word: -counts[word])[:_MOST_UNKNOWN]
    # A word that never stands in lower case is a name, and only another unknown word is near it.
    names = {word for word in unknown if word not in written}
    meant = {word: near for word in unknown if word not in names and (near := _nearest(word, counts))}
    meant |= {word: meant[near] for word, near in meant.items() if near in meant}
    meant |= _singulars(unknown, meant)
    return Spellings({**_names(unknown, names, meant, counts), **meant})


def _names(unknown: list[str], names: set[str], meant: dict[str, str], counts: Counter[str]) -> dict[str, str]:
    """Return what the rarer of two near names means, and for two ways to write one name the other way too."""
    pairs: dict[str, str] = {}
    established = [word for word in unknown if counts[word] >= _ESTABLISHED]
    for rare in names:
        usual = next((word for word in established if counts[word] > counts[rare] and _near(rare, word, 1)), None)
        if usual and usual in meant:
            pairs[rare] = meant[usual]
        elif usual:
            pairs |= {rare: usual, usual: rare}
    return pairs


def _singulars(unknown: list[str], meant: dict[str, str]) -> dict[str, str]:
    plurals = {word: meant.get(word + "s", "") for word in unknown if word not in meant}
    return {word: plural[:-1] for word, plural in plurals.items() if plural.endswith("s")}


def _is_word(word: str) -> bool:
    known = _vocabulary()
    stems = [word.removesuffix(ending) for ending in _ENDINGS if len(ending) + 1 < len(word) and word.endswith(ending)]
    return word in known or any(form in known for stem in stems for form in (stem, stem + "e", stem + "le"))


def _nearest(word: str, counts: Counter[str]) -> str | None:
    """
    Return the word that *word* is a slip for: one that the document uses, else one of the language.

    One slip is allowed, two in a long word; a word that keeps more of the beginning is nearer.
    """
    known = _vocabulary()
    slips = 2 if len(word) >= _LONG else 1
    own = [other for other in counts if (other in known or counts[other] > counts[word]) and _near(word, other, slips)]
    if len(word) < _LONG:
        own = [other for other in own if counts[other] >= _REPEATED]
    common = [other for other in _one_slip(word) if other in known] if len(word) >= _LONG else []
    candidates = own or [other for other in common if _near(word, other, 1)]
    return max(candidates, key=lambda other: (_shared(word, other), counts[other], other), default=None)


def _shared(word: str, other: str) -> int:
    """Return how much two words share at their ends; the beginning, which writers rarely miss, counts twice."""
    return 2 * _same(word, other) + _same(word[::-1], other[::-1])


def _same(word: str, other: str) -> int:
    pairs = zip(word, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _near(word: str, other: str, slips: int) -> bool:
    """Return whether *slips* letters left out, put in, replaced or swapped make *other* of *word*."""
    if word[0] != other[0] or not 0 <= abs(len(word) - len(other)) <= slips or word == other or _inflects(word, other):
        return False
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(word, 1):
        now = [row]
        for at, against in enumerate(other, 1):
            cost = min(last[at] + 1, now[at - 1] + 1, last[at - 1] + (letter != against))
            if row > 1 and at > 1 and letter == other[at - 2] and word[row - 2] == against:
                cost = min(cost, before[at - 2] + 1)
            now.append(cost)
        before, last = last, now
    return last[-1] <= slips


def _inflects(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    return any(longer in (shorter + ending, shorter.removesuffix("e") + ending) for ending in _ENDINGS)


def _one_slip(word: str) -> Iterator[str]:
    """Yield every string that one letter left out, put in, replaced or swapped with its neighbour makes of *word*."""
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in ascii_lowercase:
            yield before + letter + after
            if after and letter != after[0]:
                yield before + letter + after[1:]


@cache
def _vocabulary() -> dict[str, int]:
    """Return the words of the vocabulary in lower case, with their ranks."""
    words = sorted(((rank, word) for word, rank in ranks().items()), reverse=True)
    return {word.lower(): rank for rank, word in words}


@cache
def _common_words() -> frozenset[str]:
    return frozenset(word for word, rank in _vocabulary().items() if rank < _COMMON)
