"""
Two rulesets held against each other: where they differ, where they say the same, and what only one of them has.

Rules are paired paragraph by paragraph. Two paragraphs are on one point when each is the nearest of the other
and they stand out as near, or when one is the other's nearest and they stand out far. What rules say of each
other by `conflicts_with` stands above what their words show.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook.errors import InputError, UnknownNameError
from lorebook.progress import Progress
from lorebook.retrieval.nearness import Near, Nearness
from lorebook.retrieval.passages import Passage
from lorebook.ruleset import Ruleset
from lorebook.scripts import language_of
from lorebook.workspace.contrasts import Contrast, contrasts, surroundings
from lorebook.workspace.disagreements import Disagreements, shows
from lorebook.workspace.linking import command
from lorebook.workspace.views import Comparison, OnlyView, PairView, StatementView, Verdict

if TYPE_CHECKING:
    from lorebook.workspace.searching import Searching

# In standard deviations: on the shipped rulesets, pairs below these speak of different things. On small ones, what
# belongs together stands at 8 to 20 and all else below 6, with e5 and with MiniLM.
_MUTUAL, _ONE_SIDED = 7.5, 9.0
# A passage pair that is nearly as near as the nearest is shown instead, when its words differ visibly.
_NEARLY = 2.0
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
    pairs = _Pairs(one, other, nearness, language, disagreements)
    views = _within([*pairs.linked(), *pairs.by_nearness(near)], topic)
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


def is_on_one_point(near: Near) -> bool:
    """
    Tell whether two passages, one of them the nearest of the other, stand out far enough to speak of the same thing.
    """
    return near.nearness >= (_MUTUAL if near.mutual else _ONE_SIDED)


class _Pairs:
    """
    The pairs of rules of two rulesets, each seen once.
    """

    def __init__(
        self, one: Ruleset, other: Ruleset, nearness: Nearness, language: str | None, disagreements: Disagreements
    ) -> None:
        self._one = {rule.id: rule for rule in one.rules}
        self._other = {rule.id: rule for rule in other.rules}
        self._nearness = nearness
        self._language = language
        self._disagreements = disagreements
        self.seen: set[tuple[str, str]] = set()

    def linked(self) -> Iterator[PairView]:
        """
        Yield what the rules themselves call conflicts, whichever side says it.
        """
        said = {(rule.id, link) for rule in self._one.values() for link in rule.conflicts_with}
        said |= {(link, rule.id) for rule in self._other.values() for link in rule.conflicts_with}
        for left, right in sorted(said):
            if left in self._one and right in self._other:
                near = self._nearness.nearest(*self._passages(left, right))
                written = [each for each in near if self._is_written(each)]
                close = [each for each in near if each.nearness >= near[0].nearness - _NEARLY]
                yield self._view(written or close, linked=True)

    def by_nearness(self, near: Iterable[Near]) -> Iterator[PairView]:
        """
        Yield pairs of rules that are on one point by *near*, but for those seen already.
        """
        groups: defaultdict[tuple[str, str], list[Near]] = defaultdict(list)
        for each in sorted(near, key=lambda each: -each.nearness):
            if is_on_one_point(each):
                groups[each.one.rule, each.other.rule].append(each)
        for pair, held in groups.items():
            if pair not in self.seen:
                yield self._view(held)

    def _is_written(self, near: Near) -> bool:
        """
        Tell whether it is written down that these passages disagree.
        """
        rules = self._one[near.one.rule], self._other[near.other.rule]
        said = self._disagreements.between(*rules, (near.one.language, near.other.language))
        return any(shows(near.one.text, each.one) and shows(near.other.text, each.other) for each in said)

    def _passages(self, left: str, right: str) -> tuple[list[Passage], list[Passage]]:
        common = {*self._one[left].wordings} & {*self._other[right].wordings}
        language = self._language if self._language in common else min(common, default=None)
        return self._nearness.of_rule(left, language), self._nearness.of_rule(right, language)

    def _view(self, near: Sequence[Near], *, linked: bool = False) -> PairView:
        """
        The pair at its first passages that differ visibly, else at the nearest ones.
        """
        differing = ((each, found) for each in near if (found := self._contrasts(each)))
        shown, found = next(differing, (near[0], []))
        self.seen.add((shown.one.rule, shown.other.rule))
        different = Verdict.DIFFERENT if found else Verdict.ALIKE
        said = str(found[0]) if found else ""
        return PairView(
            verdict=Verdict.CONFLICT if linked else different,
            label="; ".join(filter(None, ("conflict (linked)", said))) if linked else said or "alike",
            one=_statement(shown.one),
            other=_statement(shown.other),
            contrasts=tuple(found),
            nearness=round(shown.nearness, 2),
            link=command(shown.one.rule, shown.other.rule) if found and not linked else None,
        )

    def _contrasts(self, near: Near) -> list[Contrast]:
        sides = ((self._one, near.one), (self._other, near.other))
        around = [surroundings(rules[passage.rule], passage.language) for rules, passage in sides]
        return contrasts(near.one.text, near.other.text, around=(around[0], around[1]))


def _statement(passage: Passage) -> StatementView:
    return StatementView(rule=passage.rule, title=passage.title, language=passage.language, text=passage.text)


def _title(ruleset: Ruleset, language: str | None) -> str:
    titles = ruleset.manifest.title
    return titles.get(language or "") or next(iter(titles.values()))


def _within(views: Iterable[PairView], topic: Topic | None) -> list[PairView]:
    """
    The pairs of which a rule was found, in order: by verdict, then by place among the found, then by nearness.
    """

    def order(view: PairView) -> tuple[int, int, float, list[str]]:
        # The order of the names must not depend on which ruleset is named first.
        rules = [view.one.rule, view.other.rule]
        return _ORDER[view.verdict], _place(topic, rules), -view.nearness, sorted(rules)

    held = (view for view in views if topic is None or topic.places.keys() & {view.one.rule, view.other.rule})
    return sorted(held, key=order)


def _place(topic: Topic | None, rules: Iterable[str]) -> int:
    return min((topic.places[rule] for rule in rules if rule in topic.places), default=0) if topic else 0


def _lone(
    ruleset: Ruleset, near: Iterable[Near], paired: set[str], topic: Topic | None, language: str | None
) -> Iterator[OnlyView]:
    touched: dict[str, str] = {}
    for each in sorted(near, key=lambda each: (-each.nearness, each.one.rule, each.other.rule)):
        if each.nearness >= _MUTUAL:
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
