"""
Answers of different rulesets that may disagree, though no link says so: by the very signs that `compare` goes by.

Two hits are on one point when their passages stand out as near among all of their rulesets, and they may disagree when
the passages' words differ visibly. Nothing else of the rules is looked at, so few are named, and most of them rightly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from lorebook.workspace.contrasts import Contrast, contrasts, surroundings
from lorebook.workspace.views import AnswerHit, DoubtView

if TYPE_CHECKING:
    from lorebook.workspace.searching import Searching

# What is scored below this share of the best hit hardly speaks of what was asked; so it is for a topic of `compare`.
_STRONG = 0.5


def with_doubts(answers: Sequence[AnswerHit], searching: Searching) -> tuple[AnswerHit, ...]:
    """
    Return *answers* with those that may disagree, each pair once, at its first hit.
    """
    found: dict[str, list[DoubtView]] = {answer.rule.id: [] for answer in answers}
    for one, other, signs in _differing(answers):
        if _on_one_point(one, other, searching):
            title = other.rule.wording(other.hit.language).title
            place = answers.index(other) + 1
            view = DoubtView(rule=other.rule.id, title=title, place=place, label=str(signs[0]), contrasts=tuple(signs))
            found[one.rule.id].append(view)
    return tuple(answer.model_copy(update={"doubts": tuple(found[answer.rule.id])}) for answer in answers)


def _differing(answers: Sequence[AnswerHit]) -> Iterator[tuple[AnswerHit, AnswerHit, list[Contrast]]]:
    """
    Yield the pairs of strong hits of different rulesets that no link joins and whose words differ.
    """
    linked = {frozenset((answer.rule.id, view.rule)) for answer in answers for view in answer.conflicts}
    strong = (answer for answer in answers if answer.hit.score >= _STRONG * max(each.hit.score for each in answers))
    for one, other in combinations(strong, 2):
        is_new = frozenset((one.rule.id, other.rule.id)) not in linked
        if is_new and one.rule.ruleset != other.rule.ruleset and one.hit.language == other.hit.language:
            around = (surroundings(one.rule, one.hit.language), surroundings(other.rule, other.hit.language))
            if signs := contrasts(one.hit.text, other.hit.text, around=around):
                yield one, other, signs


def _on_one_point(one: AnswerHit, other: AnswerHit, searching: Searching) -> bool:
    # Only now, for it brings numpy and, in a process that answers once, takes the vectors from the disk.
    from lorebook.workspace.pairing import is_on_one_point  # noqa: PLC0415

    nearness = searching.nearness_as_asked()
    sides = ((one.rule.id, one.hit.text), (other.rule.id, other.hit.text))
    near = nearness.between_two(*sides, one.hit.language) if nearness else None
    return near is not None and is_on_one_point(near)
