"""
Two rulesets held against each other: where they differ, where they say the same, and what only one of them has.

How rules are paired and what is taken for a difference say `pairing`, `editions` and `contrasts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook.errors import InputError, UnknownNameError
from lorebook.progress import Progress
from lorebook.retrieval.nearness import Near, Nearness
from lorebook.ruleset import Ruleset
from lorebook.scripts import language_of
from lorebook.workspace.disagreements import Disagreements
from lorebook.workspace.pairing import MUTUAL, Pairs
from lorebook.workspace.views import Comparison, OnlyView, PairView, Verdict

if TYPE_CHECKING:
    from lorebook.workspace.searching import Searching

# Of what a topic finds in a ruleset: so many rules at most, none scored below this share of the best.
_FOUND, _STRONG = 20, 0.5
_ORDER = {verdict: place for place, verdict in enumerate(Verdict)}


@dataclass(frozen=True)
class Topic:
    """
    What a comparison is restricted to: the places of the rules that were found, best first.
    """

    text: str
    places: Mapping[str, int]


def compare(
    one: Ruleset,
    other: Ruleset,
    nearness: Nearness,
    *,
    disagreements: Disagreements,
    topic: Topic | None = None,
    language: str | None = None,
    limit: int | None = None,
) -> Comparison:
    """
    Compare *one* with *other* by the passages of *nearness*, at most *limit* of each verdict and side.

    Of linked rules, the passages of *disagreements* are shown.

    What is shown is in *language*, else in that of the *topic*, else in one that both have. Raises InputError when they
    are the same, UnknownNameError when neither has the language.
    """
    if one.name == other.name:
        hint = "name two rulesets; `lorebook rulesets` lists them"
        raise InputError(f"{one.name!r} is compared with itself", hint=hint)
    spoken = [{code for rule in ruleset.rules for code in rule.wordings} for ruleset in (one, other)]
    if language and language not in spoken[0] | spoken[1]:
        raise UnknownNameError.among("language", language, sorted(spoken[0] | spoken[1]))
    language = language or (language_of(topic.text) if topic else min(spoken[0] & spoken[1], default=None))
    near = nearness.between(one.name, other.name, language)
    pairs = Pairs(one, other, nearness, near, language=language, disagreements=disagreements)
    views = _in_order([*pairs.linked(), *pairs.twins(), *pairs.by_nearness()], one, other, topic)
    paired = {rule for view in pairs.seen for rule in view}
    lone = [[*_lone(ruleset, near, paired, topic, language)] for ruleset in (one, other)]
    counts = Counter(view.verdict.value for view in views)
    return Comparison(
        one=one.name,
        other=other.name,
        one_title=_title(one, language),
        other_title=_title(other, language),
        topic=topic.text if topic else None,
        pairs=tuple(_first_of_each(views, limit)),
        only_one=tuple(lone[0][:limit]),
        only_other=tuple(lone[1][:limit]),
        counts={verdict.value: counts[verdict.value] for verdict in Verdict}
        | {"only_one": len(lone[0]), "only_other": len(lone[1])},
    )


def found_by(text: str, searching: Searching, rulesets: Iterable[str], *, progress: Progress | None = None) -> Topic:
    """
    Return the topic *text*: in each of *rulesets* the rules that it finds, but for the much weaker ones.

    Raises InputError when the text is empty.
    """
    if not text.strip():
        raise InputError("the topic is empty", hint="name a term, or ask a question")
    places: dict[str, int] = {}
    for name in rulesets:
        hits = searching.search(text, rulesets={name}, limit=_FOUND, progress=progress)
        strong = (hit for hit in hits if hit.score >= _STRONG * hits[0].score)
        places |= {hit.rule: place for place, hit in enumerate(strong)}
    return Topic(text, places)


def _title(ruleset: Ruleset, language: str | None) -> str:
    titles = ruleset.manifest.title
    return titles.get(language or "") or next(iter(titles.values()))


def _in_order(views: Iterable[PairView], one: Ruleset, other: Ruleset, topic: Topic | None) -> list[PairView]:
    """
    The pairs of which a rule was found: by verdict, then by place among the found, then as the rulesets order them.
    """
    numbers = {rule.id: number for ruleset in (one, other) for number, rule in enumerate(ruleset.rules)}

    def order(view: PairView) -> tuple[int, int, int, int]:
        rules = view.one.rule, view.other.rule
        return _ORDER[view.verdict], _place(topic, rules), numbers[rules[0]], numbers[rules[1]]

    held = (view for view in views if topic is None or topic.places.keys() & {view.one.rule, view.other.rule})
    return sorted(held, key=order)


def _place(topic: Topic | None, rules: Iterable[str]) -> int:
    return min((topic.places[rule] for rule in rules if rule in topic.places), default=0) if topic else 0


def _lone(
    ruleset: Ruleset, near: Iterable[Near], paired: set[str], topic: Topic | None, language: str | None
) -> Iterator[OnlyView]:
    touched: dict[str, str] = {}
    for each in sorted(near, key=lambda each: (-each.nearness, each.one.rule, each.other.rule)):
        if each.nearness >= MUTUAL:
            touched.setdefault(each.one.rule, each.other.rule)
            touched.setdefault(each.other.rule, each.one.rule)
    for rule in sorted(ruleset.rules, key=lambda rule: _place(topic, [rule.id])):
        if rule.id not in paired and (topic is None or rule.id in topic.places):
            yield OnlyView(rule=rule.id, title=rule.wording(language).title, nearest=touched.get(rule.id))


def _first_of_each(views: Iterable[PairView], limit: int | None) -> Iterator[PairView]:
    seen: Counter[Verdict] = Counter()
    for view in views:
        seen[view.verdict] += 1
        if limit is None or seen[view.verdict] <= limit:
            yield view
