"""
Where rulesets disagree on what was asked: the other rule beneath a hit, and whose ruling the asker goes by.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lorebook.records import Rule, told
from lorebook.retrieval.hits import Hit
from lorebook.retrieval.passages import Passage, PassageKind
from lorebook.ruleset import Manifest, Ruleset, read_manifest, read_rule
from lorebook.workspace import location
from lorebook.workspace.answers import answer_hit
from lorebook.workspace.contrasts import contrasts, surroundings
from lorebook.workspace.disagreements import Disagreements, shows
from lorebook.workspace.views import AnswerHit, ConflictView

if TYPE_CHECKING:
    from lorebook.retrieval.vectors import Vault
    from lorebook.workspace.searching import Searching

# Scores that are nearer than this are about equal.
_ABOUT_EQUAL = 0.1
# A rule with such a score is likelier to answer than not.
_ANSWERS = 0.5
# In cosine: a passage that is farther from the other rule than the nearest of its own rule speaks of something else.
_SAME_POINT = 0.008
# What is nearly as near as the nearest and differs visibly is what they disagree on.
_NEARLY = 0.04
# A rule of so few paragraphs was probably asked for as a whole.
_FEW = 4
_KEY = b"conflicts_with"
# Rulesets whose links are kept in memory.
_REMEMBERED = 256

LOOKED_AT = 10
"""Hits that are looked at, at least, when a ruleset is preferred: of a few, the best are not always its rules."""


def preferred_first(hits: Iterable[Hit], ruleset: str | None) -> list[Hit]:
    """
    Return *hits* with those of *ruleset* before others of about the same score.

    They count as if their score were higher by 0.1, but none passes a rule that was cited by its number, and none
    that is likelier not to answer passes one that is likelier to.
    """

    def merit(hit: Hit) -> tuple[bool, bool, float]:
        bonus = _ABOUT_EQUAL if hit.ruleset == ruleset else 0.0
        return hit.evidence.number is not None, hit.score >= _ANSWERS, hit.score + bonus

    held = list(hits)
    return sorted(held, key=merit, reverse=True) if ruleset else held


class _Said(NamedTuple):
    text: str
    on_point: bool
    own: str | None = None


class _Place(NamedTuple):
    """
    Where a rule stands among the hits, and what is shown of it there.
    """

    number: int
    text: str


@dataclass(frozen=True)
class Conflicts:
    """
    The disagreements between the rulesets in *folders*, of which *asked* were asked (None: all).
    """

    folders: Mapping[str, Path]
    searching: Searching
    disagreements: Disagreements
    asked: Collection[str] | None = None
    prefer: str | None = None
    _rules: dict[str, Rule] = field(default_factory=dict, init=False)
    _manifests: dict[str, Manifest] = field(default_factory=dict, init=False)

    def beneath(self, hits: Sequence[Hit]) -> tuple[AnswerHit, ...]:
        """
        Return *hits* as answers, each with the rules that disagree with it and stood under no hit before it.
        """
        answers = [answer_hit(self.folders[hit.ruleset], hit) for hit in hits]
        places = {answer.rule.id: _Place(place, answer.hit.text) for place, answer in enumerate(answers, 1)}
        links = self._links([answer.rule for answer in answers])
        shown: set[frozenset[str]] = set()
        made = []
        for answer in answers:
            fresh = [other for other in links[answer.rule.id] if frozenset((answer.rule.id, other)) not in shown]
            shown |= {frozenset((answer.rule.id, other)) for other in fresh}
            views = tuple(self._view(answer, self._rule(other), places.get(other)) for other in fresh)
            made.append(answer.model_copy(update={"conflicts": views}))
        return tuple(made)

    def _links(self, rules: Sequence[Rule]) -> dict[str, list[str]]:
        """
        What each rule disagrees with, said by itself or by the other; a link that leads nowhere is left out.
        """
        links = {
            rule.id: dict.fromkeys(other for other in rule.conflicts_with if self._is_there(other)) for rule in rules
        }
        for other in self._naming([*links]):
            for rule_id in links.keys() & set(other.conflicts_with):
                links[rule_id].setdefault(other.id)
        return {rule_id: [*others] for rule_id, others in links.items()}

    def _naming(self, rule_ids: Sequence[str]) -> Iterator[Rule]:
        """
        The rules whose files may link to one of *rule_ids*; only these are parsed.
        """
        names = [rule_id.encode() for rule_id in rule_ids]
        for folder in self.folders.values():
            for name, links in _linking(folder, self.searching.seen(folder.name, folder)):
                if any(each in links for each in names):
                    yield self._rule(f"{folder.name}/{name}")

    def _is_there(self, rule_id: str) -> bool:
        name, _, slug = rule_id.partition("/")
        return name in self.folders and location.is_file(self.folders[name] / f"{slug}.yaml")

    def _rule(self, rule_id: str) -> Rule:
        if rule_id not in self._rules:
            name, _, slug = rule_id.partition("/")
            self._rules[rule_id] = read_rule(self.folders[name] / f"{slug}.yaml")
        return self._rules[rule_id]

    def _manifest(self, name: str) -> Manifest:
        if name not in self._manifests:
            self._manifests[name] = read_manifest(self.folders[name])
        return self._manifests[name]

    def _view(self, answer: AnswerHit, other: Rule, place: _Place | None) -> ConflictView:
        manifest = self._manifest(other.ruleset)
        language = answer.hit.language if answer.hit.language in other.wordings else other.original
        asked = self.asked is None or other.ruleset in self.asked
        sides = {rule.ruleset: rule.id for rule in (answer.rule, other)}
        said = self._said(answer, other, language)
        is_told = asked and (said.on_point or said.own is not None)
        return ConflictView(
            rule=other.id,
            ruleset_title=told(manifest.title, language),
            edition=told(manifest.edition, language),
            authority=told(other.authority or manifest.authority, language),
            language=language,
            title=other.wording(language).title,
            text=said.text if is_told and not (place and shows(place.text, said.text)) else None,
            own=said.own if is_told else None,
            place=place.number if place else None,
            asked=asked,
            on_point=said.on_point,
            ruling=sides.get(self.prefer) if self.prefer and len(sides) > 1 else None,
        )

    def _said(self, answer: AnswerHit, other: Rule, language: str) -> _Said:
        """
        What *other* says on the point, and whether the passage that answers is on it too.
        """
        said = self.disagreements.between(answer.rule, other, (answer.hit.language, language))
        if not said:
            return self._nearest(answer, other, language)
        meant = next((each for each in said if shows(answer.hit.text, each.one)), None)
        if meant:
            return _Said(meant.other, on_point=True)
        points = answer.rule.wording(answer.hit.language).text.split("\n")
        return _Said(said[0].other, on_point=False, own=said[0].one if len([*filter(None, points)]) <= _FEW else None)

    def _nearest(self, answer: AnswerHit, other: Rule, language: str) -> _Said:
        """
        The passage of *other* that differs visibly from the one that answers, else that is nearest to it.

        A long rule may disagree with *other* on another of its points: then another of its passages is much nearer.
        """
        mine = self._passages(answer.rule, answer.hit.language)
        theirs = self._passages(other, language)
        at = next((at for at, each in enumerate(mine) if each.text == answer.hit.text), None)
        if at is None or self._vault.missing(each.key for each in (*mine, *theirs)):
            # The files changed since the index was asked: the next question finds them.
            return _Said(theirs[0].text, on_point=True)
        rows, others = (self._vault.rows([each.key for each in side]) for side in (mine, theirs))
        near = rows @ others.T
        around = (surroundings(answer.rule, answer.hit.language), surroundings(other, language))
        differing = [
            to for to, each in enumerate(theirs)
            if near[at, to] >= near.max() - _NEARLY and contrasts(answer.hit.text, each.text, around=around)
        ]  # fmt: skip
        best = max(differing or range(len(theirs)), key=lambda to: float(near[at, to]))
        if differing:
            return _Said(theirs[best].text, on_point=True)
        return _Said(theirs[best].text, on_point=bool(near[at, best] >= near.max() - _SAME_POINT))

    def _passages(self, rule: Rule, language: str) -> list[Passage]:
        manifest = self._manifest(rule.ruleset)
        cut = self.searching.index.made_of.passages([Ruleset(rule.ruleset, manifest, [rule])])
        return [each for each in cut if each.language == language and each.kind is not PassageKind.ASKED]

    @cached_property
    def _vault(self) -> Vault:
        return self.searching.vault()


@lru_cache(maxsize=_REMEMBERED)
def _linking(folder: Path, seen: str) -> tuple[tuple[str, bytes], ...]:
    """
    The names of the rules in *folder* that link to others, and where they do; *seen* is the folder's fingerprint.
    """
    del seen
    paths = sorted(folder.glob("[!.]*.yaml"))
    parts = ((path.stem, path.read_bytes().partition(_KEY)[2]) for path in paths)
    return tuple((name, links) for name, links in parts if links)
