"""
Rules that stand in two rulesets in the same or nearly the same words, as they do in two editions of one book.

Rules that are the same word for word belong together, whatever their names. Of the others, those with one name or
number do when most of their words are the same, and so do those on one point when nearly all are. Each rule has one
twin at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from lorebook.records import Rule
from lorebook.ruleset import Ruleset
from lorebook.workspace.rewording import common_words, likeness, words

# Of rules of unrelated rulesets on one point, 0.66 is the most that was seen, of such with one name 0.37.
NEARLY_THE_SAME = 0.7
_SAME_NAME, _HELD = 0.5, 0.8
# Of a ruleset that has so many of its rules word for word in another, both are editions of one book.
_EDITION = 0.5

_Words: TypeAlias = tuple[tuple[str, ...], ...]


class Twins(NamedTuple):
    """
    The rules of two rulesets that are in the same or nearly the same words, by their ids.
    """

    pairs: dict[tuple[str, str], list[tuple[str, str]]]
    """Their paragraphs that are not the same, else their titles; none where all is the same."""
    are_editions: bool
    """Whether the rulesets are editions of one book."""

    @property
    def rules(self) -> set[str]:
        """
        The rules that have a twin.
        """
        return {rule for pair in self.pairs for rule in pair}


class Said(NamedTuple):
    """
    What a rule says: its paragraphs, its title last, and the words of these.
    """

    rule: Rule
    paragraphs: tuple[str, ...]
    words: _Words

    @property
    def text(self) -> str:
        """
        All but the title.
        """
        return "\n".join(self.paragraphs[:-1])

    @property
    def size(self) -> int:
        """
        The number of words of the text.
        """
        return sum(map(len, self.words[:-1]))


def said_by(rule: Rule, language: str | None) -> Said:
    """
    Return what *rule* says in *language*, or in its own where it has not that one.
    """
    wording = rule.wording(spoken(rule, language))
    paragraphs = [line.strip() for text in (wording.text, *wording.examples) for line in text.splitlines()]
    held = (*filter(None, paragraphs), wording.title)
    return Said(rule, held, tuple(map(words, held)))


def spoken(rule: Rule, language: str | None) -> str:
    """
    Return *language* where *rule* has it, else its original.
    """
    return language if language in rule.wordings else rule.original


def twins(one: Ruleset, other: Ruleset, near: Iterable[tuple[str, str]], language: str | None) -> Twins:
    """
    Return the twins among the rules of *one* and *other*; *near* are the pairs that are on one point.
    """
    left, right = ({rule.id: said_by(rule, language) for rule in ruleset.rules} for ruleset in (one, other))
    same = [*_same([*left.values()], [*right.values()])]
    for mine, theirs in same:
        del left[mine.rule.id], right[theirs.rule.id]
    like = [*_like(left, right, near)]
    pairs = {(mine.rule.id, theirs.rule.id): _changed(mine, theirs) for mine, theirs in (*same, *like)}
    least = min(len(one.rules), len(other.rules))
    return Twins(pairs, are_editions=bool(same) and len(same) >= _EDITION * least)


def _same(ones: Iterable[Said], others: Iterable[Said]) -> Iterator[tuple[Said, Said]]:
    """
    Yield the rules that are the same word for word: of several, first those with one name, then in their order.
    """
    held: defaultdict[_Words, tuple[list[Said], list[Said]]] = defaultdict(lambda: ([], []))
    for each in ones:
        held[each.words][0].append(each)
    for each in others:
        held[each.words][1].append(each)
    for mine, theirs in held.values():
        slugs = {each.rule.slug for each in mine} & {each.rule.slug for each in theirs}
        for rules in (mine, theirs):
            rules.sort(key=lambda each: (0, each.rule.slug) if each.rule.slug in slugs else (1, ""))
        yield from zip(mine, theirs, strict=False)


def _like(
    left: dict[str, Said], right: dict[str, Said], near: Iterable[tuple[str, str]]
) -> Iterator[tuple[Said, Said]]:
    """
    Yield the rules in nearly the same words, those with most words in common first.
    """
    named = {*_with_one_name(left.values(), right.values())}
    pairs = {pair: (left[pair[0]], right[pair[1]]) for pair in named | {*near} if pair[0] in left and pair[1] in right}
    # Most pairs have too few words in common, in any order; to find those in order takes long.
    most = {pair: _most_alike(*sides) for pair, sides in pairs.items()}
    likest = {
        pair: likeness(*(side.text for side in sides))
        for pair, sides in pairs.items()
        if _are_twins(most[pair], *sides, is_named=pair in named)
    }
    taken: set[str] = set()
    for pair in sorted(likest, key=lambda pair: (-likest[pair], pair not in named, sorted(pair))):
        if _are_twins(likest[pair], *pairs[pair], is_named=pair in named) and not taken & {*pair}:
            taken |= {*pair}
            yield pairs[pair]


def _most_alike(one: Said, other: Said) -> float:
    """
    Return what the likeness of *one* and *other* is at most.
    """
    return 2 * common_words(one.text, other.text) / max(one.size + other.size, 1)


def _are_twins(alike: float, one: Said, other: Said, *, is_named: bool) -> bool:
    """
    Tell whether a likeness of *alike* makes twins of *one* and *other*; with one name it suffices that either holds
    most of the other.
    """
    held = alike * (one.size + other.size) / 2 / max(min(one.size, other.size), 1)
    return alike >= NEARLY_THE_SAME or (is_named and (alike >= _SAME_NAME or held >= _HELD))


def _with_one_name(ones: Iterable[Said], others: Iterable[Said]) -> Iterator[tuple[str, str]]:
    names: defaultdict[str, list[str]] = defaultdict(list)
    for each in others:
        for name in {each.rule.slug, each.rule.number or each.rule.slug}:
            names[name].append(each.rule.id)
    for each in ones:
        for name in {each.rule.slug, each.rule.number or each.rule.slug}:
            yield from ((each.rule.id, found) for found in names[name])


def _changed(one: Said, other: Said) -> list[tuple[str, str]]:
    """
    Return the paragraphs in which *one* and *other* differ, else their titles.

    A paragraph that only one of them has stands against an empty one.
    """
    if one.words > other.words:
        return [(mine, theirs) for theirs, mine in _changed(other, one)]
    places = SequenceMatcher(None, one.words[:-1], other.words[:-1], autojunk=False).get_opcodes()
    changed = [
        pair
        for tag, start, end, there, end_there in places
        if tag != "equal"
        for pair in zip_longest(one.paragraphs[start:end], other.paragraphs[there:end_there], fillvalue="")
    ]
    # Where the text has changed, so have the titles that were made of it.
    return changed or [(one.paragraphs[-1], other.paragraphs[-1])] * (one.words != other.words)
