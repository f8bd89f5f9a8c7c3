"""
Which rules of two rulesets are held against each other, and what is said of each pair.

Rules in the same or nearly the same words are paired with each other alone. The others are paired paragraph by
paragraph: two paragraphs are on one point when each is the nearest of the other and they stand out as near, or when
one is the other's nearest and they stand out far. What rules say of each other by `conflicts_with` stands above what
their words show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from lorebook.records import Rule
from lorebook.retrieval.nearness import Near, Nearness
from lorebook.retrieval.passages import Passage
from lorebook.ruleset import Ruleset
from lorebook.workspace.contrasts import Contrast, ContrastKind, contrasts, rewording, surroundings
from lorebook.workspace.disagreements import Disagreements, shows
from lorebook.workspace.editions import NEARLY_THE_SAME, said_by, spoken, twins
from lorebook.workspace.linking import command
from lorebook.workspace.rewording import likeness, words
from lorebook.workspace.views import PairView, StatementView, Verdict

MUTUAL = 7.5
"""
In standard deviations: on the shipped rulesets, pairs below this speak of different things. On small ones, what belongs
together stands at 8 to 20 and all else below 6, with e5 and with MiniLM.
"""

_ONE_SIDED = 9.0
# A passage pair that is nearly as near as the nearest is shown instead, when its words differ visibly.
_NEARLY = 2.0


def is_on_one_point(near: Near) -> bool:
    """
    Tell whether two passages, one of them the nearest of the other, stand out far enough to speak of the same thing.
    """
    return near.nearness >= (MUTUAL if near.mutual else _ONE_SIDED)


class Pairs:
    """
    The pairs of rules of two rulesets, each seen once.
    """

    def __init__(
        self,
        one: Ruleset,
        other: Ruleset,
        nearness: Nearness,
        near: Sequence[Near],
        *,
        language: str | None,
        disagreements: Disagreements,
    ) -> None:
        self._one = {rule.id: rule for rule in one.rules}
        self._other = {rule.id: rule for rule in other.rules}
        self._nearness = nearness
        self._near = _by_rules(near)
        self._best = {(each.one.rule, each.other.rule): each.nearness for each in sorted(near, key=_nearness)}
        self._language = language
        self._disagreements = disagreements
        self._twins = twins(one, other, self._near, language)
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
                if not written and self._twins.pairs.get((left, right)):
                    yield self._twin(left, right, linked=True)
                else:
                    yield self._view(written or close, linked=True)

    def twins(self) -> Iterator[PairView]:
        """
        Yield the rules in the same or nearly the same words, but for those seen already.
        """
        for pair in self._twins.pairs:
            if pair not in self.seen:
                yield self._twin(*pair)

    def by_nearness(self) -> Iterator[PairView]:
        """
        Yield the other pairs of rules that are on one point, but for those seen already.
        """
        alone = self._twins.rules.isdisjoint
        for pair, held in self._near.items():
            if pair not in self.seen and alone(pair):
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
        The pair at its first passages that differ visibly, else that are nearly the same, else at the nearest ones.
        """
        signs = ((each, found) for look in (self._contrasts, self._rewording) for each in near if (found := look(each)))
        shown, found = next(signs, (near[0], []))
        return self._told(_statement(shown.one), _statement(shown.other), found, shown.nearness, linked=linked)

    def _contrasts(self, near: Near) -> list[Contrast]:
        sides = ((self._one, near.one), (self._other, near.other))
        around = [surroundings(rules[passage.rule], passage.language) for rules, passage in sides]
        return contrasts(near.one.text, near.other.text, around=(around[0], around[1]))

    def _rewording(self, near: Near) -> list[Contrast]:
        """
        The words that differ, where the passages are nearly the same or the rulesets editions of one book.
        """
        texts = near.one.text, near.other.text
        is_said = words(texts[0]) != words(texts[1]) and near.one.language == near.other.language
        is_due = is_said and (self._twins.are_editions or likeness(*texts) >= NEARLY_THE_SAME)
        return [rewording(*texts)] if is_due else []

    def _twin(self, left: str, right: str, *, linked: bool = False) -> PairView:
        """
        The twins at the first of their paragraphs that differ visibly, else at the first that differ.
        """
        changed = self._twins.pairs[left, right]
        found = [(pair, [*contrasts(*pair), rewording(*pair)]) for pair in changed]
        found.sort(key=lambda each: each[1][0].kind is ContrastKind.WORDS)
        rules = self._one[left], self._other[right]
        texts = found[0][0] if found else tuple(said_by(rule, self._language).paragraphs[0] for rule in rules)
        one, other = (self._stated(rule, text) for rule, text in zip(rules, texts, strict=True))
        signs = [sign for _, each in found for sign in each]
        told = self._told(one, other, signs, self._how_near(left, right), linked=linked, same=not changed)
        more = len(found) - 1
        return told.model_copy(update={"label": f"{told.label} (and {more} more)"}) if more > 0 else told

    def _stated(self, rule: Rule, text: str) -> StatementView:
        code = spoken(rule, self._language)
        return StatementView(rule=rule.id, title=rule.wording(code).title, language=code, text=text)

    def _how_near(self, left: str, right: str) -> float:
        held = self._best.get((left, right))
        return self._nearness.nearest(*self._passages(left, right))[0].nearness if held is None else held

    def _told(
        self,
        one: StatementView,
        other: StatementView,
        found: Sequence[Contrast],
        nearness: float,
        *,
        linked: bool,
        same: bool = False,
    ) -> PairView:
        self.seen.add((one.rule, other.rule))
        verdict = _verdict(found, same=same)
        said = str(found[0]) if found else ""
        return PairView(
            verdict=Verdict.CONFLICT if linked else verdict,
            label="; ".join(filter(None, ("conflict (linked)", said))) if linked else said or verdict.value,
            one=one,
            other=other,
            contrasts=tuple(found),
            nearness=round(nearness, 2),
            link=command(one.rule, other.rule) if found and not linked else None,
        )


def _verdict(found: Sequence[Contrast], *, same: bool) -> Verdict:
    if found:
        return Verdict.REWORDED if all(each.kind is ContrastKind.WORDS for each in found) else Verdict.DIFFERENT
    return Verdict.SAME if same else Verdict.ALIKE


def _nearness(near: Near) -> float:
    return near.nearness


def _by_rules(near: Iterable[Near]) -> dict[tuple[str, str], list[Near]]:
    """
    What is on one point, by the rules, the nearest first.
    """
    groups: defaultdict[tuple[str, str], list[Near]] = defaultdict(list)
    for each in sorted(near, key=_nearness, reverse=True):
        if is_on_one_point(each):
            groups[each.one.rule, each.other.rule].append(each)
    return dict(groups)


def _statement(passage: Passage) -> StatementView:
    return StatementView(rule=passage.rule, title=passage.title, language=passage.language, text=passage.text)
